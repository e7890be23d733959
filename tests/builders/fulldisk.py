"""A server on a disk that fills up in the middle of a match, and is emptied again.

Run by a test in a process of its own, on a small disk that is mounted for it alone.
"""

import asyncio
import sys
from pathlib import Path

from builders.players import Player, started
from builders.records import read_record
from builders.servers import running_app
from builders.wires import dialled, met
from page.asking import asked
from sunglare_protocol.messages import (
    PROTOCOL_VERSION,
    Accepted,
    GiveOrders,
    Hello,
    News,
    Over,
    Refused,
    Resign,
    Resume,
    Resumed,
    Welcome,
)
from sunglare_protocol.refusals import Code
from sunglare_server.ops.control.commands import operate

CHUNK = bytes(4096)
WELL_S = 60.0
REVS_MOST = 500

Given = list[tuple[int, int]]
"""Orders by their command id and rev."""


def fill(filler: Path) -> None:
    """Write until nothing more goes onto the disk."""
    try:
        with filler.open("wb", buffering=0) as file:
            while file.write(CHUNK) == len(CHUNK):
                continue
    except OSError:
        return


async def order(player: Player, rev: int) -> Accepted | Refused:
    """Give orders anew for the open window, and leave them open; return the answer."""
    answer = await player.talker.ask(
        GiveOrders, match=player.match, window=player.newest.window, rev=rev, lock=False
    )
    assert isinstance(answer, Accepted | Refused), answer
    return answer


async def refused(player: Player, accepted: Given) -> int:
    """Give orders until they are refused; return the rev that was."""
    for rev in range(len(accepted) + 1, REVS_MOST):
        answer = await order(player, rev)
        if isinstance(answer, Refused):
            assert answer.code is Code.SERVER_JOURNAL, answer
            return rev
        accepted.append((answer.id, rev))
    raise AssertionError("a full disk took everything")


async def heard(player: Player, text: str) -> None:
    """Wait until the server has said something to the seats."""
    await player.talker.wait_for(
        lambda message: isinstance(message, News) and message.text == text
    )


async def come_back(url: str, player: Player) -> None:
    """Take a seat again by its ticket and by its account, and get no other ticket."""
    for ticket in (player.ticket, None):
        async with met(url, token=player.talker.token) as later:
            taken = await later.expect(Resumed, Resume, match=player.match, ticket=ticket)
            assert taken.ticket is None, taken


async def newcomer(url: str) -> Code | None:
    """Return why somebody new is not let in; None if they are."""
    async with dialled(url) as talker:
        answer = await talker.ask(Hello, v=PROTOCOL_VERSION)
        assert isinstance(answer, Refused | Welcome), answer
        return Code(answer.code) if isinstance(answer, Refused) else None


async def status(folder: Path) -> int:
    """Return with which code the operator's command ends."""
    words = ["status", "--journal", str(folder / "journal.db")]
    return await asyncio.to_thread(operate, words)


async def idle(folder: Path, url: str) -> None:
    """Fill the disk of a server that has no match, and empty it again."""
    assert await status(folder) == 0
    filler = folder / "filler"
    fill(filler)
    for _ in range(REVS_MOST):
        if await newcomer(url) is Code.SERVER_JOURNAL:
            break
    assert await readiness(url) == (503, b"not ready: nothing can be stored\n")
    assert await status(folder) == 1
    filler.unlink()
    async with asyncio.timeout(WELL_S):
        while await readiness(url) != (200, b"ready\n"):  # noqa: ASYNC110 - it tells nobody
            await asyncio.sleep(0.05)
    assert await status(folder) == 0
    assert await newcomer(url) is None


async def readiness(url: str) -> tuple[int, bytes]:
    """Return what is said of whether somebody new may come."""
    answer = await asked(url, "/readyz")
    return answer.status, answer.body


async def main(folder: Path) -> None:
    """Play a match over a full disk."""
    accepted: Given = []
    filler = folder / "filler"
    async with (
        running_app(folder) as app,
        met(app.url) as anna,
        met(app.url) as boris,
    ):
        await idle(folder, app.url)
        players = await started([anna, boris])
        assert await readiness(app.url) == (200, b"ready\n")
        fill(filler)
        rev = await refused(players[0], accepted)
        assert isinstance(await order(players[1], 1), Refused)
        for player in players:
            await heard(player, Code.SERVER_JOURNAL.value)
        await come_back(app.url, players[1])
        assert await readiness(app.url) == (503, b"not ready: nothing can be stored\n")
        assert await newcomer(app.url) is Code.SERVER_JOURNAL
        assert await status(folder) == 1
        filler.unlink()
        await heard(players[0], "server/again")
        assert await readiness(app.url) == (200, b"ready\n")
        assert await status(folder) == 0
        assert await newcomer(app.url) is None
        async with met(app.url) as later:
            await players[1].resume(later)
        answer = await order(players[0], rev)
        assert isinstance(answer, Accepted), answer
        accepted.append((answer.id, rev))
        await anna.accepted(Resign, match=players[0].match)
        await anna.wait_for(lambda message: isinstance(message, Over))
        stored = read_record(await anna.record(players[0].match)).maps
    told = [
        record for record in stored if record["b"]["t"] == "orders" and not record["b"]["lock"]
    ]
    assert [(record["c"], record["b"]["rev"]) for record in told] == accepted


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1])))
