"""What the journal in an engine promises besides the port's conformance suite, on one node."""

import asyncio
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from builders.clusters import journal_on
from builders.engines import Engines, empty
from builders.memoryjournal import MemoryJournal
from builders.tcplines import tcp_proxied
from sunglare_protocol.ids import MatchId
from sunglare_server.cluster.journal.journal import NatsJournal
from sunglare_server.cluster.journal.match_streams import SHARDS
from sunglare_server.ports.journal import Journal, JournalError, NumberTakenError

pytestmark = pytest.mark.needs_nats

ALPHA = MatchId("a" * 26)
BETA = MatchId("b" * 26)

LONG_S = 60.0


async def fill(journal: Journal, match: MatchId, sizes: list[int]) -> tuple[bytes, ...]:
    """Append so many records at a time, and return all of them."""
    blobs: list[bytes] = []
    for size in sizes:
        batch = tuple(str(len(blobs) + k + 1).encode() for k in range(size))
        await journal.append(match, len(blobs) + 1, batch)
        blobs += batch
    return tuple(blobs)


async def test_any_stretch_of_a_log_of_uneven_appends_is_read(node: Engines) -> None:
    async with journal_on(node) as journal:
        sizes = Random(5).choices([1, 1, 2, 7], k=12)
        blobs = await fill(journal, ALPHA, sizes)
        # Logs of the same shard lie between.
        await fill(journal, BETA, sizes)
        for after in range(len(blobs) + 2):
            assert await journal.read(ALPHA, after) == blobs[after:]
            assert await journal.read(ALPHA, after, 2) == blobs[after : after + 2]


APPENDS = st.tuples(
    st.sampled_from([ALPHA, BETA]),
    st.integers(0, 4),
    st.lists(st.binary(max_size=4), max_size=3).map(tuple),
)


@given(batches=st.lists(st.lists(APPENDS, max_size=5), max_size=4))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
def test_an_engine_accepts_and_refuses_the_same_appends_as_memory(
    node_of_all: Engines, batches: list[list[tuple[MatchId, int, tuple[bytes, ...]]]]
) -> None:
    async def history(journal: Journal) -> list[object]:
        told: list[object] = []
        for batch in batches:
            answers = await asyncio.gather(
                *(journal.append(*append) for append in batch), return_exceptions=True
            )
            told += [type(answer) for answer in answers]
        return [*told, [(await journal.last(m), await journal.read(m)) for m in (ALPHA, BETA)]]

    async def on_engine() -> list[object]:
        await empty(node_of_all)
        async with journal_on(node_of_all) as journal:
            return await history(journal)

    assert asyncio.run(on_engine()) == asyncio.run(history(MemoryJournal()))


async def test_the_number_of_shards_is_what_the_first_worker_made_it(node: Engines) -> None:
    async with journal_on(node) as journal:
        await fill(journal, ALPHA, [1, 2])
        engine = journal.engine
        again = await NatsJournal.open(engine, SHARDS + 3)
        assert await again.read(ALPHA) == (b"1", b"2", b"3")
        assert await engine.subjects(f"MLOG_{SHARDS - 1}", ">") is not None
        with pytest.raises(Exception, match="not found"):
            await engine.subjects(f"MLOG_{SHARDS}", ">")


async def test_a_word_that_would_be_a_wildcard_is_no_match(node: Engines) -> None:
    async with journal_on(node) as journal:
        await fill(journal, ALPHA, [1])
        for word in ("*", ">", "a.b", "", "a b"):
            assert await journal.read(MatchId(word)) == ()
            with pytest.raises(JournalError, match="no id"):
                await journal.append(MatchId(word), 1, (b"1",))


async def test_snapshots_are_kept_from_the_least_number_on(node: Engines) -> None:
    async with journal_on(node) as journal:
        await journal.keep_snapshot(ALPHA, 3, b"three", 0)
        await journal.keep_snapshot(ALPHA, 12, b"twelve", 3)
        await journal.keep_snapshot(BETA, 1, b"other", 0)
        assert await journal.snapshots(ALPHA) == ((3, b"three"), (12, b"twelve"))
        await journal.keep_snapshot(ALPHA, 20, b"", 12)
        assert await journal.snapshots(ALPHA) == ((12, b"twelve"), (20, b""))
        assert await journal.snapshots(BETA) == ((1, b"other"),)


async def test_what_is_larger_than_a_message_is_kept_in_pieces(node: Engines) -> None:
    large = Random(1).randbytes(9_000_000)
    async with journal_on(node) as journal:
        await journal.keep_snapshot(ALPHA, 3, large, 0)
        assert await journal.snapshots(ALPHA) == ((3, large),)
        await journal.finish(ALPHA, (("", large), ("A", b"small")))
        assert await journal.archived(ALPHA, "") == large
        await journal.keep_snapshot(ALPHA, 4, b"", 4)
        assert await journal.snapshots(ALPHA) == ((4, b""),)


