"""The bearing that an emission gives to those who notice it, and nothing else.

Source: none; capital weapons of our rule book §3, "emission event". OWN: a bearing is rounded
down to 30 degrees. Whole numbers decide it exactly.
"""

from sunglare_protocol.geometry import Square
from sunglare_rules.turn.metric import Spot

BUCKET_DEGREES = 30
"""OWN: the step to which a bearing is rounded down."""


def bearing(east: int, north: int) -> int:
    """Return the bearing of a displacement, 0 to 330, in degrees clockwise from north.

    OWN: what is no displacement at all has the bearing 0, so that its event looks like any other.
    """
    quarter, ahead, aside = _quartered(east, north)
    # Clockwise from the quarter's first axis the tangent is aside / ahead; that of 30 degrees is
    # the root of 1/3 and that of 60 degrees the root of 3, both irrational: no whole displacement
    # lies exactly on a border but on the axes.
    thirds = (3 * aside**2 >= ahead**2) + (aside**2 >= 3 * ahead**2) if aside else 0
    return 90 * quarter + BUCKET_DEGREES * thirds


def surface_bearing(unit: Spot, emitter: Spot) -> int:
    """Return the bearing of an emitter from the unit on the same map that notices it."""
    return bearing(emitter[0] - unit[0], emitter[1] - unit[1])


def space_bearing(piece: Square, emitter: Square) -> int:
    """Return the bearing of an emitter from the piece in space that notices it."""
    # Squares are counted southwards.
    return bearing(emitter.x - piece.x, piece.y - emitter.y)


def _quartered(east: int, north: int) -> tuple[int, int, int]:
    """Return the quarter of the circle, 0 to 3, and how far ahead and clockwise aside in it."""
    if north > 0 and east >= 0:
        return 0, north, east
    if east > 0:
        return 1, east, -north
    if north < 0:
        return 2, -north, -east
    return (3, -east, north) if east else (0, 0, 0)
