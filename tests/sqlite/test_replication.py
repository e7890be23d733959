"""A copy of the database that is kept while that is written: whole, in order, never of another."""

import asyncio
import os
import sqlite3
import stat
import subprocess
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, closing
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from builders.commandlines import SOURCES
from builders.fakeclock import FakeClock
from builders.forkserver import FORKABLE
from builders.wires import WAIT_S
from sunglare_protocol.ids import MatchId
from sunglare_server.base.tasks import spawn
from sunglare_server.sqlite.database import Database, DatabaseError, Statement, Unit
from sunglare_server.sqlite.filelock import lock_name
from sunglare_server.sqlite.replication import AGAIN_MS, COPY_MS, Copier, CopyError
from sunglare_server.sqlite.replication_queue import Changes, TornError

ALPHA, BETA = MatchId("a" * 26), MatchId("b" * 26)
ROOM = "INSERT INTO room (match, blob) VALUES (?, ?)"
RECORD = "INSERT INTO record (match, n, blob, sum) VALUES (?, ?, ?, ?)"
PERSON = "INSERT INTO person (person, token_hash, name, name_key) VALUES (?, ?, ?, ?)"


@pytest.fixture
def clock() -> FakeClock:
    """Give a test the clock of its copy."""
    return FakeClock(1_000_000)


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """Return where the copy is to be."""
    (tmp_path / "elsewhere").mkdir()
    return tmp_path / "elsewhere" / "journal.db"


@asynccontextmanager
async def copied(
    database: Database, copy: Path, clock: FakeClock, changes: Callable[[], Changes] = Changes
) -> AsyncIterator[Copier]:
    """Keep a copy until the block ends, and then finish it as the end of a server does."""
    copier = Copier(database, copy, clock, changes)
    await copier.prepare()
    keeping = spawn(copier.run(), "copy")
    yield copier
    keeping.cancel()
    await copier.finish()


async def until(clock: FakeClock, is_so: Callable[[], bool], ms: int = COPY_MS) -> None:
    """Let time pass until something is so, but none while the copier is at work."""
    async with asyncio.timeout(WAIT_S):
        while not is_so():
            if clock.next_due_ms() is not None:
                await clock.run_for(ms)
            await asyncio.sleep(0.002)


def content(path: Path) -> list[str]:
    """Return everything that stands in a database file, as another program reads it."""
    with closing(sqlite3.connect(path)) as file:
        return list(file.iterdump())


def rooms(path: Path) -> list[str]:
    """Return the rooms in a copy; none while there is no copy."""
    if not path.exists():
        return []
    with closing(sqlite3.connect(path)) as file:
        return [str(match) for (match,) in file.execute("SELECT match FROM room ORDER BY match")]


async def put(database: Database, match: str, blob: bytes = b"1") -> None:
    """Store a room."""
    await database.submit((Statement(ROOM, ((match, blob),)),))


async def test_what_is_stored_is_in_the_copy_a_second_later(
    database: Database, path: Path, copy: Path, clock: FakeClock
) -> None:
    await put(database, "before")
    async with copied(database, copy, clock) as copier:
        await until(clock, lambda: copier.standing.behind_ms is not None, 0)
        assert rooms(copy) == ["before"]
        await put(database, "after")
        await until(clock, lambda: rooms(copy) == ["after", "before"])
        assert copier.standing.behind_ms is not None
        assert copier.standing.behind_ms <= COPY_MS
        await put(database, "last")
    assert content(copy) == content(path)
    assert stat.S_IMODE(os.stat(copy).st_mode) == 0o600
    assert sorted(os.listdir(copy.parent)) == ["journal.db", "journal.db.lock"]


def unit(number: int, match: str, kind: str) -> Unit:
    """Return something to be stored, some of which the database refuses."""
    match kind:
        case "record":
            return (Statement(RECORD, ((match, number, bytes([number]), b""),)),)
        case "two":
            return (*unit(number, match, "record"), *unit(number + 1, match, "record"))
        case "drop":
            return (Statement("DELETE FROM room WHERE match = ?", ((match,),)),)
        case "must":
            change = "UPDATE room SET blob = ? WHERE match = ?"
            return (Statement(change, ((bytes([number]), match),), must_change=True),)
        case _:
            return (Statement(ROOM, ((match, bytes([number])),)),)


UNITS = st.lists(
    st.builds(
        unit,
        st.integers(1, 4),
        st.sampled_from((ALPHA, BETA)),
        st.sampled_from(("record", "two", "drop", "must", "room")),
    ),
    max_size=12,
)


