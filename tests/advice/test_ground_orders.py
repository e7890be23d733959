"""What the orders of ground units and agents are refused for, where, and with what choices."""

import msgspec
import pytest

from builders.groundadvice import (
    ABOARD,
    BOARD,
    CARRIER,
    DOWN,
    FAR,
    FLYING,
    G1,
    G2,
    LOST,
    NOWHERE,
    ON_ROCK,
    P1,
    S1,
    SITE,
    Told,
    ground_view,
    reason,
    told,
)
from builders.spotting import specials
from builders.terminals import AGENT, GUARD
from sunglare_protocol.geometry import Board as Map
from sunglare_protocol.geometry import Compass
from sunglare_protocol.ids import OwnId, Side
from sunglare_protocol.orders import Lift, Order, Power, Sensors, Thrust, Turn
from sunglare_protocol.orders.ground import Move, Station
from sunglare_protocol.refusals import Code
from sunglare_protocol.surface import Cell, Mode, Site
from sunglare_protocol.views import OwnView, View
from sunglare_protocol.views.ground import AgentView, AreaView, GroundView
from sunglare_protocol.words.ladder import Fate, Phase
from sunglare_rules.advice.check.ground import stands, stationed

_replace = msgspec.structs.replace

PLOT = Phase.PLOT
JAMMER = _replace(GUARD, specials=specials("TAG ECM"))
JUMPER = _replace(GUARD, jump=6)
SECOND = _replace(GUARD, id=G2)
ELSEWHERE = _replace(DOWN, sector=Compass.SE, environs=2)
STEP, LOAD, UNLOAD = (
    Move(ship=G1, path=(Cell(3, 2),)),
    Move(ship=G1, load=S1),
    Move(ship=G1, unload=True),
)


@pytest.mark.parametrize(
    ("unit", "order", "refusal"),
    [
        (JAMMER, Power(ship=G1, on=True, ecm=False), None),
        (JAMMER, Power(ship=G1, on=True, ecm=True), None),
        (JAMMER, Power(ship=G1, on=True), Told(Code.ORDER_ECM, ".ecm")),
        (JAMMER, Power(ship=G1, on=False, ecm=False), Told(Code.ORDER_ECM, ".on")),
        (JAMMER, Power(ship=G1, on=False), Told(Code.ORDER_ECM, ".on")),
        (GUARD, Power(ship=G1, on=True, ecm=True), Told(Code.ORDER_ECM, ".ecm")),
    ],
)
def test_of_a_ground_unit_the_jammer_alone_is_switched(
    unit: GroundView, order: Power, refusal: Told | None
) -> None:
    assert told(ground_view(PLOT, unit), order) == refusal


@pytest.mark.parametrize(
    "order",
    [
        Turn(ship=G1, steps=1),
        Thrust(ship=G1, to=(Compass.N,)),
        Sensors(ship=G1, out=True),
        Lift(ship=G1),
    ],
    ids=lambda order: type(order).__name__,
)
def test_a_ground_unit_takes_no_order_of_a_ship(order: Order) -> None:
    assert told(ground_view(), order) == Told(Code.ORDER_SHIP, ".ship")


@pytest.mark.parametrize(
    "order",
    [
        Move(ship=OwnId("G7"), path=(Cell(3, 2),)),
        Move(ship=G2, path=(Cell(3, 2),)),
        Move(ship=P1, path=(Cell(3, 2),)),
        Station(ship=OwnId("G7"), at=SITE, cell=Cell(1, 1)),
        Station(ship=G2, at=SITE, cell=Cell(1, 1)),
    ],
    ids=["unknown", "lost", "an agent", "unknown, stationed", "lost, stationed"],
)
def test_who_names_no_unit_in_play_is_told_those_that_are(order: Order) -> None:
    seen = ground_view(PLOT, GUARD, LOST, turn=1, agents=(AGENT,))
    assert told(seen, order) == Told(Code.ORDER_UNIT, ".ship", (G1,))


# Where units and agents start.

AREAS = (AreaView(site=SITE, cells=(0, 0, 3, 3)), AreaView(site=FAR, cells=(8, 0, 10, 3)))


def first_plot(
    unit: GroundView = GUARD, agent: AgentView = AGENT, areas: tuple[AreaView, ...] = AREAS
) -> View:
    return ground_view(PLOT, unit, turn=1, agents=(agent,), areas=areas)


