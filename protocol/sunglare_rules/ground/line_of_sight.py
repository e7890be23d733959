"""Sight on a surface map: the terrain that a line crosses, and whether it blocks.

Source: Alpha Strike, "Visual Spotting"; blips of our rule book §2.3, §2.4 and §3.2, OWN in the
parts. A line runs from centre to centre. Each cell between the two ends that it crosses counts
once, where the line is half-way through it; a line through a corner passes between the two cells.
So do the footprints of large units count that it crosses or touches.
"""

from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise
from math import floor
from typing import NamedTuple

from sunglare_protocol.geometry import Environs
from sunglare_protocol.surface import Cell
from sunglare_protocol.words.specials import Specials
from sunglare_rules.blips.heights import PERMILLE, Obstacle, line_blocked, reversed_line
from sunglare_rules.blips.spotting import half_footprint
from sunglare_rules.ground.plane import centre
from sunglare_rules.ground.terrain import Terrain, terrain_at
from sunglare_rules.turn.metric import SURFACE, Spot, line_meets_circle

_LINES_KEPT = 1 << 12
"""How many lines are remembered with the cells they cross."""

_BETWEEN_KEPT = 1 << 12
"""How many pairs of cells are remembered with what stands between them."""


class Viewpoint(NamedTuple):
    """A unit for lines of sight: its cell, and its height above the ground there."""

    cell: Cell
    height: int


class Body(NamedTuple):
    """A large unit that stands in the way: its cell, half its footprint in inches, its height."""

    cell: Cell
    radius: int
    height: int


Bodies = tuple[Body, ...]
"""The large units on a map that may stand in the way."""


def body_of(unit: Viewpoint, specials: Specials) -> Bodies:
    """Return a unit as what blocks sight: one body, or none if it is not large."""
    radius = half_footprint(specials)
    return (Body(unit.cell, radius, unit.height),) if radius else ()


class Crossed(NamedTuple):
    """A cell that a line crosses, as steps from its first cell, and where, in permille."""

    east: int
    north: int
    along: int


@lru_cache(maxsize=_LINES_KEPT)
def crossings(east: int, north: int) -> tuple[Crossed, ...]:
    """Return the cells between two that lie `east` and `north` steps apart, in their order."""
    cuts = sorted(dict.fromkeys((Fraction(0), Fraction(1), *_cuts(east), *_cuts(north))))
    found = []
    for enters, leaves in pairwise(cuts):
        middle = (enters + leaves) / 2
        step = (floor(middle * east + Fraction(1, 2)), floor(middle * north + Fraction(1, 2)))
        if step not in ((0, 0), (east, north)):
            found.append(Crossed(*step, floor(middle * PERMILLE + Fraction(1, 2))))
    return tuple(found)


def _cuts(steps: int) -> Iterator[Fraction]:
    """Yield where the line crosses from one column (or row) to the next."""
    for number in range(abs(steps)):
        yield Fraction(2 * number + 1, 2 * abs(steps))


@lru_cache(maxsize=_BETWEEN_KEPT)
def obstacles(environs: Environs, a: Cell, b: Cell) -> tuple[Obstacle, ...]:
    """Return what stands on the cells between two; from the other end it is the same reversed."""
    if b < a:
        return reversed_line(obstacles(environs, b, a))
    line = crossings(b.column - a.column, b.row - a.row)
    found = ((crossed, _terrain_of(environs, a, crossed)) for crossed in line)
    return tuple(
        Obstacle(crossed.along, terrain.top, terrain.is_solid)
        for crossed, terrain in found
        if terrain.top
    )


def sees(environs: Environs, a: Viewpoint, b: Viewpoint, bodies: Bodies = ()) -> bool:
    """Return whether two units have a line of sight to each other."""
    between = obstacles(environs, a.cell, b.cell)
    if bodies:
        between = (*between, *_footprints(environs, bodies, a.cell, b.cell))
    return not _blocked(environs, a, b, between, solid_only=False)


def solid_between(environs: Environs, a: Viewpoint, b: Viewpoint) -> bool:
    """Return whether solid terrain stands between two units, which stops a probe's scan.

    OWN: units are no terrain, so that a probe looks through the largest.
    """
    return _blocked(environs, a, b, obstacles(environs, a.cell, b.cell), solid_only=True)


def height_of(environs: Environs, unit: Viewpoint) -> int:
    """Return how high a unit reaches: the ground it stands on and its own height, in inches."""
    return terrain_at(environs, unit.cell).elevation + unit.height


def _footprints(environs: Environs, bodies: Bodies, a: Cell, b: Cell) -> Iterator[Obstacle]:
    """Yield the large units whose footprints the line meets, where it comes nearest to each.

    A unit in the cell of either end is none of them: it does not stand between.
    """
    start, end = centre(a), centre(b)
    for body in bodies:
        at = centre(body.cell)
        if line_meets_circle(SURFACE, start, end, at, body.radius):
            top = terrain_at(environs, body.cell).elevation + body.height
            yield Obstacle(_nearest(start, end, at), top, solid=False)


def _nearest(start: Spot, end: Spot, at: Spot) -> int:
    """Return where along a line it comes nearest to a point, in permille; the same both ways."""
    if end < start:
        return PERMILLE - _nearest(end, start, at)
    along = (end[0] - start[0], end[1] - start[1])
    length_squared = along[0] ** 2 + along[1] ** 2
    foot = along[0] * (at[0] - start[0]) + along[1] * (at[1] - start[1])
    return (2 * PERMILLE * foot + length_squared) // (2 * length_squared) if length_squared else 0


def _blocked(
    environs: Environs,
    a: Viewpoint,
    b: Viewpoint,
    between: tuple[Obstacle, ...],
    *,
    solid_only: bool,
) -> bool:
    if not between:
        return False
    near, far = height_of(environs, a), height_of(environs, b)
    return line_blocked(near, far, between, solid_only=solid_only)


def _terrain_of(environs: Environs, start: Cell, crossed: Crossed) -> Terrain:
    cell = Cell(start.column + crossed.east, start.row + crossed.north)
    return terrain_at(environs, cell)
