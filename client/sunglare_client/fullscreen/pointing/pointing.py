"""Pointing at a place of the map: which command that means in the open window.

A pointer is a square, an own ship and a way to act: what a scan scans, which weapon fires. All
that pointing does is to write a command, which a player could have typed as well.
"""

from typing import NamedTuple, final

from sunglare_client.command import Plan
from sunglare_client.fullscreen.pointing.ground_pointing import GroundPointer
from sunglare_client.fullscreen.pointing.ship_ways import ship_ways
from sunglare_client.fullscreen.pointing.ways import Meaning, WayToAct, after, meant
from sunglare_client.map.marks import marks_of
from sunglare_protocol.geometry import Board, Square, Vector
from sunglare_protocol.ids import OwnId, WindowId
from sunglare_protocol.orders import Order
from sunglare_protocol.views import OwnView, View
from sunglare_protocol.words.ladder import Fate, Phase
from sunglare_protocol.words.scans import ScanSize
from sunglare_rules.advice.cards.bodies import body_at
from sunglare_rules.advice.seen.lookup import ships_in_play

_SIZES = tuple(ScanSize)

_AIMING = (Phase.DETECT, Phase.ENGAGE)
"""The windows in which pointing aims at what is held."""


@final
class Pointer(NamedTuple):
    """A square of the map, the own ship that is to act, and how: the name of a way to act.

    The first way is meant where the ship has none of that name. `size` is an index of the sizes
    of a scan; `ground` is a cell of a surface map, which counts as long as that is shown.
    """

    square: Square
    own: OwnId | None = None
    way: str = ""
    size: int = _SIZES.index(ScanSize.BOX)
    ground: GroundPointer | None = None


def first_pointer(view: View) -> Pointer:
    """Return a pointer at the first own ship that can act in the open window.

    If none can it is the first one, and without a ship the middle of the map.
    """
    ships = ships_in_play(view)
    if ships:
        first = _first_to_act(view) or ships[0]
        return Pointer(first.square, first.id)
    area = view.board.area
    return Pointer(Square(area.east // 2, area.south // 2))


def in_window(view: View, pointer: Pointer | None, window: WindowId | None) -> Pointer:
    """Return the pointer in the open window, if it was last used in that window or another.

    If its ship cannot act in a new one another ship acts, and is pointed at if an own ship was.
    """
    if pointer is None or view.stage.window == window:
        return pointer or first_pointer(view)
    ship, first = acting(view, pointer), _first_to_act(view)
    if ship is None or first is None or _can_act(view, ship):
        return pointer
    was_own = any(own.square == pointer.square for own in ships_in_play(view))
    return pointer._replace(
        own=first.id, way="", square=first.square if was_own else pointer.square
    )


def _first_to_act(view: View) -> OwnView | None:
    """Return the first own ship that can act in the open window; None if none can."""
    return next((ship for ship in ships_in_play(view) if _can_act(view, ship)), None)


def _can_act(view: View, ship: OwnView) -> bool:
    """Return whether a ship has any way to act in the open window."""
    return any(True for _ in ship_ways(view, ship, (), ScanSize.BOX))


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
            return pointer._replace(own=ship.id, way="")
    return pointer


def next_ship(view: View, pointer: Pointer, step: int = 1) -> Pointer:
    """Return the pointer at the next own ship, which then acts."""
    ships = ships_in_play(view)
    if not ships:
        return pointer
    names = [ship.id for ship in ships]
    here = names.index(pointer.own) if pointer.own in names else -step
    ship = ships[(here + step) % len(ships)]
    return pointer._replace(square=ship.square, own=ship.id, way="")


def next_idle(view: View, plan: tuple[Order, ...], pointer: Pointer) -> Pointer:
    """Return the pointer at the next own ship without an order; the same one if all have one."""
    busy = {order.ship for order in plan}
    found = pointer
    for _ in ships_in_play(view):
        found = next_ship(view, found)
        if found.own not in busy:
            return found
    return pointer


def next_contact(view: View, pointer: Pointer, step: int = 1) -> Pointer:
    """Return the pointer at the next foreign piece; the same one if there is none."""
    squares = [contact.square for contact in view.contacts if contact.fate is Fate.IN_PLAY]
    if not squares:
        return pointer
    here = squares.index(pointer.square) if pointer.square in squares else -step
    return pointer._replace(square=squares[(here + step) % len(squares)])


def ways(view: View, pointer: Pointer, plan: Plan) -> tuple[WayToAct[Square], ...]:
    """Return how the ship that acts may act in the open window, given the plan."""
    ship = acting(view, pointer)
    return () if ship is None else tuple(ship_ways(view, ship, plan, _SIZES[pointer.size]))


def next_way(view: View, plan: Plan, pointer: Pointer, step: int) -> Pointer:
    """Return the pointer with the next way to act."""
    return pointer._replace(way=after(ways(view, pointer, plan), pointer.way, step))


def meaning(view: View, pointer: Pointer, plan: Plan = ()) -> Meaning[Square]:
    """Return what pointing there means in the open window, given the plan."""
    found = meant(view, plan, ways(view, pointer, plan), pointer.way, pointer.square)
    if not found.words or view.stage.phase is not Phase.SCAN:
        return found
    return found._replace(words=f"{found.words} {_SIZES[pointer.size].value}")


def line_at(view: View, pointer: Pointer, plan: Plan = ()) -> str:
    """Return the command that this pointer means in the open window; empty if it means none."""
    return meaning(view, pointer, plan).line


def resized(pointer: Pointer, step: int) -> Pointer:
    """Return the pointer with the next larger or smaller size of a scan."""
    return pointer._replace(size=min(max(pointer.size + step, 0), len(_SIZES) - 1))


def named_at(view: View, square: Square) -> str:
    """Return the name of the topmost piece on a square, else of the body; empty without any.

    In windows in which pointing aims at foreign pieces these come before own ones.
    """
    marks = [mark for mark in marks_of(view) if mark.square == square]
    if view.stage.phase in _AIMING:
        marks.sort(key=lambda mark: mark.cell.is_own)
    body = body_at(view.board, square)
    return next((mark.label for mark in marks), "" if body is None else body.name)
