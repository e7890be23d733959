"""Which weapons may fire at what is known of a ship, and how the range then counts."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sunglare_protocol.words.armament import WeaponKind
from sunglare_protocol.words.cloak import CloakVariant
from sunglare_rules.arcs.eligibility import (
    AREA,
    CLASS_BY_WORD,
    HOMING,
    LISTED_DUMB,
    UNLISTED_DUMB,
    Guidance,
    Knowledge,
    RangeRule,
    class_of,
    counted_distance_squared,
    counts_within_mu,
    may_fire_cloaked,
    range_rule,
)
from sunglare_rules.fire.weapons import beam_dice, reach_mu
from sunglare_rules.turn.scale import within_mu

DUMB = Guidance.DUMB
FAR = range_rule(Knowledge.DETECTED, DUMB)
"""How far a dumb weapon counts the range to a ship that is detected and no more."""
NO, TRUE, LONG = RangeRule.NONE, RangeRule.TRUE, RangeRule.LONG
MU_PER_SQUARE = 12 / 5


@pytest.mark.parametrize(
    ("state", "dumb", "homing"),
    [
        pytest.param(Knowledge.UNDETECTED, NO, NO, id="undetected"),
        pytest.param(Knowledge.DETECTED, LONG, NO, id="detected"),
        pytest.param(Knowledge.SOLUTION, TRUE, TRUE, id="solution"),
        pytest.param(Knowledge.CONTACT, TRUE, NO, id="contact"),
        pytest.param(Knowledge.TRACKED, TRUE, TRUE, id="live track"),
        pytest.param(Knowledge.COASTING, NO, NO, id="coasting"),
        pytest.param(Knowledge.MEMORY, NO, NO, id="memory"),
    ],
)
def test_what_a_side_knows_decides_which_weapons_may_fire(
    state: Knowledge, dumb: RangeRule, homing: RangeRule
) -> None:
    assert range_rule(state, Guidance.DUMB) is dumb
    assert range_rule(state, Guidance.HOMING) is homing


@pytest.mark.parametrize("state", list(Knowledge))
def test_an_area_weapon_hits_whatever_it_touches(state: Knowledge) -> None:
    assert range_rule(state, Guidance.AREA) is TRUE


@pytest.mark.parametrize(
    ("distance_squared", "reach", "allowed"),
    [
        pytest.param(0, 12, True, id="the same square counts as 12"),
        pytest.param(0, 11, False, id="the same square beyond 11"),
        pytest.param(1, 12, False, id="one square, reach 12"),
        pytest.param(1, 15, True, id="2.4 mu, reach 15"),
        pytest.param(1, 14, False, id="2.4 mu counts as 14.4"),
        pytest.param(25, 24, True, id="12 mu, both ways the same 24"),
        pytest.param(26, 24, False, id="just beyond 12 mu"),
        pytest.param(56, 36, True, id="within 18 mu, reach 36"),
        pytest.param(57, 36, False, id="beyond 18 mu, reach 36"),
        pytest.param(100, 48, True, id="24 mu, reach 48"),
        pytest.param(101, 48, False, id="beyond 24 mu, reach 48"),
        pytest.param(9, 19, False, id="7.2 mu counts as 19.2"),
        pytest.param(9, 20, True, id="7.2 mu within 20"),
    ],
)
def test_a_detected_ship_counts_as_twice_as_far_or_twelve_farther(
    distance_squared: int, reach: int, allowed: bool
) -> None:
    assert counts_within_mu(FAR, distance_squared, reach) is allowed


@given(st.integers(0, 900), st.integers(0, 80))
def test_the_long_range_agrees_with_the_formula(distance_squared: int, reach: int) -> None:
    r = MU_PER_SQUARE * math.sqrt(distance_squared)
    counted = max(2 * r, r + 12)
    allowed = counts_within_mu(FAR, distance_squared, reach)
    if math.isclose(counted, reach):
        assert allowed
    else:
        assert allowed == (counted < reach)


@given(st.integers(0, 900), st.integers(0, 80))
def test_a_solution_brings_the_true_range_back(distance_squared: int, reach: int) -> None:
    rule = range_rule(Knowledge.SOLUTION, DUMB)
    reached = within_mu(distance_squared, reach)
    assert counts_within_mu(rule, distance_squared, reach) == reached
    homing = range_rule(Knowledge.DETECTED, Guidance.HOMING)
    assert not counts_within_mu(homing, distance_squared, reach)


@given(st.integers(0, 900), st.integers(0, 80))
def test_the_long_range_is_never_a_help(distance_squared: int, mu: int) -> None:
    assert within_mu(distance_squared, mu) >= counts_within_mu(LONG, distance_squared, mu)
    assert not counts_within_mu(NO, distance_squared, mu)


@pytest.mark.parametrize(
    ("beam_class", "farthest_squared"),
    [
        pytest.param(1, 0, id="class 1 in its own square only"),
        pytest.param(2, 25, id="class 2 to 12 mu"),
        pytest.param(3, 56, id="class 3 to 18 mu"),
        pytest.param(4, 100, id="class 4 to 24 mu"),
    ],
)
def test_beams_touch_a_detected_ship_only_close_by(beam_class: int, farthest_squared: int) -> None:
    reach = reach_mu(WeaponKind.BEAM, beam_class)
    allowed = [squared for squared in range(300) if counts_within_mu(FAR, squared, reach)]
    assert allowed == list(range(farthest_squared + 1))


@pytest.mark.parametrize(
    ("distance_squared", "true_dice", "long_dice"),
    [
        pytest.param(0, 3, 3, id="the same square counts as 12 mu"),
        pytest.param(1, 3, 2, id="2.4 mu count as 14.4"),
        pytest.param(25, 3, 2, id="12 mu count as 24"),
        pytest.param(26, 2, 1, id="beyond 12 mu"),
        pytest.param(56, 2, 1, id="within 18 mu"),
        pytest.param(57, 2, 0, id="beyond 18 mu"),
    ],
)
def test_a_beam_loses_its_dice_by_the_range_that_counts(
    distance_squared: int, true_dice: int, long_dice: int
) -> None:
    counted = [counted_distance_squared(rule, distance_squared) for rule in (TRUE, LONG)]
    assert [beam_dice(3, away) for away in counted if away is not None] == [true_dice, long_dice]
    assert counted_distance_squared(NO, distance_squared) is None


def test_the_counted_distance_keeps_within_the_same_limits_as_the_long_range() -> None:
    for distance_squared in range(1500):
        counted = counted_distance_squared(LONG, distance_squared)
        assert counted is not None
        limits = [counts_within_mu(LONG, distance_squared, mu) for mu in range(150)]
        assert [within_mu(counted, mu) for mu in range(150)] == limits


def test_the_source_lists_twelve_dumb_weapons() -> None:
    assert len(set(LISTED_DUMB)) == 12
    assert {CLASS_BY_WORD[word] for word in LISTED_DUMB} == {Guidance.DUMB}
    assert {CLASS_BY_WORD[word] for word in UNLISTED_DUMB} == {Guidance.DUMB}


def test_what_steers_is_homing_and_what_is_aimed_at_a_place_is_area() -> None:
    assert {CLASS_BY_WORD[word] for word in HOMING} == {Guidance.HOMING}
    assert {CLASS_BY_WORD[word] for word in AREA} == {Guidance.AREA}
    lists = (LISTED_DUMB, UNLISTED_DUMB, HOMING, AREA)
    assert len(CLASS_BY_WORD) == sum(len(words) for words in lists)


@pytest.mark.parametrize("kind", list(WeaponKind))
def test_every_weapon_of_the_game_has_a_class(kind: WeaponKind) -> None:
    assert class_of(kind) is CLASS_BY_WORD[kind.value]


@pytest.mark.parametrize(
    ("variant", "weapon_class", "active", "allowed"),
    [
        pytest.param(CloakVariant.RETURN_FIRE, DUMB, True, True, id="at a sweeper"),
        pytest.param(CloakVariant.RETURN_FIRE, DUMB, False, False, id="at a listener"),
        pytest.param(CloakVariant.RETURN_FIRE, Guidance.HOMING, True, False, id="missiles"),
        pytest.param(CloakVariant.JAM, DUMB, True, False, id="where sweeps jam"),
    ],
)
def test_a_cloaked_ship_answers_active_sweeps_only(
    variant: CloakVariant, weapon_class: Guidance, active: bool, allowed: bool
) -> None:
    assert may_fire_cloaked(variant, weapon_class, active) is allowed
