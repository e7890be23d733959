"""Pointing at a cell of a surface map: by keys and clicks, and the command that it means."""

from functools import cache
from itertools import pairwise
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from builders.desks import SCENES, frames_of, view_in
from builders.fullscreens import LARGE, SMALL, Shown, full_screen_of
from client.test_groundsheet import charts
from sunglare_client.bot import is_asked
from sunglare_client.command import Problem
from sunglare_client.fullscreen.groundpointing import (
    GroundPointer,
    acting_unit,
    ground_line,
    ground_pointer,
    ground_way,
    next_idle_unit,
    next_token,
    next_unit,
    pointed,
    steered,
    units_on,
    ways_of,
)
from sunglare_client.map.groundchart import GroundChart
from sunglare_client.map.groundsheet import sheet
from sunglare_client.terminal.prompt import parse
from sunglare_protocol.ids import OwnId, Side
from sunglare_protocol.messages import Frame
from sunglare_protocol.orders import Fire
from sunglare_protocol.orders.ground import Move, Station
from sunglare_protocol.surface import Cell, Site
from sunglare_protocol.views import View
from sunglare_protocol.words.ladder import Fate, Phase

KEYS = ("s", "n", "m", "up", "down", "left", "right", "shift+left", "enter", "u", "x")

TYPED_IN = 7
"""So many frames have the lines typed again that keys have written."""


@cache
def frames() -> tuple[Frame, ...]:
    """Return the frames that ask a side for orders which has units on a surface."""
    return tuple(
        sent
        for scene in SCENES
        for side in ("A", "B")
        for sent in frames_of(*scene)[Side(side)]
        if is_asked(view_in(sent), Side(side))
        and any(unit.site is not None for unit in view_in(sent).ground)
    )


@cache
def places() -> tuple[tuple[View, Site], ...]:
    """Return the surfaces in those frames on which that side has units."""
    return tuple(
        (view_in(sent), site)
        for sent in frames()
        for site in dict.fromkeys(sites_of(view_in(sent)))
    )


PLACES = st.deferred(lambda: st.sampled_from(places()))


def one_of(phase: Phase, turn: int | None = None) -> Frame:
    """Return a frame with units on a surface, of a phase and perhaps a turn."""
    return next(
        sent
        for sent in frames()
        if view_in(sent).stage.phase is phase
        and (turn is None or view_in(sent).stage.turn == turn)
        and any(units_on(view_in(sent), site) for site in sites_of(view_in(sent)))
    )


def sites_of(view: View) -> list[Site]:
    """Return the surfaces on which this side has units."""
    return [unit.site for unit in view.ground if unit.site is not None]


@given(PLACES, st.integers(-40, 40), st.integers(-40, 40))
def test_the_pointer_never_leaves_the_surface(
    place: tuple[View, Site], east: int, south: int
) -> None:
    view, site = place
    environs = view.board.environs_at(site)
    assert environs is not None
    cell = steered(view, ground_pointer(view, site, None), east, south).cell
    assert 0 <= cell.column < environs.columns
    assert 0 <= cell.row < environs.rows


@given(PLACES, st.integers(0, 12), st.integers(0, 9), st.data())
def test_whatever_one_points_at_is_a_command_of_that_unit_and_cell(
    place: tuple[View, Site], steps: int, way: int, data: st.DataObject
) -> None:
    view, site = place
    environs = view.board.environs_at(site)
    assert environs is not None
    pointer = ground_pointer(view, site, None)
    for _ in range(steps):
        pointer = next_unit(view, pointer)
    column = data.draw(st.integers(0, environs.columns - 1), label="column")
    cell = Cell(column, data.draw(st.integers(0, environs.rows - 1), label="row"))
    pointer = pointer._replace(cell=cell, way=way)
    unit, line = acting_unit(view, pointer), ground_line(view, pointer)
    if not line:
        return
    given_orders = parse(line, view)
    assert not isinstance(given_orders, Problem), given_orders
    (order,) = given_orders.orders  # type: ignore[union-attr]
    assert unit is not None
    assert order.ship == unit.id
    match order:
        case Station():
            assert (order.at, order.cell) == (site, cell)
        case Move():
            assert order.path[-1] == cell
            assert unit.cell is not None
            path = (unit.cell, *order.path)
            gaps = pairwise(path)
            # A king's steps, so that no shorter way leads there.
            far = max(abs(unit.cell.column - cell.column), abs(unit.cell.row - cell.row))
            assert len(order.path) == (1 if order.jump else far)
            if not order.jump:
                assert all(
                    max(abs(one.column - other.column), abs(one.row - other.row)) == 1
                    for one, other in gaps
                )
        case Fire():
            assert order.point == cell or order.at is not None
        case _:
            pytest.fail(f"{line} is none of these")


