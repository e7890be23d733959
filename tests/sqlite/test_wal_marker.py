"""A server notices that the write-ahead log of its file is missing, or another file's.

A crash is played by copying the files as they lie on the disk, while they are open.
"""

import os
import shutil
import sqlite3
from collections.abc import Awaitable, Callable
from contextlib import closing
from pathlib import Path
from random import Random

import pytest

from builders.damage import left_by_crash
from sunglare_protocol.ids import MatchId
from sunglare_server.sqlite import open as opening
from sunglare_server.sqlite.backup import keep_copy
from sunglare_server.sqlite.database import Database, Statement
from sunglare_server.sqlite.schema import MIGRATIONS, OpenError, take_step
from sunglare_server.sqlite.wal_marker import log_of, mark_closed

MATCH = MatchId("a" * 26)
ROOM = "INSERT OR REPLACE INTO room (match, blob) VALUES (?, ?)"
BIG = Random(1).randbytes(40_000)
COMMITS = 120
"""So many with big rows that SQLite folds the log in several times by itself."""


async def put(database: Database, blob: bytes) -> None:
    """Store something new under the same key."""
    await database.submit((Statement(ROOM, ((MATCH, blob),)),))


async def held(path: Path) -> list[tuple[bytes]]:
    """Return what a start on this file finds."""
    database = await Database.open(path)
    try:
        return await database.query("SELECT blob FROM room")
    finally:
        await database.close()


async def crashed(folder: Path, *blobs: bytes) -> Path:
    """Return the files that a server leaves which stored these and then crashed."""
    os.mkdir(folder)
    database = await Database.open(folder / "sunglare.db")
    for blob in blobs:
        await put(database, blob)
    copy = left_by_crash(folder / "sunglare.db", folder / "left")
    await database.close()
    return copy


async def unlike(make: Callable[[Path], Awaitable[Path]], folder: Path) -> Path:
    """Return a file whose log does not begin, by chance, with a number like its own log's.

    SQLite draws the number, so that this happens once in 4,096 cases.
    """
    for number in range(8):
        (made := folder / str(number)).mkdir()
        path = await make(made)
        mark = int.from_bytes(path.read_bytes()[60:64], "big")
        salt = int.from_bytes(log_of(path).read_bytes()[16:20], "big")
        if (salt - mark) % 2**32 >= 2**20:
            return path
    raise AssertionError("that cannot be chance")


async def refused(path: Path) -> str:
    """Return why a start on this file is refused, which must leave every byte as it was."""
    files = {file: file.read_bytes() for file in path.parent.iterdir() if file.suffix != ".lock"}
    with pytest.raises(OpenError) as found:
        await Database.open(path)
    assert {file: file.read_bytes() for file in files} == files
    return str(found.value)


@pytest.mark.parametrize("count", [0, 1, COMMITS])
async def test_after_a_crash_everything_is_there(count: int, tmp_path: Path) -> None:
    blobs = [BIG + bytes([number]) for number in range(count)]
    path = await crashed(tmp_path / "one", *blobs)
    assert await held(path) == [(blob,) for blob in blobs[-1:]]
    assert await held(path) == [(blob,) for blob in blobs[-1:]]


@pytest.mark.parametrize("count", [0, COMMITS])
@pytest.mark.parametrize("how", ["gone", "empty", "cut in its head"])
async def test_a_missing_log_is_refused(how: str, count: int, tmp_path: Path) -> None:
    path = await crashed(tmp_path / "one", *[BIG + bytes([number]) for number in range(count)])
    log = log_of(path)
    if how == "gone":
        log.unlink()
    else:
        log.write_bytes(log.read_bytes()[: 0 if how == "empty" else 20])
    why = await refused(path)
    assert "its write-ahead log is missing" in why
    assert "repair" in why


@pytest.mark.parametrize("count", [1, COMMITS])
async def test_the_log_of_another_file_is_refused(count: int, tmp_path: Path) -> None:
    async def with_anothers(folder: Path) -> Path:
        one = await crashed(folder / "one", b"1")
        other = await crashed(folder / "other", *[BIG] * count)
        shutil.copy(log_of(other), log_of(one))
        return one

    assert "is not its own" in await refused(await unlike(with_anothers, tmp_path))


