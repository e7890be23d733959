"""Ground fire that misses: direction, distance, the whole-number offsets, and the map's edge."""

from math import cos, hypot, radians, sin

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sunglare_protocol.geometry import Compass, Environs
from sunglare_protocol.words.capital import FireMode, RadarZone
from sunglare_rules.capital.capital import ToHit
from sunglare_rules.capital.scatter import (
    direct_distance,
    impact,
    indirect_distance,
    is_direct,
    offset,
    scattered,
)

MAP = Environs(number=1, sector=Compass.N, width=36, height=24)
MIDDLE = (18_000, 12_000)
DIRECTIONS = st.integers(1, 6)
DISTANCES = st.integers(0, 60_000)
EIGHT = ToHit(True, 4, 8, False)
HOPELESS = ToHit(True, 11, 15, True)


@pytest.mark.parametrize("mode", FireMode)
@pytest.mark.parametrize("zone", [*RadarZone, None])
def test_k9_only_fire_from_the_central_zone_is_direct(
    mode: FireMode, zone: RadarZone | None
) -> None:
    expected = mode is FireMode.AIR_TO_GROUND and zone is RadarZone.CENTRAL
    assert is_direct(mode, zone) == expected


@pytest.mark.parametrize(
    ("die", "distance"), [(1, 2000), (2, 4000), (3, 6000), (4, 8000), (5, 10_000), (6, 12_000)]
)
def test_k11_direct_fire_scatters_two_inches_for_each_pip(die: int, distance: int) -> None:
    assert direct_distance(die) == distance


@pytest.mark.parametrize(
    ("tn", "roll", "distance"),
    [
        pytest.param(8, 7, 2000, id="K11 short by one"),
        pytest.param(8, 5, 6000, id="K11 short by three"),
        pytest.param(15, 2, 26_000, id="K11 a hopeless shot"),
        pytest.param(2, 2, 2000, id="K11 a 2 that would have been enough"),
        pytest.param(-1, 2, 2000, id="K11 a 2 that would have been more than enough"),
    ],
)
def test_k11_indirect_fire_scatters_by_how_far_the_roll_fell_short(
    tn: int, roll: int, distance: int
) -> None:
    assert indirect_distance(tn, roll) == distance


@pytest.mark.parametrize(
    ("direction", "east", "north"),
    [
        pytest.param(1, 0, 2000, id="K11 1 is north"),
        pytest.param(2, 1732, 1000, id="K11 2 is 60 degrees"),
        pytest.param(3, 1732, -1000, id="K11 3 is 120 degrees"),
        pytest.param(4, 0, -2000, id="K11 4 is south"),
        pytest.param(5, -1732, -1000, id="K11 5 is 240 degrees"),
        pytest.param(6, -1732, 1000, id="K11 6 is 300 degrees"),
    ],
)
def test_k11_the_direction_goes_clockwise_from_north(
    direction: int, east: int, north: int
) -> None:
    assert offset(direction, 2000) == (east, north)


@pytest.mark.parametrize(
    ("distance", "east", "north"),
    [
        pytest.param(1, 1, 1, id="a half is rounded up"),
        pytest.param(2, 2, 1, id="1.73 is rounded up"),
        pytest.param(3, 3, 2, id="2.598 and 1.5 are rounded up"),
        pytest.param(6, 5, 3, id="5.196 is rounded down"),
        pytest.param(12_000, 10_392, 6000, id="the longest direct scatter"),
        pytest.param(1_000_000, 866_025, 500_000, id="the figures themselves"),
    ],
)
def test_offsets_are_rounded_to_the_nearest_unit(distance: int, east: int, north: int) -> None:
    assert offset(2, distance) == (east, north)


@given(DIRECTIONS, DISTANCES)
def test_an_offset_is_within_a_unit_of_the_true_one(direction: int, distance: int) -> None:
    east, north = offset(direction, distance)
    angle = radians(60 * (direction - 1))
    assert abs(east - distance * sin(angle)) <= 1
    assert abs(north - distance * cos(angle)) <= 1
    assert abs(hypot(east, north) - distance) <= 1


@given(DIRECTIONS, DISTANCES)
def test_opposite_directions_cancel_each_other(direction: int, distance: int) -> None:
    east, north = offset(direction, distance)
    back = (direction + 2) % 6 + 1
    assert offset(back, distance) == (-east, -north)


@given(DISTANCES)
def test_scatter_favours_no_side(distance: int) -> None:
    offsets = [offset(direction, distance) for direction in range(1, 7)]
    assert (sum(east for east, _ in offsets), sum(north for _, north in offsets)) == (0, 0)
    assert {(-east, north) for east, north in offsets} == set(offsets)


@pytest.mark.parametrize("roll", [8, 9, 12])
def test_k7_fire_that_hits_comes_down_on_its_point(roll: int) -> None:
    assert impact(MIDDLE, MAP, EIGHT, roll, 3, 6) == MIDDLE
    assert impact(MIDDLE, MAP, EIGHT, roll, 3) == MIDDLE


@pytest.mark.parametrize(
    ("needed", "roll", "direction", "die", "point"),
    [
        pytest.param(EIGHT, 7, 1, 3, (18_000, 18_000), id="K11 direct: three pips north"),
        pytest.param(EIGHT, 3, 4, 1, (18_000, 10_000), id="K11 direct: the roll does not count"),
        pytest.param(EIGHT, 7, 1, None, (18_000, 14_000), id="K11 indirect: short by one"),
        pytest.param(EIGHT, 5, 5, None, (12_804, 9000), id="K11 indirect: short by three"),
        pytest.param(HOPELESS, 12, 1, None, (18_000, 18_000), id="K11 a hopeless shot lands too"),
        pytest.param(EIGHT, 2, 1, 6, None, id="K11 the northern edge is off the map"),
        pytest.param(EIGHT, 2, 4, None, (18_000, 0), id="K11 the southern edge is on it"),
        pytest.param(HOPELESS, 8, 1, None, None, id="K11 off the map it is lost"),
        pytest.param(HOPELESS, 2, 5, None, None, id="K11 off the western edge"),
    ],
)
def test_k11_a_miss_comes_down_elsewhere(
    needed: ToHit, roll: int, direction: int, die: int | None, point: tuple[int, int] | None
) -> None:
    assert impact(MIDDLE, MAP, needed, roll, direction, die) == point


@given(
    st.integers(0, 35_999),
    st.integers(0, 23_999),
    st.integers(2, 12),
    DIRECTIONS,
    st.none() | st.integers(1, 6),
)
def test_what_comes_down_comes_down_on_the_map(
    x: int, y: int, roll: int, direction: int, die: int | None
) -> None:
    point = (x, y)
    end = impact(point, MAP, HOPELESS, roll, direction, die)
    distance = 2000 * (15 - roll if die is None else die)
    thrown = scattered(point, direction, distance)
    inside = thrown[0] in range(36_000) and thrown[1] in range(24_000)
    assert end == (thrown if inside else None)
