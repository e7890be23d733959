"""Who may open the server's database file, and which files are refused."""

import asyncio
import os
import sqlite3
import stat
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from builders.commandlines import SOURCES
from builders.damage import left_by_crash
from builders.forkserver import FORKABLE
from sunglare_protocol.ids import MatchId
from sunglare_server.sqlite.database import Database, DatabaseError, Statement
from sunglare_server.sqlite.open import InUseError
from sunglare_server.sqlite.schema import VERSION, OpenError, SchemaError

ALPHA, BETA, GAMMA = (MatchId(letter * 26) for letter in "abc")

ROOM = "INSERT INTO room (match, blob) VALUES (?, ?)"


# Settings


async def test_a_commit_waits_for_the_disk(database: Database) -> None:
    assert await database.query("PRAGMA synchronous") == [(2,)]
    assert await database.query("PRAGMA journal_mode") == [("wal",)]


async def test_nobody_else_may_read_the_files(path: Path, database: Database) -> None:
    await database.submit((Statement(ROOM, ((ALPHA, b"1"),)),))
    files = sorted(path.parent.iterdir())
    assert len(files) >= 3
    assert {stat.S_IMODE(file.stat().st_mode) for file in files} == {0o600}


# One owner

HOLDER = """
import asyncio, sys
from pathlib import Path
from sunglare_server.sqlite.database import Database
from sunglare_server.sqlite.open import InUseError

async def main():
    try:
        database = await Database.open(Path(sys.argv[1]))
    except InUseError as error:
        print(error, flush=True)
        return
    print("open", flush=True)
    sys.stdin.read()
    await database.close()

asyncio.run(main())
"""


def environment() -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": SOURCES}


async def hold(path: Path) -> asyncio.subprocess.Process:
    return await asyncio.create_subprocess_exec(
        sys.executable,
        "-c",
        FORKABLE + HOLDER,
        path,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=environment(),
    )


async def first_line(child: asyncio.subprocess.Process) -> str:
    assert child.stdout is not None
    return (await child.stdout.readline()).decode().strip()


async def test_a_second_server_on_the_same_file_is_refused(path: Path) -> None:
    database = await Database.open(path)
    with pytest.raises(InUseError, match=f"cannot use the database {path}: another server"):
        await Database.open(path)
    child = await hold(path)
    assert "another server" in await first_line(child)
    await child.wait()
    await database.close()
    await (await Database.open(path)).close()


async def test_a_link_to_the_file_is_the_same_file(path: Path, database: Database) -> None:
    await database.submit((Statement(ROOM, ((ALPHA, b"1"),)),))
    link = path.with_name("link.db")
    link.symlink_to(path)
    with pytest.raises(InUseError):
        await Database.open(link)


async def test_of_servers_that_start_at_once_exactly_one_gets_the_file(path: Path) -> None:
    children = [await hold(path) for _ in range(3)]
    lines = [await first_line(child) for child in children]
    assert sorted(line == "open" for line in lines) == [False, False, True]
    for child in children:
        await child.communicate(b"")


async def test_a_killed_server_holds_nothing(path: Path) -> None:
    child = await hold(path)
    assert await first_line(child) == "open"
    child.kill()
    await child.wait()
    await (await Database.open(path)).close()


async def test_a_file_that_another_program_writes_is_refused(path: Path) -> None:
    await (await Database.open(path)).close()
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        with pytest.raises(InUseError):
            await Database.open(path)
    await (await Database.open(path)).close()


async def test_a_hard_link_to_the_file_is_the_same_file(path: Path, database: Database) -> None:
    await database.submit((Statement(ROOM, ((ALPHA, b"1"),)),))
    link = path.parent / "elsewhere" / "other.db"
    link.parent.mkdir()
    os.link(path, link)
    child = await hold(link)
    assert "another server" in await first_line(child)
    await child.wait()
    # It has not disturbed whoever has the file.
    await database.submit((Statement(ROOM, ((BETA, b"1"),)),))
    assert stored(path) == [ALPHA, BETA]


# Programs that stand beside a server, such as one that copies the log as it grows


def stored(path: Path) -> list[str]:
    """Return what another program reads in the file while it is open."""
    with closing(sqlite3.connect(path)) as other:
        return [str(match) for (match,) in other.execute("SELECT match FROM room ORDER BY match")]


async def test_its_owner_s_other_programs_read_the_file_while_the_server_runs(
    path: Path, database: Database
) -> None:
    await database.submit((Statement(ROOM, ((ALPHA, b"1"),)),))
    assert stored(path) == [ALPHA]
    await database.submit((Statement(ROOM, ((BETA, b"1"),)),))
    assert stored(path) == [ALPHA, BETA]


@contextmanager
def beside(path: Path) -> Iterator[sqlite3.Connection]:
    """Have another program read the file, at one moment of it, until the block ends."""
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN")
        other.execute("SELECT count(*) FROM room").fetchall()
        yield other


async def test_a_server_ends_and_starts_beside_a_program_that_reads(path: Path) -> None:
    await put(path, ALPHA)
    with beside(path):
        await put(path, BETA)
        # With a reader the log is folded in no further than that one allows.
        image = left_by_crash(path, path.parent / "image")
        await put(path, GAMMA)
    assert await content(path) == [ALPHA, BETA, GAMMA]
    assert await content(image) == [ALPHA, BETA]


async def test_a_crash_beside_a_program_that_reads_loses_nothing(path: Path) -> None:
    await put(path, ALPHA)
    with beside(path):
        database = await Database.open(path)
        await database.submit((Statement(ROOM, ((BETA, b"1"),)),))
        image = left_by_crash(path, path.parent / "image")
        await database.close()
    assert await content(image) == [ALPHA, BETA]


