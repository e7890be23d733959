"""What every keeper of ratings promises: in a file, in the simulation, and in an engine."""

import asyncio
import itertools
from pathlib import Path

import pytest
from msgspec.structs import replace

from builders.ratedresults import ANN, BEN, CAT, CERES, match_of, result
from sunglare_server.matchmaking.strengths import Strengths
from sunglare_server.ports.rating_model import Strength
from sunglare_server.ports.rating_store import RECENT_MS, PlayerRatings
from sunglare_server.ports.store import StoreError
from sunglare_server.sqlite.database import Database, Statement
from sunglare_server.sqlite.pruning import delete_match
from sunglare_server.sqlite.ratings import SqliteRatings
from sunglare_server.sqlite.storage import sqlite_storage

RESULTS = [
    result(1, ANN, BEN),
    result(2, BEN, CAT, is_draw=True),
    result(3, CAT, ANN, BEN),
    result(4, ANN, CAT, family="redondo"),
]


async def test_nobody_who_has_not_played_stands_on_a_ladder(ratings: PlayerRatings) -> None:
    assert await ratings.ladder(CERES, 0, 9) == ()
    assert await ratings.place(CERES, ANN) is None
    assert await ratings.strength(CERES, ANN) == Strength()
    assert await ratings.families() == ()


async def test_strengths_are_the_fold_of_all_results(ratings: PlayerRatings) -> None:
    for one in RESULTS:
        assert await ratings.add(one)
    fold = Strengths(RESULTS)
    assert await ratings.families() == fold.families == ("redondo", CERES)
    for family, player in itertools.product(fold.families, (ANN, BEN, CAT)):
        assert await ratings.strength(family, player) == fold.strength(family, player)
        assert await ratings.place(family, player) == fold.place(family, player)
    assert await ratings.ladder(CERES, 0, 9) == fold.ladder(CERES, 0, 9)


async def test_a_match_is_folded_once_however_often_it_is_added(ratings: PlayerRatings) -> None:
    assert await ratings.add(RESULTS[0])
    known = await ratings.ladder(CERES, 0, 9)
    assert not await ratings.add(RESULTS[0])
    assert not await ratings.add(result(1, BEN, ANN))
    assert await ratings.ladder(CERES, 0, 9) == known


async def test_of_many_who_add_a_result_at_once_one_does(ratings: PlayerRatings) -> None:
    outcomes = await asyncio.gather(*[ratings.add(RESULTS[0]) for _ in range(5)])
    assert sorted(outcomes) == [False] * 4 + [True]
    assert (await ratings.strength(CERES, ANN)).matches == 1


async def test_results_that_come_at_once_are_all_folded(ratings: PlayerRatings) -> None:
    await asyncio.gather(*[ratings.add(result(n, ANN, BEN)) for n in range(8)])
    assert (await ratings.strength(CERES, ANN)).matches == 8
    assert await ratings.ladder(CERES, 0, 9) == Strengths(
        [result(n, ANN, BEN) for n in range(8)]
    ).ladder(CERES, 0, 9)


async def test_a_ladder_is_told_in_parts(ratings: PlayerRatings) -> None:
    for one in RESULTS:
        await ratings.add(one)
    whole = await ratings.ladder(CERES, 0, 9)
    assert [ranked.rank for ranked in whole] == [1, 2, 3]
    assert await ratings.ladder(CERES, 0, 2) == whole[:2]
    assert await ratings.ladder(CERES, 2, 2) == whole[2:]
    assert await ratings.ladder(CERES, 3, 2) == ()


async def test_the_results_of_a_player_are_told_and_of_nobody_else(
    ratings: PlayerRatings,
) -> None:
    for one in RESULTS:
        await ratings.add(one)
    assert await ratings.results_of(BEN) == tuple(RESULTS[:3])
    assert await ratings.results_of(BEN, CAT) == tuple(RESULTS)
    assert await ratings.results_of("nobody") == await ratings.results_of() == ()


async def test_recent_results_are_those_of_a_day_in_their_order(ratings: PlayerRatings) -> None:
    many = [replace(result(n, ANN, BEN), ended_ms=n * RECENT_MS // 110) for n in range(215)]
    for one in many:
        await ratings.add(one)
    assert await ratings.recent(many[-1].ended_ms) == tuple(many[-110:])
    assert await ratings.recent(many[-1].ended_ms + RECENT_MS) == ()


async def test_folded_anew_all_results_come_to_the_same(ratings: PlayerRatings) -> None:
    for one in RESULTS:
        await ratings.add(one)
    known = await ratings.ladder(CERES, 0, 9)
    assert await ratings.rebuild() == len(RESULTS)
    assert await ratings.ladder(CERES, 0, 9) == known
    assert not await ratings.add(RESULTS[2])


async def test_a_result_that_comes_while_all_are_folded_is_folded_too(
    ratings: PlayerRatings,
) -> None:
    for one in RESULTS[:3]:
        await ratings.add(one)
    await asyncio.gather(ratings.rebuild(), ratings.add(RESULTS[3]))
    assert await ratings.strength("redondo", ANN) == Strengths(RESULTS).strength("redondo", ANN)


# In a file


async def test_what_is_stored_is_there_after_a_restart(path: Path) -> None:
    storage = await sqlite_storage(path)
    for one in RESULTS:
        await storage.ratings.add(one)
    known = await storage.ratings.ladder(CERES, 0, 9)
    await storage.journal.close()
    again = await sqlite_storage(path)
    assert await again.ratings.ladder(CERES, 0, 9) == known
    assert not await again.ratings.add(RESULTS[0])
    await again.journal.close()


async def test_a_deleted_match_changes_no_strength(database: Database) -> None:
    ratings = SqliteRatings(database)
    for one in RESULTS:
        await ratings.add(one)
    known = await ratings.ladder(CERES, 0, 9)
    await delete_match(database, match_of(1))
    assert await ratings.rebuild() == len(RESULTS)
    assert await ratings.ladder(CERES, 0, 9) == known


async def test_strengths_that_were_damaged_are_folded_anew(database: Database) -> None:
    ratings = SqliteRatings(database)
    for one in RESULTS:
        await ratings.add(one)
    known = await ratings.ladder(CERES, 0, 9)
    await database.submit((Statement("UPDATE strength SET mean = mean + 1", ((),)),))
    assert await ratings.ladder(CERES, 0, 9) != known
    await ratings.rebuild()
    assert await ratings.ladder(CERES, 0, 9) == known


async def test_whoever_stops_to_wait_lets_nobody_in_before_the_result_is_stored(
    database: Database,
) -> None:
    ratings = SqliteRatings(database)
    first = asyncio.create_task(ratings.add(RESULTS[0]))
    await asyncio.sleep(0)
    first.cancel()
    await ratings.add(RESULTS[1])
    fold = Strengths(RESULTS[:2])
    for player in (ANN, BEN, CAT):
        assert await ratings.strength(CERES, player) == fold.strength(CERES, player)


async def test_a_closed_file_takes_no_result(path: Path) -> None:
    storage = await sqlite_storage(path)
    await storage.journal.close()
    with pytest.raises(StoreError):
        await storage.ratings.add(RESULTS[0])
