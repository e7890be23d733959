"""Leases of several workers in one engine: claimed, given away, lost, and never doubly held."""

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator, Callable
from typing import Any

import pytest

from builders.clusters import engine_at, journal_on
from builders.engines import Engines
from builders.memoryjournal import MemoryJournal
from builders.tcplines import TcpProxy, tcp_proxied
from sunglare_protocol.ids import MatchId
from sunglare_server.cluster.lease.lease import BUCKET, NatsLease
from sunglare_server.ports.lease import Lease, LeaseError, SoleLease

ALPHA = MatchId("a" * 26)
BETA = MatchId("b" * 26)

TTL_MS = 600

UNHURRIED_MS = 60_000
"""For tests in which no time passes, however busy the machine is."""

LONG_S = 60.0

nats_only = pytest.mark.needs_nats


class Worker:
    """A worker with leases of its own, which claims whatever it is told to."""

    def __init__(self, lease: NatsLease) -> None:
        self.lease = lease
        self.free: list[MatchId] = []
        self.lost: list[MatchId] = []
        self._stirred = asyncio.Event()
        lease.on_free(self._hear_free)
        lease.on_lost(self._hear_lost)

    async def until(self, is_so: Callable[[], object]) -> None:
        """Wait until something is so that this worker hears of."""
        async with asyncio.timeout(LONG_S):
            while not is_so():
                self._stirred.clear()
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(0.05):
                        await self._stirred.wait()

    def _hear_free(self, match: MatchId) -> None:
        self.free.append(match)
        self._stirred.set()

    def _hear_lost(self, match: MatchId) -> None:
        self.lost.append(match)
        self._stirred.set()


@contextlib.asynccontextmanager
async def worker_at(
    name: str, *urls: str, replicas: int = 1, ttl_ms: int = TTL_MS, **how: Any
) -> AsyncIterator[Worker]:
    engine = await engine_at(urls, replicas)
    try:
        lease = await NatsLease.open(engine, name, ttl_ms, **how)
        try:
            yield Worker(lease)
        finally:
            await lease.close()
    finally:
        await engine.close()


@pytest.fixture(params=["sole", pytest.param("nats", marks=nats_only)])
async def lease(request: pytest.FixtureRequest) -> AsyncIterator[Lease]:
    """Give a test the leases of each kind, none of them owned yet."""
    if request.param == "sole":
        yield SoleLease(MemoryJournal())
        return
    engines: Engines = request.getfixturevalue("node_of_all")
    async with journal_on(engines) as journal:
        with contextlib.suppress(Exception):
            await journal.engine.streams.delete_stream(BUCKET)
    async with worker_at("one", *engines.urls, ttl_ms=UNHURRIED_MS) as worker:
        yield worker.lease


async def test_a_match_that_is_claimed_is_held(lease: Lease) -> None:
    assert not lease.is_held(ALPHA)
    epoch = await lease.claim(ALPHA)
    assert epoch is not None
    assert epoch >= 1
    assert lease.is_held(ALPHA)
    assert not lease.is_held(BETA)


async def test_who_owns_a_match_and_claims_it_again_has_the_same_epoch(lease: Lease) -> None:
    first, second = await asyncio.gather(lease.claim(ALPHA), lease.claim(ALPHA))
    assert first == second == await lease.claim(ALPHA)


async def test_what_is_released_is_held_no_more_and_may_be_claimed_again(lease: Lease) -> None:
    epoch = await lease.claim(ALPHA)
    await lease.release(ALPHA)
    await lease.release(ALPHA)
    assert not lease.is_held(ALPHA)
    again = await lease.claim(ALPHA)
    assert epoch is not None
    assert again is not None
    assert again >= epoch
    assert lease.is_held(ALPHA)


async def test_what_is_dropped_is_held_no_more(lease: Lease) -> None:
    await lease.claim(ALPHA)
    await lease.drop(ALPHA)
    await lease.drop(BETA)
    assert not lease.is_held(ALPHA)


