"""Old matches are deleted with all that is kept of them; what goes on or is watched stays."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from builders.damage import changed, flipped
from builders.fakeclock import FakeClock
from builders.operators import asked, typed
from builders.players import Player, play_on, started
from builders.runners import loaded_runner, runners_of
from builders.venues import Venue
from builders.watchers import watch
from builders.wires import Talker, met
from sunglare_protocol.ids import OMNI, MatchId
from sunglare_protocol.messages import FetchRecord, Info
from sunglare_protocol.refusals import Code
from sunglare_server.app import App
from sunglare_server.ops.control.requests import Prune

DAY_MS = 86_400_000
START_MS = 1_000 * DAY_MS

Capsys = pytest.CaptureFixture[str]


async def ended(app: App, anna: Talker, boris: Talker) -> Player:
    """Play a match to its end."""
    left, right = await started([anna, boris])
    await anna.resign(left.match)
    await right.over()
    await runners_of(app.lobby.matches)[left.match].over.wait()
    return left


def named_in(path: Path, match: MatchId) -> dict[str, int]:
    """Return how many rows of each table of a closed file name a match."""
    with closing(sqlite3.connect(path)) as file:
        tables = ("record", "finished", "room", "ticket")
        sql = "SELECT count(*) FROM {} WHERE match = ?"
        return {table: file.execute(sql.format(table), (match,)).fetchone()[0] for table in tables}


async def test_what_ended_long_ago_is_deleted_with_all_its_traces_and_nothing_else_is(
    venue: Venue, tmp_path: Path, capsys: Capsys
) -> None:
    clock = FakeClock(START_MS)
    app = await venue.open(clock)
    async with met(app.url, "anna") as anna, met(app.url, "boris") as boris:
        old = await ended(app, anna, boris)
    clock.advance(3 * DAY_MS)
    async with met(app.url, "clara") as clara, met(app.url, "dana") as dana:
        newer = await ended(app, clara, dana)
    async with met(app.url, "emil") as emil, met(app.url, "fred") as fred:
        running, _ = await started([emil, fred])
        clock.advance(DAY_MS)
        dry = await typed(capsys, app, "prune", "--older-than", "2", "--dry-run")
        assert dry.out == "1 of 2 finished matches would be deleted\n"
        done = await typed(capsys, app, "prune", "--older-than", "2")
        assert done.out == "deleted 1 of 2 finished matches\n"
        assert await emil.code(Info, match=old.match) is Code.MATCH_UNKNOWN
        assert await emil.code(FetchRecord, match=old.match) is Code.MATCH_UNKNOWN
        # A match that goes on may be as old as it likes.
        clock.advance(100 * DAY_MS)
        done = await typed(capsys, app, "prune", "--older-than", "50")
        assert done.out == "deleted 1 of 1 finished matches\n"
        assert not runners_of(app.lobby.matches)[running.match].over.is_set()
    await venue.close()
    path = tmp_path / "journal.db"
    for gone in (old, newer):
        assert set(named_in(path, gone.match).values()) == {0}
    assert named_in(path, running.match)["record"] >= 1
    with closing(sqlite3.connect(path)) as file:
        assert file.execute("SELECT count(*) FROM person").fetchone() == (6,)
    assert old.match.encode() not in path.read_bytes()


async def test_a_match_that_somebody_follows_is_not_deleted(venue: Venue) -> None:
    clock = FakeClock(START_MS)
    app = await venue.open(clock)
    async with met(app.url) as anna, met(app.url) as boris:
        old = await ended(app, anna, boris)
    async with met(app.url) as clara:
        await watch(clara, old.match, OMNI)
        answer = await asked(app, Prune(days=0))
        assert answer.done == "deleted 0 of 1 finished matches; 1 are being watched"
    answer = await asked(app, Prune(days=0))
    assert answer.done == "deleted 1 of 1 finished matches"


async def test_a_match_whose_last_record_is_damaged_is_not_deleted(
    venue: Venue, tmp_path: Path
) -> None:
    path = tmp_path / "journal.db"
    app = await venue.open()
    anna, boris = await venue.some(2)
    old = await ended(app, anna, boris)
    await venue.close()
    with closing(sqlite3.connect(path)) as file:
        sql = "SELECT n, blob FROM record WHERE match = ? ORDER BY n DESC LIMIT 1"
        number, blob = file.execute(sql, (old.match,)).fetchone()
    for bit in (0, 100, 8 * len(blob) - 1):
        sql = "UPDATE record SET blob = ? WHERE match = ? AND n = ?"
        changed(path, sql, flipped(blob, bit), old.match, number)
        app = await venue.open()
        assert (await asked(app, Prune(days=0))).done == "deleted 0 of 0 finished matches"
        await venue.close()
    changed(path, sql, blob, old.match, number)
    app = await venue.open()
    assert (await asked(app, Prune(days=0))).done == "deleted 1 of 1 finished matches"


async def test_other_matches_go_on_and_the_next_start_knows_the_rest(venue: Venue) -> None:
    app = await venue.open()
    async with met(app.url) as anna, met(app.url) as boris:
        await ended(app, anna, boris)
    async with met(app.url) as clara, met(app.url) as dana:
        players = await started([clara, dana])
        assert (await asked(app, Prune(days=0))).done == "deleted 1 of 1 finished matches"
        await play_on(players, 2)
    await venue.close()
    app = await venue.open()
    assert list(app.lobby.rooms) == [players[0].match]
    assert await loaded_runner(app.lobby.matches, app.lobby.rooms[players[0].match]) is not None


@pytest.mark.parametrize("days", [-1, 36_501])
async def test_a_number_of_days_that_is_none_is_refused(
    app: App, capsys: Capsys, days: int
) -> None:
    done = await typed(capsys, app, "prune", "--older-than", str(days))
    assert done.err == (
        f"sunglare-server: --older-than {days}: a number of days from 0 to 36500\n"
    )