@given(rounds=st.lists(UNITS, max_size=4))
@settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_the_copy_is_the_database_whatever_is_stored_or_refused(
    tmp_path_factory: pytest.TempPathFactory, rounds: list[list[Unit]]
) -> None:
    folder = tmp_path_factory.mktemp("copied")
    (folder / "copy").mkdir()

    async def stored(database: Database, units: list[Unit]) -> None:
        given = [database.submit(one) for one in units]
        for outcome in await asyncio.gather(*given, return_exceptions=True):
            assert outcome is None or isinstance(outcome, DatabaseError)

    async def played() -> None:
        clock = FakeClock(0)
        database = await Database.open(folder / "x.db")
        async with copied(database, folder / "copy" / "x.db", clock) as copier:
            await until(clock, lambda: copier.standing.behind_ms is not None, 0)
            for units in rounds:
                await stored(database, units)
                await clock.run_for(COPY_MS)
        await database.close()

    asyncio.run(played())
    assert content(folder / "copy" / "x.db") == content(folder / "x.db")


async def test_a_copy_that_could_not_follow_is_made_anew_and_the_older_one_stays_until_then(
    database: Database, path: Path, copy: Path, clock: FakeClock
) -> None:
    async with copied(database, copy, clock, lambda: Changes(1_000)) as copier:
        await until(clock, lambda: copier.standing.behind_ms is not None, 0)
        await put(database, ALPHA)
        await until(clock, lambda: rooms(copy) == [ALPHA])
        await put(database, BETA, bytes(2_000))
        await until(clock, lambda: copier.standing.why is not None)
        assert "too slow" in str(copier.standing.why)
        assert rooms(copy) == [ALPHA]
        await until(clock, lambda: copier.standing.why is None, AGAIN_MS)
        assert rooms(copy) == [ALPHA, BETA]
    assert content(copy) == content(path)


async def test_a_folder_that_is_not_there_keeps_no_server_from_its_work(
    database: Database, path: Path, copy: Path, clock: FakeClock
) -> None:
    copy.parent.rmdir()
    async with copied(database, copy, clock) as copier:
        assert "No such file" in str(copier.standing.why)
        await put(database, ALPHA)
        copy.parent.mkdir()
        await until(clock, lambda: copier.standing.behind_ms is not None, AGAIN_MS)
        assert copier.standing.why is None
    assert content(copy) == content(path)


async def test_a_copy_that_was_deleted_under_way_is_not_taken_for_one(
    database: Database, path: Path, copy: Path, clock: FakeClock
) -> None:
    async with copied(database, copy, clock) as copier:
        await until(clock, lambda: copier.standing.behind_ms is not None, 0)
        os.unlink(copy)
        await put(database, ALPHA)
        await until(clock, lambda: copier.standing.why is not None)
        await until(clock, lambda: copier.standing.why is None, AGAIN_MS)
        assert rooms(copy) == [ALPHA]
    assert content(copy) == content(path)


def bytes_of(path: Path) -> bytes:
    """Return what stands in a file."""
    return path.read_bytes()


def foreign(path: Path) -> bytes:
    """Put something that is no database in a place, and return it."""
    path.write_bytes(b"holiday pictures" * 400)
    return path.read_bytes()


async def another(path: Path, *units: Unit) -> bytes:
    """Make a database of another server, and return its bytes."""
    database = await Database.open(path)
    for one in units:
        await database.submit(one)
    await database.close()
    os.unlink(f"{path}.lock")
    return bytes_of(path)


SOMEBODY = (Statement(PERSON, (("p", "t", "Ada", "ada"),)),)
A_RECORD = (Statement(RECORD, ((ALPHA, 1, b"theirs", b""),)),)


@pytest.mark.parametrize(
    ("theirs", "what"),
    [((A_RECORD, SOMEBODY), f"record 1 of {ALPHA}"), ((SOMEBODY,), "somebody's account")],
    ids=["records", "people alone"],
)
async def test_what_is_no_copy_of_this_database_is_never_overwritten(
    theirs: tuple[Unit, ...],
    what: str,
    database: Database,
    copy: Path,
    clock: FakeClock,
) -> None:
    before = await another(copy, *theirs)
    await database.submit((Statement(RECORD, ((ALPHA, 1, b"ours", b""),)),))
    copier = Copier(database, copy, clock)
    with pytest.raises(CopyError, match=f"{copy}: .*no copy of this database: it has {what}"):
        await copier.prepare()
    await copier.finish()
    assert bytes_of(copy) == before


