"""Pointing at a cell of a surface map: by keys and clicks, and the command that it means."""

from functools import cache
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from builders.desks import SCENES, frames_of, view_in
from builders.fullscreens import LARGE, SMALL, Shown, full_screen_of
from client.test_groundsheet import charts
from sunglare_client.bot import is_asked
from sunglare_client.command import Give, Plan
from sunglare_client.fullscreen.pointing.ground_pointing import (
    GroundPointer,
    acting_piece,
    actors_on,
    ground_meaning,
    ground_pointer,
    next_ground_way,
    next_idle_piece,
    next_piece,
    next_token,
    pointed,
    steered,
    units_on,
    ways_on_ground,
)
from sunglare_client.fullscreen.pointing.ways import Meaning, is_taken
from sunglare_client.map.groundchart import GroundChart
from sunglare_client.map.groundsheet import sheet
from sunglare_client.terminal.input.parser import parse
from sunglare_client.terminal.staging import added
from sunglare_protocol.ids import OwnId, Side
from sunglare_protocol.messages import Frame
from sunglare_protocol.orders.ground import Move, Station
from sunglare_protocol.surface import Cell, Site
from sunglare_protocol.views import View
from sunglare_protocol.views.ground import AgentView, GroundView
from sunglare_protocol.words.ladder import Fate, Phase
from sunglare_rules.advice.check.check import check
from sunglare_rules.advice.legal.reach import walk_paths

KEYS = ("s", "n", "m", "up", "down", "left", "right", "shift+left", "enter", "U", "x")

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


def pointer_of(view: View, site: Site, plan: Plan, data: st.DataObject) -> GroundPointer:
    """Return a pointer at any cell, or one where something stands, with any way of a piece."""
    environs = view.board.environs_at(site)
    assert environs is not None
    anywhere = st.builds(
        Cell, st.integers(0, environs.columns - 1), st.integers(0, environs.rows - 1)
    )
    cell = data.draw(st.one_of(anywhere, st.sampled_from(cells(view, site))), label="cell")
    pieces = [piece.id for piece in actors_on(view, site)]
    own = data.draw(st.sampled_from(pieces), label="piece") if pieces else None
    pointer = GroundPointer(site, cell, own)
    names = names_of(view, pointer, plan)
    return pointer._replace(way=data.draw(st.sampled_from(names), label="way") if names else "")


def cells(view: View, site: Site) -> list[Cell]:
    """Return cells at which something is likely to be meant."""
    known = [unit.cell for unit in units_on(view, site) if unit.cell is not None]
    known += [token.cell for one in view.surfaces if one.site == site for token in one.tokens]
    known += [Cell(*area.cells[:2]) for area in view.areas if area.site == site]
    return known or [Cell(0, 0)]


def planned(view: View, plan: Plan, line: str) -> Plan:
    """Return the plan after a command."""
    command = parse(line, view, plan)
    assert isinstance(command, Give), line
    return added(plan, command)


@given(PLACES, st.data())
def test_whatever_one_points_at_is_taken_beside_what_was_given_so(
    place: tuple[View, Site], data: st.DataObject
) -> None:
    view, site = place
    plan: Plan = ()
    for _ in range(4):
        pointer = pointer_of(view, site, plan, data)
        line = ground_meaning(view, pointer, plan).line
        if line:
            before, plan = plan, planned(view, plan, line)
            assert check(view, plan) is None, line
            given_now = [order for order in plan if order not in before]
            piece = acting_piece(view, pointer)
            assert piece is not None
            assert {order.ship for order in given_now} <= {piece.id}


@given(PLACES, st.data())
def test_every_way_that_is_offered_means_something_somewhere(
    place: tuple[View, Site], data: st.DataObject
) -> None:
    view, site = place
    environs = view.board.environs_at(site)
    assert environs is not None
    every = [Cell(x, y) for x in range(environs.columns) for y in range(environs.rows)]
    for way in ways_on_ground(view, pointer_of(view, site, (), data)):
        here = [*way.reach, *cells(view, site), *every]
        assert any(is_taken(view, (), line) for line in map(way.line, here) if line), way.name


