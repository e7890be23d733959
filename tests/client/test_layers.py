"""What may be drawn over the ground of a map, from one side's view and plan."""

from itertools import pairwise

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from builders.desks import SCENES, frames_of, view_in
from builders.terminals import BOARD, KITE, MOTH, S1, ship, view
from sunglare_client.map.cells import What
from sunglare_client.map.chart import Wish, chart_of
from sunglare_client.map.layers import (
    LAYERS,
    arcs,
    ghosts,
    glare,
    line,
    overlay,
    places,
    scan_places,
    sectors,
)
from sunglare_protocol.geometry import Compass, Square, Vector
from sunglare_protocol.ids import Side
from sunglare_protocol.orders import Scan, Thrust
from sunglare_protocol.views import View
from sunglare_protocol.words.ladder import Fix, Phase
from sunglare_protocol.words.pieces import Arc, BaseSize
from sunglare_protocol.words.scans import Echo, ScanSize, ScanType
from sunglare_rules.advice.odds.preview import preview
from sunglare_rules.advice.seen.bearing import contact_base, holds
from sunglare_rules.advice.seen.lookup import ships_in_play
from sunglare_rules.arcs.arcs import GridBase, grid_band
from sunglare_rules.sensors.sectors import Zone, sector, zone
from sunglare_rules.sensors.sunlight import in_shadow


def views() -> list[View]:
    """Return every fourth view that side A is sent in each scene."""
    return [view_in(sent) for scene in SCENES for sent in frames_of(*scene)[Side("A")][::4]]


VIEWS = st.deferred(lambda: st.sampled_from(views()))
SQUARES = st.builds(Square, st.integers(0, 40), st.integers(0, 40))


def test_a_ghost_stands_where_the_plan_brings_a_ship() -> None:
    seen = view(own=(KITE,), contacts=())
    adrift = KITE.square.moved(KITE.vector)
    assert [square for square, _ in ghosts(seen, ())] == [adrift]
    north = (Thrust(ship=S1, to=(Compass.N,)),)
    assert [square for square, _ in ghosts(seen, north)] == [adrift.moved(Vector(0, -1))]


def test_what_lies_still_has_no_ghost() -> None:
    assert ghosts(view(own=(MOTH,), contacts=()), ()) == ()


def test_glare_runs_from_the_ship_to_the_north_edge() -> None:
    column = [square for square, _ in glare(view(own=(KITE,)), S1)]
    assert column == [Square(KITE.square.x, y) for y in range(KITE.square.y)]


def test_a_ship_in_a_shadow_column_has_no_glare() -> None:
    dark = ship(KITE, square=Square(15, 30))
    assert in_shadow(BOARD, dark.square)
    assert glare(view(own=(dark,)), S1) == ()


@pytest.mark.parametrize("kind", [ScanType.VISUAL, ScanType.MASS])
def test_a_scan_shows_as_many_places_as_its_preview_counts_or_none(kind: ScanType) -> None:
    seen = view(Phase.SCAN, slot="A")
    scan = Scan(ship=S1, type=kind, size=ScanSize.BOX, at="D3")
    found = preview(seen, scan)
    assert not hasattr(found, "code")
    left = getattr(found, "candidates")[-1]  # noqa: B009 - either type has other fields
    shown = len(scan_places(seen, scan))
    assert shown == left if 2 * left < 40 * 40 else shown == 0


@given(VIEWS)
def test_no_layer_ever_hides_a_piece_or_a_name(seen: View) -> None:
    bare = chart_of(seen, Wish())
    drawn = chart_of(seen, Wish(over=overlay(seen, (), LAYERS)))
    traces = (What.GHOST, What.PLACE, What.GLARE, What.LINE, What.BORDER, What.ARC, What.FRONT)
    for before, after in zip(bare.rows, drawn.rows, strict=True):
        for was, now in zip(before, after, strict=True):
            assert was == now or now.what in traces


