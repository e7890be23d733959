"""Database files of every older version, stored as dumps, are brought up to date and lose nothing.

Whoever adds a migration stores a dump of the version before it: `tests/data/schema_<n>.sql`.
"""

import sqlite3
from contextlib import closing
from pathlib import Path

import msgspec
import pytest

from builders.dumps import DUMPS, are_ours, dumped
from builders.servers import running_app
from sunglare_protocol.ids import MatchId, Side
from sunglare_protocol.messages import RoomState
from sunglare_server.ops.control.commands import operate
from sunglare_server.ports.rooms import unpacked_room
from sunglare_server.ports.store import hash_of
from sunglare_server.sqlite.database import Database
from sunglare_server.sqlite.journal import SqliteJournal
from sunglare_server.sqlite.schema import ARCHIVE_SINCE, VERSION
from sunglare_server.sqlite.store import SqliteStore

Rows = list[tuple[object, ...]]

TEXT = 6
"""Where in a row of a report its text stands, the last column until version 5."""


def rows_in(path: Path) -> dict[str, Rows]:
    """Return the rows of every table of a closed file, but the version itself."""
    with closing(sqlite3.connect(path)) as file:
        sql = "SELECT name FROM sqlite_master WHERE type = 'table' AND name <> 'schema_version'"
        tables = [name for (name,) in file.execute(sql)]
        return {name: sorted(file.execute(f'SELECT * FROM "{name}"')) for name in tables}  # noqa: S608 - the file's own names


def shape_of(path: Path) -> set[tuple[object, ...]]:
    """Return the tables, indexes and triggers of a closed file, spaces apart."""
    with closing(sqlite3.connect(path)) as file:
        found = file.execute("SELECT type, name, sql FROM sqlite_master").fetchall()
    return {(kind, name, " ".join((sql or "").split())) for kind, name, sql in found}


def test_every_version_that_there_was_has_a_stored_file() -> None:
    assert set(DUMPS) >= set(range(1, VERSION)) | {1}


@pytest.mark.parametrize("version", DUMPS)
async def test_an_old_file_gets_the_tables_of_a_new_one(version: int, tmp_path: Path) -> None:
    path = dumped(version, tmp_path)
    await (await Database.open(path)).close()
    await (await Database.open(tmp_path / "new.db")).close()
    assert shape_of(path) == shape_of(tmp_path / "new.db")
    with closing(sqlite3.connect(path)) as file:
        assert file.execute("SELECT version FROM schema_version").fetchall() == [(VERSION,)]


@pytest.mark.parametrize("version", DUMPS)
async def test_an_old_file_keeps_every_row(version: int, tmp_path: Path) -> None:
    path = dumped(version, tmp_path)
    before = rows_in(path)
    await (await Database.open(path)).close()
    after = rows_in(path)
    assert before["record"]
    # A later version may add columns, but not change what stood in the first ones.
    for table, rows in before.items():
        kept = [row[: len(rows[0])] for row in after[table]] if rows else []
        assert kept == rows, table


@pytest.mark.parametrize("version", DUMPS)
async def test_an_old_file_is_read_as_it_was_written(version: int, tmp_path: Path) -> None:
    database = await Database.open(dumped(version, tmp_path))
    store, journal = SqliteStore(database), SqliteJournal(database)
    (kept,) = await store.over(None, 9)
    blobs = (*await store.rooms(), (kept.place.match, kept.blob))
    rooms = [unpacked_room(blob, match) for match, blob in blobs]
    by_state = {room.state: room for room in rooms}
    assert len(rooms) == len(by_state) == 3
    assert by_state[RoomState.LOBBY].title == "Sunday"
    assert by_state[RoomState.LOBBY].code is not None
    assert await journal.matches() == (by_state[RoomState.RUNNING].match,)
    over = by_state[RoomState.OVER]
    assert await journal.last(over.match) == len(await journal.read(over.match)) > 3
    accounts = tuple(seat.account for seat in over.seats)
    assert list((await store.names(accounts)).values()) == ["Anna", "Boris"]
    # When a match ended whose end was not noted is told by its last record.
    last = msgspec.msgpack.decode((await journal.read(over.match))[-1])
    assert kept.place.ended_ms == (last["t"] if version < ARCHIVE_SINCE else over.ended_ms)
    for account in (*accounts, over.host):
        assert await store.over(None, 9, account) == (kept,)
    assert await store.over_count() == 1
    (ticket,) = await store.tickets_of(over.match, Side("A"))
    assert len(ticket.hash) == len(hash_of("any"))
    assert await store.tickets_of(MatchId("nobody"), Side("A")) == ()
    await database.close()


@pytest.mark.parametrize("version", DUMPS)
async def test_a_server_takes_up_an_old_file(version: int, tmp_path: Path) -> None:
    ours = are_ours(dumped(version, tmp_path))
    async with running_app(tmp_path) as app:
        states = sorted(room.state.value for room in app.lobby.rooms.values())
        # What runs under other rules than ours can't be played on.
        assert states == (["lobby", "running"] if ours else ["lobby"])
        over = await app.lobby.past.rooms()
        assert len(over) == 3 - len(states)
        for room in over:
            assert (await app.lobby.registry.find(room.match)) == room


@pytest.mark.parametrize("version", DUMPS)
async def test_an_old_file_can_be_repaired_and_keeps_its_reports(
    version: int, tmp_path: Path
) -> None:
    path, out = dumped(version, tmp_path), tmp_path / "out.db"
    told = rows_in(path).get("report", [])
    assert operate(["repair", str(path), str(out)]) == 0
    database = await Database.open(out)
    kept = await SqliteStore(database).reports()
    await database.close()
    # Older versions did not have the window.
    windows = [row[8] if len(row) > TEXT + 1 else "" for row in told]
    assert [(one.match, one.text, one.window, one.done_ms) for one in kept] == [
        (row[0], row[TEXT], window, None) for row, window in zip(told, windows, strict=True)
    ]


@pytest.mark.parametrize("version", DUMPS)
def test_an_old_file_can_be_checked(
    version: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = dumped(version, tmp_path)
    before = path.read_bytes()
    assert operate(["check", str(path)]) == 0
    assert "2 matches" in capsys.readouterr().out
    assert path.read_bytes() == before
