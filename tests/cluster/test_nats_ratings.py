"""Ratings in an engine as several workers share them."""

import asyncio

import pytest

from builders.engines import Engines, empty
from builders.natsstores import nats_ratings
from builders.ratedresults import ANN, BEN, CAT, CERES, result
from sunglare_server.cluster.client.connection import Connection
from sunglare_server.cluster.store.ratings import BUCKET, NatsRatings
from sunglare_server.matchmaking.strengths import Strengths

pytestmark = pytest.mark.needs_nats

WAIT_S = 20.0
RESULTS = [result(1, ANN, BEN), result(2, BEN, CAT), result(3, CAT, ANN, is_draw=True)]


async def knows(ratings: NatsRatings, number: int) -> None:
    """Wait until a worker has heard of so many matches of Ann, Ben and Cat together."""
    async with asyncio.timeout(WAIT_S):
        while await _matches(ratings) < 2 * number:  # noqa: ASYNC110 - nothing tells
            await asyncio.sleep(0.02)


async def _matches(ratings: NatsRatings) -> int:
    return sum([(await ratings.strength(CERES, one)).matches for one in (ANN, BEN, CAT)])


async def test_all_workers_show_the_same_ladder_whoever_has_folded_a_match(
    node_of_all: Engines,
) -> None:
    await empty(node_of_all)
    async with nats_ratings(node_of_all) as one, nats_ratings(node_of_all) as other:
        for n, added in enumerate(RESULTS):
            assert await (one, other)[n % 2].add(added)
        for worker in (one, other):
            await knows(worker, len(RESULTS))
            assert await worker.ladder(CERES, 0, 9) == Strengths(RESULTS).ladder(CERES, 0, 9)


async def test_a_match_that_two_workers_fold_counts_once(node_of_all: Engines) -> None:
    await empty(node_of_all)
    async with nats_ratings(node_of_all) as one, nats_ratings(node_of_all) as other:
        outcomes = await asyncio.gather(one.add(RESULTS[0]), other.add(RESULTS[0]))
        assert sorted(outcomes) == [False, True]
        for worker in (one, other):
            await knows(worker, 1)
            assert (await worker.strength(CERES, ANN)).matches == 1


async def test_a_worker_that_starts_folds_all_results_in_the_order_in_which_they_came(
    node_of_all: Engines,
) -> None:
    await empty(node_of_all)
    async with nats_ratings(node_of_all) as one:
        for added in reversed(RESULTS):
            await one.add(added)
        known = await one.ladder(CERES, 0, 9)
        assert await one.rebuild() == len(RESULTS)
        assert await one.ladder(CERES, 0, 9) == known
    async with nats_ratings(node_of_all) as late:
        assert await late.ladder(CERES, 0, 9) == known
        assert known == Strengths(reversed(RESULTS)).ladder(CERES, 0, 9)


async def test_a_rotten_result_is_left_out_and_all_others_count(node_of_all: Engines) -> None:
    await empty(node_of_all)
    async with nats_ratings(node_of_all) as one:
        await one.add(RESULTS[0])
        connection = await Connection.open(node_of_all.urls, "a failing disk")
        try:
            await connection.client.jetstream().publish(f"$KV.{BUCKET}.m.{'r' * 26}", b"\xc1")
        finally:
            await connection.close()
        await one.add(RESULTS[1])
    known = Strengths(RESULTS[:2]).ladder(CERES, 0, 9)
    async with nats_ratings(node_of_all) as late:
        assert await late.ladder(CERES, 0, 9) == known
        assert await late.rebuild() == 2
        assert await late.ladder(CERES, 0, 9) == known
        assert await late.results_of(BEN) == tuple(RESULTS[:2])