@given(PLACES)
def test_going_through_units_and_tokens_comes_to_each_cell_on_which_they_stand(
    place: tuple[View, Site],
) -> None:
    view, site = place
    start = ground_pointer(view, site, None)
    pointer, units = start, []
    for _ in units_on(view, site):
        pointer = next_unit(view, pointer)
        units.append((pointer.own, pointer.cell))
    assert sorted(units, key=str) == sorted(
        ((unit.id, unit.cell) for unit in units_on(view, site)), key=str
    )
    assert not units or next_unit(view, next_unit(view, start), -1).cell == start.cell
    seen = [
        token.cell
        for one in view.surfaces
        if one.site == site
        for token in one.tokens
        if token.fate is Fate.IN_PLAY
    ]
    assert next_token(view, start).cell in (seen or [start.cell])


@given(PLACES)
def test_who_points_at_an_own_unit_acts_with_it(place: tuple[View, Site]) -> None:
    view, site = place
    for unit in units_on(view, site):
        assert unit.cell is not None
        there = [one.id for one in units_on(view, site) if one.cell == unit.cell]
        found = pointed(view, GroundPointer(site, Cell(0, 0)), unit.cell)
        assert found.own in there
        assert found.cell == unit.cell


def test_on_a_surface_without_own_units_nothing_is_meant() -> None:
    view, site = places()[0]
    empty = Site(site.body, site.environs + 50)
    pointer = ground_pointer(view, empty, None)
    assert (ground_way(view, pointer), ground_line(view, pointer)) == ("", "")
    assert next_unit(view, pointer) == pointer
    assert next_token(view, pointer) == pointer
    assert steered(view, pointer, 1, 1) == pointer


def test_what_a_unit_may_do_depends_on_the_window() -> None:
    first, later = view_in(one_of(Phase.PLOT, 1)), view_in(one_of(Phase.PLOT, 2))
    unit = units_on(first, sites_of(first)[0])[0]
    assert ways_of(first, unit)[:2] == ("station", "station hidden")
    assert all(
        not way.startswith("station")
        for site in sites_of(later)
        for one in units_on(later, site)
        for way in ways_of(later, one)
    )
    fight = view_in(one_of(Phase.ENGAGE))
    found = [
        way
        for site in sites_of(fight)
        for one in units_on(fight, site)
        for way in ways_of(fight, one)
    ]
    assert found
    assert all(way.startswith("fire ") for way in found)


@given(charts(), st.integers(20, 120), st.integers(6, 40), st.data())
def test_a_cell_is_found_where_it_is_drawn_and_what_is_pointed_at_is_in_sight(
    chart: GroundChart, width: int, height: int, data: st.DataObject
) -> None:
    column = data.draw(st.integers(0, len(chart.rows[0]) - 1), label="column")
    cell = Cell(column, data.draw(st.integers(0, len(chart.rows) - 1), label="row"))
    drawn = sheet(chart, width, height, around=cell)
    place = drawn.place_of(cell)
    assert place is not None
    assert place[0] < width
    assert place[1] < height
    for x in range(width + 2):
        for y in range(height + 2):
            found = drawn.cell_at(x, y)
            if found is not None:
                left, row = drawn.place_of(found) or (-1, -1)
                assert row == y
                assert left <= x < left + drawn.columns
    assert drawn.cell_at(*place) == cell


# --- on the screen


def plan(shown: Shown) -> tuple[object, ...]:
    """Return the orders so far."""
    assert shown.terminal.desk is not None
    return shown.terminal.desk.given


