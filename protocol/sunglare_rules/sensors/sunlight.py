"""Effects of the sun on sensors: shadow columns, the sunglare of a ship, shadowing.

Source: Intercept sensors part 2, "Shadow column" and the questions on asteroids and
shadowing; sensors of our rule book §2. The sun stands beyond the north edge.
"""

from functools import lru_cache
from typing import NamedTuple

from sunglare_protocol.geometry import Area, Board, Compass, Square, Vector
from sunglare_protocol.words.scans import Echo
from sunglare_rules.sensors.sectors import BODY_REACH

ASTEROID_SHADOW_LENGTH = 5
"""OWN: squares that the shadow of an asteroid reaches to the south."""


_SQUARES_KEPT = 1 << 12
"""How many squares are remembered as lying in shadow or not."""


class Silhouette(NamedTuple):
    """What shadowing looks at in a ship or missile that is in space and not cloaked."""

    square: Square
    vector: Vector
    facing: Compass
    echo: Echo


@lru_cache(maxsize=_SQUARES_KEPT)
def in_shadow(board: Board, square: Square) -> bool:
    """Return whether `square` lies in the shadow column of a planet or an asteroid."""
    return any(
        abs(square.x - planet.at.x) <= BODY_REACH[planet.size]
        and square.y > planet.at.y + BODY_REACH[planet.size]
        for planet in board.planets
    ) or any(
        square.x == asteroid.at.x and 0 < square.y - asteroid.at.y <= ASTEROID_SHADOW_LENGTH
        for asteroid in board.asteroids
    )


def glare_squares(board: Board, scanner: Square) -> tuple[Square, ...]:
    """Return the sunglare column of a ship at `scanner`, from the north; for drawing."""
    if in_shadow(board, scanner):
        return ()
    return tuple([Square(scanner.x, y) for y in range(scanner.y)])


def glare_column_touched(board: Board, scanner: Square, area: Area) -> bool:
    """Return whether a scan of `area` touches the sunglare column of a ship at `scanner`.

    The column is one square wide and runs from the ship to the north edge. OWN: the ship's
    own square is not part of it. A ship in a shadow column has none.
    """
    if not (area.west <= scanner.x <= area.east and area.north < scanner.y):
        return False
    seen = area.overlap(board.area)
    if seen.is_empty or in_shadow(board, scanner):
        return False
    return seen.west <= scanner.x <= seen.east and seen.north < scanner.y


def is_shadowed_by(ship: Silhouette, other: Silhouette) -> bool:
    """Return whether `ship` hides from the sun behind `other`, friend or enemy.

    Both share square, vector and facing, and the echo of `other` is strictly larger. Cloaked
    and landed ships give no such shadow and are not to be asked about.
    """
    return ship[:3] == other[:3] and other.echo.rank > ship.echo.rank


def sunfactor_on(board: Board, square: Square, shadowed: bool) -> int:
    """Return the sunfactor in the hull signature of a piece at `square`.

    It is 0 in a shadow column and for a ship that shadows a larger one, otherwise the board's.
    """
    return 0 if shadowed or in_shadow(board, square) else board.sunfactor
