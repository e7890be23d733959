"""Area damage of capital fire: full near the impact, half around it, nothing beyond."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sunglare_protocol.words.capital import CapitalClass
from sunglare_rules.capital.blasts import blast, blast_damage
from sunglare_rules.turn.metric import SURFACE, Span, Spot

WEAPONS = st.sampled_from(list(CapitalClass))
DAMAGES = st.integers(0, 30)
POINTS = st.tuples(st.integers(0, 36_000), st.integers(0, 24_000))
WIDE = (CapitalClass.CAP, CapitalClass.SDS_C)


@pytest.mark.parametrize("weapon", CapitalClass)
@pytest.mark.parametrize(
    ("distance", "wide", "narrow"),
    [
        pytest.param(0, 7, 7, id="K12 at the impact"),
        pytest.param(2000, 7, 7, id="K12 at two inches"),
        pytest.param(2001, 3, 3, id="K12 just beyond two inches"),
        pytest.param(4000, 3, 3, id="K12 at four inches"),
        pytest.param(4001, 3, 0, id="K12 just beyond four inches"),
        pytest.param(6000, 3, 0, id="K12 at six inches"),
        pytest.param(6001, 0, 0, id="K12 just beyond six inches"),
    ],
)
def test_k12_damage_falls_off_with_distance(
    weapon: CapitalClass, distance: int, wide: int, narrow: int
) -> None:
    expected = wide if weapon in WIDE else narrow
    assert blast_damage(weapon, 7, Span(SURFACE, distance**2)) == expected


@pytest.mark.parametrize(
    ("damage", "half"),
    [
        pytest.param(0, 0, id="K12 half of nothing"),
        pytest.param(1, 1, id="K12 half is at least one"),
        pytest.param(2, 1, id="K12 half of two"),
        pytest.param(3, 1, id="K12 half is rounded down"),
        pytest.param(10, 5, id="K12 half of ten"),
    ],
)
def test_k12_half_is_rounded_down_but_at_least_one(damage: int, half: int) -> None:
    assert blast_damage(CapitalClass.SCAP, damage, Span(SURFACE, 3000**2)) == half


@given(WEAPONS, DAMAGES, st.integers(0, 10_000), st.integers(0, 3000))
def test_farther_away_damage_is_never_more(
    weapon: CapitalClass, damage: int, distance: int, more: int
) -> None:
    near = blast_damage(weapon, damage, Span(SURFACE, distance**2))
    assert (
        0 <= blast_damage(weapon, damage, Span(SURFACE, (distance + more) ** 2)) <= near <= damage
    )


@given(WEAPONS, DAMAGES, POINTS, st.lists(POINTS, max_size=8))
def test_the_whole_damage_is_that_of_the_two_rings(
    weapon: CapitalClass, damage: int, impact: Spot, units: list[Spot]
) -> None:
    reach = 6000 if weapon in WIDE else 4000
    squares = [(unit[0] - impact[0]) ** 2 + (unit[1] - impact[1]) ** 2 for unit in units]
    inner = sum(square <= 2000**2 for square in squares)
    outer = sum(2000**2 < square <= reach**2 for square in squares)
    half = damage // 2 if damage > 1 else damage
    assert sum(blast(weapon, damage, impact, units)) == inner * damage + outer * half


@given(WEAPONS, DAMAGES, POINTS, st.lists(POINTS, max_size=6), POINTS)
def test_damage_stays_the_same_if_impact_and_units_are_moved_alike(
    weapon: CapitalClass,
    damage: int,
    impact: Spot,
    units: list[Spot],
    by: Spot,
) -> None:
    def moved(spot: Spot) -> Spot:
        return (spot[0] + by[0], spot[1] + by[1])

    there = blast(weapon, damage, moved(impact), [moved(unit) for unit in units])
    assert there == blast(weapon, damage, impact, units)


@given(WEAPONS, DAMAGES, POINTS, st.lists(POINTS, max_size=6))
def test_no_unit_shields_another(
    weapon: CapitalClass, damage: int, impact: Spot, units: list[Spot]
) -> None:
    alone = tuple(blast(weapon, damage, impact, [unit])[0] for unit in units)
    assert blast(weapon, damage, impact, units) == alone
