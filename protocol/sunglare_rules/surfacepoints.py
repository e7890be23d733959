"""Points of a surface map, and distances between them.

Source: none; blips and spotting of our rule book §2.3, "Coordinates". OWN: whole numbers, of
which a thousand are an inch; the origin is the south-west corner, x grows east and y north.
"""

from typing import NamedTuple

INCH = 1000
"""How many units of a surface map are an inch."""


class SurfacePoint(NamedTuple):
    """A point of a surface map, in thousandths of an inch."""

    x: int
    y: int

    def distance_squared(self, other: "SurfacePoint") -> int:
        """Return the squared distance to `other`, in units of the map."""
        dx, dy = other.x - self.x, other.y - self.y
        return dx * dx + dy * dy


class MapSize(NamedTuple):
    """The width and height of a surface map, in thousandths of an inch."""

    width: int
    height: int

    def holds(self, point: SurfacePoint) -> bool:
        """Return whether the point lies on the map. OWN: its edges belong to it."""
        return 0 <= point.x <= self.width and 0 <= point.y <= self.height


def within_inches(distance_squared: int, inches: int) -> bool:
    """Return whether a distance, squared and in units of the map, is at most `inches`."""
    return distance_squared <= (INCH * inches) ** 2
