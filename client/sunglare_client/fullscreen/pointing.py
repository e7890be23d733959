"""Pointing at a place of the map: which command that means in the open window.

A pointer is a square, an own ship and a way to act: what a scan scans, which weapon fires. All
that pointing does is to write a command, which a player could have typed as well.
"""

from typing import NamedTuple, final

from msgspec.structs import replace

from sunglare_client.fullscreen.groundpointing import GroundPointer
from sunglare_client.map.marks import RANKS, marks_of
from sunglare_client.text.places import square_text
from sunglare_client.text.printable import one_word
from sunglare_protocol.geometry import Board, Square, Vector, box_of
from sunglare_protocol.ids import OwnId
from sunglare_protocol.orders import Order, Scan
from sunglare_protocol.views import ContactView, OwnView, View
from sunglare_protocol.words.armament import WeaponKind
from sunglare_protocol.words.ladder import Fate, Phase
from sunglare_protocol.words.scans import ScanSize, ScanType
from sunglare_rules.advice.cards.bodies import body_at
from sunglare_rules.advice.check.launch import launchers
from sunglare_rules.advice.check.scan import scan_problem
from sunglare_rules.advice.seen.lookup import ships_in_play
from sunglare_rules.advice.seen.plotting import after_plot
from sunglare_rules.fire.missiles import heading

_SIZES = tuple(ScanSize)
_BOX_SIZES = (ScanSize.BOX, ScanSize.BOXES)


@final
class Pointer(NamedTuple):
    """A square of the map, the own ship that is to act, and how: an index of its ways to act.

    `size` is an index of the sizes of a scan; `ground` is a cell of a surface map, which counts
    as long as that is shown.
    """

    square: Square
    own: OwnId | None = None
    way: int = 0
    size: int = _SIZES.index(ScanSize.BOX)
    ground: GroundPointer | None = None


