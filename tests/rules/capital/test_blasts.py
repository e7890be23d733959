"""Area damage of capital fire: full near the impact, half around it, nothing beyond."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sunglare_protocol.words.capital import CapitalClass
from sunglare_rules.capital.blasts import blast_damage
from sunglare_rules.turn.metric import SURFACE, Span

WEAPONS = st.sampled_from(list(CapitalClass))
DAMAGES = st.integers(0, 30)
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


@given(WEAPONS, DAMAGES, st.integers(0, 10_000))
def test_the_whole_damage_is_that_of_the_two_rings(
    weapon: CapitalClass, damage: int, distance: int
) -> None:
    half = damage // 2 if damage > 1 else damage
    rest = half if distance <= (6000 if weapon in WIDE else 4000) else 0
    expected = damage if distance <= 2000 else rest
    assert blast_damage(weapon, damage, Span(SURFACE, distance**2)) == expected
