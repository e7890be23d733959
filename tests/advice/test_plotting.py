"""A plan's ships as it deploys them, and whether they fly cloaked."""

import pytest
from msgspec.structs import replace

from builders.orders import Written, read_on
from builders.views import S1, S2, own_ship, view
from sunglare_protocol.geometry import Square
from sunglare_protocol.orders import Cloak
from sunglare_protocol.words.ladder import Phase
from sunglare_rules.advice.seen.plotting import as_deployed, cloaked_in_movement

SET_UP = view(Phase.PLOT, own_ship(), own_ship(id=S2), turn=1, zone=("A6",))


def test_ships_stand_where_the_plan_deploys_them_and_the_others_where_they_were() -> None:
    placed = as_deployed(SET_UP, read_on(SET_UP, "deploy S1 3,27", "turn S2 +1"))
    assert [ship.square for ship in placed.own] == [Square(3, 27), SET_UP.own[1].square]
    assert replace(placed, own=SET_UP.own) == SET_UP


@pytest.mark.parametrize("orders", [(), ("turn S1 +1",)])
def test_a_view_without_a_deployment_is_the_same(orders: tuple[Written, ...]) -> None:
    assert as_deployed(SET_UP, read_on(SET_UP, *orders)) is SET_UP


@pytest.mark.parametrize("on", [True, False])
@pytest.mark.parametrize("works", [True, False])
@pytest.mark.parametrize("has", [True, False])
def test_a_ship_flies_cloaked_as_it_is_ordered_if_it_has_a_cloak_that_works(
    has: bool, works: bool, on: bool
) -> None:
    ship = own_ship(cloak=has, cloak_works=works, cloaked=has and not on)
    assert cloaked_in_movement(ship, (Cloak(ship=S1, on=on),)) is (has and works and on)


@pytest.mark.parametrize("cloaked", [True, False])
def test_without_an_order_a_ship_flies_as_it_is(cloaked: bool) -> None:
    assert cloaked_in_movement(own_ship(cloak=True, cloaked=cloaked), ()) is cloaked
