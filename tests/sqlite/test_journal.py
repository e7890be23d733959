"""The promises of the journal, held by every implementation of the port."""

import asyncio
import tempfile
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import suppress
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from builders.clusters import engine_on
from builders.engines import Engines, empty
from builders.memoryjournal import Fault, MemoryJournal
from simulation.disk import Disk
from simulation.diskratings import disk_storage
from sunglare_protocol.ids import MatchId
from sunglare_server.cluster.client.engine import Engine
from sunglare_server.cluster.journal.journal import NatsJournal
from sunglare_server.ports.journal import Journal, JournalError, NumberTakenError
from sunglare_server.sqlite.database import Database
from sunglare_server.sqlite.journal import SqliteJournal

ALPHA = MatchId("a" * 26)
BETA = MatchId("b" * 26)
GAMMA = MatchId("c" * 26)
NOBODY = MatchId("z" * 26)
MATCHES = [MatchId(letter * 26) for letter in "defgh"]


class Rig:
    """A journal that can be closed and opened again."""

    def __init__(self, journal: Journal, open_again: Callable[[], Awaitable[Journal]]) -> None:
        self.journal = journal
        self._open_again = open_again

    async def reopen(self) -> Journal:
        """Return the journal after a close."""
        await self.journal.close()
        self.journal = await self._open_again()
        return self.journal


async def sqlite_at(path: Path) -> SqliteJournal:
    return SqliteJournal(await Database.open(path))


async def on_disk(disk: Disk) -> Journal:
    return (await disk_storage(disk)).journal


class NatsRig(Rig):
    """A journal in a real engine, each time over a connection of its own."""

    def __init__(self, engines: Engines) -> None:
        self._engines = engines
        self._engine: Engine | None = None

    async def begin(self) -> None:
        """Open the journal of an engine that stores nothing yet."""
        await empty(self._engines)
        self._open_again = self._again
        self.journal = await self._again()

    async def end(self) -> None:
        """Close what is open."""
        await self.journal.close()
        if self._engine is not None:
            await self._engine.close()

    async def _again(self) -> Journal:
        if self._engine is not None:
            await self._engine.close()
        self._engine = await engine_on(self._engines)
        return await NatsJournal.open(self._engine, 2)


NATS = pytest.param("nats", marks=pytest.mark.needs_nats)


@pytest.fixture(params=["sqlite", "memory", "disk", NATS])
async def rig(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Rig]:
    if request.param == "nats":
        on_engine = NatsRig(request.getfixturevalue("node_of_all"))
        await on_engine.begin()
        yield on_engine
        await on_engine.end()
        return
    if request.param == "sqlite":
        path = tmp_path / "journal.db"
        made = Rig(await sqlite_at(path), lambda: sqlite_at(path))
    elif request.param == "disk":
        disk = Disk(Random(0))
        made = Rig(await on_disk(disk), lambda: on_disk(disk))
    else:
        memory = MemoryJournal()

        async def again() -> Journal:
            return memory.reopened()

        made = Rig(memory, again)
    yield made
    await made.journal.close()


async def test_records_come_back_in_the_order_of_their_numbers(rig: Rig) -> None:
    await rig.journal.append(ALPHA, 1, (b"one", b"two"))
    await rig.journal.append(ALPHA, 3, (b"", b"\x00four"))
    assert await rig.journal.read(ALPHA) == (b"one", b"two", b"", b"\x00four")


async def test_reading_starts_after_the_number_asked(rig: Rig) -> None:
    await rig.journal.append(ALPHA, 1, (b"1", b"2", b"3"))
    for after, expected in {0: (b"1", b"2", b"3"), 2: (b"3",), 3: (), 9: ()}.items():
        assert await rig.journal.read(ALPHA, after) == expected, after


async def test_no_more_records_are_read_than_asked(rig: Rig) -> None:
    await rig.journal.append(ALPHA, 1, (b"1", b"2", b"3"))
    asked = {(0, 1): (b"1",), (1, 1): (b"2",), (2, 2): (b"3",), (0, 0): ()}
    for (after, most), expected in asked.items():
        assert await rig.journal.read(ALPHA, after, most) == expected, (after, most)


async def test_an_unknown_match_has_no_records(rig: Rig) -> None:
    assert await rig.journal.read(NOBODY) == ()
    assert await rig.journal.last(NOBODY) == 0
    assert await rig.journal.matches() == ()


