"""A server that is ended on a full disk, and started on it while it is still full.

Run by a test in a process of its own, on a small disk that is mounted for it alone.
"""

import asyncio
import contextlib
import os
import sys
from pathlib import Path

from builders.fulldisk import Given, fill, heard, order, readiness, refused
from builders.players import Player, started
from builders.records import read_record
from builders.servers import ServerProcess
from builders.wires import met
from sunglare_protocol.messages import Accepted, Over, Refused, Resign
from sunglare_protocol.refusals import Code

ORDERS = 5
"""So many are accepted before the disk is full."""

NOT_READY = (503, b"not ready: nothing can be stored\n")


async def back(
    server: ServerProcess, seats: list[Player], stack: contextlib.AsyncExitStack
) -> list[Player]:
    """Take each seat again over a connection of its own; return them with what they see."""
    taken = []
    for seat in seats:
        talker = await stack.enter_async_context(met(server.url, token=seat.talker.token))
        taken.append(await seat.resume(talker))
        await taken[-1].frame()
    return taken


async def looked_at(server: ServerProcess, filler: Path, seats: list[Player], rev: int) -> None:
    """Start on the full disk: each seat sees its match, and what it orders is refused."""
    fill(filler)
    server.start()
    fill(filler)
    async with contextlib.AsyncExitStack() as stack:
        taken = await back(server, seats, stack)
        for before, seat in zip(seats, taken, strict=True):
            assert seat.newest.window == before.newest.window
            assert seat.newest.view == before.newest.view
        answer = await order(taken[0], rev)
        assert isinstance(answer, Refused), answer
        assert answer.code is Code.SERVER_JOURNAL, answer
        assert await readiness(server.url) == NOT_READY


async def ended_full(
    server: ServerProcess, filler: Path, accepted: Given
) -> tuple[list[Player], int]:
    """Play until the disk takes nothing more; return the seats, and the rev that was refused."""
    server.start()
    async with met(server.url) as anna, met(server.url) as boris:
        seats = await started([anna, boris])
        for rev in range(1, ORDERS + 1):
            answer = await order(seats[0], rev)
            assert isinstance(answer, Accepted), answer
            accepted.append((answer.id, rev))
        fill(filler)
        rev = await refused(seats[0], accepted)
        server.kill()
    return seats, rev


async def main(folder: Path, logs: Path) -> None:
    """Kill it on the full disk, stop it there in order, and make room at last."""
    server = ServerProcess(logs)
    server.journal = folder / "journal.db"
    try:
        await played(server, folder / "filler")
    except BaseException:
        sys.stdout.write(server.said())
        raise
    finally:
        server.end()


async def played(server: ServerProcess, filler: Path) -> None:
    """Play the match: nothing that was accepted is lost, and what was refused can be given."""
    accepted: Given = []
    seats, rev = await ended_full(server, filler, accepted)
    await looked_at(server, filler, seats, rev)
    server.kill()
    await looked_at(server, filler, seats, rev)
    assert server.terminate() == 0
    await looked_at(server, filler, seats, rev)
    await room_made(server, filler, seats, rev, accepted)
    server.start()
    async with contextlib.AsyncExitStack() as stack:
        anna = (await back(server, seats, stack))[0]
        await anna.accepted(Resign)
        await anna.talker.wait_for(lambda message: isinstance(message, Over))
        stored = read_record(await anna.talker.record(anna.match)).maps
    told = [
        record for record in stored if record["b"]["t"] == "orders" and not record["b"]["lock"]
    ]
    assert [(record["c"], record["b"]["rev"]) for record in told] == accepted


async def room_made(
    server: ServerProcess, filler: Path, seats: list[Player], rev: int, accepted: Given
) -> None:
    """Make room: the match goes on by itself, and an order given then outlives a kill."""
    async with contextlib.AsyncExitStack() as stack:
        anna, boris = await back(server, seats, stack)
        assert isinstance(await order(boris, 1), Refused)
        os.unlink(filler)
        await heard(anna, "server/again")
        answer = await order(anna, rev)
        assert isinstance(answer, Accepted), answer
        accepted.append((answer.id, rev))
        server.kill()


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1]), Path(sys.argv[2])))