@given(PLACES, st.data())
def test_a_move_leads_by_the_cheapest_path_to_every_cell_within_reach(
    place: tuple[View, Site], data: st.DataObject
) -> None:
    view, site = place
    pointer = pointer_of(view, site, (), data)._replace(way="move")
    unit, found = acting_piece(view, pointer), ground_meaning(view, pointer)
    if not isinstance(unit, GroundView) or found.words != "move":
        return
    assert {*found.reach} == {*walk_paths(view, unit)}
    cell = data.draw(st.sampled_from(found.reach), label="end")
    (order,) = planned(view, (), ground_meaning(view, pointer._replace(cell=cell)).line)
    assert isinstance(order, Move)
    assert order.path == walk_paths(view, unit)[cell]
    assert order.path[-1] == cell


@given(PLACES)
def test_going_through_units_and_tokens_comes_to_each_cell_on_which_they_stand(
    place: tuple[View, Site],
) -> None:
    view, site = place
    start = ground_pointer(view, site, None)
    pointer, pieces = start, []
    for _ in actors_on(view, site):
        pointer = next_piece(view, pointer)
        pieces.append(pointer.own)
        there = [unit.cell for unit in units_on(view, site) if unit.id == pointer.own]
        assert pointer.cell in (there or [pointer.cell])
    assert sorted(pieces, key=str) == sorted((one.id for one in actors_on(view, site)), key=str)
    assert not pieces or next_piece(view, next_piece(view, start), -1).own == start.own
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
    assert ground_meaning(view, pointer) == Meaning()
    assert next_ground_way(view, (), pointer, 1).way == ""
    assert next_piece(view, pointer) == pointer
    assert next_token(view, pointer) == pointer
    assert steered(view, pointer, 1, 1) == pointer


def names_of(view: View, pointer: GroundPointer, plan: Plan = ()) -> list[str]:
    """Return the names of the ways of the piece that acts."""
    return [way.name for way in ways_on_ground(view, pointer, plan)]


def names_in(view: View) -> dict[str, list[str]]:
    """Return the ways of each piece on the surfaces of a view."""
    return {
        piece.id: [
            way.name for way in ways_on_ground(view, GroundPointer(site, Cell(0, 0), piece.id))
        ]
        for site in dict.fromkeys(sites_of(view))
        for piece in actors_on(view, site)
    }


def test_what_a_unit_may_do_depends_on_the_window() -> None:
    first, later = view_in(one_of(Phase.PLOT, 1)), view_in(one_of(Phase.PLOT, 2))
    unit = units_on(first, sites_of(first)[0])[0]
    assert names_in(first)[unit.id][:2] == ["station", "station hidden"]
    assert not any("station" in names for names in names_in(later).values())
    fight = [name for names in names_in(view_in(one_of(Phase.ENGAGE))).values() for name in names]
    assert fight
    assert all(name.split()[0] in ("fire", "bombard", "search,") for name in fight)


def test_agents_act_from_wherever_one_points() -> None:
    found = [
        (view, site, agent)
        for view, site in places()
        if view.stage.phase is Phase.PLOT and view.stage.turn > 1
        for agent in actors_on(view, site)
        if isinstance(agent, AgentView) and agent.stacked is None and agent.site == site
    ]
    view, site, agent = found[0]
    pointer = GroundPointer(site, Cell(4, 4), agent.id)
    cells = [pointer.cell, *(unit.cell for unit in units_on(view, site))]
    assert next_piece(view, next_piece(view, pointer), -1).cell in cells
    kinds = {way.name.split()[0] for way in ways_on_ground(view, pointer)}
    assert {"mission", "walk", "fight:"} <= kinds
    assert ground_meaning(view, pointer._replace(way="mission spy")).line.endswith(" spy")


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
    assert shown.terminal.session is not None
    return shown.terminal.session.given


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
    able = [
        piece.id
        for piece in actors_on(view, site)
        if ways_on_ground(view, GroundPointer(site, Cell(0, 0), piece.id))
    ]
    busy = data.draw(st.sets(st.sampled_from(able)) if able else st.just(set[OwnId]()))
    plan = tuple(Move(ship=unit, unload=True) for unit in sorted(busy))
    found = next_idle_piece(view, plan, ground_pointer(view, site, None))
    assert not {*able} - busy or found.own in {*able} - busy


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
