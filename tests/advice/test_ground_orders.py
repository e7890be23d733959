"""What the orders of ground units and agents are refused for, where, and with what choices."""

import pytest
from msgspec.structs import replace

from builders.cases import cases
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
    ON_ROCK,
    P1,
    S1,
    SITE,
    ground_view,
    reason,
    told,
)
from builders.orders import Written, read
from builders.spotting import specials
from builders.terminals import AGENT, GUARD
from sunglare_protocol.geometry import Board as Map
from sunglare_protocol.geometry import Compass
from sunglare_protocol.ids import OwnId, Side
from sunglare_protocol.orders import Lift, Order, Power, Sensors, Thrust, Turn
from sunglare_protocol.orders.ground import Move, Station
from sunglare_protocol.surface import Cell, Mode, Site
from sunglare_protocol.views import OwnView, View
from sunglare_protocol.views.ground import AgentView, AreaView, GroundView
from sunglare_protocol.words.ladder import Fate, Phase
from sunglare_rules.advice.check.ground import stands, stationed

PLOT = Phase.PLOT
JAMMER = replace(GUARD, specials=specials("TAG ECM"))
JUMPER = replace(GUARD, jump=6)
SECOND = replace(GUARD, id=G2)
ELSEWHERE = replace(DOWN, sector=Compass.SE, environs=2)
STEP, LOAD, UNLOAD = "move G1 D3", "move G1 load S1", "move G1 unload"


@pytest.mark.parametrize(
    ("unit", "order", "refused"),
    [
        (JAMMER, "power G1 on ecm off", None),
        (JAMMER, "power G1 on ecm on", None),
        (JAMMER, Power(ship=G1, on=True), "order/ecm .ecm"),
        (JAMMER, Power(ship=G1, on=False, ecm=False), "order/ecm .on"),
        (JAMMER, Power(ship=G1, on=False), "order/ecm .on"),
        (GUARD, "power G1 on ecm on", "order/ecm .ecm"),
    ],
)
def test_of_a_ground_unit_the_jammer_alone_is_switched(
    unit: GroundView, order: Written, refused: str | None
) -> None:
    assert told(ground_view(PLOT, unit), order) == refused


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
    assert told(ground_view(), order) == "order/ship .ship"


@cases(
    "order",
    {
        "unknown": "move G7 D3",
        "lost": "move G2 D3",
        "an agent": Move(ship=P1, path=(Cell(3, 2),)),
        "unknown, stationed": "station G7 Ceres 1 B2",
        "lost, stationed": "station G2 Ceres 1 B2",
    },
)
def test_who_names_no_unit_in_play_is_told_those_that_are(order: Written) -> None:
    seen = ground_view(PLOT, GUARD, LOST, turn=1, agents=(AGENT,))
    assert told(seen, order) == "order/unit .ship: G1"


# Where units and agents start.

AREAS = (AreaView(site=SITE, cells=(0, 0, 3, 3)), AreaView(site=FAR, cells=(8, 0, 10, 3)))


def first_plot(
    unit: GroundView = GUARD, agent: AgentView = AGENT, areas: tuple[AreaView, ...] = AREAS
) -> View:
    return ground_view(PLOT, unit, turn=1, agents=(agent,), areas=areas)


def test_a_unit_is_stationed_as_its_own_order_says_before_it_moves() -> None:
    other, there = read("station G2 Ceres 1 B2; station G1 Ceres 2 J2 hidden")
    expected = replace(GUARD, site=FAR, cell=Cell(9, 1), hidden=True)
    assert stationed(GUARD, (other, there)) == expected
    assert stationed(GUARD, (other,)) == GUARD


@cases(
    ("unit", "order", "refused"),
    {
        "in its area": (GUARD, "station G1 Ceres 1 B2", None),
        "in the area of another map": (GUARD, "station G1 Ceres 2 J2", None),
        "where only the other map has an area": (
            GUARD,
            "station G1 Ceres 1 J2",
            "order/cell .cell",
        ),
        "where only its own map has an area": (GUARD, "station G1 Ceres 2 B2", "order/cell .cell"),
        "aboard a ship": (ABOARD, "station G1 Ceres 1 B2", "order/cell .ship"),
        "in a stack": (
            GUARD,
            Station(ship=G1, at=SITE, cell=Cell(1, 1), stacked=G2),
            "order/cell .stacked",
        ),
    },
)
def test_a_unit_is_stationed_on_a_cell_of_an_area_of_that_map(
    unit: GroundView, order: Written, refused: str | None
) -> None:
    assert told(first_plot(unit), order) == refused


@cases(
    ("agent", "line", "field"),
    {
        "at home": (AGENT, "station P1 Ceres 1", None),
        "on a map with an area": (AGENT, "station P1 Ceres 2", None),
        "aboard": (replace(AGENT, site=None, aboard=S1), "station P1 Ceres 1", ".ship"),
        "a prisoner": (replace(AGENT, captor=Side("B")), "station P1 Ceres 1", ".ship"),
        "on a map without an area": (replace(AGENT, site=FAR), "station P1 Ceres 1", ".at"),
    },
)
def test_a_free_agent_on_the_ground_is_stationed_at_home_or_where_his_side_sets_up(
    agent: AgentView, line: str, field: str | None
) -> None:
    found = told(first_plot(agent=agent, areas=AREAS[1:]), line)
    assert found == (None if field is None else f"order/cell {field}")


