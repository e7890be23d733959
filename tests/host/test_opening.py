"""Who may open the server's database file, and which files are refused."""

import asyncio
import os
import sqlite3
import stat
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from sunglare_protocol.ids import MatchId
from sunglare_server.host.database import Database, Statement
from sunglare_server.host.opening import InUseError
from sunglare_server.host.schema import VERSION, OpenError, SchemaError

ALPHA = MatchId("a" * 26)

ROOM = "INSERT INTO room (match, blob) VALUES (?, ?)"


# Settings


async def test_a_commit_waits_for_the_disk(database: Database) -> None:
    assert await database.query("PRAGMA synchronous") == [(2,)]
    assert await database.query("PRAGMA journal_mode") == [("wal",)]
    assert await database.query("PRAGMA locking_mode") == [("exclusive",)]


async def test_nobody_else_may_read_the_files(path: Path, database: Database) -> None:
    await database.submit((Statement(ROOM, ((ALPHA, b"1"),)),))
    files = sorted(path.parent.iterdir())
    assert len(files) >= 3
    assert {stat.S_IMODE(file.stat().st_mode) for file in files} == {0o600}


# One owner

HOLDER = """
import asyncio, sys
from pathlib import Path
from sunglare_server.host.database import Database
from sunglare_server.host.opening import InUseError

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
    return {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}


async def hold(path: Path) -> asyncio.subprocess.Process:
    return await asyncio.create_subprocess_exec(
        sys.executable,
        "-c",
        HOLDER,
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


async def test_another_program_cannot_read_the_file_while_the_server_runs(
    path: Path, database: Database
) -> None:
    await database.submit((Statement(ROOM, ((ALPHA, b"1"),)),))
    with (
        closing(sqlite3.connect(path, timeout=0)) as other,
        pytest.raises(sqlite3.OperationalError, match="locked"),
    ):
        other.execute("SELECT * FROM room")


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


async def test_a_missing_folder_is_told(tmp_path: Path) -> None:
    with pytest.raises(OpenError, match=r"nowhere.*No such file or directory"):
        await Database.open(tmp_path / "nowhere" / "sunglare.db")


@pytest.mark.parametrize("foreign", [b""], indirect=True)
async def test_an_empty_file_becomes_a_database(path: Path, foreign: bytes) -> None:
    assert content_of(path) == foreign
    database = await Database.open(path)
    assert await database.query("SELECT version FROM schema_version") == [(VERSION,)]
    await database.close()
