"""The scale that the five systems share: squares, mu, millimetres."""

import pytest

from sunglare_protocol.geometry import Square
from sunglare_rules.turn.scale import (
    BAND_MM,
    BANDS,
    RANGE_MM,
    SQUARE_MM,
    PlanePoint,
    SpaceInch,
    squared_reach,
    to_plane,
    within_mu,
)

# The largest squared distance in squares that is within so many mu.
FARTHEST_SQUARED = {
    6: 6,
    10: 17,
    12: 25,
    16: 44,
    18: 56,
    20: 69,
    24: 100,
    26: 117,
    30: 156,
    36: 225,
    42: 306,
    60: 625,
}


@pytest.mark.parametrize(
    ("mu", "farthest"), FARTHEST_SQUARED.items(), ids=[f"{mu} mu" for mu in FARTHEST_SQUARED]
)
def test_a_limit_in_mu_is_inclusive_and_the_next_squared_distance_is_beyond(
    mu: int, farthest: int
) -> None:
    assert within_mu(farthest, mu)
    assert not within_mu(farthest + 1, mu)


@pytest.mark.parametrize(
    ("inches", "farthest"),
    FARTHEST_SQUARED.items(),
    ids=[f"{inches} in" for inches in FARTHEST_SQUARED],
)
def test_an_inch_of_space_is_as_long_as_a_mu(inches: int, farthest: int) -> None:
    assert squared_reach(SpaceInch(inches)) == farthest


def test_only_the_own_square_is_within_no_distance_at_all() -> None:
    assert within_mu(0, 0)
    assert not within_mu(1, 0)


def test_a_box_of_five_squares_is_one_band_of_the_arc_plane() -> None:
    assert (SQUARE_MM, BAND_MM, BANDS, RANGE_MM) == (20, 100, 3, 300)


@pytest.mark.parametrize(
    ("square", "point"),
    [
        pytest.param(Square(0, 0), PlanePoint(0.0, 0.0), id="north-west corner of the map"),
        pytest.param(Square(3, 0), PlanePoint(60.0, 0.0), id="east is east in both"),
        pytest.param(Square(0, 2), PlanePoint(0.0, -40.0), id="south is down in the plane"),
        pytest.param(Square(-1, -4), PlanePoint(-20.0, 80.0), id="off the map"),
    ],
)
def test_the_plane_has_its_y_axis_to_the_north(square: Square, point: PlanePoint) -> None:
    assert to_plane(square) == point
