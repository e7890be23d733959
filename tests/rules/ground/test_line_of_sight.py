"""Lines of sight over a surface map: which cells they cross, and what hides whom."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from builders.groundmaps import cells_of, drawn, maps
from sunglare_protocol.geometry import Compass, Environs
from sunglare_protocol.surface import Cell
from sunglare_rules.blips.heights import reversed_line
from sunglare_rules.blips.visual_ranges import Light
from sunglare_rules.ground.daylight import is_day, light_in
from sunglare_rules.ground.line_of_sight import (
    Viewpoint,
    crossings,
    obstacles,
    sees,
    solid_between,
)

HEIGHTS = st.integers(0, 10)


@pytest.mark.parametrize(
    ("east", "north", "cells"),
    [
        (0, 0, ()),
        (1, 0, ()),
        (1, 1, ()),
        (3, 0, ((1, 0, 333), (2, 0, 667))),
        (2, 2, ((1, 1, 500),)),
        (2, 1, ((1, 0, 375), (1, 1, 625))),
        (0, -2, ((0, -1, 500),)),
    ],
    ids=["itself", "beside", "corner", "row", "diagonal", "knight", "column"],
)
def test_a_line_crosses_the_cells_between_at_the_middle_of_each(
    east: int, north: int, cells: tuple[tuple[int, int, int], ...]
) -> None:
    assert tuple(tuple(crossed) for crossed in crossings(east, north)) == cells


@given(st.integers(-20, 20), st.integers(-20, 20))
def test_the_line_is_inside_every_cell_it_crosses(east: int, north: int) -> None:
    seen = []
    for crossed in crossings(east, north):
        at = Fraction(crossed.along, 1000)
        slack = Fraction(1, 2) + Fraction(max(abs(east), abs(north)), 2000)
        assert abs(at * east - crossed.east) <= slack
        assert abs(at * north - crossed.north) <= slack
        assert 0 < crossed.along < 1000
        seen.append((crossed.east, crossed.north))
    assert len(set(seen)) == len(seen)


@given(st.data(), maps())
def test_what_stands_between_is_the_same_seen_from_the_other_end(
    data: st.DataObject, environs: Environs
) -> None:
    a, b = data.draw(cells_of(environs)), data.draw(cells_of(environs))
    assert obstacles(environs, a, b) == reversed_line(obstacles(environs, b, a))


@given(st.data(), maps(), HEIGHTS, HEIGHTS)
def test_sight_is_mutual(data: st.DataObject, environs: Environs, one: int, two: int) -> None:
    a = Viewpoint(data.draw(cells_of(environs)), one)
    b = Viewpoint(data.draw(cells_of(environs)), two)
    assert sees(environs, a, b) == sees(environs, b, a)
    assert solid_between(environs, a, b) == solid_between(environs, b, a)


@given(st.data(), maps(), HEIGHTS, HEIGHTS)
def test_what_a_probe_looks_through_is_more_than_eyes_do(
    data: st.DataObject, environs: Environs, one: int, two: int
) -> None:
    a = Viewpoint(data.draw(cells_of(environs)), one)
    b = Viewpoint(data.draw(cells_of(environs)), two)
    if sees(environs, a, b):
        assert not solid_between(environs, a, b)


@given(st.data(), maps(), HEIGHTS, HEIGHTS)
def test_a_taller_unit_sees_no_less(
    data: st.DataObject, environs: Environs, one: int, two: int
) -> None:
    a, b = data.draw(cells_of(environs)), data.draw(cells_of(environs))
    if sees(environs, Viewpoint(a, one), Viewpoint(b, two)):
        assert sees(environs, Viewpoint(a, one + 1), Viewpoint(b, two))


@pytest.mark.parametrize(
    ("row", "one", "two", "seen", "probed"),
    [
        ("...", 1, 1, True, True),
        (".w.", 1, 1, False, True),
        (".w.", 2, 2, False, True),
        (".w.", 3, 2, True, True),
        (".1.", 1, 1, False, False),
        (".1.", 2, 1, True, True),
        (".2.", 2, 1, False, False),
        ("a1.", 1, 1, True, True),
        ("ww", 1, 1, True, True),
        ("w.w", 1, 1, True, True),
        (".,~,.", 0, 0, True, True),
        (".c.", 3, 3, False, False),
        (".c.", 4, 3, True, True),
    ],
)
def test_woods_and_solid_things_hide_what_does_not_rise_above_them(
    row: str, one: int, two: int, seen: bool, probed: bool
) -> None:
    ends = Viewpoint(Cell(0, 0), one), Viewpoint(Cell(len(row) - 1, 0), two)
    assert sees(drawn(row), *ends) is seen
    assert solid_between(drawn(row), *ends) is not probed


def test_the_south_is_night_its_neighbours_twilight_and_the_rest_day() -> None:
    lights = {point: light_in(point) for point in Compass}
    assert lights.pop(Compass.S) is Light.MOONLESS
    assert lights.pop(Compass.SE) is Light.DUSK
    assert lights.pop(Compass.SW) is Light.DUSK
    assert set(lights.values()) == {Light.DAY}
    assert [point for point in Compass if is_day(point)] == list(lights)
