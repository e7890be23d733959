"""Capital missiles over the ground: turns of flight, over one map and to other environs."""

from math import floor, sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sunglare_protocol.surface import CELL_INCHES, MAP_CELLS_MOST
from sunglare_rules.capital.flights import flight_turns, flight_turns_elsewhere
from sunglare_rules.turn.metric import SURFACE, SURFACE_UNITS, Span


@pytest.mark.parametrize(
    ("inches_1000", "turns"),
    [
        pytest.param(0, 1, id="K10 on the spot"),
        pytest.param(43_267, 1, id="K10 across a whole map"),
        pytest.param(169_999, 1, id="K10 just under 170 inches"),
        pytest.param(170_000, 2, id="K10 at 170 inches"),
        pytest.param(339_999, 2, id="K10 just under 340 inches"),
        pytest.param(340_000, 3, id="K10 at 340 inches"),
        pytest.param(5_100_000, 31, id="K10 at the end of its reach"),
    ],
)
def test_k10_a_missile_flies_a_turn_more_for_every_170_inches(
    inches_1000: int, turns: int
) -> None:
    assert flight_turns(Span(SURFACE, inches_1000**2)) == turns


REACH_INCHES = 5100
"""How far a missile goes over the ground: 150 sheets of a map of 34 inches each."""


@given(st.integers(0, 5_000_000), st.integers(0, 5_000_000))
def test_k10_the_turns_are_exact_for_any_two_points(dx: int, dy: int) -> None:
    squared = dx * dx + dy * dy
    turns = flight_turns(Span(SURFACE, squared))
    assert ((turns - 1) * 170_000) ** 2 <= squared < (turns * 170_000) ** 2
    assert abs(turns - (1 + floor(sqrt(squared) / 170_000))) <= 1


def test_k10_no_surface_map_is_larger_than_a_missile_flies() -> None:
    edge = MAP_CELLS_MOST * CELL_INCHES * SURFACE_UNITS
    assert Span(SURFACE, 2 * edge**2).within(REACH_INCHES)


def test_k10_to_another_environs_a_missile_flies_one_turn_more() -> None:
    assert flight_turns_elsewhere() == 2
