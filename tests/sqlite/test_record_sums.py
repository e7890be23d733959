"""A bit flipped in a stored record is found, in the newest too, which no record follows.

Every record lies beside its own hash. One that does not fit is refused: its match stops, and no
other does. Files are changed as a failing disk might, while no server has them open.
"""

import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from pathlib import Path
from random import Random

import pytest
from structlog.testing import capture_logs

from builders.damage import changed, flipped, two_matches
from builders.operators import asked
from builders.played import rig
from builders.players import play_on, started
from builders.runners import runners_of
from builders.scenarios import scenarios
from builders.servers import running_app
from builders.truths import MATCH
from builders.watchers import watch
from builders.wires import met
from sunglare_protocol.ids import PUBLIC, MatchId
from sunglare_protocol.messages import FetchRecord, Resume, Watch
from sunglare_protocol.refusals import Code
from sunglare_server.match.record import RecordError, chain
from sunglare_server.ops.control.commands import operate
from sunglare_server.ops.control.requests import Backup
from sunglare_server.ops.repair.database_check import check_match
from sunglare_server.runtime import snapshots
from sunglare_server.runtime.snapshots import TURNS_SHOWN
from sunglare_server.sqlite.database import Database
from sunglare_server.sqlite.journal import SqliteJournal

OTHER = MatchId("b" * 26)
FLIPS = 200

Sums = list[tuple[bytes, bytes | None]]


def put(path: Path, match: MatchId, number: int, blob: bytes) -> None:
    """Put other bytes in the place of a record."""
    sql = "UPDATE record SET blob = ? WHERE match = ? AND n = ?"
    changed(path, sql, blob, match, number)


def stored(path: Path, match: MatchId) -> Sums:
    """Return the records of a match in a closed file with the hashes beside them."""
    with closing(sqlite3.connect(path)) as file:
        sql = "SELECT blob, sum FROM record WHERE match = ? ORDER BY n"
        return file.execute(sql, (match,)).fetchall()


def folds(match: MatchId, blobs: list[bytes]) -> bool:
    """Return whether these records are good ones to whoever knows no hashes of their own."""
    return check_match(match, [(n, blob, None) for n, blob in enumerate(blobs, 1)]).fault is None


def unnoticed(match: MatchId, blobs: list[bytes]) -> bytes:
    """Return the last of these records with a bit flipped so that it is another good record."""
    made = (flipped(blobs[-1], bit) for bit in range(len(blobs[-1]) * 8))
    return next(data for data in made if folds(match, [*blobs[:-1], data]))


async def kept(path: Path) -> list[bytes]:
    """Keep a match in a new file, its newest record orders that a seat gave, and another match."""
    match, rng = rig(scenarios()["duel"], 5, PUBLIC), Random(5)
    match.play(rng, 4)
    side, orders = next((side, given) for side, given in match.ordered(rng).items() if given)
    match.give(side, orders, lock=False)
    async with opened(path) as journal:
        await journal.append(MATCH, 1, tuple(match.journal))
        await journal.append(OTHER, 1, (b"one", b"two"))
    return match.journal


@asynccontextmanager
async def opened(path: Path) -> AsyncIterator[SqliteJournal]:
    """Open the journal in a file; close it in the end."""
    journal = SqliteJournal(await Database.open(path))
    try:
        yield journal
    finally:
        await journal.close()


async def read(path: Path, match: MatchId, after: int = 0) -> tuple[bytes, ...]:
    """Return what a journal on this file reads of a match."""
    async with opened(path) as journal:
        return await journal.read(match, after)


# The journal


async def test_every_record_is_stored_with_its_hash(path: Path) -> None:
    blobs = await kept(path)
    assert stored(path, MATCH) == [(blob, chain(blob)) for blob in blobs]
    assert await read(path, MATCH) == tuple(blobs)


async def test_a_flipped_bit_of_the_newest_record_is_refused_and_no_other_match_is(
    path: Path,
) -> None:
    blobs = await kept(path)
    number, newest, others = len(blobs), blobs[-1], 0
    for bit in Random(1).sample(range(len(newest) * 8), FLIPS):
        spoiled = flipped(newest, bit)
        others += folds(MATCH, [*blobs[:-1], spoiled])
        put(path, MATCH, number, spoiled)
        async with opened(path) as journal:
            with pytest.raises(RecordError) as refused:
                await journal.read(MATCH, bit % number)
            assert refused.value.number == number
            assert await journal.read(OTHER) == (b"one", b"two")
    # Without their hash these would have been taken for orders that somebody gave.
    assert others > FLIPS // 20
    put(path, MATCH, number, newest)
    assert await read(path, MATCH) == tuple(blobs)


async def test_the_first_flipped_record_of_those_read_is_named(path: Path) -> None:
    blobs = await kept(path)
    for number in (5, 3):
        put(path, MATCH, number, flipped(blobs[number - 1], 40))
    with pytest.raises(RecordError, match=r"^record 3: its bytes do not have the hash"):
        await read(path, MATCH)
    with pytest.raises(RecordError, match=r"^record 5: "):
        await read(path, MATCH, 3)
    assert await read(path, MATCH, 5) == tuple(blobs[5:])


