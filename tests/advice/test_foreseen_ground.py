"""What an own view is expected to show of ground units after the orders given."""

import pytest
from msgspec.structs import replace

from builders.groundadvice import ABOARD, CARRIER, DOWN, FLYING, S1, SITE, ground_view
from builders.orders import read
from builders.terminals import GUARD, ship
from sunglare_protocol.ids import OwnId
from sunglare_protocol.orders import Order, Power
from sunglare_protocol.orders.ground import Move
from sunglare_protocol.surface import Cell
from sunglare_protocol.views import OwnView
from sunglare_protocol.views.ground import GroundView
from sunglare_protocol.words.ladder import Fate, Phase
from sunglare_protocol.words.pieces import BaseSize
from sunglare_rules.advice.odds.after import after


def then(unit: GroundView, ship: OwnView, order: str) -> GroundView:
    """Return the unit as it will be after an order of it."""
    (expected,) = after(ground_view(Phase.PLOT, unit, own=(ship,)), read(order)).ground
    return expected


def test_a_unit_that_is_loaded_is_aboard_the_ship_beside_it() -> None:
    loaded = then(GUARD, CARRIER, "move G1 load S1")
    assert (loaded.site, loaded.cell, loaded.aboard) == (None, None, S1)


@pytest.mark.parametrize("unit", [GUARD, ABOARD], ids=["load", "unload"])
def test_a_ship_that_flies_takes_nobody_aboard_and_lets_nobody_out(unit: GroundView) -> None:
    order = "move G1 load S1" if unit is GUARD else "move G1 unload"
    assert then(unit, FLYING, order) == unit


def test_a_unit_that_is_unloaded_stands_where_the_ship_is_down() -> None:
    out = then(ABOARD, CARRIER, "move G1 unload")
    assert (out.site, out.cell, out.aboard) == (SITE, DOWN.cell, None)


def foreseen(unit: GroundView, *orders: Order, own: tuple[OwnView, ...] = ()) -> GroundView:
    """Return the unit as it will be after orders, whether they may be given or not."""
    (expected,) = after(ground_view(Phase.PLOT, unit, own=own), orders).ground
    return expected


def move(*path: Cell, jump: bool = False, unload: bool = False) -> Move:
    return Move(ship=GUARD.id, path=path, jump=jump, unload=unload)


HIDDEN = replace(GUARD, hidden=True)
TANK = ship(CARRIER, id=OwnId("S2"), landed=None)


def test_a_unit_that_is_loaded_hides_no_more() -> None:
    assert not then(HIDDEN, CARRIER, "move G1 load S1").hidden


def test_a_unit_far_from_the_ship_is_not_loaded() -> None:
    far = replace(GUARD, cell=Cell(5, 5))
    assert then(far, CARRIER, "move G1 load S1") == far


@pytest.mark.parametrize(("size", "is_loaded"), [(BaseSize.SMALL, False), (BaseSize.LARGE, True)])
def test_a_large_ship_takes_aboard_a_unit_that_stands_farther_off(
    size: BaseSize, is_loaded: bool
) -> None:
    beside = replace(GUARD, cell=Cell(1, 3))
    loaded = foreseen(beside, *read("move G1 load S1"), own=(replace(CARRIER, size=size),))
    assert (loaded.aboard == S1) is is_loaded


def test_a_ship_that_is_lost_takes_nobody_aboard() -> None:
    lost = replace(CARRIER, fate=Fate.DESTROYED)
    assert foreseen(GUARD, *read("move G1 load S1"), own=(lost,)) == GUARD


def test_of_several_ships_the_one_that_is_named_takes_the_unit_aboard() -> None:
    loaded = foreseen(GUARD, *read("move G1 load S1"), own=(TANK, CARRIER))
    assert loaded.aboard == S1


def test_a_unit_on_foot_is_not_unloaded() -> None:
    assert foreseen(GUARD, move(unload=True), own=(CARRIER,)) == GUARD


def test_a_unit_walks_to_the_end_of_its_path_and_jumps_to_its_cell() -> None:
    assert foreseen(GUARD, move(Cell(3, 3), Cell(3, 4))).cell == Cell(3, 4)
    jumper = replace(GUARD, jump=9)
    assert foreseen(jumper, move(Cell(2, 4), jump=True)).cell == Cell(2, 4)


@pytest.mark.parametrize(
    ("unit", "order"),
    [
        pytest.param(GUARD, move(), id="without a path"),
        pytest.param(GUARD, move(Cell(9, 9)), id="to a cell that it can't reach"),
        pytest.param(GUARD, move(Cell(2, 4), jump=True), id="by a jump that it can't make"),
        pytest.param(ABOARD, move(Cell(3, 3)), id="aboard a ship"),
        pytest.param(
            replace(GUARD, site=SITE._replace(environs=9)), move(Cell(3, 3)), id="on no map"
        ),
        pytest.param(replace(GUARD, cell=None), move(Cell(3, 3)), id="on no cell"),
        pytest.param(replace(GUARD, fate=Fate.DESTROYED), move(Cell(3, 3)), id="that is dead"),
    ],
)
def test_a_unit_that_can_not_go_stays_as_it_is(unit: GroundView, order: Move) -> None:
    assert foreseen(unit, order) == unit


def test_a_unit_goes_by_its_own_orders_alone() -> None:
    other = replace(GUARD, id=OwnId("G2"))
    assert foreseen(other, move(Cell(3, 3))) == other


def test_a_units_jammer_is_as_it_is_switched_and_else_as_it_was() -> None:
    on = Power(ship=GUARD.id, on=True, ecm=True)
    assert foreseen(GUARD, on).ecm_on is True
    jamming = replace(GUARD, ecm_on=True)
    assert foreseen(jamming, Power(ship=GUARD.id, on=True)) == jamming
    assert foreseen(jamming, Power(ship=GUARD.id, on=True, ecm=False)).ecm_on is False
