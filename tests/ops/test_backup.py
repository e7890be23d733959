"""Backups of a database that is being written: whole, checked, their owner's alone."""

import asyncio
import sqlite3
import stat
from contextlib import closing
from pathlib import Path

import pytest

from builders.operators import asked, typed
from builders.players import play_on, started
from builders.runners import runners_of
from builders.servers import running_app
from builders.venues import Venue
from builders.wires import met
from sunglare_protocol.ids import MatchId
from sunglare_server.ops.control.requests import Backup, RequestError
from sunglare_server.sqlite.backup import PAGES_AT_ONCE, keep_copy
from sunglare_server.sqlite.database import Database, DatabaseError, Statement
from sunglare_server.sqlite.journal import SqliteJournal
from sunglare_server.sqlite.schema import OpenError

ALPHA = MatchId("a" * 26)
BETA = MatchId("b" * 26)
ROOM = "INSERT INTO room (match, blob) VALUES (?, ?)"
PAGE_BYTES = 4096
COPIES_MOST = 20
"""A busy machine may let few writes come between: so many copies are made until one has some."""


async def filled(path: Path, pieces: int) -> Database:
    """Return a database that takes so many pieces to copy."""
    database = await Database.open(path)
    blob = bytes(PAGE_BYTES * PAGES_AT_ONCE)
    await database.submit((Statement(ROOM, tuple((f"{n}", blob) for n in range(pieces))),))
    return database


def rooms_in(path: Path) -> list[str]:
    """Return which rooms a copy holds."""
    with closing(sqlite3.connect(path)) as copy:
        return [str(match) for (match,) in copy.execute("SELECT match FROM room ORDER BY match")]


async def test_a_backup_is_whole_and_its_owner_s_alone(venue: Venue, tmp_path: Path) -> None:
    anna, boris = await venue.duel()
    await play_on([anna, boris], 2)
    records = await runners_of(venue.app.lobby.matches)[anna.match].archiving.records()
    answer = await asked(venue.app, Backup(path=str(tmp_path / "copy.db")))
    assert answer.done is not None
    assert answer.done.endswith("1 matches, checked")
    await play_on([anna, boris], 1)
    assert stat.S_IMODE((tmp_path / "copy.db").stat().st_mode) == 0o600
    copied = SqliteJournal(await Database.open(tmp_path / "copy.db"))
    assert await copied.read(anna.match) == records
    await copied.close()


async def test_a_server_that_is_started_on_a_backup_goes_on_from_it(tmp_path: Path) -> None:
    async with running_app(tmp_path) as app, met(app.url) as anna, met(app.url) as boris:
        left, right = await started([anna, boris])
        await play_on([left, right], 2)
        (tmp_path / "other").mkdir()
        await asked(app, Backup(path=str(tmp_path / "other" / "journal.db")))
    async with running_app(tmp_path / "other") as app, met(app.url) as talker:
        again = await left.resume(talker)
        assert again.newest.window == left.newest.window


async def written_during(database: Database, copy: Path) -> list[str]:
    """Return the rooms that were written, one after the other, while a copy was made."""
    copying = asyncio.create_task(database.copy_to(copy))
    written: list[str] = []
    while not copying.done():
        written.append(f"during {copy.stem} {len(written):06}")
        await database.submit((Statement(ROOM, ((written[-1], b"1"),)),))
    await copying
    return written


async def test_writes_go_on_while_a_backup_is_made_and_are_in_it(tmp_path: Path) -> None:
    database = await filled(tmp_path / "x.db", pieces=40)
    for number in range(COPIES_MOST):
        copy = tmp_path / f"{number}.db"
        written = await written_during(database, copy)
        copied = [room for room in rooms_in(copy) if room.startswith(f"during {copy.stem} ")]
        assert copied == written[: len(copied)]
        # Were the writes held up, there would be none: the first would have waited for the end.
        if len(copied) > 3:
            break
    else:
        pytest.fail(f"hardly anything was written during {COPIES_MOST} copies")
    await database.close()
    held = keep_copy(copy, tmp_path / "kept.db")
    assert held.size == (tmp_path / "kept.db").stat().st_size