async def test_a_hash_with_a_flipped_bit_is_damage_too(path: Path) -> None:
    blobs = await kept(path)
    sql = "UPDATE record SET sum = ? WHERE match = ? AND n = 2"
    changed(path, sql, flipped(chain(blobs[1]), 7), MATCH)
    with pytest.raises(RecordError, match=r"^record 2: "):
        await read(path, MATCH)


async def test_records_without_a_hash_are_read_as_they_are(path: Path) -> None:
    blobs = await kept(path)
    changed(path, "UPDATE record SET sum = NULL WHERE match = ? AND n = 2", MATCH)
    assert await read(path, MATCH) == tuple(blobs)


# The server


async def test_a_server_stops_the_match_whose_newest_record_is_another_and_no_other(
    path: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (anna, _), good = await two_matches(tmp_path)
    blobs = [blob for blob, _ in stored(path, anna.match)]
    put(path, anna.match, len(blobs), unnoticed(anna.match, blobs))
    rows = stored(path, anna.match)
    with capture_logs() as lines:
        async with running_app(tmp_path) as app, met(app.url) as first, met(app.url) as second:
            for _ in range(2):
                fields = {"match": anna.match, "ticket": anna.ticket, "have": anna.seen}
                assert await first.code(Resume, **fields) is Code.MATCH_FAULT
                assert await first.code(Watch, match=anna.match, feed=PUBLIC) is Code.MATCH_FAULT
            assert anna.match not in app.lobby.matches.parked
            back = [await good[0].resume(first), await good[1].resume(second)]
            await play_on(back, 2)
    faults = [line for line in lines if line["log_level"] == "error"]
    why = f"record {len(blobs)}: its bytes do not have the hash that was stored with them"
    assert [(fault["event"], fault["match"], fault["why"]) for fault in faults] == [
        ("match_recovery_failed", anna.match, why)
    ]
    assert stored(path, anna.match) == rows
    capsys.readouterr()
    assert operate(["check", str(path)]) == 1
    told = capsys.readouterr().out.splitlines()
    assert told[0] == f"FAULT       {anna.match}: {why}"
    assert told[1].endswith("1 of them with a fault")


async def test_a_match_of_an_older_file_goes_on_and_its_new_records_get_hashes(
    path: Path, tmp_path: Path
) -> None:
    _, good = await two_matches(tmp_path)
    match = good[0].match
    with closing(sqlite3.connect(path)) as file, file:
        file.execute("UPDATE record SET sum = NULL")
    old = len(stored(path, match))
    for _ in range(2):
        async with running_app(tmp_path) as app, met(app.url) as first, met(app.url) as second:
            good = [await good[0].resume(first), await good[1].resume(second)]
            await play_on(good, 1)
    rows = stored(path, match)
    assert len(rows) > old
    assert [stored for _, stored in rows[:old]] == [None] * old
    assert rows[old:] == [(blob, chain(blob)) for blob, _ in rows[old:]]
    assert operate(["check", str(path)]) == 0


async def test_a_backup_holds_the_hashes_and_is_checked_by_them(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, copy = tmp_path / "journal.db", tmp_path / "copy.db"
    async with running_app(tmp_path) as app, met(app.url) as anna, met(app.url) as boris:
        players = await started([anna, boris])
        await play_on(players, 2)
        await asked(app, Backup(path=str(copy)))
    match = players[0].match
    rows = stored(copy, match)
    assert rows == stored(path, match)[: len(rows)]
    assert all(beside == chain(blob) for blob, beside in rows)
    assert operate(["check", str(copy)]) == 0
    blobs = [blob for blob, _ in rows]
    put(copy, match, len(blobs), unnoticed(match, blobs))
    capsys.readouterr()
    assert operate(["check", str(copy)]) == 1
    assert f"FAULT       {match}: record {len(blobs)}: " in capsys.readouterr().out


async def test_a_record_before_the_snapshots_that_is_damaged_stops_the_export_alone(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(snapshots, "RECORDS_FOLDED", 1)
    async with running_app(tmp_path) as app, met(app.url) as anna, met(app.url) as boris:
        players = await started([anna, boris])
        while players[0].newest.view.stage.turn < TURNS_SHOWN + 1:
            await play_on(players, 1)
        await anna.resign(players[0].match)
        await players[1].over()
        await runners_of(app.lobby.matches)[players[0].match].over.wait()
    match = players[0].match
    put(path, match, 2, flipped(stored(path, match)[1][0], 40))
    with capture_logs() as lines:
        async with running_app(tmp_path) as app, met(app.url) as first:
            await watch(first, match, PUBLIC)
            assert await first.code(FetchRecord, match=match) is Code.MATCH_FAULT
            assert await first.code(FetchRecord, match=match) is Code.MATCH_FAULT
    faults = [line for line in lines if line["log_level"] == "error"]
    assert [fault["event"] for fault in faults] == ["record_unavailable"] * 2
    assert all(fault["match"] == match and "record 2: " in fault["why"] for fault in faults)
