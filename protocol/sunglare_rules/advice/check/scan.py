"""Checks of a scan, and the place that it names.

Source: Intercept sensors part 2, the three examples; sensors of our rule book §5.
"""

from sunglare_protocol.errors import BoxNameError
from sunglare_protocol.geometry import Board, Square, box_named, box_of
from sunglare_protocol.ids import audience_of
from sunglare_protocol.orders import Order, Scan
from sunglare_protocol.refusals import Code, Rejected
from sunglare_protocol.views import OwnView, View
from sunglare_protocol.words.pieces import PieceKind
from sunglare_protocol.words.scans import ScanSize, ScanType
from sunglare_rules.advice.refusing import refused
from sunglare_rules.advice.seen.lookup import place_of
from sunglare_rules.sensors.areas import scan_place_allowed
from sunglare_rules.sensors.scans import NEEDS_POPPED_OUT
from sunglare_rules.sensors.sectors import standing_square

SCANS_A_TURN = 2
"""OWN: a side makes at most this many scans a turn, each with another ship."""

BOX_SIZES = (ScanSize.BOX, ScanSize.BOXES)
"""The sizes that are placed by the name of their middle box."""


def slot_problem(view: View) -> Rejected | None:
    """Return why the viewer may not scan in the open slot, or None; sealed slots are all's."""
    slot = view.stage.slot
    if slot is None or audience_of(slot) == view.audience:
        return None
    return refused(Code.WINDOW_OTHERS)


def scan_count_problem(order: Scan, before: tuple[Order, ...]) -> Rejected | None:
    """Return why no further scan can stand with those before it, or None.

    `before` are scans alone, as the window takes no other orders.
    """
    if len(before) >= SCANS_A_TURN or order.ship in [earlier.ship for earlier in before]:
        return refused(Code.ORDER_SCANS)
    return None


def scan_problem(view: View, ship: OwnView, order: Scan) -> Rejected | None:
    """Return why the ship cannot make this scan, or None; the open window is not looked at."""
    problem = sensor_problem(ship, order.type)
    if problem is not None:
        return problem
    centre = centre_named(view.board, order.size, order.at)
    if centre is None:
        return place_refused(order.size)
    stands = standing_square(view.board, place_of(ship))
    if not scan_place_allowed(order.size, centre, stands):
        where = (
            "the ship's own" if order.size is ScanSize.SQUARE else "the ship's own or an adjacent"
        )
        return refused(Code.ORDER_PLACE, ".at", f"Its middle must be in {where} box.")
    return None


def centre_named(board: Board, size: ScanSize, at: str | Square) -> Square | None:
    """Return the centre of a scan placed by the name of a box or, for square sizes, a square.

    Return None if `at` is of the wrong kind for the size, names no box, or is off the map.
    """
    if isinstance(at, str):
        try:
            centre = box_named(at).centre
        except BoxNameError:
            return None
    else:
        centre = at
    right_kind = isinstance(at, str) is (size in BOX_SIZES)
    return centre if right_kind and centre in board else None


def place_name(size: ScanSize, centre: Square) -> str | Square:
    """Return how an order names the place of a scan: the box for box sizes, else the square."""
    return box_of(centre).name if size in BOX_SIZES else centre


def place_refused(size: ScanSize) -> Rejected:
    """Return the refusal of a place that names nothing on the map for a scan of this size."""
    if size in BOX_SIZES:
        return refused(
            Code.ORDER_PLACE,
            ".at",
            "Name a box of the map: the letter of its column, then the number of its row.",
        )
    return refused(Code.ORDER_PLACE, ".at", "Name a square of the map: x, then y.")


def sensor_problem(ship: OwnView, scan_type: ScanType) -> Rejected | None:
    """Return why the ship cannot make scans of this type wherever they are placed, or None."""
    if ship.cloaked:
        return refused(Code.ORDER_CLOAK, ".ship", "A cloaked ship cannot scan.")
    if ship.kind is not PieceKind.STARSHIP:
        detail = f"A {ship.kind.value} has no sensors for scans."
        return refused(Code.ORDER_SENSORS, ".ship", detail)
    if scan_type not in NEEDS_POPPED_OUT:
        return None
    if not ship.powered:
        return refused(
            Code.ORDER_POWER, ".type", "Only neutrino and mass sensors work without power."
        )
    if not ship.hull_sensors_work:
        return refused(Code.ORDER_SENSORS, ".type", "The sensors on the hull are destroyed.")
    if not ship.popped_out:
        return refused(Code.ORDER_SENSORS, ".type", "The sensors on the hull are folded.")
    return None
