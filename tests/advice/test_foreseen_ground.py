"""What an own view is expected to show of ground units after the orders given: loads."""

import pytest

from builders.groundadvice import ABOARD, CARRIER, DOWN, FLYING, S1, SITE, ground_view
from builders.orders import read
from builders.terminals import GUARD
from sunglare_protocol.views import OwnView
from sunglare_protocol.views.ground import GroundView
from sunglare_protocol.words.ladder import Phase
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