@given(VIEWS)
def test_places_are_told_of_nothing_that_may_be_on_half_the_map(seen: View) -> None:
    area = seen.board.area
    by_name: dict[str, int] = {}
    for _, cell in places(seen):
        by_name[cell.name] = by_name.get(cell.name, 0) + 1
    assert all(2 * count < area.east * area.south for count in by_name.values())


def test_the_borders_of_sectors_part_each_planets_map_into_eight() -> None:
    """Squares that touch, no border between them, lie in one sector."""
    borders = {square for square, _ in sectors(BOARD)}
    (planet,) = BOARD.planets
    free = [
        square
        for square in BOARD.area.squares()
        if square not in borders and zone(planet, square) is not Zone.BODY
    ]
    assert {sector(planet.at, square) for square in free} == set(Compass)
    for square in free:
        for step in (Vector(1, 0), Vector(0, 1)):
            beside = square.moved(step)
            if beside in free:
                assert sector(planet.at, beside) is sector(planet.at, square)


def test_no_border_lies_further_than_a_square_from_another_sector() -> None:
    (planet,) = BOARD.planets
    for square, _ in sectors(BOARD):
        beside = (square.moved(Vector(1, 0)), square.moved(Vector(0, 1)))
        others = {sector(planet.at, other) for other in beside if other != planet.at}
        assert others != {sector(planet.at, square)}


@given(VIEWS)
def test_arcs_leave_no_square_out_however_far(seen: View) -> None:
    """They look no further than any base reaches; the whole map gives nothing more."""
    ships = ships_in_play(seen)
    for own in ships[:2]:
        drawn = {square for square, cell in arcs(seen, [own.id]) if cell.name == own.id}
        whole = {square for square in seen.board.area.squares() if holds(own, square)}
        assert drawn == (whole if own.landed is None else set())


FACING = replace(
    view().contacts[0],
    fix=Fix.TRACKED,
    facing=Compass.E,
    size=Echo.LARGE,
    square=Square(20, 20),
    vector=Vector(0, 0),
)


def test_the_front_of_a_contact_lies_before_it_and_nowhere_else() -> None:
    drawn = {square for square, _ in arcs(view(contacts=(FACING,)), ())}
    # What stands right before a large base lies beneath it.
    assert {Square(x, 20) for x in range(22, 36)} <= drawn
    assert all(square.x > 20 for square in drawn)
    # The sides of the arc are as steep as each other.
    assert {Square(square.x, 40 - square.y) for square in drawn} == drawn
    base = contact_base(FACING)
    for square in view().board.area.squares():
        other = GridBase(BaseSize.SMALL, square, Compass.N)
        is_before = square != FACING.square and grid_band(base, other, Arc.FRONT) is not None
        assert (square in drawn) == is_before


@pytest.mark.parametrize("fix", [fix for fix in Fix if fix not in (Fix.SOLUTION, Fix.TRACKED)])
def test_of_a_contact_whose_facing_is_not_that_of_now_no_front_is_drawn(fix: Fix) -> None:
    assert arcs(view(contacts=(replace(FACING, fix=fix),)), ()) == ()
    assert arcs(view(contacts=(replace(FACING, facing=None),)), ()) == ()
    assert arcs(view(contacts=(replace(FACING, size=None),)), ()) == ()


@given(SQUARES, SQUARES)
def test_a_line_goes_from_square_to_square_without_a_gap(start: Square, end: Square) -> None:
    way = [start, *(square for square, _ in line(start, end)), end]
    steps = pairwise(way)
    assert all(max(abs(b.x - a.x), abs(b.y - a.y)) <= 1 for a, b in steps)


@given(SQUARES, SQUARES)
def test_a_line_is_as_long_as_the_longer_way(start: Square, end: Square) -> None:
    longest = max(abs(end.x - start.x), abs(end.y - start.y))
    assert len(line(start, end)) == max(longest - 1, 0)


@given(VIEWS)
def test_layers_are_made_of_the_view_alone(seen: View) -> None:
    again = msgspec.convert(msgspec.to_builtins(seen), View)
    assert overlay(again, (), LAYERS) == overlay(seen, (), LAYERS)
