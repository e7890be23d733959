"""How long a server takes to listen again, and to load a match, from snapshots and without.

Matches of house bots are put into a real database file under many names, as a server that was
killed leaves them; then a server starts on it.
"""

import argparse
import asyncio
import itertools
import statistics
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from in_process import folded, played
from msgspec.structs import replace

from builders.runners import runners_of
from sunglare_client.bots.lurker import Lurker
from sunglare_protocol.ids import MatchId
from sunglare_protocol.messages.replies import RoomState
from sunglare_server.app import App
from sunglare_server.base.library import load_library
from sunglare_server.config import Settings
from sunglare_server.logs import set_up_logs
from sunglare_server.match.data.options import MatchOptions
from sunglare_server.match.data.scenario import Scenario
from sunglare_server.match.record import WindowDue, chain, packed
from sunglare_server.match.state import MatchState
from sunglare_server.ports.rooms import Room, RoomSeat, packed_room
from sunglare_server.runtime.batch import Sealed
from sunglare_server.runtime.recovery import load
from sunglare_server.runtime.snapshots import Snapshots
from sunglare_server.sqlite.database import Database
from sunglare_server.sqlite.journal import SqliteJournal
from sunglare_server.sqlite.store import SqliteStore

SCENARIO = "shadow-of-ceres"
WINDOWS_A_TURN = 5
SEEDS_MOST = 1000
DIFFERENT = 2
"""So many matches are played; the others are the same under other names."""

LISTENS_MOST_S = 1.0
LOAD_MOST_MS = 20.0
"""What is wanted, the second of a match with snapshots."""


async def at_once() -> None:
    """Wait for nobody."""


def long_matches(scenario: Scenario, windows: int) -> Iterator[list[bytes]]:
    """Yield matches of the house bots that are not over after so many windows."""
    for seed in range(1, SEEDS_MOST):
        # Of these bots many matches last: they fight when they meet, and do not look far.
        records = played(scenario, seed, windows, players=(Lurker,))
        if sum(isinstance(step.record.b, WindowDue) for step in folded(records)) >= windows:
            yield records


def renamed(records: list[bytes], match: MatchId) -> list[Sealed]:
    """Return the records of a match as those of another one, with what they come to."""
    found: list[Sealed] = []
    for step in folded(records):
        record = replace(step.record, m=match, p=found[-1].head if found else b"")
        blob = packed(record)
        found.append(Sealed(blob, chain(blob), step.after, record.t))
    return found


async def store(path: Path, matches: int, turns: int) -> None:
    """Put so many running matches of so many turns into a database file."""
    scenario = load_library().scenarios[SCENARIO]
    longer = replace(scenario, data=replace(scenario.data, turns=turns + 2))
    games = list(itertools.islice(long_matches(longer, turns * WINDOWS_A_TURN), DIFFERENT))
    database = await Database.open(path)
    journal, rooms = SqliteJournal(database), SqliteStore(database)
    for number in range(matches):
        match = MatchId(f"{number:026}")
        sealed = renamed(games[number % DIFFERENT], match)
        await journal.append(match, 1, tuple([entry.blob for entry in sealed]))
        await _keep_turns(Snapshots(match, journal), sealed)
        await rooms.put_room(match, packed_room(_room(match, longer)))
    await database.close()


async def _keep_turns(snapshots: Snapshots, sealed: list[Sealed]) -> None:
    before: MatchState | None = None
    for number, entry in enumerate(sealed, 1):
        snapshots.note(number, before, entry)
        snapshots.write({})
        before = entry.stepped.state
    await snapshots.settled()


def _room(match: MatchId, scenario: Scenario) -> Room:
    return Room(
        match=match,
        scenario=SCENARIO,
        sides=scenario.sides,
        options=MatchOptions(clock="test"),
        host="somebody",
        server_seed=bytes(32),
        seats=tuple(RoomSeat(side=side, account=side, is_ready=True) for side in scenario.sides),
        state=RoomState.RUNNING,
    )


async def loading_ms(path: Path, matches: int) -> float:
    """Return the median CPU time that the loading of a match takes."""
    database = await Database.open(path)
    journal, times = SqliteJournal(database), []
    for number in range(matches):
        began = time.process_time()
        await load(MatchId(f"{number:026}"), journal, at_once)
        times.append(time.process_time() - began)
    await database.close()
    return statistics.median(times) * 1e3


async def starting_s(path: Path, matches: int) -> tuple[float, float]:
    """Return after how long a server listens, and has loaded every match."""
    app = App(Settings(port=0, journal=path, bots=()))
    began = time.monotonic()
    await app.start()
    listens = time.monotonic() - began
    while len(runners_of(app.lobby.matches)) < matches:  # noqa: ASYNC110 - the bench looks from outside
        await asyncio.sleep(0.01)
    loaded = time.monotonic() - began
    await app.stop()
    return listens, loaded


async def without_snapshots(path: Path) -> None:
    """Delete the snapshots of a database file."""
    database = await Database.open(path)
    await database.query("DELETE FROM snapshot")
    await database.close()


async def measure(path: Path, matches: int, turns: int) -> None:
    """Print what a start on so many matches comes to."""
    await store(path, matches, turns)
    with_them = await loading_ms(path, matches)
    listens, loaded = await starting_s(path, matches)
    await without_snapshots(path)
    without = await loading_ms(path, min(matches, 20))
    print(
        f"restart with {matches} matches of {turns} turns: listens after {listens:.2f} s (at most"
        f" {LISTENS_MOST_S:g} is wanted), all loaded after {loaded:.1f} s;\n"
        f"loading one takes {with_them:.1f} ms of CPU time with snapshots (at most"
        f" {LOAD_MOST_MS:g} is wanted), {without:.1f} ms without"
    )


def main() -> None:
    """Print after how long a server listens again, and how long a match takes to load."""
    parser = argparse.ArgumentParser(description="Measure a restart.")
    parser.add_argument("--matches", type=int, default=200)
    parser.add_argument("--turns", type=int, default=20)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        set_up_logs("console", Path(folder) / "log", "info")
        asyncio.run(measure(Path(folder) / "journal.db", given.matches, given.turns))


if __name__ == "__main__":
    main()
