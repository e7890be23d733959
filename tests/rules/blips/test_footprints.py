"""Footprints: large units block sight, and reach further when bases touch."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from builders.groundmaps import cells_of, drawn, maps
from sunglare_protocol.geometry import Environs
from sunglare_protocol.surface import Build, Cell
from sunglare_protocol.words.specials import Special
from sunglare_rules.blips.heights import HEIGHTS
from sunglare_rules.blips.spotting import FOOTPRINTS, half_footprint
from sunglare_rules.ground.line_of_sight import Body, Viewpoint, body_of, sees, solid_between
from sunglare_rules.ground.plane import touch

HEIGHT = st.integers(0, 10)
FLAT = drawn(*(("." * 15,) * 9))
WEST, EAST = Cell(0, 4), Cell(12, 4)


@pytest.mark.parametrize(("special", "inches"), [("LG", 2), ("VLG", 4), ("SLG", 6)])
def test_a_footprint_is_two_four_or_six_inches_across(special: str, inches: int) -> None:
    assert FOOTPRINTS[Special(special)] == inches
    assert half_footprint((Special.PRB, Special(special))) == inches // 2
    assert body_of(Viewpoint(WEST, 3), (Special(special),)) == (Body(WEST, inches // 2, 3),)


def test_a_unit_without_a_footprint_is_in_nobodys_way() -> None:
    assert body_of(Viewpoint(WEST, 10), (Special.ECM, Special.STL)) == ()


@pytest.mark.parametrize(
    ("special", "off", "seen"),
    [
        ("LG", 0, False),
        ("LG", 1, True),
        ("VLG", 1, False),
        ("VLG", 2, True),
        ("SLG", 1, False),
        ("SLG", 2, True),
    ],
)
def test_a_line_is_blocked_by_a_footprint_that_it_crosses_or_touches(
    special: str, off: int, seen: bool
) -> None:
    # A cell is two inches wide, so the middle of the next row is two inches off the line.
    bodies = body_of(Viewpoint(Cell(6, 4 + off), 2), (Special(special),))
    assert sees(FLAT, Viewpoint(WEST, 2), Viewpoint(EAST, 2), bodies) is seen


@pytest.mark.parametrize(
    ("build", "one", "two", "seen"),
    [
        (Build.LARGE_VEHICLE, 1, 1, False),
        (Build.LARGE_VEHICLE, 2, 2, False),
        (Build.LARGE_VEHICLE, 3, 2, True),
        (Build.VERY_LARGE, 3, 5, False),
        (Build.VERY_LARGE, 4, 5, True),
        (Build.SPHEROID, 5, 5, False),
    ],
)
def test_it_blocks_if_it_reaches_up_to_the_line_there(
    build: Build, one: int, two: int, seen: bool
) -> None:
    bodies = (Body(Cell(6, 4), 1, HEIGHTS[build]),)
    assert sees(FLAT, Viewpoint(WEST, one), Viewpoint(EAST, two), bodies) is seen


def test_what_stands_on_a_hill_blocks_from_there() -> None:
    low, hill = drawn("." * 13), drawn("......b......")
    ends = Viewpoint(Cell(0, 0), 3), Viewpoint(Cell(12, 0), 3)
    bodies = (Body(Cell(6, 0), 1, 2),)
    assert sees(low, *ends, bodies)
    assert sees(hill, *ends)
    assert not sees(hill, *ends, bodies)


@pytest.mark.parametrize("at", [WEST, EAST, Cell(13, 4), Cell(0, 5)])
def test_what_stands_beside_or_beyond_an_end_is_not_between(at: Cell) -> None:
    bodies = (Body(at, 3, 10),)
    assert sees(FLAT, Viewpoint(WEST, 1), Viewpoint(EAST, 1), bodies)


def test_units_in_one_cell_always_see_each_other() -> None:
    assert sees(FLAT, Viewpoint(WEST, 1), Viewpoint(WEST, 0), (Body(WEST, 3, 10),))


def test_a_probe_looks_through_the_largest_unit() -> None:
    ends = Viewpoint(WEST, 1), Viewpoint(EAST, 1)
    assert not sees(FLAT, *ends, (Body(Cell(6, 4), 3, 10),))
    assert not solid_between(FLAT, *ends)


@given(st.data(), maps(), HEIGHT, HEIGHT, st.integers(1, 3), HEIGHT)
def test_sight_past_large_units_is_mutual_and_never_better_than_without(
    data: st.DataObject, environs: Environs, one: int, two: int, radius: int, height: int
) -> None:
    cells = cells_of(environs)
    a, b = Viewpoint(data.draw(cells), one), Viewpoint(data.draw(cells), two)
    bodies = (Body(data.draw(cells), radius, height), Body(data.draw(cells), 2, 4))
    assert sees(environs, a, b, bodies) == sees(environs, b, a, bodies)
    if sees(environs, a, b, bodies):
        assert sees(environs, a, b)
        assert sees(environs, a, b, tuple(body._replace(radius=1) for body in bodies))


@given(st.data(), HEIGHT, HEIGHT, st.integers(1, 3), HEIGHT)
def test_a_larger_or_taller_unit_hides_no_less(
    data: st.DataObject, one: int, two: int, radius: int, height: int
) -> None:
    cells = cells_of(FLAT)
    a, b = Viewpoint(data.draw(cells), one), Viewpoint(data.draw(cells), two)
    body = Body(data.draw(cells), radius, height)
    if not sees(FLAT, a, b, (body,)):
        assert not sees(FLAT, a, b, (body._replace(height=height + 1),))
        assert not sees(FLAT, a, b, (body._replace(radius=radius + 1),))


@pytest.mark.parametrize(
    ("one", "two", "cells", "touches"),
    [
        ("", "", 0, True),
        ("", "", 1, False),
        ("LG", "", 1, True),
        ("VLG", "", 2, False),
        ("VLG", "LG", 2, True),
        ("SLG", "", 2, True),
        ("SLG", "VLG", 3, True),
        ("SLG", "VLG", 4, False),
    ],
)
def test_bases_touch_within_an_inch_and_half_of_each_footprint(
    one: str, two: str, cells: int, touches: bool
) -> None:
    first = (Special(one),) if one else ()
    second = (Special(two),) if two else ()
    assert touch(WEST, Cell(cells, 4), first, second) is touches
