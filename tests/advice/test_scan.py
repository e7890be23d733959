"""Which ends of a move and which scans the own view allows, and that every order is answered."""

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from builders.advice import AT_ROCK, COLD, NE, ON_THE_GROUND, SCAN, SW, E, N, S, assert_refused
from builders.views import (
    ORDERS,
    ROCK,
    S1,
    S2,
    S3,
    own_ship,
    view,
    views,
)
from sunglare_protocol.geometry import Square, Vector
from sunglare_protocol.orders import (
    Deploy,
    Fire,
    Land,
    Lift,
    Order,
    Scan,
    Thrust,
    Turn,
)
from sunglare_protocol.refusals import Code, Rejected
from sunglare_protocol.views import OwnView, View
from sunglare_protocol.words.ladder import Fate, Phase
from sunglare_protocol.words.scans import ScanSize, ScanType
from sunglare_rules.advice.check.check import check
from sunglare_rules.advice.seen.plotting import after_plot
from sunglare_rules.turn.movement import Flight


def scan(*orders: Order, ship: OwnView | None = None) -> Rejected | None:
    """Return what an open SCAN slot says to the orders."""
    other = own_ship(id=S2)
    return check(view(Phase.SCAN, ship or own_ship(), other, own_ship(id=S3), slot="A"), orders)


# Where a plotted move ends.


@pytest.mark.parametrize(
    ("ship", "orders", "flight"),
    [
        pytest.param(
            own_ship(square=Square(13, 14), vector=Vector(1, 4)),
            (),
            Flight(Square(15, 17), Vector(2, 3), N),
            id="the drift of scan 3, with the help of gravity",
        ),
        pytest.param(
            own_ship(vector=Vector(1, 0)),
            (Turn(ship=S1, steps=1), Thrust(ship=S1, to=(NE, E)), Turn(ship=S2, steps=4)),
            Flight(Square(10, 26), Vector(3, -1), NE),
            id="drift, then turn, then thrust",
        ),
        pytest.param(
            ON_THE_GROUND,
            (),
            Flight(Square(14, 13), Vector(0, 0), N),
            id="a landed ship stays",
        ),
        pytest.param(
            ON_THE_GROUND,
            (Lift(ship=S1),),
            Flight(Square(14, 13), Vector(0, 0), SW),
            id="a lift-off ends facing outward",
        ),
        pytest.param(
            own_ship(square=Square(14, 12), vector=Vector(1, 1)),
            (Land(ship=S1, body="Ceres", environs=1),),
            Flight(Square(14, 13), Vector(0, 0), N),
            id="a landing ends at rest below the environs' sector",
        ),
        pytest.param(
            AT_ROCK,
            (Land(ship=S1, body="Rock", sector=E),),
            Flight(ROCK.at, Vector(0, 0), N),
            id="a landing on an asteroid ends in its square",
        ),
        pytest.param(
            own_ship(),
            (Thrust(ship=S1, to=(S,)), Deploy(ship=S1, at=Square(2, 2), vector=Vector(1, 1))),
            Flight(Square(3, 4), Vector(1, 2), N),
            id="a deployed ship moves from where it is deployed",
        ),
    ],
)
def test_a_plotted_move_ends_here(
    ship: OwnView, orders: tuple[Order, ...], flight: Flight
) -> None:
    assert after_plot(view(Phase.PLOT, ship), ship, orders) == flight


# Scans.


@pytest.mark.parametrize("scan_type", [ScanType.VISUAL, ScanType.IR, ScanType.RADAR])
def test_the_sensors_on_the_hull_scan_only_popped_out_and_powered(scan_type: ScanType) -> None:
    order = msgspec.structs.replace(SCAN, type=scan_type)
    assert scan(order) is None
    folded = scan(order, ship=own_ship(popped_out=False))
    assert_refused(folded, Code.ORDER_SENSORS, "$.orders[0].type")
    destroyed = scan(order, ship=own_ship(hull_sensors_work=False))
    assert_refused(destroyed, Code.ORDER_SENSORS, "$.orders[0].type")
    assert_refused(scan(order, ship=COLD), Code.ORDER_POWER, "$.orders[0].type")


@pytest.mark.parametrize("scan_type", [ScanType.NEUTRINO, ScanType.MASS])
def test_neutrino_and_mass_sensors_scan_folded_cold_and_landed(scan_type: ScanType) -> None:
    order = msgspec.structs.replace(SCAN, type=scan_type)
    for ship in (COLD, own_ship(popped_out=False, powered=False), ON_THE_GROUND):
        assert scan(order, ship=ship) is None