async def test_what_no_match_is_called_has_no_records_either(rig: Rig) -> None:
    for name in ("", " ", "a b", "x.y", "*", ">", "a/b", "\0", "\u00e9"):
        assert await rig.journal.read(MatchId(name)) == (), name
        assert await rig.journal.last(MatchId(name)) == 0, name


async def test_each_match_counts_its_own_records(rig: Rig) -> None:
    await rig.journal.append(BETA, 1, (b"b1",))
    await rig.journal.append(ALPHA, 1, (b"a1", b"a2"))
    await rig.journal.append(BETA, 2, (b"b2",))
    assert await rig.journal.last(ALPHA) == 2
    assert await rig.journal.read(BETA) == (b"b1", b"b2")


async def test_a_number_that_does_not_follow_is_refused_and_nothing_stored(rig: Rig) -> None:
    for match, first in zip(MATCHES, (-1, 0, 1, 2, 4), strict=True):
        await rig.journal.append(match, 1, (b"1", b"2"))
        with pytest.raises(NumberTakenError, match=f"record {first} of {match}") as caught:
            await rig.journal.append(match, first, (b"x", b"y", b"z"))
        assert (caught.value.match, caught.value.first) == (match, first)
        assert await rig.journal.read(match) == (b"1", b"2")
        await rig.journal.append(match, 3, (b"3",))


async def test_a_match_starts_at_record_one(rig: Rig) -> None:
    with pytest.raises(NumberTakenError):
        await rig.journal.append(ALPHA, 2, (b"2",))
    assert await rig.journal.matches() == ()


async def test_an_append_without_blobs_stores_nothing(rig: Rig) -> None:
    await rig.journal.append(ALPHA, 1, ())
    assert await rig.journal.matches() == ()


async def test_one_of_two_racing_appends_gets_the_number(rig: Rig) -> None:
    await rig.journal.append(ALPHA, 1, (b"1",))
    outcomes = await asyncio.gather(
        rig.journal.append(ALPHA, 2, (b"left",)),
        rig.journal.append(ALPHA, 2, (b"right",)),
        rig.journal.append(BETA, 1, (b"other",)),
        return_exceptions=True,
    )
    assert outcomes[0] is None
    assert isinstance(outcomes[1], NumberTakenError)
    assert outcomes[2] is None
    assert await rig.journal.read(ALPHA) == (b"1", b"left")
    assert await rig.journal.read(BETA) == (b"other",)


async def test_what_follows_a_refused_append_in_the_same_batch_is_a_gap(rig: Rig) -> None:
    outcomes = await asyncio.gather(
        rig.journal.append(ALPHA, 2, (b"2",)),
        rig.journal.append(ALPHA, 3, (b"3",)),
        rig.journal.append(ALPHA, 1, (b"1",)),
        return_exceptions=True,
    )
    assert [type(outcome) for outcome in outcomes] == [
        NumberTakenError,
        NumberTakenError,
        type(None),
    ]
    assert await rig.journal.read(ALPHA) == (b"1",)


async def test_appends_to_one_match_may_overtake_no_earlier_one(rig: Rig) -> None:
    await asyncio.gather(*(rig.journal.append(ALPHA, n, (str(n).encode(),)) for n in range(1, 51)))
    assert await rig.journal.read(ALPHA) == tuple(str(n).encode() for n in range(1, 51))


async def test_records_are_there_after_reopening(rig: Rig) -> None:
    await rig.journal.append(ALPHA, 1, (b"1", b"2"))
    await rig.journal.append(BETA, 1, (b"b",))
    await rig.journal.finish(BETA)
    journal = await rig.reopen()
    assert await journal.read(ALPHA) == (b"1", b"2")
    assert await journal.read(BETA) == (b"b",)
    assert await journal.matches() == (ALPHA,)
    await journal.append(ALPHA, 3, (b"3",))
    assert await journal.last(ALPHA) == 3


async def test_matches_are_listed_in_the_order_of_their_ids_until_finished(rig: Rig) -> None:
    for match in (GAMMA, ALPHA, BETA):
        await rig.journal.append(match, 1, (b"1", b"2"))
    assert await rig.journal.matches() == (ALPHA, BETA, GAMMA)
    await rig.journal.finish(BETA)
    await rig.journal.finish(BETA)
    assert await rig.journal.matches() == (ALPHA, GAMMA)
    assert await rig.journal.read(BETA) == (b"1", b"2")