@nats_only
async def test_a_dropped_match_leaves_nothing_and_a_later_epoch_is_greater(node: Engines) -> None:
    async with worker_at("one", *node.urls) as one, journal_on(node) as journal:
        epoch = await one.lease.claim(ALPHA)
        await one.lease.drop(ALPHA)
        assert await journal.engine.subjects(BUCKET, "$KV.lease.m.*") == ()
        later = await one.lease.claim(ALPHA)
        assert epoch is not None
        assert later is not None
        assert later > epoch


@nats_only
async def test_of_two_who_claim_together_one_owns_the_match(node: Engines) -> None:
    async with (
        worker_at("one", *node.urls, ttl_ms=UNHURRIED_MS) as one,
        worker_at("two", *node.urls, ttl_ms=UNHURRIED_MS) as two,
    ):
        for k in range(10):
            match = MatchId(f"match{k}")
            epochs = await asyncio.gather(one.lease.claim(match), two.lease.claim(match))
            assert sorted(epoch is None for epoch in epochs) == [False, True]
            assert one.lease.is_held(match) is (epochs[0] is not None)
            assert two.lease.is_held(match) is (epochs[1] is not None)


@nats_only
async def test_a_released_match_is_offered_to_others_and_taken_with_a_greater_epoch(
    node: Engines,
) -> None:
    async with worker_at("one", *node.urls) as one, worker_at("two", *node.urls) as two:
        first = await one.lease.claim(ALPHA)
        assert await two.lease.claim(ALPHA) is None
        await one.lease.release(ALPHA)
        await two.until(lambda: ALPHA in two.free)
        second = await two.lease.claim(ALPHA)
        assert first is not None
        assert second is not None
        assert second > first
        assert (one.free, one.lost) == ([], [])


@nats_only
async def test_a_match_without_an_owner_is_offered_to_who_comes_later(node: Engines) -> None:
    async with worker_at("one", *node.urls) as one:
        await one.lease.claim(ALPHA)
        await one.lease.claim(BETA)
        await one.lease.drop(BETA)
    async with worker_at("two", *node.urls) as two:
        await two.until(lambda: two.free)
        assert await two.lease.claim(ALPHA) is not None
        assert two.free == [ALPHA]


@nats_only
async def test_what_nobody_claims_is_offered_again(node: Engines) -> None:
    async with worker_at("one", *node.urls) as one:
        await one.lease.claim(ALPHA)
    async with worker_at("two", *node.urls) as two:
        await two.until(lambda: two.free == [ALPHA, ALPHA])


@nats_only
async def test_a_process_that_begins_anew_under_its_name_is_another_owner(node: Engines) -> None:
    async with tcp_proxied(node.nodes[0].port) as proxy, worker_at("one", proxy.url) as before:
        first = await before.lease.claim(ALPHA)
        async with worker_at("one", *node.urls) as after:
            await after.until(lambda: after.free == [ALPHA])
            second = await after.lease.claim(ALPHA)
            assert first is not None
            assert second is not None
            assert second > first
            await before.until(lambda: before.lost == [ALPHA])
            assert not before.lease.is_held(ALPHA)


@contextlib.asynccontextmanager
async def parted(node: Engines) -> AsyncIterator[tuple[TcpProxy, Worker, Worker]]:
    """Run two workers, the line of the first of which can be cut."""
    async with (
        tcp_proxied(node.nodes[0].port) as proxy,
        worker_at("one", proxy.url) as one,
        worker_at("two", *node.urls) as two,
    ):
        yield proxy, one, two


@nats_only
async def test_an_owner_that_is_cut_off_holds_nothing_before_another_one_takes_it(
    node: Engines,
) -> None:
    async with parted(node) as (proxy, one, two):
        await one.lease.claim(ALPHA)
        await one.until(lambda: one.lease.is_held(ALPHA))
        proxy.upstream = 1
        proxy.cut()
        await two.until(lambda: two.free)
        assert not one.lease.is_held(ALPHA)
        assert await two.lease.claim(ALPHA) is not None
        proxy.upstream = node.nodes[0].port
        await one.until(lambda: one.lost)
        assert not one.lease.is_held(ALPHA)
        assert one.lost == [ALPHA]
        assert await one.lease.claim(ALPHA) is None