async def test_a_snapshot_that_misses_a_piece_is_none(node: Engines) -> None:
    async with journal_on(node) as journal:
        await journal.keep_snapshot(ALPHA, 3, b"three", 0)
        await journal.keep_snapshot(ALPHA, 4, b"four", 0)
        await journal.engine.purge("SNAPS", f"snap.{ALPHA}.3.>")
        assert await journal.snapshots(ALPHA) == ((4, b"four"),)


async def test_two_who_finish_a_match_at_once_keep_the_parts_of_both(node: Engines) -> None:
    async with journal_on(node) as one, journal_on(node) as other:
        await asyncio.gather(
            one.finish(ALPHA, (("A", b"a"),)), other.finish(ALPHA, (("B", b"b"),))
        )
        assert await one.archived(ALPHA, "A") == b"a"
        assert await one.archived(ALPHA, "B") == b"b"


async def test_only_a_match_that_is_over_expires_and_its_archive_stays(node: Engines) -> None:
    async with journal_on(node) as journal:
        await fill(journal, ALPHA, [2, 1])
        await fill(journal, BETA, [1])
        await journal.keep_snapshot(ALPHA, 3, b"three", 0)
        with pytest.raises(JournalError, match="not over"):
            await journal.expire(ALPHA)
        assert await journal.last(ALPHA) == 3
        await journal.finish(ALPHA, (("A", b"a"),))
        await journal.expire(ALPHA)
        assert await journal.read(ALPHA) == ()
        assert await journal.snapshots(ALPHA) == ()
        assert await journal.archived(ALPHA, "A") == b"a"
        assert await journal.matches() == (BETA,)


async def test_an_append_larger_than_a_message_is_refused_and_the_next_one_taken(
    node: Engines,
) -> None:
    async with journal_on(node) as journal:
        with pytest.raises(JournalError, match="larger") as caught:
            await journal.append(ALPHA, 1, (bytes(9_000_000),))
        assert not caught.value.fatal
        assert not isinstance(caught.value, NumberTakenError)
        await journal.append(ALPHA, 1, (b"1",))
        assert (journal.appended, journal.refused) == (1, 1)


async def test_a_full_engine_refuses_for_good(node: Engines) -> None:
    async with journal_on(node) as journal:
        await fill(journal, ALPHA, [1])
        for shard in range(SHARDS):
            info = await journal.engine.streams.stream_info(f"MLOG_{shard}")
            await journal.engine.streams.update_stream(info.config, max_bytes=1)
        with pytest.raises(JournalError, match="maximum bytes") as caught:
            await journal.append(ALPHA, 2, (b"2",))
        assert caught.value.fatal
        assert await journal.read(ALPHA) == (b"1",)


@pytest.mark.parametrize("blob", [b"mine", b""], ids=["of some bytes", "empty"])
async def test_an_append_whose_answer_is_lost_is_stored_once(node: Engines, blob: bytes) -> None:
    async with (
        tcp_proxied(node.nodes[0].port) as proxy,
        journal_on(node, proxy.url) as journal,
        journal_on(node) as witness,
        asyncio.timeout(LONG_S),
    ):
        await journal.append(ALPHA, 1, (b"1",))
        proxy.is_deaf = True
        append = asyncio.create_task(journal.append(ALPHA, 2, (blob,)))
        while await witness.last(ALPHA) < 2:
            assert not append.done()
        proxy.cut()
        await append
        await journal.append(ALPHA, 3, (b"3",))
        assert await witness.read(ALPHA) == (b"1", blob, b"3")


async def test_an_append_whose_answer_is_lost_is_refused_if_another_is_there(
    node: Engines,
) -> None:
    async with (
        tcp_proxied(node.nodes[0].port) as proxy,
        journal_on(node, proxy.url) as journal,
        journal_on(node) as rival,
        asyncio.timeout(LONG_S),
    ):
        await journal.append(ALPHA, 1, (b"1",))
        proxy.is_deaf = True
        await rival.append(ALPHA, 2, (b"theirs", b"too"))
        append = asyncio.create_task(journal.append(ALPHA, 2, (b"mine",)))
        await asyncio.sleep(0)
        proxy.cut()
        with pytest.raises(NumberTakenError):
            await append
        assert await journal.read(ALPHA) == (b"1", b"theirs", b"too")
        await journal.append(ALPHA, 4, (b"mine",))


async def test_a_close_gives_up_what_the_engine_does_not_answer(node: Engines) -> None:
    async with (
        tcp_proxied(node.nodes[0].port) as proxy,
        journal_on(node, proxy.url) as journal,
        asyncio.timeout(LONG_S),
    ):
        await journal.append(ALPHA, 1, (b"1",))
        proxy.is_deaf = True
        append = asyncio.create_task(journal.append(ALPHA, 2, (b"2",)))
        await asyncio.sleep(0)
        await journal.close(within_s=0.1)
        with pytest.raises(JournalError, match="before the engine answered") as caught:
            await append
        assert caught.value.fatal
