"""The one scale that the five rule systems share, and the ways to measure in it.

Source: none of the five; scale of our rule book §1. OWN: one box of five squares is one band of
every system, that is 12 mu, 12 space inches and 100 mm.
"""

from typing import NamedTuple, NewType

from sunglare_protocol.geometry import BOX_EDGE, Square

SQUARE_MM = 20
"""OWN: the edge of a square in the arc plane, in mm."""

BAND_MM = SQUARE_MM * BOX_EDGE
"""The depth of a range band, in mm."""

BANDS = 3
"""Range bands of the arc plane; whatever lies beyond the last is out of range."""

RANGE_MM = BAND_MM * BANDS
"""Where range ends, in mm; this distance itself is out of range."""

MU_PER_BOX = 12
"""OWN: the edge of a box in mu, and likewise in space inches."""

SpaceInch = NewType("SpaceInch", int)
"""An inch of space, as long as a mu; no inch of a surface map."""


class PlanePoint(NamedTuple):
    """A point of the arc plane in mm: x grows east, y grows north (unlike a square's y)."""

    x: float
    y: float


def to_plane(square: Square) -> PlanePoint:
    """Return where the centre of `square` lies in the arc plane."""
    return PlanePoint(float(SQUARE_MM * square.x), float(-SQUARE_MM * square.y))


def within_mu(distance_squared: int, mu: int) -> bool:
    """Return whether a distance, given squared and in squares, is at most `mu`."""
    return MU_PER_BOX**2 * distance_squared <= BOX_EDGE**2 * mu**2


def squared_reach(inches: SpaceInch) -> int:
    """Return the greatest distance, squared and in squares, that is at most `inches` of space."""
    return BOX_EDGE**2 * inches**2 // MU_PER_BOX**2


def in_squares(mu: int) -> str:
    """Return a distance of whole mu, or inches of space, in squares as players read it."""
    return f"{round(mu * BOX_EDGE / MU_PER_BOX, 1):g}"