async def test_what_is_no_database_at_all_is_left_as_it_is_and_told(
    database: Database, copy: Path, clock: FakeClock
) -> None:
    before = foreign(copy)
    async with copied(database, copy, clock) as copier:
        await until(clock, lambda: copier.standing.why is not None, AGAIN_MS)
        assert "not a database" in str(copier.standing.why)
    assert bytes_of(copy) == before


async def test_two_servers_never_copy_to_one_place(
    database: Database, copy: Path, clock: FakeClock
) -> None:
    held = lock_name(copy)
    copier = Copier(database, copy, clock)
    with pytest.raises(CopyError, match="another server or program is using it"):
        await copier.prepare()
    os.close(held)
    await copier.prepare()
    await copier.finish()


async def test_a_server_that_is_started_on_its_earlier_copy_goes_on_from_it(
    database: Database, copy: Path, clock: FakeClock
) -> None:
    async with copied(database, copy, clock) as copier:
        await until(clock, lambda: copier.standing.behind_ms is not None, 0)
        await put(database, ALPHA)
    again = await Database.open(copy)
    assert await again.query("SELECT match FROM room") == [(ALPHA,)]
    await again.close()


def test_what_is_too_much_is_let_go_of_and_told_for_good() -> None:
    changes = Changes(1_000)
    changes.put(unit(1, ALPHA, "room"))
    assert changes.take() == [unit(1, ALPHA, "room")]
    changes.put((Statement(ROOM, ((ALPHA, bytes(2_000)),)),))
    for _ in range(2):
        changes.put(unit(1, ALPHA, "room"))
        with pytest.raises(TornError):
            changes.take()


WRITER = """
import sys
from pathlib import Path
from sunglare_server.sqlite.replica_file import CopyFile
from sunglare_server.sqlite.database import Statement

file = CopyFile(Path(sys.argv[1]))
sql = "INSERT INTO room (match, blob) VALUES (?, ?)"
number = int(sys.argv[2])
while True:
    number += 1
    # Two rows that stand or fall together, on several pages.
    rows = tuple((f"{number:06} {half}", bytes(20_000)) for half in "ab")
    file.store([(Statement(sql, rows),)])
    print(number, flush=True)
"""


def written_until_killed(copy: Path, after: int, lines: int) -> int:
    """Have a process write to a copy, kill it amid that, and return the last it had written."""
    environment = {**os.environ, "PYTHONPATH": SOURCES}
    words = [sys.executable, "-c", FORKABLE + WRITER, str(copy), str(after)]
    with subprocess.Popen(words, stdout=subprocess.PIPE, env=environment) as writer:
        assert writer.stdout is not None
        last = after
        for _ in range(lines):
            last = int(writer.stdout.readline())
        writer.kill()
        rest = writer.stdout.read().splitlines(keepends=True)
    return max([last, *(int(line) for line in rest if line.endswith(b"\n"))])


async def test_a_kill_amid_a_write_leaves_a_copy_as_it_was_at_some_commit(
    database: Database, copy: Path, clock: FakeClock
) -> None:
    async with copied(database, copy, clock) as copier:
        await until(clock, lambda: copier.standing.behind_ms is not None, 0)
    stands = 0
    for lines in (1, 2, 3, 5, 8):
        written = written_until_killed(copy, stands, lines)
        found = rooms(copy)
        assert found == [f"{n:06} {half}" for n in range(1, len(found) // 2 + 1) for half in "ab"]
        stands = len(found) // 2
        # What it said to have written, and at most what it was about to.
        assert stands in (written, written + 1)
        again = await Database.open(copy)
        assert await again.query("PRAGMA integrity_check") == [("ok",)]
        await again.close()
        set_apart(copy)


def set_apart(copy: Path) -> None:
    """Make of a database that a server has had open one that is a copy again."""
    with closing(sqlite3.connect(copy)) as file:
        file.execute("PRAGMA journal_mode = DELETE").fetchone()


HANGING = """
import asyncio, threading
from sunglare_server.base.worker import SideWorker

async def main():
    begun = threading.Event()
    SideWorker("copy").run(lambda: (begun.set(), threading.Event().wait()))
    await asyncio.to_thread(begun.wait)

asyncio.run(main())
"""


def test_a_folder_that_hangs_keeps_no_process_from_ending() -> None:
    environment = {**os.environ, "PYTHONPATH": SOURCES}
    ended = subprocess.run(
        [sys.executable, "-c", HANGING], env=environment, timeout=60, check=False
    )
    assert ended.returncode == 0
