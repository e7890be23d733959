"""What a write to the server's database promises: group commit, full disks, crashes."""

import asyncio
import os
import subprocess
import sys
from pathlib import Path

import pytest

from builders.commandlines import SOURCES
from builders.forkserver import FORKABLE
from sunglare_protocol.ids import MatchId
from sunglare_server.ports.journal import JournalError, NumberTakenError
from sunglare_server.sqlite.database import ConflictError, Database, DatabaseError, Statement
from sunglare_server.sqlite.journal import SqliteJournal

ALPHA = MatchId("a" * 26)
BETA = MatchId("b" * 26)
GAMMA = MatchId("c" * 26)

ROOM = "INSERT INTO room (match, blob) VALUES (?, ?)"
ROOMS = "SELECT match FROM room ORDER BY match"


@pytest.fixture
def journal(database: Database) -> SqliteJournal:
    return SqliteJournal(database)


# Group commit


async def test_appends_that_arrive_together_share_a_commit(
    database: Database, journal: SqliteJournal
) -> None:
    matches = [MatchId(f"{number:026}") for number in range(10)]
    before = database.commits
    await asyncio.gather(
        *(journal.append(match, n, (b"x",)) for n in range(1, 11) for match in matches)
    )
    assert [await journal.last(match) for match in matches] == [10] * 10
    assert 1 <= database.commits - before <= 3


async def test_matches_that_wait_for_each_append_share_commits_too(
    database: Database, journal: SqliteJournal
) -> None:
    async def play(match: MatchId) -> None:
        for n in range(1, 21):
            await journal.append(match, n, (b"x",))

    before = database.commits
    await asyncio.gather(*(play(MatchId(f"{number:026}")) for number in range(20)))
    assert 20 <= database.commits - before <= 40


@pytest.mark.parametrize(
    ("bad", "error"),
    [
        ((ALPHA, 7, (b"a gap",)), NumberTakenError),
        ((MatchId("\udc80"), 1, (b"no UTF-8",)), JournalError),
        ((ALPHA, 2**70, (b"no number of SQLite's",)), JournalError),
    ],
    ids=["a gap", "a text that cannot be stored", "a number that cannot be stored"],
)
async def test_a_failing_append_fails_alone_in_its_batch(
    database: Database,
    journal: SqliteJournal,
    bad: tuple[MatchId, int, tuple[bytes, ...]],
    error: type[JournalError],
) -> None:
    before = database.commits
    answers = await asyncio.gather(
        journal.append(BETA, 1, (b"1",)),
        journal.append(*bad),
        journal.append(GAMMA, 1, (b"1", b"2")),
        return_exceptions=True,
    )
    assert [type(answer) for answer in answers] == [type(None), error, type(None)]
    assert await journal.matches() == (BETA, GAMMA)
    assert await journal.read(GAMMA) == (b"1", b"2")
    assert database.commits - before == 1


async def test_a_unit_is_stored_whole_or_not_at_all(database: Database) -> None:
    broken_half_way = (
        Statement(ROOM, ((ALPHA, b"1"),)),
        Statement("UPDATE room SET blob = ? WHERE match = ?", ((b"", BETA),), must_change=True),
    )
    answers = await asyncio.gather(
        database.submit(broken_half_way),
        database.submit((Statement(ROOM, ((GAMMA, b"3"),)),)),
        return_exceptions=True,
    )
    assert [type(answer) for answer in answers] == [ConflictError, type(None)]
    assert await database.query(ROOMS) == [(GAMMA,)]


async def test_a_cancelled_write_that_no_commit_picked_up_is_dropped(database: Database) -> None:
    write = asyncio.create_task(database.submit((Statement(ROOM, ((ALPHA, b"1"),)),)))
    other = asyncio.create_task(database.submit((Statement(ROOM, ((BETA, b"1"),)),)))
    asyncio.get_running_loop().call_soon(write.cancel)
    answers = await asyncio.gather(write, other, return_exceptions=True)
    assert isinstance(answers[0], asyncio.CancelledError)
    assert answers[1] is None
    assert (BETA,) in await database.query(ROOMS)


async def test_a_reading_error_is_told_and_harms_nothing(database: Database) -> None:
    with pytest.raises(DatabaseError, match="no such table"):
        await database.query("SELECT * FROM nowhere")
    await database.submit((Statement(ROOM, ((ALPHA, b"1"),)),))


# Full and failing disks


async def test_a_full_disk_refuses_and_works_again_with_more_room(
    database: Database, journal: SqliteJournal
) -> None:
    await journal.append(ALPHA, 1, (b"1",))
    ((pages,),) = await database.query("PRAGMA page_count")
    await database.query(f"PRAGMA max_page_count = {pages}")
    with pytest.raises(JournalError, match="full") as caught:
        await journal.append(ALPHA, 2, (bytes(100_000),))
    assert not caught.value.fatal
    assert await journal.read(ALPHA) == (b"1",)
    assert not database.broken.is_set()
    await database.query(f"PRAGMA max_page_count = {pages + 100}")
    await journal.append(ALPHA, 2, (bytes(100_000),))
    assert await journal.last(ALPHA) == 2


