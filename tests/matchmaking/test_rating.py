"""What a rated match changes in what is thought of those who played it."""

import hypothesis.strategies as st
import pytest
from hypothesis import given

from builders.ratedresults import ANN, BEN, CAT, DOG, result
from sunglare_protocol.ids import MatchId
from sunglare_server.matchmaking.strengths import Strengths
from sunglare_server.ports.rating_model import (
    START_SPREAD,
    UNIT,
    Placed,
    RatedResult,
    Strength,
    bot_of,
    player_of,
    rated,
)

MEANS = st.integers(10 * UNIT, 40 * UNIT)
SPREADS = st.integers(UNIT, START_SPREAD)
STRENGTHS = st.builds(Strength, mean=MEANS, spread=SPREADS, matches=st.integers(0, 1000))
PLAYERS = (ANN, BEN, CAT, DOG)
PLACES = st.lists(st.integers(0, 3), min_size=2, max_size=4)


def test_whoever_wins_rises_and_whoever_loses_falls() -> None:
    found = rated({}, result(1, ANN, BEN))
    assert found[ANN].mean > Strength().mean > found[BEN].mean


def test_a_draw_of_equals_changes_neither_mean() -> None:
    found = rated({}, result(1, ANN, BEN, is_draw=True))
    assert found[ANN].mean == found[BEN].mean == Strength().mean


def test_a_draw_brings_the_stronger_down_and_the_weaker_up() -> None:
    before = {ANN: Strength(mean=30 * UNIT), BEN: Strength(mean=20 * UNIT)}
    found = rated(before, result(1, ANN, BEN, is_draw=True))
    assert found[ANN].mean < 30 * UNIT
    assert found[BEN].mean > 20 * UNIT


def test_four_sides_are_rated_in_the_order_of_their_places() -> None:
    found = rated({}, result(1, *PLAYERS))
    means = [found[player].mean for player in PLAYERS]
    assert means == sorted(means, reverse=True)
    assert len(set(means)) == 4


def test_a_beginner_is_shown_at_1500_with_the_widest_interval() -> None:
    assert Strength().points == 1500
    assert Strength().interval == (500, 2500)


def test_a_house_bot_is_one_player_whatever_account_it_sits_as() -> None:
    assert player_of(ANN, "hunter") == player_of(BEN, "hunter")
    assert bot_of(player_of(ANN, "hunter")) == "hunter"
    assert player_of(ANN, None) == ANN
    assert bot_of(ANN) is None


@given(known=st.lists(STRENGTHS, min_size=4, max_size=4), places=PLACES, data=st.data())
def test_in_whatever_order_a_result_names_its_players_it_says_the_same(
    known: list[Strength], places: list[int], data: st.DataObject
) -> None:
    before = dict(zip(PLAYERS, known, strict=True))
    placed = [Placed(player, place) for player, place in zip(PLAYERS, places, strict=False)]
    turned = data.draw(st.permutations(placed))
    as_named = _result(placed)
    assert rated(before, as_named) == rated(before, _result(turned))


@given(known=st.lists(STRENGTHS, min_size=2, max_size=2))
def test_a_win_never_brings_anybody_down(known: list[Strength]) -> None:
    before = {ANN: known[0], BEN: known[1]}
    found = rated(before, result(1, ANN, BEN))
    assert found[ANN].mean >= known[0].mean
    assert found[BEN].mean <= known[1].mean
    assert [found[player].matches for player in (ANN, BEN)] == [one.matches + 1 for one in known]


def _result(placed: list[Placed]) -> RatedResult:
    return RatedResult(match=MatchId("m"), family="f", ended_ms=0, placed=tuple(placed))


@given(order=st.lists(st.tuples(st.sampled_from(PLAYERS), st.sampled_from(PLAYERS))))
def test_results_that_come_twice_fold_as_if_they_had_come_once(
    order: list[tuple[str, str]],
) -> None:
    results = [result(n, *pair) for n, pair in enumerate(order) if pair[0] != pair[1]]
    once, twice = Strengths(results), Strengths([*results, *results])
    for player in PLAYERS:
        assert once.strength("shadow-of-ceres", player) == twice.strength(
            "shadow-of-ceres", player
        )


@pytest.mark.parametrize("spread", [0, 1])
def test_a_ladder_is_ordered_by_what_is_sure_of_everybody(spread: int) -> None:
    strengths = Strengths([result(1, ANN, BEN), result(2, CAT, BEN), result(3, CAT, BEN)])
    ladder = strengths.ladder("shadow-of-ceres", spread, 9)
    least = [ranked.strength.least for ranked in ladder]
    assert least == sorted(least, reverse=True)
    assert [ranked.rank for ranked in ladder] == list(range(1 + spread, 4))
