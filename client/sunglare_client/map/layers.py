"""Layers drawn over the ground of a map: ghosts, glare, places, sectors, arcs, lines.

Every layer is made from a side's own view and plan alone.
"""

import math
from collections.abc import Container, Iterable, Iterator

from sunglare_client.map.cells import Cell, Layer, Overlay, What
from sunglare_protocol.geometry import Board, Compass, Square, Vector
from sunglare_protocol.ids import OwnId, Side
from sunglare_protocol.orders import Order, Scan
from sunglare_protocol.refusals import Rejected
from sunglare_protocol.views import ContactView, OwnView, View
from sunglare_protocol.words.ladder import Fate, Fix
from sunglare_protocol.words.pieces import Arc, BaseSize
from sunglare_rules.advice.check.scan import centre_named
from sunglare_rules.advice.odds.preview import preview
from sunglare_rules.advice.odds.whereabouts import whereabouts
from sunglare_rules.advice.seen.bearing import contact_base, holds
from sunglare_rules.advice.seen.lookup import ships_in_play
from sunglare_rules.advice.seen.plotting import after_plot
from sunglare_rules.arcs.arcs import HALF_EDGE, GridBase, grid_band
from sunglare_rules.sensors.areas import scan_area
from sunglare_rules.sensors.questions import candidate_squares
from sunglare_rules.sensors.sectors import Zone, sector, zone
from sunglare_rules.sensors.sunlight import glare_squares
from sunglare_rules.turn.movement import Flight, flown
from sunglare_rules.turn.scale import RANGE_MM, SQUARE_MM

_MOVING = (Fix.SOLUTION, Fix.TRACKED)
"""The rungs on which the vector is that of now."""


SHOWN_FIRST = ("ghosts", "glare", "places")
"""The layers that a map which stays begins with."""

LAYERS = (*SHOWN_FIRST, "sectors", "arcs")
"""What may be switched on and off, by name."""

_REACH = (RANGE_MM + round(math.sqrt(2) * 2 * max(HALF_EDGE.values()))) // SQUARE_MM + 1
"""So many squares off no corner of a base is in range any more."""


def overlay(
    view: View,
    plan: tuple[Order, ...],
    layers: Container[str],
    own: OwnId | None = None,
) -> Overlay:
    """Return the cells of the layers that are on; glare and arcs are of one own ship, or all."""
    wanted = [ship.id for ship in ships_in_play(view) if own in (None, ship.id)]
    return (
        *(sectors(view.board) if "sectors" in layers else ()),
        *(arcs(view, wanted) if "arcs" in layers else ()),
        *(cell for ship in wanted if "glare" in layers for cell in glare(view, ship)),
        *(places(view) if "places" in layers else ()),
        *(ghosts(view, plan) if "ghosts" in layers else ()),
    )


def ghosts(view: View, plan: tuple[Order, ...]) -> Overlay:
    """Return where each own ship will be next turn by the plan, and each track if it drifts."""
    return (*_own_ghosts(view, plan), *_foreign_ghosts(view))


def glare(view: View, own: OwnId) -> Overlay:
    """Return the sunglare column of an own ship: nothing in a shadow column, or on a body."""
    ship = next((ship for ship in ships_in_play(view) if ship.id == own), None)
    if ship is None or ship.landed is not None:
        return ()
    cell = Cell(What.GLARE, Layer.TRACE, name=own)
    return tuple((square, cell) for square in glare_squares(view.board, ship.square))


def sectors(board: Board) -> Overlay:
    """Return the squares along the borders of each planet's eight sectors, out to the edges.

    Such a square lies in another sector than the one east or south of it.
    """
    return tuple(
        (square, Cell(What.BORDER, Layer.TRACE, name=planet.name))
        for planet in board.planets
        for square in board.area.squares()
        if zone(planet, square) is not Zone.BODY and _is_border(planet.at, square)
    )


def arcs(view: View, own: Container[OwnId]) -> Overlay:
    """Return the squares in the firing arcs of own ships, and in front of contacts, in range.

    A contact's facing is that of now on the upper rungs alone. Which of its arcs are firing arcs
    is in no view; the front arc every ship has.
    """
    cells = [
        (square, Cell(What.ARC, Layer.ARC, name=ship.id))
        for ship in ships_in_play(view)
        if ship.id in own and ship.landed is None
        for square in in_arcs(view.board, ship)
    ]
    cells += [
        (square, Cell(What.FRONT, Layer.ARC, name=contact.label, side=contact.side))
        for contact in view.contacts
        if _is_facing_known(contact)
        for square in _around(view.board, contact.square)
        if _is_in_front(contact_base(contact), square)
    ]
    return tuple(cells)


