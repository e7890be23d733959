"""Inches on both planes: limits, and lines that meet circles, against exact fractions."""

from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sunglare_protocol.geometry import Square
from sunglare_rules.turn.metric import SPACE, SURFACE, Metric, Spot, line_meets_circle, span

FARTHEST_IN_SPACE = {2: 0, 6: 6, 8: 11, 10: 17, 12: 25, 16: 44, 18: 56, 20: 69, 26: 117}
spots = st.tuples(st.integers(-40, 40), st.integers(-40, 40))


@pytest.mark.parametrize(("inches", "farthest"), FARTHEST_IN_SPACE.items())
def test_a_limit_in_space_takes_in_its_last_squared_distance(inches: int, farthest: int) -> None:
    assert SPACE.within(farthest, inches)
    assert not SPACE.within(farthest + 1, inches)


def test_a_limit_on_a_surface_map_is_inclusive_to_a_thousandth() -> None:
    assert span(SURFACE, (0, 0), (6_000, 8_000)).within(10)
    assert not span(SURFACE, (0, 0), (6_000, 8_001)).within(10)


def test_a_square_is_a_spot_of_space() -> None:
    assert span(SPACE, Square(3, 4), Square(6, 8)).squared == 25


def _nearest_squared(a: Spot, b: Spot, centre: Spot) -> Fraction:
    # The nearest point of the line as a fraction of the way, held to the line's own length.
    dx, dy = b[0] - a[0], b[1] - a[1]
    length = dx * dx + dy * dy
    way = Fraction(0)
    if length:
        way = Fraction((centre[0] - a[0]) * dx + (centre[1] - a[1]) * dy, length)
    way = min(max(way, Fraction(0)), Fraction(1))
    return (a[0] + way * dx - centre[0]) ** 2 + (a[1] + way * dy - centre[1]) ** 2


def _meets(metric: Metric, a: Spot, b: Spot, centre: Spot, inches: int) -> bool:
    reach = Fraction(metric.units * inches, metric.inches)
    return _nearest_squared(a, b, centre) <= reach**2


def test_lines_and_circles_meet_exactly_as_fractions_say_for_all_small_cases() -> None:
    small = list(product(range(-2, 3), range(-2, 3)))
    for a, b in product(small, small):
        for inches in (0, 2, 3, 5):
            found = line_meets_circle(SPACE, a, b, (0, 0), inches)
            assert found is _meets(SPACE, a, b, (0, 0), inches), (a, b, inches)


@given(a=spots, b=spots, centre=spots, inches=st.integers(0, 40))
def test_lines_and_circles_meet_exactly_as_fractions_say(
    a: Spot, b: Spot, centre: Spot, inches: int
) -> None:
    assert line_meets_circle(SPACE, a, b, centre, inches) is _meets(SPACE, a, b, centre, inches)


@given(a=spots, b=spots, centre=spots, inches=st.integers(0, 40))
def test_a_line_meets_a_circle_from_both_ends(a: Spot, b: Spot, centre: Spot, inches: int) -> None:
    one = line_meets_circle(SPACE, a, b, centre, inches)
    assert one is line_meets_circle(SPACE, b, a, centre, inches)


def test_a_line_that_touches_the_rim_meets_the_circle() -> None:
    assert line_meets_circle(SURFACE, (0, 12_000), (40_000, 12_000), (20_000, 0), 12)
    assert not line_meets_circle(SURFACE, (0, 12_001), (40_000, 12_001), (20_000, 0), 12)


def test_a_line_that_ends_before_the_circle_does_not_meet_it() -> None:
    assert not line_meets_circle(SURFACE, (0, 0), (7_999, 0), (20_000, 0), 12)
    assert line_meets_circle(SURFACE, (0, 0), (8_000, 0), (20_000, 0), 12)
