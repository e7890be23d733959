"""Capital missiles over the ground: reach, turns of flight, other environs, TAG at the launch."""

from math import floor, sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sunglare_protocol.words.capital import CapitalClass
from sunglare_rules.capital.capital import ToHit
from sunglare_rules.capital.flights import (
    CapitalFlight,
    flight_turns,
    flight_turns_elsewhere,
    in_missile_reach,
    launch,
)
from sunglare_rules.turn.metric import SURFACE, Span, Spot

HERE = (1000, 1000)
NEEDED = ToHit(True, 7, 11, False)


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


@given(st.integers(0, 5_000_000), st.integers(0, 5_000_000))
def test_k10_the_turns_are_exact_for_any_two_points(dx: int, dy: int) -> None:
    squared = dx * dx + dy * dy
    turns = flight_turns(Span(SURFACE, squared))
    assert ((turns - 1) * 170_000) ** 2 <= squared < (turns * 170_000) ** 2
    assert abs(turns - (1 + floor(sqrt(squared) / 170_000))) <= 1


@pytest.mark.parametrize(
    ("inches_1000", "reached"), [(0, True), (5_100_000, True), (5_100_001, False)]
)
def test_k10_a_missile_goes_5100_inches(inches_1000: int, reached: bool) -> None:
    assert in_missile_reach(Span(SURFACE, inches_1000**2)) == reached


def test_k10_to_another_environs_a_missile_flies_one_turn_more() -> None:
    assert flight_turns_elsewhere() == 2


@pytest.mark.parametrize(
    ("aim", "environs", "lands"),
    [
        pytest.param(HERE, 1, 6, id="K10 the same map: the next ENGAGE"),
        pytest.param((35_000, 23_000), 1, 6, id="K10 the other corner of the map"),
        pytest.param((200_000, 1000), 1, 7, id="K10 a larger map"),
        pytest.param(HERE, 2, 7, id="K10 another environs: the ENGAGE after that"),
        pytest.param((400_000, 0), 3, 7, id="K10 wherever the point lies there"),
    ],
)
@pytest.mark.parametrize("weapon", [CapitalClass.MSL, CapitalClass.SDS_CM])
def test_k10_a_missile_keeps_from_its_launch_what_it_needs(
    weapon: CapitalClass, aim: Spot, environs: int, lands: int
) -> None:
    assert launch(weapon, NEEDED, 5, HERE, 1, aim, environs) == CapitalFlight(
        weapon=weapon, environs=environs, aim=aim, lands=lands, needed=NEEDED
    )


def test_k10_a_missile_is_not_launched_out_of_its_reach() -> None:
    far = (5_101_001, 1000)
    assert launch(CapitalClass.MSL, NEEDED, 5, HERE, 1, far, 1) is None
