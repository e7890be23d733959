"""Who strikes after a search: the patrol chart, the best unit, sizes, agents instead."""

import random
from collections import Counter
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sunglare_protocol.surface import Quality
from sunglare_protocol.words.search import Soldier, Strike
from sunglare_rules.search.patrols import CHART, Patrol, best_soldier, patrol, patrol_size, sent

QUALITIES = st.lists(st.sampled_from(Quality))


@pytest.mark.parametrize(
    ("quality", "soldier"),
    [
        (Quality.CONSCRIPT, Soldier.CONSCRIPT),
        (Quality.FIRST_LINE, Soldier.LINE),
        (Quality.SECOND_LINE, Soldier.LINE),
        (Quality.STORMTROOPER, Soldier.STORMTROOPER),
        (Quality.GUARD, Soldier.MARINE),
        (Quality.MARINE, Soldier.MARINE),
        (Quality.MILITIA, Soldier.MILITIA),
        (Quality.REGULAR, Soldier.REGULAR),
        (Quality.IRREGULAR, Soldier.REGULAR),
        (Quality.ELITE, Soldier.ELITE),
    ],
    ids=lambda word: str(word.value),
)
def test_a_unit_sends_the_soldiers_of_the_chart(quality: Quality, soldier: Soldier) -> None:
    assert best_soldier([quality]) is soldier


def test_the_chart_names_every_quality() -> None:
    assert set(CHART) == set(Quality)


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        (Quality.SECOND_LINE, Quality.CONSCRIPT),
        (Quality.STORMTROOPER, Quality.FIRST_LINE),
        (Quality.GUARD, Quality.STORMTROOPER),
        (Quality.MARINE, Quality.STORMTROOPER),
        (Quality.REGULAR, Quality.MILITIA),
        (Quality.IRREGULAR, Quality.MILITIA),
        (Quality.ELITE, Quality.REGULAR),
        (Quality.REGULAR, Quality.CONSCRIPT),
        (Quality.FIRST_LINE, Quality.MILITIA),
        (Quality.STORMTROOPER, Quality.REGULAR),
        (Quality.ELITE, Quality.STORMTROOPER),
    ],
    ids=lambda word: str(word.value),
)
def test_the_better_unit_decides(better: Quality, worse: Quality) -> None:
    assert best_soldier([worse, better]) is CHART[better]
    assert best_soldier([better, worse]) is CHART[better]


@given(QUALITIES, st.randoms(use_true_random=False))
def test_the_order_of_the_units_does_not_matter(
    qualities: list[Quality], luck: random.Random
) -> None:
    mixed = [*qualities]
    luck.shuffle(mixed)
    assert best_soldier(mixed) is best_soldier(qualities)


@pytest.mark.parametrize(("led", "sizes"), [(False, range(1, 7)), (True, range(3, 9))])
def test_a_leader_of_whatever_rating_adds_two_soldiers(led: bool, sizes: range) -> None:
    assert [patrol_size(die, led) for die in range(1, 7)] == [*sizes]


@pytest.mark.parametrize(("led", "mean"), [(False, Fraction(7, 2)), (True, Fraction(11, 2))])
def test_patrols_have_their_mean_size(led: bool, mean: Fraction) -> None:
    assert Fraction(sum(patrol_size(die, led) for die in range(1, 7)), 6) == mean


def test_a_patrol_needs_a_unit() -> None:
    assert patrol([], 6, led=True) is None
    assert patrol([Quality.MILITIA, Quality.ELITE], 4, led=True) == Patrol(Soldier.ELITE, 6)


@pytest.mark.parametrize(
    ("strike", "has_units", "has_agents", "goes"),
    [
        (Strike.PATROL, True, True, Strike.PATROL),
        (Strike.PATROL, True, False, Strike.PATROL),
        (Strike.PATROL, False, True, Strike.NONE),
        (Strike.AGENTS, True, True, Strike.AGENTS),
        (Strike.AGENTS, False, True, Strike.AGENTS),
        (Strike.AGENTS, True, False, Strike.NONE),
        (Strike.NONE, True, True, Strike.NONE),
    ],
)
def test_a_side_sends_what_it_ordered_if_it_has_it(
    strike: Strike, has_units: bool, has_agents: bool, goes: Strike
) -> None:
    assert sent(strike, has_units, has_agents) is goes


def test_each_size_of_a_patrol_is_as_likely() -> None:
    sizes = Counter(patrol_size(die, led=False) for die in range(1, 7))
    assert set(sizes.values()) == {1}