@pytest.mark.parametrize("how", ["TRUNCATE", "RESTART", "PASSIVE"])
async def test_after_another_program_has_folded_the_log_in_the_server_s_next_log_is_its_own(
    path: Path, how: str
) -> None:
    database = await Database.open(path)
    await database.submit((Statement(ROOM, ((ALPHA, b"1"),)),))
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        for round_ in range(3):
            assert other.execute(f"PRAGMA wal_checkpoint({how})").fetchone()[0] == 0
            # Whoever writes first begins the next log; who ended none, with a number of chance.
            with closing(sqlite3.connect(path, isolation_level=None)) as third:
                third.execute(ROOM, (f"other {round_}", b"1"))
            await database.submit((Statement(ROOM, ((f"ours {round_}", b"1"),)),))
            image = left_by_crash(path, path.parent / f"image {round_}")
            assert f"ours {round_}" in await content(image)
    await database.close()


async def test_what_another_program_has_locked_is_refused_in_time_and_stored_afterwards(
    path: Path, database: Database
) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(DatabaseError, match="locked") as found:
            await database.submit((Statement(ROOM, ((ALPHA, b"1"),)),))
        assert not found.value.fatal
    await database.submit((Statement(ROOM, ((ALPHA, b"1"),)),))
    assert stored(path) == [ALPHA]


async def test_what_is_erased_beside_a_program_that_reads_is_told_to_be_in_the_log_still(
    path: Path, database: Database
) -> None:
    await database.submit((Statement(ROOM, ((ALPHA, b"1"),)),))
    with beside(path), capture_logs() as told:
        await database.fold_in()
    with capture_logs() as told_later:
        await database.fold_in()
    assert [line["event"] for line in told] == ["deleted_rows_in_wal"]
    assert told_later == []


async def put(path: Path, match: str) -> None:
    database = await Database.open(path)
    await database.submit((Statement(ROOM, ((match, b"1"),)),))
    await database.close()


async def content(path: Path) -> list[str]:
    """Return what a server that starts on the file finds."""
    database = await Database.open(path)
    rows = await database.query("SELECT match FROM room ORDER BY match")
    await database.close()
    return [str(match) for (match,) in rows]


# Files of other versions


def content_of(path: Path) -> bytes:
    return path.read_bytes()


@pytest.fixture
def foreign(path: Path, request: pytest.FixtureRequest) -> bytes:
    content = bytes(request.param)
    path.write_bytes(content)
    return content


def altered(path: Path, *statements: str) -> bytes:
    """Return the bytes of the file after another program has been at it."""
    with closing(sqlite3.connect(path)) as other:
        for statement in statements:
            other.execute(statement)
        other.commit()
    return content_of(path)


@pytest.mark.parametrize(
    ("statement", "why"),
    [
        ("UPDATE schema_version SET version = version + 1", f"version {VERSION + 1}.*newer"),
        ("UPDATE schema_version SET version = 'x'", "does not say which version"),
        ("UPDATE schema_version SET version = -1", "does not say which version"),
        ("DELETE FROM schema_version", "does not say which version"),
        ("DROP TABLE schema_version", "tables of another program"),
    ],
)
async def test_a_file_of_an_unknown_version_is_refused_by_name(
    path: Path, statement: str, why: str
) -> None:
    await (await Database.open(path)).close()
    before = altered(path, statement)
    with pytest.raises(SchemaError, match=f"{path}: .*{why}"):
        await Database.open(path)
    assert content_of(path) == before


async def test_a_file_of_another_program_stays_as_it_was(path: Path) -> None:
    before = altered(path, "CREATE TABLE note (text)", "INSERT INTO note VALUES ('mine')")
    with pytest.raises(SchemaError, match="another program"):
        await Database.open(path)
    assert content_of(path) == before


@pytest.mark.parametrize("foreign", [b"no database " * 400, b"\x00" * 4096], indirect=True)
async def test_a_file_that_is_no_database_is_refused_by_name(path: Path, foreign: bytes) -> None:
    with pytest.raises(OpenError, match=str(path)):
        await Database.open(path)
    assert content_of(path) == foreign


@pytest.mark.parametrize("name", ["file:games.db", "file:/tmp/games.db?mode=ro", ":memory:"])
async def test_a_name_that_sqlite_reads_as_an_address_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(OpenError, match="SQLite reads this name as an address of its own; name a"):
        await Database.open(Path(name))
    assert os.listdir() == []


@pytest.mark.parametrize("make", [os.mkdir, os.mkfifo], ids=["folder", "pipe"])
async def test_what_is_no_regular_file_is_refused_at_once(
    path: Path, make: Callable[[Path], None]
) -> None:
    make(path)
    with pytest.raises(OpenError, match="a database is a regular file, no folder, pipe or device"):
        await Database.open(path)
    assert os.listdir(path.parent) == [path.name]


async def test_a_missing_folder_is_told(tmp_path: Path) -> None:
    with pytest.raises(OpenError, match=r"nowhere.*No such file or directory"):
        await Database.open(tmp_path / "nowhere" / "sunglare.db")


@pytest.mark.parametrize("foreign", [b""], indirect=True)
async def test_an_empty_file_becomes_a_database(path: Path, foreign: bytes) -> None:
    assert content_of(path) == foreign
    database = await Database.open(path)
    assert await database.query("SELECT version FROM schema_version") == [(VERSION,)]
    await database.close()
