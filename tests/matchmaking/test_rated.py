"""Rated matches: which may be opened as such, and which ends change a rating, and when."""

import asyncio
import itertools
import os
import signal
import sys
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from builders.commandlines import SOURCES
from builders.lobbies import HOST, SCENARIO, opened, ready_at
from builders.ratedmatches import (
    WAIT_S,
    commanded,
    drawn,
    noted_over,
    rated_match,
    rated_room,
    resigned,
    to_turn_2,
    until,
)
from builders.ratedresults import ANN, BEN, CAT, DOG, result
from builders.runners import runners_of
from builders.venues import Venue
from sunglare_protocol.ids import MatchId
from sunglare_protocol.messages import From, RoomState
from sunglare_protocol.refusals import Code, Rejected
from sunglare_server.app import App
from sunglare_server.match.record import Adjourned
from sunglare_server.matchmaking.early_leavers import BARRED_MS as EARLY_BARRED_MS
from sunglare_server.matchmaking.early_leavers import LEFT_MOST, WITHIN_MS, EarlyLeavers
from sunglare_server.ports.rated_results import OF_BOTS, PAIR_MOST, exceeds_pair_limit, sits_twice
from sunglare_server.ports.rating_model import OWN, Strength
from sunglare_server.ports.rating_store import RECENT_MS
from sunglare_server.ports.rooms import Room, RoomSeat
from sunglare_server.ports.store import StoreError
from sunglare_server.rooms.quotas import Opener

BUILDERS = Path(__file__).parents[1] / "builders"

Wish = dict[str, str | int | bool]


async def refused(app: App, wish: Wish, **fields: Any) -> Rejected:
    """Return why a rated match with these options is not opened."""
    room = await app.lobby.create(
        Opener(HOST), SCENARIO, wish, "", private=False, rated=True, **fields
    )
    assert isinstance(room, Rejected)
    return room


async def strengths(app: App, *players: str, family: str = SCENARIO) -> list[Strength]:
    return [await app.lobby.ladder.ratings.strength(family, player) for player in players]


# Opening one


@pytest.mark.parametrize("clock", ["blitz", "standard", "correspondence"])
async def test_a_match_on_a_rated_clock_may_count(app: App, clock: str) -> None:
    assert (await rated_room(app, clock=clock)).rated


@pytest.mark.parametrize("clock", ["friendly", "test", "arena", "local"])
async def test_a_match_on_another_clock_does_not_count(app: App, clock: str) -> None:
    why = await refused(app, {"clock": clock})
    assert (why.code, why.at) == (Code.RATED_TERMS, "$.rated")
    assert why.choices == ("blitz", "standard", "correspondence")


@pytest.mark.parametrize(
    "wish", [{"scan_slots": "sealed"}, {"afk": "autopilot"}, {"caster": "yes"}]
)
async def test_a_match_with_options_of_ones_own_does_not_count(app: App, wish: Wish) -> None:
    assert (await refused(app, {"clock": "blitz", **wish})).code is Code.RATED_TERMS


async def test_options_that_the_scenario_has_anyway_may_be_named(app: App) -> None:
    wish: Wish = {"clock": "blitz", "scan_slots": "sequential"}
    room = await app.lobby.create(Opener(HOST), SCENARIO, wish, "", private=False, rated=True)
    assert isinstance(room, Room)


async def test_a_match_that_is_played_on_does_not_count(venue: Venue) -> None:
    clock = await venue.still()
    match = await rated_match(venue.app, clock, ANN, BEN)
    await to_turn_2(venue.app, clock, match)
    await resigned(venue.app, clock, match, "A")
    await noted_over(venue.app, clock, match)
    why = await refused(venue.app, {}, origin=From(match=match, turn=1))
    assert why.code is Code.RATED_TERMS


async def test_a_room_that_nobody_called_rated_is_not(app: App) -> None:
    assert not (await opened(app.lobby, clock="blitz")).rated


