"""Convex polygons in a base's own frame: clipping, area, and the gap to the base.

Source: X-Wing 2.0, 'Arc'; arcs of our rule book §2. u grows to the right of the base and v
ahead of it, both in mm from its centre.
"""

import math
from collections.abc import Iterable
from itertools import pairwise
from typing import NamedTuple, TypeAlias

SNAP = 1e-6
"""OWN: a length or a side value smaller than this is nothing (mm)."""


class Point(NamedTuple):
    """A point in a base's frame, in mm: u to the right, v ahead."""

    u: float
    v: float


Polygon: TypeAlias = tuple[Point, ...]
"""The corners of a convex polygon in order; empty for no area at all."""


class HalfPlane(NamedTuple):
    """All points with a*u + b*v + c >= 0."""

    a: float
    b: float
    c: float = 0.0

    def side(self, point: Point) -> float:
        """Return a positive value inside, negative outside, and exactly 0 on the border."""
        value = self.a * point.u + self.b * point.v + self.c
        return 0.0 if abs(value) < SNAP else value


Wedge: TypeAlias = tuple[HalfPlane, ...]
"""The convex area that several half-planes share."""


def _ring(polygon: Polygon) -> Iterable[tuple[Point, Point]]:
    """Return the edges of `polygon`, the closing one included."""
    return pairwise((*polygon, *polygon[:1]))


def _cut(polygon: Polygon, half_plane: HalfPlane) -> Polygon:
    """Return what of `polygon` lies in `half_plane`, its border included."""
    kept: list[Point] = []
    for start, end in _ring(polygon):
        here, there = half_plane.side(start), half_plane.side(end)
        if here >= 0:
            kept.append(start)
        if here * there < 0:
            share = here / (here - there)
            kept.append(
                Point(start.u + share * (end.u - start.u), start.v + share * (end.v - start.v))
            )
    return tuple(kept)


def clipped(polygon: Polygon, wedge: Wedge) -> Polygon:
    """Return what of `polygon` lies in every half-plane of `wedge`; mere contact gives no area."""
    for half_plane in wedge:
        polygon = _cut(polygon, half_plane)
    return polygon


def area(polygon: Polygon) -> float:
    """Return the area of `polygon` in square mm."""
    # Not `sum`, which rounds otherwise from Python 3.12 on.
    return abs(math.fsum(p.u * q.v - q.u * p.v for p, q in _ring(polygon))) / 2


def square(half: float) -> Wedge:
    """Return the square around the origin that reaches `half` mm each way, as a wedge."""
    return (
        HalfPlane(1, 0, half),
        HalfPlane(-1, 0, half),
        HalfPlane(0, 1, half),
        HalfPlane(0, -1, half),
    )


def gap_to_square(polygon: Polygon, half: float) -> float:
    """Return the mm between `polygon` and the square that reaches `half` each way, if apart.

    The shortest line between two convex shapes starts at a corner of one of them, so corners
    are all that must be tried. Shapes that overlap have no gap; do not ask for it.
    """
    to_the_square = min(_point_to_square(point, half) for point in polygon)
    corners = (Point(-half, -half), Point(half, -half), Point(half, half), Point(-half, half))
    to_the_edges = min(
        _point_to_edge(corner, start, end) for corner in corners for start, end in _ring(polygon)
    )
    return min(to_the_square, to_the_edges)


def _point_to_square(point: Point, half: float) -> float:
    return math.hypot(max(abs(point.u) - half, 0.0), max(abs(point.v) - half, 0.0))


def _point_to_edge(point: Point, start: Point, end: Point) -> float:
    du, dv = end.u - start.u, end.v - start.v
    length_squared = du * du + dv * dv
    along = (point.u - start.u) * du + (point.v - start.v) * dv
    # Clipping may leave the same corner twice; such an edge is a point.
    share = min(max(along / length_squared, 0.0), 1.0) if length_squared else 0.0
    return math.hypot(start.u + share * du - point.u, start.v + share * dv - point.v)