async def test_a_unit_is_moved_by_keys_alone() -> None:
    sent = one_of(Phase.PLOT, 2)
    async with full_screen_of((sent,), LARGE, awaits=(sent.window,)) as shown:
        await shown.press("f1", "g", "s")
        # The first one is a sensor; whichever way the next can go from where it stands.
        for there, back in (("up", "down"), ("down", "up"), ("left", "right"), ("right", "left")):
            await shown.press(there)
            if "Enter: move" in shown.text:
                break
            await shown.press(back)
        assert "Enter: move" in shown.text
        await shown.press("enter")
        assert any(line.startswith("> move G") for line in shown.record)
        assert [type(order) for order in plan(shown)] == [Move]


@given(PLACES, st.data())
def test_units_with_an_order_are_passed_over(
    place: tuple[View, Site], data: st.DataObject
) -> None:
    view, site = place
    units = [unit.id for unit in units_on(view, site)]
    busy = data.draw(st.sets(st.sampled_from(units)) if units else st.just(set[OwnId]()))
    plan = tuple(Move(ship=unit, unload=True) for unit in sorted(busy))
    found = next_idle_unit(view, plan, ground_pointer(view, site, None))
    assert found.own not in busy or set(units) == busy


async def test_a_click_on_a_cell_points_and_a_second_one_gives_the_command() -> None:
    sent = one_of(Phase.PLOT, 1)
    view = view_in(sent)
    area = view.areas[0]
    site, cell = area.site, Cell((area.cells[0] + area.cells[2]) // 2, area.cells[1])
    async with full_screen_of((sent,), LARGE, awaits=(sent.window,)) as shown:
        await shown.type(f"surface {site.body} {site.environs}")
        drawn = shown.board.board._sheet  # noqa: SLF001 - where the cells are
        assert drawn is not None
        there = drawn.place_of(cell)
        assert there is not None
        await shown.pilot.click("#map", offset=there)
        await shown.settle()
        assert f"{site.environs} {cell.name}" in shown.text
        place = shown.board.board._sheet.place_of(cell)  # type: ignore[union-attr]  # noqa: SLF001
        assert place is not None
        await shown.pilot.click("#map", offset=place)
        await shown.settle()
        (order,) = [order for order in plan(shown) if isinstance(order, Station)]
        assert (order.at, order.cell) == (site, cell)


@pytest.fixture
def sent(request: pytest.FixtureRequest) -> Frame:
    """Give one of `TYPED_IN` frames that are spread over all."""
    spread = frames()[:: max(len(frames()) // 6, 1)]
    assert len(spread) == TYPED_IN
    chosen: Frame = spread[request.param]
    return chosen


@pytest.mark.parametrize("sent", range(TYPED_IN), ids="sent{}".format, indirect=True)
async def test_the_lines_that_keys_write_on_a_surface_give_the_same_orders_when_typed(
    sent: Frame,
) -> None:
    dice = Random(5)
    async with full_screen_of((sent,), LARGE, awaits=(sent.window,)) as shown:
        await shown.press("f1", "g", *(dice.choice(KEYS) for _ in range(16)))
        written = [line.removeprefix("> ") for line in shown.record if line.startswith("> ")]
        by_keys = plan(shown)
    async with full_screen_of((sent,), SMALL, awaits=(sent.window,)) as fresh:
        for line in written:
            await fresh.type(line)
        assert plan(fresh) == by_keys


@pytest.mark.parametrize("size", [SMALL, LARGE])
async def test_the_cell_that_is_pointed_at_is_reversed_and_no_other(size: tuple[int, int]) -> None:
    sent = one_of(Phase.PLOT, 2)
    async with full_screen_of((sent,), size, awaits=(sent.window,)) as shown:
        await shown.press("f1", "g", "right", "down")
        board, pointer = shown.board.board, shown.board.pointer
        assert pointer is not None
        assert pointer.ground is not None
        drawn = board._sheet  # noqa: SLF001 - where the cells are
        assert drawn is not None
        place = drawn.place_of(pointer.ground.cell)
        assert place is not None
        for y in range(board.size.height):
            found: list[int] = []
            west = 0
            for segment in board.render_line(y):
                if segment.style is not None and segment.style.reverse:
                    found += range(west, west + segment.cell_length)
                west += segment.cell_length
            expected = list(range(place[0], place[0] + drawn.columns)) if y == place[1] else []
            assert found == expected
