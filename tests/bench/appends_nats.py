"""How long an append takes: to the database file, to one engine, and to a cluster of three.

Each is asked at a steady pace and by as many matches as play at once, and then as fast as it goes.
"""

import argparse
import asyncio
import contextlib
import statistics
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).parents[1]))

from builders.clusters import journal_on
from builders.engines import MISSING, running_engines, server_program
from sunglare_protocol.ids import MatchId
from sunglare_server.ports.journal import Journal
from sunglare_server.process import loop_factory
from sunglare_server.sqlite.database import Database
from sunglare_server.sqlite.journal import SqliteJournal

PACES = (200, 1_000)
"""Appends a second, all matches together."""

RECORD_BYTES = 400
"""About what a record of one order has."""


class Figures(NamedTuple):
    """What the appends of a run took, in ms, and how many there were in a second."""

    p50_ms: float
    p99_ms: float
    per_s: float


class Plan(NamedTuple):
    """How many matches append at once, and how many records each."""

    matches: int
    each: int


async def appended(journal: Journal, run: str, plan: Plan, per_s: float) -> Figures:
    """Return the figures of a run, at a pace or, where that is 0, as fast as it goes."""
    took_ms: list[float] = []
    began = time.perf_counter()

    async def play(k: int) -> None:
        match = MatchId(f"{run}-{k}")
        for number in range(1, plan.each + 1):
            if per_s:
                due = began + ((number - 1) * plan.matches + k) / per_s
                await asyncio.sleep(max(0.0, due - time.perf_counter()))
            sent = time.perf_counter()
            await journal.append(match, number, (bytes(RECORD_BYTES),))
            took_ms.append((time.perf_counter() - sent) * 1_000)

    await asyncio.gather(*(play(k) for k in range(plan.matches)))
    cuts = statistics.quantiles(took_ms, n=100)
    return Figures(cuts[49], cuts[98], len(took_ms) / (time.perf_counter() - began))


async def measured(journal: Journal, plan: Plan) -> Sequence[Figures]:
    """Return the figures at each pace, and as fast as it goes."""
    return [await appended(journal, f"run{k}", plan, pace) for k, pace in enumerate((*PACES, 0))]


@contextlib.asynccontextmanager
async def on_sqlite() -> AsyncIterator[Journal]:
    """Open a journal in a database file."""
    with tempfile.TemporaryDirectory() as folder:
        journal = SqliteJournal(await Database.open(Path(folder) / "journal.db"))
        yield journal
        await journal.close()


@contextlib.asynccontextmanager
async def on_engines(size: int) -> AsyncIterator[Journal]:
    """Open a journal in an engine of so many servers."""
    with running_engines(size) as engines:
        async with journal_on(engines) as journal:
            yield journal


async def main(plan: Plan) -> None:
    """Print one line for each medium and pace."""
    media = {
        "SQLite": on_sqlite(),
        "NATS, 1 server, 1 copy": on_engines(1),
        "NATS, 3 servers, 3 copies": on_engines(3),
    }
    print(f"{plan.matches} matches append {plan.each} records each")
    for name, medium in media.items():
        async with medium as journal:
            figures = await measured(journal, plan)
        for pace, (p50, p99, per_s) in zip((*PACES, 0), figures, strict=True):
            asked = f"{pace}/s" if pace else "as fast as it goes"
            print(f"  {name:26} {asked:18} {per_s:7.0f}/s  p50 {p50:.2f} ms  p99 {p99:.2f} ms")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--matches", type=int, default=200)
    parser.add_argument("--each", type=int, default=20)
    if server_program() is None:
        sys.exit(MISSING)
    with asyncio.Runner(loop_factory=loop_factory("auto")) as runner:
        runner.run(main(Plan(**vars(parser.parse_args()))))