async def test_the_loop_goes_on_while_a_backup_is_made(tmp_path: Path) -> None:
    database = await filled(tmp_path / "x.db", pieces=40)
    copying = asyncio.create_task(database.copy_to(tmp_path / "copy.db"))
    rounds = 0
    while not copying.done():
        await asyncio.sleep(0)
        rounds += 1
    await database.close()
    assert rounds > 100


async def test_a_server_that_closes_gives_up_its_backup_and_leaves_no_part_of_it(
    tmp_path: Path,
) -> None:
    database = await filled(tmp_path / "x.db", pieces=40)
    copying = asyncio.create_task(database.copy_to(tmp_path / "copy.db"))
    # A write is done between two pieces, so the copying is under way then.
    await database.submit((Statement(ROOM, ((ALPHA, b"1"),)),))
    await database.submit((Statement(ROOM, ((BETA, b"1"),)),))
    await database.close()
    with pytest.raises(DatabaseError, match="being closed"):
        await copying
    assert not (tmp_path / "copy.db").exists()
    with pytest.raises(DatabaseError, match="closed"):
        await database.copy_to(tmp_path / "copy.db")


async def test_whoever_gives_a_backup_up_leaves_the_database_to_others(tmp_path: Path) -> None:
    database = await filled(tmp_path / "x.db", pieces=40)
    copying = asyncio.create_task(database.copy_to(tmp_path / "copy.db"))
    await database.submit((Statement(ROOM, ((ALPHA, b"1"),)),))
    await database.submit((Statement(ROOM, ((BETA, b"1"),)),))
    copying.cancel()
    second = asyncio.create_task(database.copy_to(tmp_path / "second.db"))
    with pytest.raises(asyncio.CancelledError):
        await copying
    await second
    rows = await database.query("SELECT count(*) FROM room")
    await database.close()
    assert rows == [(42,)]
    assert len(rooms_in(tmp_path / "second.db")) == 42


async def test_a_backup_never_replaces_a_file(venue: Venue, tmp_path: Path) -> None:
    (tmp_path / "precious").write_text("mine")
    app = await venue.open()
    with pytest.raises(RequestError, match="there is such a file already"):
        await asked(app, Backup(path=str(tmp_path / "precious")))
    with pytest.raises(RequestError, match="there is such a file already"):
        await asked(app, Backup(path=str(app.settings.journal)))
    assert (tmp_path / "precious").read_text() == "mine"


@pytest.mark.parametrize(
    ("path", "why"),
    [
        ("here.db", "a backup is named from the root"),
        ("/nowhere/at/all/x.db", "No such file or directory"),
        ("/", "there is such a file already"),
    ],
)
async def test_a_backup_that_cannot_be_made_says_why(venue: Venue, path: str, why: str) -> None:
    app = await venue.open()
    with pytest.raises(RequestError, match=why):
        await asked(app, Backup(path=path))


async def test_the_part_of_a_backup_that_a_kill_left_is_in_nobody_s_way(
    venue: Venue, tmp_path: Path
) -> None:
    (tmp_path / "copy.db.part").write_bytes(b"half of it")
    app = await venue.open()
    await asked(app, Backup(path=str(tmp_path / "copy.db")))
    assert not (tmp_path / "copy.db.part").exists()


async def test_of_two_backups_at_once_one_is_told_to_wait(venue: Venue, tmp_path: Path) -> None:
    app = await venue.open()
    first = asyncio.create_task(app.operator.perform(Backup(path=str(tmp_path / "1.db"))))
    await asyncio.sleep(0)
    with pytest.raises(RequestError, match="another backup is being made"):
        await app.operator.perform(Backup(path=str(tmp_path / "2.db")))
    await first


@pytest.mark.parametrize("damage", [b"no database " * 400, b""], ids=["foreign", "empty"])
def test_a_copy_that_is_not_whole_gets_no_name(tmp_path: Path, damage: bytes) -> None:
    (tmp_path / "part").write_bytes(damage)
    with pytest.raises(OpenError):
        keep_copy(tmp_path / "part", tmp_path / "copy.db")
    assert list(tmp_path.iterdir()) == []


async def test_the_command_names_the_file_from_where_it_was_typed(
    venue: Venue,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    app = await venue.open()
    done = await typed(capsys, app, "backup", "copy.db")
    assert done.out.startswith(f"{tmp_path}/copy.db: ")
