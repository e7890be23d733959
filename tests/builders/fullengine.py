"""A cluster of three engines of which one has a small disk: it fills up, and gets room again.

Run by a test in a process and a namespace of its own, in which it may mount that disk.
"""

import asyncio
import contextlib
import subprocess
import sys
import tempfile
from pathlib import Path

from builders.clusters import engine_at
from builders.engines import ACCOUNTS, SAFELY, Engines
from sunglare_protocol.ids import MatchId
from sunglare_server.cluster.client.engine import Engine
from sunglare_server.cluster.journal.journal import NatsJournal
from sunglare_server.cluster.journal.replicas import Copies
from sunglare_server.ports.journal import JournalError

SMALL, ROOMY = "size=12m", "size=200m"
RECORD = bytes(64_000)
FULL, MORE = 250, 10
"""So many records fill the small disk, and so many are appended once there is room."""

SHOWN_S = 60.0
MATCH = MatchId("a" * 26)


def done(*command: str) -> None:
    """Run a command, which must succeed."""
    subprocess.run(command, check=True)


def on_a_small_disk(folder: Path) -> Engines:
    """Return three engines that are not started, the last of them with a small disk."""
    engines = Engines(folder, 3, ACCOUNTS, SAFELY)
    last = engines.nodes[-1].folder
    settings = (last / "server.conf").read_text()
    done("mount", "-t", "tmpfs", "-o", SMALL, "tmpfs", str(last))
    (last / "server.conf").write_text(settings)
    return engines


async def away(copies: Copies) -> tuple[str, ...] | None:
    """Return which engines are away; None where there is no answer."""
    seen = await copies.look()
    return seen.away if seen is not None and seen.answer else None


async def append(journal: NatsJournal, number: int) -> None:
    """Store a record, again where an engine that leads has no room and another one is to lead."""
    async with asyncio.timeout(SHOWN_S):
        while await journal.last(MATCH) < number:
            with contextlib.suppress(JournalError):
                await journal.append(MATCH, number, (RECORD,))


async def come_away(copies: Copies, *names: str) -> None:
    """Wait until just these engines are away."""
    async with asyncio.timeout(SHOWN_S):
        while await away(copies) != names:  # noqa: ASYNC110 - it tells nobody
            await asyncio.sleep(0.2)


async def watch(engines: Engines, engine: Engine, copies: Copies) -> None:
    """Append until the small disk is full, and see that its engine is out until restarted."""
    journal = await NatsJournal.open(engine, shards=1)
    last = engines.nodes[-1]
    await come_away(copies)
    for number in range(1, FULL + 1):
        await append(journal, number)
    await come_away(copies, last.name)
    room = ("mount", "-o", f"remount,{ROOMY}", "tmpfs", str(last.folder))
    await asyncio.to_thread(done, *room)
    for number in range(FULL + 1, FULL + MORE + 1):
        await append(journal, number)
        # While another leader is elected nobody answers; who answers must not name it as there.
        assert (seen := await away(copies)) in {None, (last.name,)}, (number, seen)
        await asyncio.sleep(0.5)
    await come_away(copies, last.name)
    last.kill()
    last.start()
    await come_away(copies)
    assert await journal.last(MATCH) == FULL + MORE


async def main() -> None:
    """Run the cluster."""
    with tempfile.TemporaryDirectory() as folder:
        engines = on_a_small_disk(Path(folder))
        try:
            await asyncio.to_thread(engines.start)
            engine = await engine_at(engines.urls[:1], 3)
            copies = Copies(engine.connection, ("MLOG_0",), engine.clock)
            try:
                await watch(engines, engine, copies)
            finally:
                await engine.close()
        finally:
            engines.end()
            await asyncio.to_thread(done, "umount", str(engines.nodes[-1].folder))


if __name__ == "__main__":
    asyncio.run(main())
    sys.stdout.write("out until restarted\n")
