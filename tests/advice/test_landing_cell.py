"""The cell on which a ship lands that carries troops: one where they can step out and go on."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from builders.ground import planet
from builders.groundadvice import ABOARD, FLYING, G2, S1, ground_view
from sunglare_client.command import Give
from sunglare_client.terminal.input.parser import parse
from sunglare_protocol.geometry import Board, Landing
from sunglare_protocol.orders import Land
from sunglare_protocol.orders.ground import Move
from sunglare_protocol.surface import Cell, Mode, Site
from sunglare_protocol.views import View
from sunglare_protocol.views.ground import GroundView
from sunglare_protocol.words.ladder import Phase
from sunglare_rules.advice.check.check import check
from sunglare_rules.advice.legal.ground import moves_of
from sunglare_rules.advice.plans.landing_cell import landing_cell
from sunglare_rules.ground.terrain import LETTERS

LAND = Land(ship=S1, body="Ceres", environs=1)
LAKE = ("......", ".~~~~.", ".~~~~.", ".~~~~.", "......")
"""A lake with its shore: the middle is D3."""
ROCKS = ("......", ".....2", "...2.2", ".....2", "......")
TANK = replace(ABOARD, id=G2, mode=Mode.TRACKED, move=6)


def above(rows: tuple[str, ...], *units: GroundView) -> View:
    """Return a PLOT with a ship above a map that is drawn so, and units of its side."""
    board = Board(planets=(planet(*rows),))
    return replace(ground_view(Phase.PLOT, *units, board=board), own=(FLYING,))


def landed(seen: View, cell: Cell | None) -> View:
    """Return the view once the ship has landed on a cell; None is the middle."""
    site = Site("Ceres", 1)
    environs = seen.board.environs_at(site)
    assert environs is not None
    down = Landing(body="Ceres", sector=environs.sector, environs=1, cell=cell)
    return replace(seen, own=(replace(FLYING, landed=down),))


def can_go_on(seen: View, unit: GroundView, cell: Cell) -> bool:
    """Return whether a unit can step out of a ship landed there, and move on a turn later."""
    down = landed(seen, cell)
    out = replace(unit, aboard=None, site=Site("Ceres", 1), cell=cell)
    steps_out = check(down, (Move(ship=unit.id, unload=True),)) is None
    ashore = replace(down, ground=tuple(out if one.id == unit.id else one for one in seen.ground))
    return steps_out and any(check(ashore, (move,)) is None for move in moves_of(ashore, out))


def test_a_ship_with_troops_lands_beside_the_water_and_not_in_it() -> None:
    seen = above(LAKE, ABOARD)
    assert check(landed(seen, None), (Move(ship=ABOARD.id, unload=True),)) is not None
    chosen = landing_cell(seen, LAND)
    assert chosen is not None
    assert can_go_on(seen, ABOARD, chosen)


@pytest.mark.parametrize(
    ("rows", "units", "order"),
    [
        pytest.param(LAKE, (), LAND, id="no unit is aboard"),
        pytest.param(LAKE, (ABOARD,), replace(LAND, cell=Cell(2, 2)), id="a cell is named"),
        pytest.param(("~" * 6,) * 6, (ABOARD,), LAND, id="no cell is better"),
        pytest.param(("." * 6,) * 6, (ABOARD,), LAND, id="the middle serves"),
        pytest.param(LAKE, (replace(ABOARD, aboard="S9"),), LAND, id="aboard another ship"),
        pytest.param(LAKE, (ABOARD,), replace(LAND, environs=9), id="there is no such map"),
    ],
)
def test_else_the_landing_is_left_as_it_is(
    rows: tuple[str, ...], units: tuple[GroundView, ...], order: Land
) -> None:
    assert landing_cell(above(rows, *units), order) is None


def test_of_several_units_as_many_as_possible_are_served() -> None:
    seen = above(ROCKS, ABOARD, TANK)
    chosen = landing_cell(seen, LAND)
    assert chosen is not None
    assert can_go_on(seen, ABOARD, chosen)
    assert can_go_on(seen, TANK, chosen)


@given(
    rows=st.lists(st.text(sorted(LETTERS), min_size=5, max_size=5), min_size=4, max_size=6),
    mode=st.sampled_from([mode for mode in Mode if mode is not Mode.NONE]),
)
def test_if_there_is_a_cell_where_the_troops_can_go_on_it_is_one_of_these(
    rows: list[str], mode: Mode
) -> None:
    unit = replace(ABOARD, mode=mode, move=6)
    seen = above(tuple(rows), unit)
    (drawn, *_) = seen.board.planets[0].environs
    cells = [Cell(column, row) for column in range(5) for row in range(len(rows))]
    good = [cell for cell in cells if can_go_on(seen, unit, cell)]
    chosen = landing_cell(seen, LAND) or drawn.middle
    assert chosen in good or not good


def test_land_says_which_cell_it_has_chosen() -> None:
    seen = above(LAKE, ABOARD)
    given_order = parse("land S1 Ceres 1", seen)
    chosen = landing_cell(seen, LAND)
    assert chosen is not None
    assert isinstance(given_order, Give)
    assert given_order.orders == (replace(LAND, cell=chosen),)
    assert given_order.remark.startswith(chosen.name)
    assert parse("land S1 Ceres 1 C3", seen) == Give((replace(LAND, cell=Cell(2, 2)),))