def test_a_house_bot_sits_once_in_a_rated_room_and_as_often_as_one_likes_elsewhere() -> None:
    seat = RoomSeat(side="A", account=ANN, bot="hunter")  # type: ignore[arg-type]
    fields: dict[str, Any] = {"scenario": SCENARIO, "sides": ("A", "B"), "options": None}
    room = Room(match="m", host=ANN, server_seed=b"", seats=(seat,), rated=True, **fields)  # type: ignore[arg-type]
    assert sits_twice(room, "hunter")
    assert not sits_twice(room, "scout")
    plain = Room(match="m", host=ANN, server_seed=b"", seats=(seat,), **fields)  # type: ignore[arg-type]
    assert not sits_twice(plain, "hunter")


# Its end


async def test_whoever_resigns_after_turn_1_falls_and_the_other_rises(venue: Venue) -> None:
    clock = await venue.still()
    match = await rated_match(venue.app, clock, ANN, BEN)
    await to_turn_2(venue.app, clock, match)
    await resigned(venue.app, clock, match, "A")
    await noted_over(venue.app, clock, match)
    ann, ben = await strengths(venue.app, ANN, BEN)
    assert ann.mean < Strength().mean < ben.mean
    assert ann.matches == ben.matches == 1


async def test_a_draw_is_folded_as_one(venue: Venue) -> None:
    clock = await venue.still()
    match = await rated_match(venue.app, clock, ANN, BEN)
    await to_turn_2(venue.app, clock, match)
    await drawn(venue.app, clock, match, "A", "B")
    await noted_over(venue.app, clock, match)
    ann, ben = await strengths(venue.app, ANN, BEN)
    assert ann.mean == ben.mean
    assert ann.matches == ben.matches == 1


@pytest.mark.parametrize(
    ("players", "age_ms", "counts"),
    [
        ((ANN, BEN), 0, False),
        ((ANN, BEN), RECENT_MS, True),
        ((BEN, ANN, CAT), 0, False),
        ((f"{OWN}{BEN}", ANN), 0, False),
        ((ANN, CAT), 0, True),
        ((ANN, "bot:hunter"), 0, True),
    ],
    ids=["pair", "a day ago", "among three", "a bot of one", "another pair", "a house bot"],
)
async def test_of_the_same_two_people_five_results_count_in_a_day(
    venue: Venue, players: tuple[str, ...], age_ms: int, *, counts: bool
) -> None:
    clock = await venue.still()
    ratings = venue.app.lobby.ladder.ratings
    for number in range(PAIR_MOST):
        before = result(number, *players, family="other")
        await ratings.add(replace(before, ended_ms=clock.now_ms() - age_ms))
    match = await rated_match(venue.app, clock, ANN, BEN)
    await to_turn_2(venue.app, clock, match)
    await resigned(venue.app, clock, match, "A")
    await noted_over(venue.app, clock, match)
    assert [one.matches for one in await strengths(venue.app, ANN, BEN)] == [int(counts)] * 2


@pytest.mark.parametrize(("before", "exceeds"), [(4, False), (5, True)])
def test_the_bound_of_a_pair_counts_neither_the_match_itself_nor_bots_among_themselves(
    before: int, *, exceeds: bool
) -> None:
    people = [result(number, ANN, BEN) for number in range(before)]
    assert exceeds_pair_limit(result(9, ANN, BEN), [*people, result(9, ANN, BEN)]) is exceeds
    bots = [result(number, f"{OWN}{ANN}", f"{OWN}{BEN}") for number in range(before)]
    assert not exceeds_pair_limit(result(9, f"{OWN}{ANN}", f"{OWN}{BEN}"), bots)


async def test_three_matches_left_in_turn_1_within_an_hour_bar_from_the_queue_for_ten_minutes(
    venue: Venue,
) -> None:
    clock = await venue.still()
    lobby = venue.app.lobby

    async def asks(account: str) -> Code | None:
        asked = await lobby.quick.ask(Opener(account), SCENARIO, rated=True)
        await lobby.quick.leave(account)
        return asked.code if isinstance(asked, Rejected) else None

    for number in range(LEFT_MOST):
        assert await asks(ANN) is None, number
        match = await rated_match(venue.app, clock, ANN, BEN)
        await resigned(venue.app, clock, match, "A")
        await noted_over(venue.app, clock, match)
    assert await asks(ANN) is Code.QUICK_BARRED
    assert await asks(BEN) is None
    clock.advance(EARLY_BARRED_MS)
    assert await asks(ANN) is None
    assert [one.matches for one in await strengths(venue.app, ANN, BEN)] == [0, 0]


