"""Effects: what pairs of matches show of an ability, and when that is enough."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ablation.effects import Effect, Found, Pair, Played
from ablation.run import by_side, verdict
from sunglare_protocol.ids import Side
from sunglare_protocol.messages.replies import Ending, Result

A, B, C = Side("A"), Side("B"), Side("C")
FIGURES = st.lists(st.floats(-20, 20), min_size=2, max_size=40)


def end(winner: Side | None, *points: int, turn: int = 9) -> Played:
    named = dict(zip((A, B, C), points, strict=False))
    return Played(Result(winner=winner, ending=Ending.TURNS, points=named), turn)


def of_shares(*shares: float) -> Found:
    return Found.of([Pair(share, 0.0, has_changed=share != 0) for share in shares])


def of_scores(*scores: float) -> Found:
    return Found.of([Pair(0.0, score, has_changed=score != 0) for score in scores])


def test_a_pair_is_the_difference_of_the_match_with_an_ability_and_that_without_it() -> None:
    full, less = end(A, 7, 3), end(None, 4, 4)
    assert Pair.of(A, full, less) == Pair(0.5, 4.0, has_changed=True)
    assert Pair.of(B, full, less) == Pair(-0.5, -4.0, has_changed=True)
    assert Pair.of(A, full, full) == Pair(0.0, 0.0, has_changed=False)


def test_the_score_of_a_side_is_its_points_less_the_mean_of_the_others() -> None:
    assert end(A, 9, 4, 2).score(A) == 6.0
    assert end(A, 9, 4, 2).share(B) == 0.0
    assert end(None, 9, 9, 2).share(C) == 0.5


def test_of_pairs_that_have_one_of_each_side_in_turn_each_side_has_its_own_effect() -> None:
    pairs = [Pair(0.0, score, has_changed=True) for score in (5.0, -1.0, 7.0, 1.0)]
    found = by_side((A, B), pairs)
    assert {side: effect.mean for side, effect in found.items()} == {A: 6.0, B: 0.0}


def test_a_match_that_ends_in_another_turn_has_changed() -> None:
    assert Pair.of(A, end(A, 3, 1), end(A, 3, 1, turn=8)).has_changed


@given(FIGURES)
def test_an_effect_and_its_opposite_are_alike(figures: list[float]) -> None:
    one, other = Effect.of(figures), Effect.of([-figure for figure in figures])
    assert one.mean == pytest.approx(-other.mean)
    assert one.half == pytest.approx(other.half)
    assert one.is_gain(0.5) == other.is_loss(0.5)
    assert not (one.is_gain(0.5) and one.is_loss(0.5))


@given(FIGURES)
def test_a_figure_seen_four_times_as_often_has_half_the_interval_or_less(
    figures: list[float],
) -> None:
    assert Effect.of(figures * 4).half <= Effect.of(figures).half / 2 + 1e-9


@pytest.mark.parametrize(
    ("figures", "is_gain"),
    [
        ([0.6] * 5, True),
        ([0.5] * 5, True),
        ([0.4] * 5, False),
        ([0.6], False),
        ([3.0, -2.0] * 5, False),
        ([3.0, -1.0] * 50, True),
    ],
)
def test_an_effect_is_a_gain_that_is_large_enough_and_surely_above_nothing(
    figures: list[float], *, is_gain: bool
) -> None:
    assert Effect.of(figures).is_gain(0.5) == is_gain


@pytest.mark.parametrize(
    ("first", "again", "word"),
    [
        (of_shares(0.0, 0.0), None, "idle: changes nothing"),
        (of_shares(*[0.05] * 9), None, "idle"),
        (of_shares(*[-0.2] * 9), None, "better without"),
        (of_shares(*[0.2] * 9), of_shares(*[0.2] * 9), "decides"),
        (of_shares(*[0.2] * 9), of_shares(*[0.01] * 9), "not confirmed"),
        (of_shares(*[0.2] * 9), of_scores(*[5.0] * 9), "not confirmed"),
        (of_scores(*[0.6] * 9), of_scores(*[0.5] * 9), "decides"),
    ],
)
def test_an_ability_decides_if_fresh_seeds_show_the_same_gain(
    first: Found, again: Found | None, word: str
) -> None:
    assert verdict(first, again) == word