async def test_the_log_of_an_earlier_run_is_refused(tmp_path: Path) -> None:
    async def with_an_earlier(folder: Path) -> Path:
        path = await crashed(folder / "one", b"1")
        earlier = log_of(path).read_bytes()
        assert await held(path) == [(b"1",)]
        database = await Database.open(path)
        await put(database, b"2")
        again = left_by_crash(path, folder / "again")
        await database.close()
        log_of(again).write_bytes(earlier)
        return again

    assert "is not its own" in await refused(await unlike(with_an_earlier, tmp_path))


async def test_a_log_beside_a_file_that_was_closed_is_refused(tmp_path: Path) -> None:
    path = await crashed(tmp_path / "one", b"1")
    foreign = log_of(await crashed(tmp_path / "other", b"2")).read_bytes()
    assert await held(path) == [(b"1",)]
    log_of(path).write_bytes(foreign)
    assert "is not its own" in await refused(path)


async def test_a_log_that_is_folded_in_already_does_no_harm(tmp_path: Path) -> None:
    path = await crashed(tmp_path / "one", b"1")
    opened = opening.open_file(path)
    opened.connection.execute(ROOM, (MATCH, b"2"))
    mark_closed(opened.connection)
    log = log_of(path).read_bytes()
    opened.close()
    assert not log_of(path).exists()
    log_of(path).write_bytes(log)
    assert await held(path) == [(b"2",)]


async def test_a_crash_at_any_statement_of_a_start_or_an_end_is_never_taken_for_a_loss(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = await crashed(tmp_path / "one", b"1")
    images = iter(range(10_000))
    connect = sqlite3.connect

    def copied_from(path: Path) -> Callable[[str], None]:
        def copied(_: str) -> None:
            left_by_crash(path, tmp_path / f"image-{next(images)}")

        return copied

    def traced(path: Path, **how: object) -> sqlite3.Connection:
        connection: sqlite3.Connection = connect(path, **how)  # type: ignore[call-overload]
        connection.set_trace_callback(copied_from(path))
        return connection

    with monkeypatch.context() as patch:
        patch.setattr(sqlite3, "connect", traced)
        for _ in range(2):
            database = await Database.open(first)
            await database.fold_in()
            await database.close()
    found = [entry for entry in os.scandir(tmp_path) if entry.name.startswith("image-")]
    assert len(found) > 20
    for entry in found:
        assert await held(Path(entry.path, "sunglare.db")) == [(b"1",)], entry.name


async def test_a_file_of_a_program_without_marks_is_taken_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "sunglare.db"
    with closing(sqlite3.connect(path, isolation_level=None)) as file:
        file.execute("PRAGMA journal_mode = WAL").fetchone()
        for step in (statement for version in MIGRATIONS[:3] for statement in version):
            take_step(step, file)
        file.execute("CREATE TABLE schema_version (version INTEGER NOT NULL)")
        file.execute("INSERT INTO schema_version VALUES (3)")
        file.execute(ROOM, (MATCH, b"1"))
        copy = left_by_crash(path, tmp_path / "left")
    assert log_of(copy).stat().st_size
    assert await held(copy) == [(b"1",)]


async def test_a_log_stays_where_its_mark_cannot_be_taken_back(tmp_path: Path) -> None:
    path = await crashed(tmp_path / "one", b"1")
    for blob in (b"2", b"3"):
        opened = opening.open_file(path)
        opened.connection.execute(ROOM, (MATCH, blob))
        # What a full disk does: nothing more can be written.
        opened.connection.execute("PRAGMA query_only = ON")
        opened.close()
        assert log_of(path).stat().st_size
        assert await held(path) == [(blob,)]


async def test_a_refused_file_that_a_crash_has_left_keeps_its_log(tmp_path: Path) -> None:
    database = await Database.open(tmp_path / "sunglare.db")
    await put(database, b"1")
    newer = Statement("UPDATE schema_version SET version = 99", ((),))
    await database.submit((newer,))
    path = left_by_crash(tmp_path / "sunglare.db", tmp_path / "left")
    await database.close()
    assert log_of(path).stat().st_size
    assert "version 99" in await refused(path)


async def test_a_copy_by_the_server_itself_needs_no_log(tmp_path: Path) -> None:
    database = await Database.open(tmp_path / "sunglare.db")
    await put(database, b"1")
    await database.copy_to(tmp_path / "part")
    copy = tmp_path / "copy.db"
    await database.close()
    keep_copy(tmp_path / "part", copy)
    assert await held(copy) == [(b"1",)]
