"""Convex polygons in a base's own frame: clipping, area, and the gap to the base.

Source: X-Wing 2.0, 'Arc'; arcs of our rule book §2. u grows to the right of the base and v
ahead of it, both in mm from its centre.
"""

import math
from collections.abc import Iterable
from functools import lru_cache
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


Wedge: TypeAlias = tuple[HalfPlane, ...]
"""The convex area that several half-planes share."""


def _ring(polygon: Polygon) -> Iterable[tuple[Point, Point]]:
    """Return the edges of `polygon`, the closing one included."""
    return zip(polygon, (*polygon[1:], *polygon[:1]), strict=True)


def _sides(polygon: Polygon, half_plane: HalfPlane) -> list[float]:
    """Return for each corner a value: positive inside, negative outside, 0 on the border."""
    a, b, c = half_plane
    values = [a * u + b * v + c for u, v in polygon]
    return [0.0 if -SNAP < value < SNAP else value for value in values]


def _cut(polygon: Polygon, half_plane: HalfPlane) -> Polygon:
    """Return what of `polygon` lies in `half_plane`, its border included."""
    sides = _sides(polygon, half_plane)
    if min(sides) >= 0:
        return polygon
    if max(sides) < 0:
        return ()
    kept: list[Point] = []
    for (start, end), here, there in zip(
        _ring(polygon), sides, (*sides[1:], *sides[:1]), strict=True
    ):
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
        if not polygon:
            break
        polygon = _cut(polygon, half_plane)
    return polygon


def area(polygon: Polygon) -> float:
    """Return the area of `polygon` in square mm."""
    if not polygon:
        return 0.0
    # Not `sum`, which rounds otherwise from Python 3.12 on.
    return abs(math.fsum([pu * qv - qu * pv for (pu, pv), (qu, qv) in _ring(polygon)])) / 2


@lru_cache(maxsize=16)
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
    to_the_square = min([_point_to_square(point, half) for point in polygon])
    return min([to_the_square, *(_edge_to_corners(*edge, half) for edge in _ring(polygon))])


def _point_to_square(point: Point, half: float) -> float:
    return math.hypot(max(abs(point.u) - half, 0.0), max(abs(point.v) - half, 0.0))


def _edge_to_corners(start: Point, end: Point, half: float) -> float:
    """Return the mm between an edge and the nearest corner of the square."""
    (u, v), du, dv = start, end.u - start.u, end.v - start.v
    length_squared = du * du + dv * dv
    gaps: list[float] = []
    for corner_u, corner_v in ((-half, -half), (half, -half), (half, half), (-half, half)):
        along = (corner_u - u) * du + (corner_v - v) * dv
        # Clipping may leave the same corner twice; such an edge is a point.
        share = 0.0 if along <= 0 else 1.0 if along >= length_squared else along / length_squared
        gaps.append(math.hypot(u + share * du - corner_u, v + share * dv - corner_v))
    return min(gaps)