def test_a_unit_is_stationed_as_its_own_order_says_before_it_moves() -> None:
    there = Station(ship=G1, at=FAR, cell=Cell(9, 1), hidden=True)
    other = Station(ship=G2, at=SITE, cell=Cell(1, 1))
    expected = _replace(GUARD, site=FAR, cell=Cell(9, 1), hidden=True)
    assert stationed(GUARD, (other, there)) == expected
    assert stationed(GUARD, (other,)) == GUARD


@pytest.mark.parametrize(
    ("unit", "order", "refusal"),
    [
        (GUARD, Station(ship=G1, at=SITE, cell=Cell(1, 1)), None),
        (GUARD, Station(ship=G1, at=FAR, cell=Cell(9, 1)), None),
        (
            GUARD,
            Station(ship=G1, at=SITE, cell=Cell(9, 1)),
            Told(Code.ORDER_CELL, ".cell"),
        ),
        (
            GUARD,
            Station(ship=G1, at=FAR, cell=Cell(1, 1)),
            Told(Code.ORDER_CELL, ".cell"),
        ),
        (
            ABOARD,
            Station(ship=G1, at=SITE, cell=Cell(1, 1)),
            Told(Code.ORDER_CELL, ".ship"),
        ),
        (
            GUARD,
            Station(ship=G1, at=SITE, cell=Cell(1, 1), stacked=G2),
            Told(Code.ORDER_CELL, ".stacked"),
        ),
    ],
    ids=[
        "in its area",
        "in the area of another map",
        "where only the other map has an area",
        "where only its own map has an area",
        "aboard a ship",
        "in a stack",
    ],
)
def test_a_unit_is_stationed_on_a_cell_of_an_area_of_that_map(
    unit: GroundView, order: Station, refusal: Told | None
) -> None:
    assert told(first_plot(unit), order) == refusal


@pytest.mark.parametrize(
    ("agent", "order", "refusal"),
    [
        (AGENT, Station(ship=P1, at=SITE), None),
        (AGENT, Station(ship=P1, at=FAR), None),
        (_replace(AGENT, site=None, aboard=S1), Station(ship=P1, at=SITE), ".ship"),
        (_replace(AGENT, captor=Side("B")), Station(ship=P1, at=SITE), ".ship"),
        (_replace(AGENT, site=FAR), Station(ship=P1, at=Site("Ceres", 1)), ".at"),
    ],
    ids=["at home", "on a map with an area", "aboard", "a prisoner", "on a map without an area"],
)
def test_a_free_agent_on_the_ground_is_stationed_at_home_or_where_his_side_sets_up(
    agent: AgentView, order: Station, refusal: str | None
) -> None:
    found = told(first_plot(agent=agent, areas=AREAS[1:]), order)
    assert found == (None if refusal is None else Told(Code.ORDER_CELL, refusal))


@pytest.mark.parametrize(
    "order",
    [Station(ship=G1, at=NOWHERE, cell=Cell(1, 1)), Station(ship=P1, at=NOWHERE)],
    ids=["unit", "agent"],
)
def test_a_place_that_the_map_does_not_have_is_called_so(order: Station) -> None:
    assert told(first_plot(), order) == Told(Code.ORDER_CELL, ".at")
    assert "no such environs" in reason(first_plot(), order)
    elsewhere = _replace(order, at=FAR)
    assert "does not set up" in reason(first_plot(areas=AREAS[:1]), elsewhere)


# Moves.

HALVES = (_replace(GUARD, cell=None), _replace(GUARD, site=None))


@pytest.mark.parametrize("unit", [*HALVES, ABOARD], ids=["no cell", "no map", "aboard"])
def test_a_unit_without_a_cell_of_a_map_walks_nowhere_and_goes_into_no_ship(
    unit: GroundView,
) -> None:
    seen = ground_view(PLOT, unit, own=(CARRIER,))
    assert told(seen, STEP) == Told(Code.ORDER_LOAD, ".path")
    assert told(seen, LOAD) == Told(Code.ORDER_LOAD, ".load")
    assert "aboard already" in reason(seen, LOAD)


def test_a_map_that_is_not_on_the_board_has_no_path() -> None:
    assert told(ground_view(), STEP) is None
    assert told(ground_view(board=Map()), STEP) == Told(Code.ORDER_PATH, ".path")


def test_a_jump_names_the_one_cell_where_it_ends() -> None:
    twice = Move(ship=G1, path=(Cell(3, 2), Cell(4, 2)), jump=True)
    seen = ground_view(PLOT, JUMPER)
    assert told(seen, twice) == Told(Code.ORDER_PATH, ".path")
    assert told(seen, _replace(twice, path=twice.path[1:])) is None


