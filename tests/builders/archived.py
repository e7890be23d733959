"""A short match that is played to its end over sockets, and is in the archive afterwards."""

import asyncio
import tempfile
from functools import cache
from pathlib import Path
from typing import NamedTuple, final

from builders.matchstore import is_patched
from builders.memoryfolders import roomy_memory
from builders.players import all_ready, created, play_on, seated
from builders.servers import running_app
from builders.wires import met
from halves import IS_IN_HALVES
from sunglare_protocol.ids import OMNI, PUBLIC, MatchId
from sunglare_protocol.messages import Chat, Over, Resign, Watch, Watching

OPTIONS = {
    "clock": "test",
    "pad_frames": "yes",
    "truth_feed": "yes",
    "omni_delay_turns": 0,
    "omni_delay_s": 0,
}


@final
class Archived(NamedTuple):
    """A match that is over: what each audience was sent by number, and files that were saved.

    `ticket` and `token` are A's. `early` is what A saved in the middle of it, when it had been
    told as much as `seen` says.
    """

    match: MatchId
    sent: dict[str, dict[int, bytes]]
    ticket: str
    last: int
    early: bytes
    seen: int
    record: bytes
    token: str


async def played(folder: Path) -> Archived:
    """Have a short match with filled-up frames and a line of chat; `ticket` and `last` are A's.

    It is played once a process, if nothing is changed in that; each caller gets a database.
    """
    if is_patched() or IS_IN_HALVES:
        return await _played(folder)
    found, data = await asyncio.to_thread(_with_database)
    (folder / "journal.db").write_bytes(data)
    return found


@cache
def _with_database() -> tuple[Archived, bytes]:
    with tempfile.TemporaryDirectory(dir=roomy_memory()) as name:
        folder = Path(name)
        found = asyncio.run(_played(folder))
        return found, (folder / "journal.db").read_bytes()


async def _played(folder: Path) -> Archived:
    async with (
        running_app(folder) as app,
        met(app.url) as host,
        met(app.url, "anna") as anna,
        met(app.url, "boris") as boris,
        met(app.url) as truth,
    ):
        match = await created(host, options=OPTIONS)
        await host.expect(Watching, Watch, match=match, feed=PUBLIC)
        await truth.expect(Watching, Watch, match=match, feed=OMNI)
        players = [await seated(anna, match), await seated(boris, match)]
        await all_ready(players)
        await play_on(players, 4)
        await anna.accepted(Chat, match=match, text="a word in between")
        early, seen = await anna.record(match), players[0].seen
        await play_on(players, 2)
        await boris.accepted(Resign, match=match)
        over = await anna.wait_for(lambda message: isinstance(message, Over))
        lines = {"A": anna, "B": boris, str(PUBLIC): host, str(OMNI): truth}
        for line in lines.values():
            await line.wait_for(lambda message: isinstance(message, Over))
        assert isinstance(over, Over)
        sent = {name: line.sequence(match) for name, line in lines.items()}
        record = await host.record(match)
        return Archived(match, sent, players[0].ticket, over.seq, early, seen, record, anna.token)