async def test_a_record_too_big_for_a_full_disk_takes_no_other_with_it(
    database: Database, journal: SqliteJournal
) -> None:
    ((pages,),) = await database.query("PRAGMA page_count")
    await database.query(f"PRAGMA max_page_count = {pages}")
    answers = await asyncio.gather(
        journal.append(ALPHA, 1, (bytes(100_000),)),
        journal.append(BETA, 1, (b"small",)),
        return_exceptions=True,
    )
    assert [type(answer) for answer in answers] == [JournalError, type(None)]
    assert await journal.matches() == (BETA,)


# The file may not grow past a limit of the kernel's, which SQLite meets as an I/O error.
FAILING_DISK = """
import asyncio, resource, sys
from pathlib import Path
from sunglare_server.sqlite.database import Database
from sunglare_server.ports.journal import JournalError
from sunglare_server.sqlite.journal import SqliteJournal

async def main():
    database = await Database.open(Path(sys.argv[1]))
    journal = SqliteJournal(database)
    await journal.append("a" * 26, 1, (b"1",))
    _, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (300_000, hard))
    answers = await asyncio.gather(
        journal.append("a" * 26, 2, (bytes(400_000),)),
        journal.append("b" * 26, 1, (b"1",)),
        return_exceptions=True,
    )
    resource.setrlimit(resource.RLIMIT_FSIZE, (hard, hard))
    answers += await asyncio.gather(journal.append("c" * 26, 1, (b"1",)), return_exceptions=True)
    print([type(answer) is JournalError and answer.fatal for answer in answers])
    print(database.broken.is_set(), await journal.last("a" * 26))

asyncio.run(main())
"""


async def test_after_an_input_output_error_nothing_is_written_any_more(path: Path) -> None:
    child = await asyncio.create_subprocess_exec(
        sys.executable,
        "-c",
        FORKABLE + FAILING_DISK,
        path,
        stdout=subprocess.PIPE,
        env=environment(),
    )
    out, _ = await child.communicate()
    assert out.decode().split("\n") == ["[True, True, True]", "True 1", ""]
    journal = SqliteJournal(await Database.open(path))
    assert await journal.matches() == (ALPHA,)
    await journal.append(ALPHA, 2, (b"2",))
    await journal.close()


async def test_a_fault_of_our_own_in_the_thread_stops_all_writing(database: Database) -> None:
    good = (Statement(ROOM, ((ALPHA, b"1"),)),)
    under_way = [
        asyncio.create_task(database.submit((None,))),  # type: ignore[arg-type]
        asyncio.create_task(database.submit(good)),
    ]
    for _ in range(2):
        await asyncio.sleep(0)
    waiting = asyncio.create_task(database.submit(good))
    answers = await asyncio.gather(*under_way, waiting, return_exceptions=True)
    answers += await asyncio.gather(database.submit(good), return_exceptions=True)
    assert [isinstance(answer, DatabaseError) and answer.fatal for answer in answers] == [True] * 4
    assert database.broken.is_set()
    assert await database.query(ROOMS) == []


# Crashes

APPENDER = """
import asyncio, sys
from pathlib import Path
from sunglare_server.sqlite.database import Database
from sunglare_server.sqlite.journal import SqliteJournal

async def play(journal, match):
    n = await journal.last(match)
    while True:
        n += 1
        await journal.append(match, n, (f"{match} {n}".encode(),))
        print(match, n, flush=True)

async def main():
    journal = SqliteJournal(await Database.open(Path(sys.argv[1])))
    await asyncio.gather(*(play(journal, letter * 26) for letter in "abc"))

asyncio.run(main())
"""


def environment() -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": SOURCES}


async def acknowledged_until_killed(path: Path, count: int) -> list[tuple[MatchId, int]]:
    """Return what a server acknowledged until it was killed after `count` lines or more."""
    child = await asyncio.create_subprocess_exec(
        sys.executable, "-c", FORKABLE + APPENDER, path, stdout=subprocess.PIPE, env=environment()
    )
    assert child.stdout is not None
    lines = [await child.stdout.readline() for _ in range(count)]
    child.kill()
    lines += (await child.stdout.read()).splitlines(keepends=True)
    assert await child.wait() < 0
    whole = [line.decode().split() for line in lines if line.endswith(b"\n")]
    return [(MatchId(match), int(n)) for match, n in whole]


async def test_what_a_killed_server_acknowledged_is_there_afterwards(path: Path) -> None:
    acknowledged: list[tuple[MatchId, int]] = []
    for count in (1, 40, 133, 500):
        acknowledged += await acknowledged_until_killed(path, count)
        journal = SqliteJournal(await Database.open(path))
        for match in (ALPHA, BETA, GAMMA):
            records = await journal.read(match)
            assert records == tuple(f"{match} {n}".encode() for n in range(1, len(records) + 1))
            assert len(records) >= max((n for of, n in acknowledged if of == match), default=0)
        await journal.close()
    assert len(acknowledged) >= 674