def in_arcs(board: Board, ship: OwnView) -> Iterator[Square]:
    """Yield every square on which a contact would lie in a firing arc of an own ship."""
    return (square for square in _around(board, ship.square) if holds(ship, square))


def _is_facing_known(contact: ContactView) -> bool:
    """Return whether it is known how a contact lies now, so that it has a front arc to draw."""
    is_there = contact.fate is Fate.IN_PLAY and contact.landed is None and contact.fix in _MOVING
    return is_there and contact.facing is not None and contact.size is not None


def _is_in_front(base: GridBase, square: Square) -> bool:
    """Return whether a small base on a square would lie in the front arc of another."""
    other = GridBase(BaseSize.SMALL, square, Compass.N)
    return square != base.square and grid_band(base, other, Arc.FRONT) is not None


def _around(board: Board, middle: Square) -> Iterator[Square]:
    """Yield the squares of the map in which a base may be in range of one in the middle."""
    area = board.area
    for y in range(max(area.north, middle.y - _REACH), min(area.south, middle.y + _REACH) + 1):
        for x in range(max(area.west, middle.x - _REACH), min(area.east, middle.x + _REACH) + 1):
            yield Square(x, y)


def _is_border(centre: Square, square: Square) -> bool:
    beside = (square.moved(Vector(1, 0)), square.moved(Vector(0, 1)))
    return any(
        sector(centre, other) is not sector(centre, square) for other in beside if other != centre
    )


def places(view: View) -> Overlay:
    """Return every square on which, by the view, a foreign piece may be, whichever it is.

    A piece that may be on half the map or more is left out, for that is no news.
    """
    return tuple(
        (square, Cell(What.PLACE, Layer.TRACE, name=spot.of, side=spot.side))
        for spot in whereabouts(view)
        if tells_anything(view, spot.squares)
        for square in spot.squares
    )


def reach(squares: Iterable[Square], own: OwnId) -> Overlay:
    """Return these squares as those on which an own ship can end its move."""
    cell = Cell(What.REACH, Layer.TRACE, name=own, is_own=True)
    return tuple((square, cell) for square in squares)


def scan_places(view: View, scan: Scan) -> Overlay:
    """Return where the answers to a scan would let all others place the own ship that makes it.

    Nothing, if that is half the map or more.
    """
    found = preview(view, scan)
    centre = centre_named(view.board, scan.size, scan.at)
    if isinstance(found, Rejected) or centre is None:
        return ()
    area = scan_area(view.board, scan.size, centre)
    cell = Cell(What.PLACE, Layer.TRACE, name=scan.ship, is_own=True)
    squares = candidate_squares(view.board, area, found.answers, scan.size, centre)
    return tuple((square, cell) for square in squares) if tells_anything(view, squares) else ()


def tells_anything(view: View, squares: tuple[Square, ...]) -> bool:
    """Return whether these are less than half of the map: more would mean nothing."""
    return 2 * len(squares) < view.board.area.east * view.board.area.south


def line(start: Square, end: Square) -> Overlay:
    """Return the squares between two others, along the line of their middles."""
    cell = Cell(What.LINE, Layer.TRACE)
    steps = max(abs(end.x - start.x), abs(end.y - start.y))
    return tuple((part_way(start, end, step, steps), cell) for step in range(1, steps))


def part_way(start: Square, end: Square, step: int, steps: int) -> Square:
    """Return the square that holds the point so many of `steps` along the way."""
    return Square(
        (2 * (start.x * (steps - step) + end.x * step) + steps) // (2 * steps),
        (2 * (start.y * (steps - step) + end.y * step) + steps) // (2 * steps),
    )


def _own_ghosts(view: View, plan: tuple[Order, ...]) -> Iterator[tuple[Square, Cell]]:
    side = Side(view.audience)
    for ship in ships_in_play(view):
        end = after_plot(view, ship, plan)
        if end.square != ship.square:
            yield (
                end.square,
                Cell(
                    What.GHOST,
                    Layer.TRACE,
                    name=ship.id,
                    is_own=True,
                    side=side,
                    facing=end.facing,
                ),
            )


def _foreign_ghosts(view: View) -> Iterator[tuple[Square, Cell]]:
    for contact in view.contacts:
        if contact.fate is Fate.IN_PLAY and contact.fix in _MOVING and contact.landed is None:
            end = _adrift(view, contact)
            if end is not None and end != contact.square:
                yield end, Cell(What.GHOST, Layer.TRACE, name=contact.label, side=contact.side)


def _adrift(view: View, contact: ContactView) -> Square | None:
    if contact.vector is None or contact.facing is None:
        return None
    start = Flight(contact.square, contact.vector, contact.facing)
    return flown(view.board, start, 0, ()).square