def test_matches_left_more_than_an_hour_ago_do_not_count() -> None:
    leavers = EarlyLeavers()
    assert [leavers.note(ANN, ms) for ms in (0, 1, WITHIN_MS)] == [False, False, False]
    assert leavers.note(ANN, WITHIN_MS + 1) is False
    assert leavers.note(ANN, WITHIN_MS + 2) is True
    assert leavers.note(BEN, WITHIN_MS + 2) is False


@pytest.mark.parametrize(
    ("bots", "family"),
    [("AB", f"{SCENARIO}{OF_BOTS}"), ("A", SCENARIO)],
    ids=["bots alone", "a bot and a person"],
)
async def test_a_match_of_bots_alone_counts_on_a_ladder_of_its_own(
    venue: Venue, bots: str, family: str
) -> None:
    clock = await venue.still()
    lobby = venue.app.lobby
    match = await rated_match(venue.app, clock, ANN, BEN)
    room = lobby.rooms[match]
    seats = tuple(replace(seat, is_bot=seat.side in bots) for seat in room.seats)
    await lobby.registry.keep(replace(room, seats=seats))
    await to_turn_2(venue.app, clock, match)
    await resigned(venue.app, clock, match, "A")
    await noted_over(venue.app, clock, match)
    assert await lobby.ladder.ratings.families() == (family,)
    (first, second) = await lobby.ladder.ratings.ladder(family, 0, 9)
    names = (f"{OWN}{BEN}" if "B" in bots else BEN, f"{OWN}{ANN}")
    assert (first.player, second.player) == names


async def test_of_four_who_gives_up_first_is_last(venue: Venue) -> None:
    clock = await venue.still()
    match = await rated_match(venue.app, clock, ANN, BEN, CAT, DOG, scenario="four-corners")
    await to_turn_2(venue.app, clock, match)
    for side in "ABC":
        await resigned(venue.app, clock, match, side)
    await noted_over(venue.app, clock, match)
    found = await strengths(venue.app, ANN, BEN, CAT, DOG, family="four-corners")
    *others, winner = [strength.mean for strength in found]
    assert winner > max(others)
    assert {strength.matches for strength in found} == {1}


async def test_nothing_changes_if_somebody_leaves_in_turn_1(venue: Venue) -> None:
    clock = await venue.still()
    match = await rated_match(venue.app, clock, ANN, BEN)
    await resigned(venue.app, clock, match, "A")
    await noted_over(venue.app, clock, match)
    assert await strengths(venue.app, ANN, BEN) == [Strength()] * 2


async def test_nothing_changes_if_a_match_is_adjourned(venue: Venue) -> None:
    clock = await venue.still()
    match = await rated_match(venue.app, clock, ANN, BEN)
    await to_turn_2(venue.app, clock, match)
    await commanded(venue.app, clock, match, None, Adjourned())
    await noted_over(venue.app, clock, match)
    assert await strengths(venue.app, ANN, BEN) == [Strength()] * 2


async def test_nothing_changes_by_a_match_that_is_not_rated(venue: Venue) -> None:
    clock = await venue.still()
    room = await opened(venue.app.lobby, clock="standard")
    await ready_at(venue.app.lobby, room.match, ANN, BEN)
    await until(venue.app, clock, lambda: venue.app.lobby.matches.handle(room.match) is not None)
    await to_turn_2(venue.app, clock, room.match)
    await resigned(venue.app, clock, room.match, "A")
    await noted_over(venue.app, clock, room.match)
    assert await venue.app.lobby.ladder.ratings.families() == ()


async def test_nothing_changes_before_everybody_is_told_of_the_end(venue: Venue) -> None:
    clock = await venue.still()
    match = await rated_match(venue.app, clock, ANN, BEN)
    await to_turn_2(venue.app, clock, match)
    runner = runners_of(venue.app.lobby.matches)[match]
    before: list[tuple[bool, int]] = []
    ratings = venue.app.lobby.ladder.ratings
    add = ratings.add

    async def added(result: Any) -> bool:
        told = runner.feeds.told
        before.append((told is not None and told.is_over, len(await ratings.families())))
        return await add(result)

    ratings.add = added  # type: ignore[method-assign]
    await resigned(venue.app, clock, match, "A")
    await noted_over(venue.app, clock, match)
    assert before == [(True, 0)]