def test_a_unit_jumps_from_where_it_is_to_where_it_can_stand() -> None:
    water = Move(ship=G1, path=(Cell(2, 0),), jump=True)
    assert told(ground_view(PLOT, JUMPER), water) == Told(Code.ORDER_PATH, ".path[0]")
    hover = _replace(JUMPER, mode=Mode.HOVER)
    assert told(ground_view(PLOT, hover), water) is None


# Into ships and out of them.


def test_who_names_no_ship_in_play_to_go_into_is_told_those_that_are() -> None:
    lost = _replace(CARRIER, id=OwnId("S3"), fate=Fate.DESTROYED)
    seen = ground_view(PLOT, GUARD, own=(CARRIER, lost))
    for ship in ("S7", "S3"):
        load = Move(ship=G1, load=OwnId(ship))
        assert told(seen, load) == Told(Code.ORDER_SHIP, ".load", (S1,))


@pytest.mark.parametrize(
    ("ship", "beside"),
    [
        (CARRIER, True),
        (_replace(CARRIER, landed=ELSEWHERE), False),
        (_replace(CARRIER, landed=_replace(DOWN, environs=9)), False),
        (_replace(CARRIER, landed=_replace(DOWN, cell=Cell(4, 2))), False),
        (_replace(CARRIER, landed=ON_ROCK), False),
        (FLYING, False),
    ],
    ids=["beside it", "another map", "no map", "too far off", "on an asteroid", "flying"],
)
def test_a_unit_goes_into_a_ship_that_stands_beside_it(ship: OwnView, beside: bool) -> None:
    expected = None if beside else Told(Code.ORDER_LOAD, ".load")
    assert told(ground_view(PLOT, GUARD, own=(ship,)), LOAD) == expected


@pytest.mark.parametrize(
    ("aboard", "has_room"),
    [
        (_replace(SECOND, site=None, cell=None, aboard=S1), False),
        (_replace(SECOND, site=None, cell=None, aboard=OwnId("S2")), True),
        (_replace(LOST, site=None, cell=None, aboard=S1), True),
    ],
    ids=["full", "in another ship", "lost aboard"],
)
def test_units_in_play_aboard_take_up_the_bays(aboard: GroundView, has_room: bool) -> None:
    expected = None if has_room else Told(Code.ORDER_LOAD, ".load")
    assert told(ground_view(PLOT, GUARD, aboard, own=(CARRIER,)), LOAD) == expected


@pytest.mark.parametrize(
    ("ship", "orders", "lets_out"),
    [
        (CARRIER, (UNLOAD,), True),
        (CARRIER, (Lift(ship=S1), UNLOAD), False),
        (FLYING, (UNLOAD,), False),
        (_replace(CARRIER, landed=ON_ROCK), (UNLOAD,), False),
        (_replace(CARRIER, landed=_replace(DOWN, environs=9)), (UNLOAD,), False),
        (_replace(CARRIER, landed=_replace(DOWN, cell=Cell(2, 0))), (UNLOAD,), False),
        (_replace(CARRIER, landed=_replace(DOWN, cell=Cell(2, 1))), (UNLOAD,), True),
    ],
    ids=["down", "lifting off", "flying", "on an asteroid", "no map", "in water", "by the water"],
)
def test_a_unit_comes_out_of_a_ship_that_stays_down_where_it_can_stand(
    ship: OwnView, orders: tuple[Order, ...], lets_out: bool
) -> None:
    expected = None if lets_out else Told(Code.ORDER_LOAD, ".unload")
    assert told(ground_view(PLOT, ABOARD, own=(ship,)), *orders) == expected


@pytest.mark.parametrize(
    ("ship", "place"),
    [
        (CARRIER, (SITE, Cell(2, 3))),
        (_replace(CARRIER, landed=_replace(DOWN, cell=None)), (SITE, Cell(6, 3))),
        (_replace(CARRIER, landed=ON_ROCK), None),
        (_replace(CARRIER, landed=_replace(DOWN, environs=9)), None),
        (FLYING, None),
    ],
    ids=["on a cell", "on the middle", "on an asteroid", "no map", "flying"],
)
def test_a_landed_ship_stands_on_its_cell_or_the_middle_of_the_map(
    ship: OwnView, place: tuple[Site, Cell] | None
) -> None:
    assert stands(ground_view(board=BOARD), ship) == place
