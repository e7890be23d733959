"""Which scans the own view allows, and that every order is answered."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from builders.advice import COLD, ON_THE_GROUND, SCAN, checked, detail, refusal
from builders.orders import Written
from builders.views import ORDERS, S2, S3, own_ship, view, views
from sunglare_protocol.geometry import Square
from sunglare_protocol.orders import Fire, Order, Scan
from sunglare_protocol.refusals import Rejected
from sunglare_protocol.views import OwnView, View
from sunglare_protocol.words.ladder import Fate, Phase
from sunglare_protocol.words.scans import ScanSize, ScanType
from sunglare_rules.advice.check.check import check


def scan(*orders: Written, ship: OwnView | None = None) -> Rejected | None:
    """Return what an open SCAN slot says to the orders."""
    ships = (ship or own_ship(), own_ship(id=S2), own_ship(id=S3))
    return checked(view(Phase.SCAN, *ships, slot="A"), *orders)


# Scans.


@pytest.mark.parametrize("scan_type", [ScanType.VISUAL, ScanType.IR, ScanType.RADAR])
def test_the_sensors_on_the_hull_scan_only_popped_out_and_powered(scan_type: ScanType) -> None:
    line = f"scan S1 {scan_type.value} 1box B4"
    assert scan(line) is None
    assert refusal(scan(line, ship=own_ship(popped_out=False))) == "order/sensors [0].type"
    assert refusal(scan(line, ship=own_ship(hull_sensors_work=False))) == "order/sensors [0].type"
    assert refusal(scan(line, ship=COLD)) == "order/power [0].type"


@pytest.mark.parametrize("scan_type", [ScanType.NEUTRINO, ScanType.MASS])
def test_neutrino_and_mass_sensors_scan_folded_cold_and_landed(scan_type: ScanType) -> None:
    for ship in (COLD, own_ship(popped_out=False, powered=False), ON_THE_GROUND):
        assert scan(f"scan S1 {scan_type.value} 1box B4", ship=ship) is None


def test_a_ship_without_a_rating_may_scan_all_the_same() -> None:
    assert ScanType.RADAR not in own_ship().sensors
    assert scan("scan S1 radar 1box B4") is None


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
    problem = scan(replace(SCAN, size=size, at=at))
    assert refusal(problem) == (None if allowed else "order/place [0].at")


@pytest.mark.parametrize(
    ("size", "at", "words"),
    [
        pytest.param(ScanSize.BOXES, "I1", "a box of the map", id="of a box scan"),
        pytest.param(ScanSize.SQUARES, "B6", "a square of the map", id="of a square scan"),
        pytest.param(ScanSize.SQUARE, Square(10, 29), "in the ship's own box", id="one square"),
        pytest.param(
            ScanSize.SQUARES,
            Square(15, 27),
            "in the ship's own or an adjacent box",
            id="nine squares",
        ),
    ],
)
def test_a_refused_place_comes_with_what_may_be_named(
    size: ScanSize, at: str | Square, words: str
) -> None:
    assert words in detail(scan(replace(SCAN, size=size, at=at)))


@pytest.mark.parametrize("scan_type", list(ScanType), ids=lambda value: str(value.value))
def test_a_cloaked_ship_does_not_scan(scan_type: ScanType) -> None:
    line, hidden = f"scan S1 {scan_type.value} 1box B4", own_ship(cloak=True, cloaked=True)
    assert refusal(scan(line, ship=hidden)) == "order/cloak [0].ship"


def test_a_ship_scans_once_a_turn() -> None:
    assert refusal(scan(SCAN, "scan S1 mass 1box B4")) == "order/scans [1]"


def test_a_side_scans_twice_a_turn() -> None:
    both = "scan S1 visual 1box B4; scan S2 visual 1box B4"
    assert scan(both) is None
    assert refusal(scan(both, "scan S3 visual 1box B4")) == "order/scans [2]"


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