def first_pointer(view: View) -> Pointer:
    """Return a pointer at the first own ship, else in the middle of the map."""
    ships = ships_in_play(view)
    if ships:
        return Pointer(ships[0].square, ships[0].id)
    area = view.board.area
    return Pointer(Square(area.east // 2, area.south // 2))


def moved(pointer: Pointer, board: Board, way: Vector) -> Pointer:
    """Return the pointer so many squares farther, or at the edge of the map."""
    area, there = board.area, pointer.square.moved(way)
    x = min(max(there.x, area.west), area.east)
    y = min(max(there.y, area.north), area.south)
    return pointer._replace(square=Square(x, y))


def acting(view: View, pointer: Pointer) -> OwnView | None:
    """Return the own ship that acts: the one chosen if it is in play, else the first."""
    ships = ships_in_play(view)
    chosen = (ship for ship in ships if ship.id == pointer.own)
    return next(chosen, ships[0] if ships else None)


def choosing(view: View, pointer: Pointer) -> Pointer:
    """Return the pointer with the own ship acting that it points at, if another one does."""
    for ship in view.own:
        if ship.square == pointer.square and ship.id != pointer.own:
            return pointer._replace(own=ship.id, way=0)
    return pointer


def next_ship(view: View, pointer: Pointer, step: int = 1) -> Pointer:
    """Return the pointer at the next own ship, which then acts."""
    ships = ships_in_play(view)
    if not ships:
        return pointer
    names = [ship.id for ship in ships]
    here = names.index(pointer.own) if pointer.own in names else -step
    ship = ships[(here + step) % len(ships)]
    return pointer._replace(square=ship.square, own=ship.id, way=0)


def next_idle(view: View, plan: tuple[Order, ...], pointer: Pointer) -> Pointer:
    """Return the pointer at the next own ship without an order; the same one if all have one."""
    busy = {order.ship for order in plan}
    for _ in ships_in_play(view):
        pointer = next_ship(view, pointer)
        if pointer.own not in busy:
            return pointer
    return pointer


def next_contact(view: View, pointer: Pointer, step: int = 1) -> Pointer:
    """Return the pointer at the next foreign piece; the same one if there is none."""
    squares = [contact.square for contact in view.contacts if contact.fate is Fate.IN_PLAY]
    if not squares:
        return pointer
    here = squares.index(pointer.square) if pointer.square in squares else -step
    return pointer._replace(square=squares[(here + step) % len(squares)])


def ways(view: View, ship: OwnView) -> tuple[str, ...]:
    """Return how a ship may act on a place in the open window, each as a word or two."""
    match view.stage.phase:
        case Phase.PLOT:
            return _ways_of_plot(view, ship)
        case Phase.SCAN:
            return _ways_of_scan(view, ship)
        case Phase.DETECT:
            return ("listen", "sweep", "probe")
        case Phase.ENGAGE:
            return tuple(f"fire {weapon.id}" for weapon in ship.weapons if weapon.works)
        case Phase.OVER:
            return ()


def way_chosen(view: View, pointer: Pointer) -> str:
    """Return the way to act that is chosen, with the size of a scan; empty if there is none."""
    ship = acting(view, pointer)
    known = () if ship is None else ways(view, ship)
    if not known:
        return ""
    way = known[pointer.way % len(known)]
    return f"{way} {_SIZES[pointer.size].value}" if view.stage.phase is Phase.SCAN else way


def resized(pointer: Pointer, step: int) -> Pointer:
    """Return the pointer with the next larger or smaller size of a scan."""
    return pointer._replace(size=min(max(pointer.size + step, 0), len(_SIZES) - 1))


def line_at(view: View, pointer: Pointer) -> str:
    """Return the command that this pointer means in the open window; empty if it means none."""
    ship = acting(view, pointer)
    known = () if ship is None else ways(view, ship)
    if ship is None or not known:
        return ""
    way, square = known[pointer.way % len(known)], pointer.square
    match view.stage.phase:
        case Phase.PLOT:
            return _line_of_plot(view, ship, way, square)
        case Phase.SCAN:
            size = _SIZES[pointer.size]
            at = box_of(square).name if size in _BOX_SIZES else square_text(square)
            return f"scan {ship.id} {way} {size.value} {at}"
        case Phase.DETECT:
            return (
                _aimed(view, f"probe {ship.id}", square) if way == "probe" else f"{way} {ship.id}"
            )
        case _:
            return _line_of_fire(view, ship, way.removeprefix("fire "), square)


def contact_at(view: View, square: Square) -> ContactView | None:
    """Return the foreign piece on a square that is held best."""
    there = [one for one in view.contacts if one.square == square and one.fate is Fate.IN_PLAY]
    return min(there, key=lambda one: RANKS.index(one.fix), default=None)


def named_at(view: View, square: Square) -> str:
    """Return the name of the topmost piece on a square, else of the body; empty without any."""
    pieces = (mark.label for mark in marks_of(view) if mark.square == square)
    body = body_at(view.board, square)
    return next(pieces, "" if body is None else body.name)


def _ways_of_plot(view: View, ship: OwnView) -> tuple[str, ...]:
    if ship.volley is not None:
        return ("aim",)
    deploy = ("deploy",) if view.stage.turn == 1 and view.zone else ()
    return ("burn", "face", *(f"launch {weapon.id}" for weapon in launchers(ship)), *deploy)


def _ways_of_scan(view: View, ship: OwnView) -> tuple[str, ...]:
    """Return the types of scans, those first that the ship's sensors can make now."""
    here = Scan(ship=ship.id, type=ScanType.IR, size=ScanSize.SQUARE, at=ship.square)
    kinds = sorted(
        ScanType, key=lambda kind: scan_problem(view, ship, replace(here, type=kind)) is not None
    )
    return tuple(kind.value for kind in kinds)


def _line_of_plot(view: View, ship: OwnView, way: str, square: Square) -> str:
    if way == "burn":
        change = after_plot(view, ship, ()).square.to(square)
        return (
            f"burn {ship.id} {change.dx:+d},{change.dy:+d}" if any(change) else f"drift {ship.id}"
        )
    if way == "face":
        away = ship.square.to(square)
        return f"face {ship.id} {heading(away, ship.facing).value}" if any(away) else ""
    if way.startswith("launch "):
        return f"launch {ship.id}.{one_word(way.removeprefix('launch '))} {square_text(square)}"
    return f"{way} {ship.id} {square_text(square)}"


def _line_of_fire(view: View, ship: OwnView, weapon: str, square: Square) -> str:
    kinds = {fitted.id: fitted.kind for fitted in ship.weapons}
    fired = f"fire {ship.id}.{one_word(weapon)}"
    return fired if kinds.get(weapon) is WeaponKind.NOVA else _aimed(view, fired, square)


def _aimed(view: View, begun: str, square: Square) -> str:
    contact = contact_at(view, square)
    # Nothing can be aimed at a memory.
    return "" if contact is None or contact.handle is None else f"{begun} {contact.label}"
