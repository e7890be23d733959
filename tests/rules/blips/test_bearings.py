"""The bearing of an emission: rounded down to 30 degrees, exactly, clockwise from north."""

from math import atan2, degrees

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sunglare_protocol.geometry import Square
from sunglare_rules.blips.bearings import bearing, space_bearing, surface_bearing

STEPS = st.integers(-60_000, 60_000)


@pytest.mark.parametrize(
    ("east", "north", "expected"),
    [
        pytest.param(0, 5, 0, id="north"),
        pytest.param(1, 5, 0, id="a little east of north"),
        pytest.param(4, 7, 0, id="29.7 degrees"),
        pytest.param(7, 12, 30, id="30.3 degrees"),
        pytest.param(1, 1, 30, id="north-east"),
        pytest.param(12, 7, 30, id="59.7 degrees"),
        pytest.param(7, 4, 60, id="60.3 degrees"),
        pytest.param(5, 0, 90, id="east"),
        pytest.param(5, 1, 60, id="a little north of east"),
        pytest.param(1, -1, 120, id="south-east"),
        pytest.param(0, -5, 180, id="south"),
        pytest.param(1, -5, 150, id="a little east of south"),
        pytest.param(-1, -1, 210, id="south-west"),
        pytest.param(-5, 0, 270, id="west"),
        pytest.param(-1, 1, 300, id="north-west"),
        pytest.param(-1, 5, 330, id="a little west of north"),
        pytest.param(0, 0, 0, id="on the spot"),
    ],
)
def test_a_bearing_is_rounded_down_to_thirty_degrees(east: int, north: int, expected: int) -> None:
    assert bearing(east, north) == expected


def test_every_bearing_nearby_is_that_of_the_true_angle() -> None:
    for east in range(-60, 61):
        for north in range(-60, 61):
            true = degrees(atan2(east, north)) % 360
            assert bearing(east, north) == int(true // 30) * 30


@given(STEPS, STEPS)
def test_a_quarter_turn_adds_ninety_degrees(east: int, north: int) -> None:
    if (east, north) != (0, 0):
        assert bearing(north, -east) == (bearing(east, north) + 90) % 360


@given(STEPS, STEPS, st.integers(1, 50))
def test_how_far_away_the_emitter_is_does_not_tell(east: int, north: int, times: int) -> None:
    assert bearing(times * east, times * north) == bearing(east, north)


@given(STEPS, STEPS)
def test_the_bearing_is_one_of_twelve(east: int, north: int) -> None:
    assert bearing(east, north) in range(0, 360, 30)


@pytest.mark.parametrize(
    ("east", "north", "expected"), [(0, 9, 0), (9, 1, 60), (1, -9, 150), (-9, -1, 240)]
)
def test_maps_count_north_upwards_and_space_downwards(
    east: int, north: int, expected: int
) -> None:
    there = (500 + east, 500 + north)
    assert surface_bearing((500, 500), there) == expected
    assert space_bearing(Square(20, 20), Square(20 + east, 20 - north)) == expected