def test_a_ship_without_a_rating_may_scan_all_the_same() -> None:
    assert ScanType.RADAR not in own_ship().sensors
    assert scan(msgspec.structs.replace(SCAN, type=ScanType.RADAR)) is None


@pytest.mark.parametrize(
    ("size", "at", "allowed"),
    [
        pytest.param(ScanSize.BOX, "H8", True, id="a box anywhere on the map"),
        pytest.param(ScanSize.BOXES, "A1", True, id="nine boxes over the edge"),
        pytest.param(ScanSize.BOX, "I1", False, id="a box east of the map"),
        pytest.param(ScanSize.BOX, "A9", False, id="a box south of the map"),
        pytest.param(ScanSize.BOX, "4E", False, id="no name of a box"),
        pytest.param(ScanSize.BOX, Square(7, 27), False, id="a square for a box"),
        pytest.param(ScanSize.SQUARE, Square(9, 29), True, id="a square of the own box"),
        pytest.param(ScanSize.SQUARE, Square(10, 29), False, id="a square of the next box"),
        pytest.param(ScanSize.SQUARE, "B6", False, id="a box for a square"),
        pytest.param(ScanSize.SQUARES, Square(14, 34), True, id="squares of the next box"),
        pytest.param(ScanSize.SQUARES, Square(15, 27), False, id="squares two boxes away"),
        pytest.param(ScanSize.SQUARES, Square(7, 40), False, id="squares off the map"),
    ],
)
def test_a_scan_names_its_place(size: ScanSize, at: str | Square, allowed: bool) -> None:
    problem = scan(msgspec.structs.replace(SCAN, size=size, at=at))
    assert (problem is None) is allowed
    if problem is not None:
        assert_refused(problem, Code.ORDER_PLACE, "$.orders[0].at")


@pytest.mark.parametrize(
    ("size", "at", "words"),
    [
        pytest.param(ScanSize.BOXES, "I1", "a box of the map", id="of a box scan"),
        pytest.param(ScanSize.SQUARES, "B6", "a square of the map", id="of a square scan"),
        pytest.param(ScanSize.SQUARE, Square(10, 29), "in the own box", id="one square"),
        pytest.param(
            ScanSize.SQUARES, Square(15, 27), "in the own or an adjacent box", id="nine squares"
        ),
    ],
)
def test_a_refused_place_comes_with_what_may_be_named(
    size: ScanSize, at: str | Square, words: str
) -> None:
    problem = scan(msgspec.structs.replace(SCAN, size=size, at=at))
    assert problem is not None
    assert words in problem.detail


@pytest.mark.parametrize("scan_type", list(ScanType), ids=lambda value: str(value.value))
def test_a_cloaked_ship_does_not_scan(scan_type: ScanType) -> None:
    order = msgspec.structs.replace(SCAN, type=scan_type)
    problem = scan(order, ship=own_ship(cloak=True, cloaked=True))
    assert_refused(problem, Code.ORDER_CLOAK, "$.orders[0].ship")


def test_a_ship_scans_once_a_turn() -> None:
    other = msgspec.structs.replace(SCAN, type=ScanType.MASS)
    assert_refused(scan(SCAN, other), Code.ORDER_SCANS, "$.orders[1]")


def test_a_side_scans_twice_a_turn() -> None:
    second = msgspec.structs.replace(SCAN, ship=S2)
    third = msgspec.structs.replace(SCAN, ship=S3)
    assert scan(SCAN, second) is None
    assert_refused(scan(SCAN, second, third), Code.ORDER_SCANS, "$.orders[2]")


# Everything.


@given(views(), st.lists(ORDERS, max_size=4).map(tuple))
def test_any_orders_are_taken_or_refused_and_never_raise(
    seen: View, orders: tuple[Order, ...]
) -> None:
    problem = check(seen, orders)
    if problem is not None:
        index = int(problem.at.removeprefix("$.orders[").split("]")[0])
        assert index < len(orders)
        assert problem.text


@given(views(), ORDERS)
def test_what_is_allowed_alone_is_allowed_only_in_its_window(seen: View, order: Order) -> None:
    if check(seen, (order,)) is None:
        windows = {Scan: Phase.SCAN, Fire: Phase.ENGAGE}
        assert seen.stage.phase is windows.get(type(order), Phase.PLOT)
        assert order.ship in [ship.id for ship in seen.own if ship.fate is Fate.IN_PLAY]