@pytest.mark.parametrize(
    "line", ["station G1 Ceres 9 B2", "station P1 Ceres 9"], ids=["unit", "agent"]
)
def test_a_place_that_the_map_does_not_have_is_called_so(line: str) -> None:
    assert told(first_plot(), line) == "order/cell .at"
    assert "no such environs" in reason(first_plot(), line)
    elsewhere = line.replace("Ceres 9", "Ceres 2")
    assert "does not set up" in reason(first_plot(areas=AREAS[:1]), elsewhere)


# Moves.

HALVES = (replace(GUARD, cell=None), replace(GUARD, site=None))


@pytest.mark.parametrize("unit", [*HALVES, ABOARD], ids=["no cell", "no map", "aboard"])
def test_a_unit_without_a_cell_of_a_map_walks_nowhere_and_goes_into_no_ship(
    unit: GroundView,
) -> None:
    seen = ground_view(PLOT, unit, own=(CARRIER,))
    assert told(seen, STEP) == "order/load .path"
    assert told(seen, LOAD) == "order/load .load"
    assert "already aboard" in reason(seen, LOAD)


def test_a_map_that_is_not_on_the_board_has_no_path() -> None:
    assert told(ground_view(), STEP) is None
    assert told(ground_view(board=Map()), STEP) == "order/path .path"


def test_a_jump_names_the_one_cell_where_it_ends() -> None:
    seen = ground_view(PLOT, JUMPER)
    assert told(seen, "move G1 jump D3 E3") == "order/path .path"
    assert told(seen, "move G1 jump E3") is None


def test_a_unit_jumps_from_where_it_is_to_where_it_can_stand() -> None:
    water = "move G1 jump C1"
    assert told(ground_view(PLOT, JUMPER), water) == "order/path .path[0]"
    hover = replace(JUMPER, mode=Mode.HOVER)
    assert told(ground_view(PLOT, hover), water) is None


# Into ships and out of them.


def test_who_names_no_ship_in_play_to_go_into_is_told_those_that_are() -> None:
    lost = replace(CARRIER, id=OwnId("S3"), fate=Fate.DESTROYED)
    seen = ground_view(PLOT, GUARD, own=(CARRIER, lost))
    for ship in ("S7", "S3"):
        assert told(seen, f"move G1 load {ship}") == "order/ship .load: S1"


@cases(
    ("ship", "beside"),
    {
        "beside it": (CARRIER, True),
        "another map": (replace(CARRIER, landed=ELSEWHERE), False),
        "no map": (replace(CARRIER, landed=replace(DOWN, environs=9)), False),
        "too far off": (replace(CARRIER, landed=replace(DOWN, cell=Cell(4, 2))), False),
        "on an asteroid": (replace(CARRIER, landed=ON_ROCK), False),
        "flying": (FLYING, False),
    },
)
def test_a_unit_goes_into_a_ship_that_stands_beside_it(ship: OwnView, beside: bool) -> None:
    expected = None if beside else "order/load .load"
    assert told(ground_view(PLOT, GUARD, own=(ship,)), LOAD) == expected


@cases(
    ("aboard", "has_room"),
    {
        "full": (replace(SECOND, site=None, cell=None, aboard=S1), False),
        "in another ship": (replace(SECOND, site=None, cell=None, aboard=OwnId("S2")), True),
        "lost aboard": (replace(LOST, site=None, cell=None, aboard=S1), True),
    },
)
def test_units_in_play_aboard_take_up_the_bays(aboard: GroundView, has_room: bool) -> None:
    expected = None if has_room else "order/load .load"
    assert told(ground_view(PLOT, GUARD, aboard, own=(CARRIER,)), LOAD) == expected


@cases(
    ("ship", "line", "lets_out"),
    {
        "down": (CARRIER, UNLOAD, True),
        "lifting off": (CARRIER, f"lift S1; {UNLOAD}", False),
        "flying": (FLYING, UNLOAD, False),
        "on an asteroid": (replace(CARRIER, landed=ON_ROCK), UNLOAD, False),
        "no map": (replace(CARRIER, landed=replace(DOWN, environs=9)), UNLOAD, False),
        "in water": (replace(CARRIER, landed=replace(DOWN, cell=Cell(2, 0))), UNLOAD, False),
        "by the water": (replace(CARRIER, landed=replace(DOWN, cell=Cell(2, 1))), UNLOAD, True),
    },
)
def test_a_unit_comes_out_of_a_ship_that_stays_down_where_it_can_stand(
    ship: OwnView, line: str, lets_out: bool
) -> None:
    expected = None if lets_out else "order/load .unload"
    assert told(ground_view(PLOT, ABOARD, own=(ship,)), line) == expected


@cases(
    ("ship", "place"),
    {
        "on a cell": (CARRIER, (SITE, Cell(2, 3))),
        "on the middle": (replace(CARRIER, landed=replace(DOWN, cell=None)), (SITE, Cell(6, 3))),
        "on an asteroid": (replace(CARRIER, landed=ON_ROCK), None),
        "no map": (replace(CARRIER, landed=replace(DOWN, environs=9)), None),
        "flying": (FLYING, None),
    },
)
def test_a_landed_ship_stands_on_its_cell_or_the_middle_of_the_map(
    ship: OwnView, place: tuple[Site, Cell] | None
) -> None:
    assert stands(ground_view(board=BOARD), ship) == place