async def test_a_result_that_the_store_refuses_is_offered_again(venue: Venue) -> None:
    clock = await venue.still()
    match = await rated_match(venue.app, clock, ANN, BEN)
    await to_turn_2(venue.app, clock, match)
    ratings = venue.app.lobby.ladder.ratings
    add, tries = ratings.add, itertools.count(1)

    async def added(result: Any) -> bool:
        if next(tries) < 3:
            raise StoreError("database or disk is full")
        return await add(result)

    ratings.add = added  # type: ignore[method-assign]
    await resigned(venue.app, clock, match, "A")
    await noted_over(venue.app, clock, match)
    assert next(tries) == 4
    assert (await strengths(venue.app, ANN))[0].matches == 1


# Across a restart


@pytest.mark.parametrize("is_stored", [False, True], ids=["before", "after"])
async def test_an_end_counts_once_though_the_server_ends_around_its_fold(
    venue: Venue, is_stored: bool
) -> None:
    clock = await venue.still()
    match = await rated_match(venue.app, clock, ANN, BEN)
    await to_turn_2(venue.app, clock, match)
    ratings = venue.app.lobby.ladder.ratings
    add = ratings.add
    tried: list[bool] = []

    async def added(result: Any) -> bool:
        if is_stored:
            await add(result)
        tried.append(True)
        raise StoreError("nobody will ever know")

    ratings.add = added  # type: ignore[method-assign]
    await resigned(venue.app, clock, match, "A")
    await until(venue.app, clock, lambda: bool(tried))
    assert venue.app.lobby.rooms[match].state is RoomState.RUNNING
    await venue.close()
    clock = await venue.still()
    await noted_over(venue.app, clock, match)
    assert [one.matches for one in await strengths(venue.app, ANN, BEN)] == [1, 1]


# What a scenario names


async def test_matches_of_a_family_count_together(venue: Venue, tmp_path: Path) -> None:
    scenarios = tmp_path / "own" / "scenarios"
    scenarios.mkdir(parents=True)
    for name in ("one", "two"):
        (scenarios / f"{name}.toml").write_text(DUEL.format(name=name))
    clock = await venue.still(data=tmp_path / "own")
    for name in ("one", "two"):
        match = await rated_match(venue.app, clock, ANN, BEN, scenario=name)
        await to_turn_2(venue.app, clock, match)
        await resigned(venue.app, clock, match, "A")
        await noted_over(venue.app, clock, match)
    assert await venue.app.lobby.ladder.ratings.families() == ("duels",)
    assert [one.matches for one in await strengths(venue.app, ANN, family="duels")] == [2]


DUEL = """
title = "Duel {name}"
family = "duels"
turns = 9
fixed = true
[sides.A]
ships = [{{ name = "Tortoise", type = "corvette", at = [4, 4], facing = "N" }}]
[sides.B]
ships = [{{ name = "Hare", type = "corvette", at = [36, 36], facing = "S" }}]
"""


@pytest.mark.parametrize("when", ["before", "after"])
async def test_an_end_counts_once_though_the_server_is_killed_around_its_fold(
    venue: Venue, tmp_path: Path, when: str
) -> None:
    told = tmp_path / "match"
    program = (str(BUILDERS / "killedfold.py"), str(tmp_path), when, str(told))
    child = await asyncio.create_subprocess_exec(
        sys.executable, *program, env={**os.environ, "PYTHONPATH": SOURCES}
    )
    async with asyncio.timeout(WAIT_S):
        assert await child.wait() == -signal.SIGKILL
    match = MatchId(told.read_text())
    clock = await venue.still()
    assert venue.app.lobby.rooms[match].state is RoomState.RUNNING
    assert len(await venue.app.lobby.ladder.ratings.families()) == (when == "after")
    await noted_over(venue.app, clock, match)
    assert [one.matches for one in await strengths(venue.app, ANN, BEN)] == [1, 1]