async def test_the_archive_of_a_match_is_kept_with_its_end(rig: Rig) -> None:
    await rig.journal.append(ALPHA, 1, (b"1",))
    await rig.journal.finish(ALPHA, (("", b"sum"), ("A", b"\x00\xff")))
    await rig.journal.finish(ALPHA, (("A", b"new"),))
    await rig.journal.finish(ALPHA)
    assert await rig.journal.archived(ALPHA, "") == b"sum"
    assert await rig.journal.archived(ALPHA, "A") == b"new"
    assert await rig.journal.archived(ALPHA, "B") is None
    assert await rig.journal.archived(BETA, "") is None


async def test_a_closed_journal_refuses_and_closes_again_without_complaint(rig: Rig) -> None:
    await rig.journal.close()
    await rig.journal.close()
    with pytest.raises(JournalError, match="closed"):
        await rig.journal.append(ALPHA, 1, (b"1",))
    with pytest.raises(JournalError, match="closed"):
        await rig.journal.finish(ALPHA)
    with pytest.raises(JournalError, match="closed"):
        await rig.journal.last(ALPHA)


async def test_a_close_waits_for_appends_under_way(rig: Rig) -> None:
    appends = [
        asyncio.create_task(rig.journal.append(match, 1, (b"1",)))
        for match in (ALPHA, BETA, GAMMA)
    ]
    for _ in range(3):
        await asyncio.sleep(0)
    journal = await rig.reopen()
    await asyncio.gather(*appends)
    assert await journal.matches() == (ALPHA, BETA, GAMMA)


async def test_after_a_cancelled_append_last_tells_whether_it_was_stored(rig: Rig) -> None:
    append = asyncio.create_task(rig.journal.append(ALPHA, 1, (b"1",)))
    await asyncio.sleep(0)
    append.cancel()
    with suppress(asyncio.CancelledError):
        await append
    last = await rig.journal.last(ALPHA)
    await rig.journal.append(ALPHA, last + 1, (b"next",))
    assert (await rig.journal.read(ALPHA))[last:] == (b"next",)
    assert await rig.journal.last(ALPHA) == last + 1


Append = tuple[MatchId, int, tuple[bytes, ...]]

APPENDS = st.tuples(
    st.sampled_from([ALPHA, BETA]),
    st.integers(0, 4),
    st.lists(st.binary(max_size=4), max_size=3).map(tuple),
)


async def history(journal: Journal, batches: list[list[Append]]) -> list[object]:
    """Return what the journal answers to batches of appends that arrive at once."""
    told: list[object] = []
    for batch in batches:
        answers = await asyncio.gather(
            *(journal.append(*append) for append in batch), return_exceptions=True
        )
        told += [type(answer) for answer in answers]
    for match in (ALPHA, BETA):
        told += [await journal.last(match), await journal.read(match)]
    told.append(await journal.matches())
    await journal.close()
    return told


@given(batches=st.lists(st.lists(APPENDS, max_size=5), max_size=4))
def test_all_journals_accept_and_refuse_the_same_appends(batches: list[list[Append]]) -> None:
    async def on_disk() -> list[object]:
        with tempfile.TemporaryDirectory() as folder:
            return await history(await sqlite_at(Path(folder) / "journal.db"), batches)

    assert asyncio.run(on_disk()) == asyncio.run(history(MemoryJournal(), batches))


async def test_a_memory_journal_can_be_told_to_fail_once() -> None:
    journal = MemoryJournal()
    journal.fail_next(JournalError("the disk is full"))
    with pytest.raises(JournalError, match="the disk is full"):
        await journal.append(ALPHA, 1, (b"1",))
    assert await journal.last(ALPHA) == 0
    await journal.append(ALPHA, 1, (b"1",))


@pytest.mark.parametrize(
    ("fault", "told", "kept"),
    [
        (Fault.REFUSED, JournalError, ()),
        (Fault.LOST_ANSWER, JournalError, (b"1",)),
        (Fault.TRIED_TWICE, NumberTakenError, (b"1",)),
    ],
)
async def test_a_memory_journal_can_be_told_to_keep_what_it_refuses_for_one_writer(
    fault: Fault, told: type[JournalError], kept: tuple[bytes, ...]
) -> None:
    one = MemoryJournal()
    two = one.shared()
    two.spoil_next(fault)
    with pytest.raises(JournalError) as refused:
        await two.append(ALPHA, 1, (b"1",))
    assert type(refused.value) is told
    assert await one.read(ALPHA) == kept
    await one.append(ALPHA, len(kept) + 1, (b"2",))
    assert await two.read(ALPHA) == (*kept, b"2")