@nats_only
async def test_a_match_that_was_lost_and_not_given_away_is_offered_again_as_soon_as_it_is_free(
    node: Engines,
) -> None:
    """A worker that lost a match lets go of it too; only who gives one away is to come last.

    Its clock is stopped then, so that nothing which had to wait is ever done.
    """
    stopped_ns: list[int] = []
    async with (
        tcp_proxied(node.nodes[0].port) as proxy,
        worker_at(
            "one", proxy.url, steady_ns=lambda: (*stopped_ns, time.monotonic_ns())[0]
        ) as one,
        worker_at("two", *node.urls) as two,
    ):
        await one.lease.claim(ALPHA)
        proxy.upstream = 1
        proxy.cut()
        await two.until(lambda: two.free)
        assert await two.lease.claim(ALPHA) is not None
        proxy.upstream = node.nodes[0].port
        await one.until(lambda: one.lost)
        stopped_ns.append(time.monotonic_ns())
        await one.lease.release(ALPHA)
        await two.lease.close()
        await one.until(lambda: one.free)
        assert await one.lease.claim(ALPHA) is not None


@nats_only
async def test_an_owner_that_nobody_replaced_holds_again_after_it_was_cut_off(
    node: Engines,
) -> None:
    async with tcp_proxied(node.nodes[0].port) as proxy, worker_at("one", proxy.url) as one:
        epoch = await one.lease.claim(ALPHA)
        proxy.upstream = 1
        proxy.cut()
        await one.until(lambda: not one.lease.is_held(ALPHA))
        proxy.upstream = node.nodes[0].port
        await one.until(lambda: one.lease.is_held(ALPHA))
        assert await one.lease.claim(ALPHA) == epoch
        assert one.lost == []


@nats_only
async def test_a_claim_whose_answer_is_lost_is_known_when_the_line_stands_again(
    node: Engines,
) -> None:
    async with parted(node) as (proxy, one, two), journal_on(node) as journal:
        proxy.deafened_by = b"HPUB $KV.lease.m."
        claim = asyncio.create_task(one.lease.claim(ALPHA))
        await two.until(lambda: proxy.is_deaf)
        while await journal.engine.newest(BUCKET, f"$KV.lease.m.{ALPHA}") is None:
            assert not claim.done()
        proxy.cut()
        epoch = await claim
        kept = await journal.engine.newest(BUCKET, f"$KV.lease.m.{ALPHA}")
        assert kept is not None
        assert kept.seq == epoch
        assert await two.lease.claim(ALPHA) is None


@nats_only
async def test_a_worker_that_stood_still_holds_nothing_until_it_is_heard_again(
    node: Engines,
) -> None:
    stood_ns = 0

    def steady_ns() -> int:
        return time.monotonic_ns() + stood_ns

    async with worker_at("one", *node.urls, steady_ns=steady_ns) as one:
        await one.lease.claim(ALPHA)
        await one.until(lambda: one.lease.is_held(ALPHA))
        stood_ns = TTL_MS * 1_000_000
        assert not one.lease.is_held(ALPHA)
        await one.until(lambda: one.lease.is_held(ALPHA))


@nats_only
async def test_a_lease_can_not_be_opened_without_an_engine_that_stores(node: Engines) -> None:
    engine = await engine_at(node.urls, replicas=3)
    with pytest.raises(LeaseError, match="replicas"):
        await NatsLease.open(engine, "one", TTL_MS)
    await engine.close()


@nats_only
@pytest.mark.slow
async def test_no_owner_changes_while_the_engine_elects_a_leader(cluster: Engines) -> None:
    async with (
        worker_at("one", *cluster.urls, replicas=3) as one,
        worker_at("two", *cluster.urls, replicas=3) as two,
    ):
        epoch = await one.lease.claim(ALPHA)
        await asyncio.to_thread(lambda: cluster.leader_of(BUCKET).kill())
        await one.until(lambda: not one.lease.is_held(ALPHA))
        await one.until(lambda: one.lease.is_held(ALPHA))
        await asyncio.to_thread(cluster.start)
        assert await two.lease.claim(ALPHA) is None
        assert await one.lease.claim(ALPHA) == epoch
        assert (one.lost, two.free) == ([], [])
