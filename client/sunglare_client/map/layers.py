"""What may be drawn over the ground of a map: ghosts, glare, places, sectors, a line of fire.

Every layer is made from a side's own view and plan alone.
"""

from collections.abc import Container, Iterator

from sunglare_client.map.cells import Cell, Layer, Overlay, What
from sunglare_protocol.geometry import Board, Square, Vector
from sunglare_protocol.ids import OwnId, Side
from sunglare_protocol.orders import Order, Scan
from sunglare_protocol.refusals import Rejected
from sunglare_protocol.views import ContactView, View
from sunglare_protocol.words.ladder import Fate, Fix
from sunglare_rules.advice.check.scan import centre_named
from sunglare_rules.advice.odds.preview import preview
from sunglare_rules.advice.odds.whereabouts import whereabouts
from sunglare_rules.advice.seen.lookup import ships_in_play
from sunglare_rules.advice.seen.plotting import after_plot
from sunglare_rules.sensors.areas import scan_area
from sunglare_rules.sensors.questions import candidate_squares
from sunglare_rules.sensors.sectors import Zone, sector, zone
from sunglare_rules.sensors.sunlight import glare_squares
from sunglare_rules.turn.movement import Flight, flown

_MOVING = (Fix.SOLUTION, Fix.TRACKED)
"""The rungs on which the vector is that of now."""


SHOWN_FIRST = ("ghosts", "glare", "places")
"""The layers that a map which stays begins with."""

LAYERS = (*SHOWN_FIRST, "sectors")
"""What may be switched on and off, by name."""


def overlay(
    view: View,
    plan: tuple[Order, ...],
    layers: Container[str],
    own: OwnId | None = None,
) -> Overlay:
    """Return the cells of the layers that are on; glare is that of one own ship, or of all."""
    wanted = [ship.id for ship in ships_in_play(view) if own in (None, ship.id)]
    return (
        *(sectors(view.board) if "sectors" in layers else ()),
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


def _is_border(centre: Square, square: Square) -> bool:
    beside = (square.moved(Vector(1, 0)), square.moved(Vector(0, 1)))
    return any(
        sector(centre, other) is not sector(centre, square) for other in beside if other != centre
    )


def places(view: View) -> Overlay:
    """Return every square where the view tells that a foreign piece may be, whichever it is.

    A piece that may be on half the map or more is left out, for that tells nothing.
    """
    return tuple(
        (square, Cell(What.PLACE, Layer.TRACE, name=spot.of, side=spot.side))
        for spot in whereabouts(view)
        if tells_anything(view, spot.squares)
        for square in spot.squares
    )


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
    """Return whether these are less than half of the map: more would tell nothing."""
    return 2 * len(squares) < view.board.area.east * view.board.area.south


def line(start: Square, end: Square) -> Overlay:
    """Return the squares between two others, along the line of their middles."""
    cell = Cell(What.LINE, Layer.TRACE)
    steps = max(abs(end.x - start.x), abs(end.y - start.y))
    return tuple((_part(start, end, step, steps), cell) for step in range(1, steps))


def _part(start: Square, end: Square, step: int, steps: int) -> Square:
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
