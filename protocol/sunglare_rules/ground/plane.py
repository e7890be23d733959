"""The plane of a surface map: points, cells, distances and what a base touches.

Source: none of its own; coordinates of our rule book, blips §2.3, and surface play §2.4, OWN.
Points are whole thousandths of an inch from the south-west corner, x eastward, y northward.
"""

from sunglare_protocol.surface import CELL_INCHES, Cell
from sunglare_protocol.words.specials import Specials
from sunglare_rules.blips.spotting import in_base_contact
from sunglare_rules.turn.metric import SURFACE, SURFACE_UNITS, Span, Spot, span

CELL_UNITS = CELL_INCHES * SURFACE_UNITS
"""The edge of a cell in units of the plane."""


def centre(cell: Cell) -> Spot:
    """Return the middle of a cell, where every unit on it stands."""
    half = CELL_UNITS // 2
    return (cell.column * CELL_UNITS + half, cell.row * CELL_UNITS + half)


def cell_of(spot: Spot) -> Cell:
    """Return the cell in which a point lies; a point on an edge belongs to the east or north."""
    return Cell(spot[0] // CELL_UNITS, spot[1] // CELL_UNITS)


def apart(a: Cell, b: Cell) -> Span:
    """Return the distance of two cells, centre to centre."""
    return span(SURFACE, centre(a), centre(b))


def adjoins(a: Cell, b: Cell) -> bool:
    """Return whether two different cells share an edge or a corner."""
    return a != b and max(abs(a.column - b.column), abs(a.row - b.row)) == 1


def touch(a: Cell, b: Cell, specials: Specials = (), others: Specials = ()) -> bool:
    """Return whether units on two cells are in base contact; large footprints reach further."""
    return in_base_contact(apart(a, b), specials, others)
