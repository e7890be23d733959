"""Who sees whom on a surface map: the terrain that a line crosses, and whether it blocks.

Source: Alpha Strike, "Visual Spotting"; blips of our rule book §2.4 and §3.2, OWN in the parts.
A line runs from centre to centre. Each cell between the two ends that it crosses counts once,
where the line is half-way through it; a line through a corner passes between the cells beside.
"""

from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise
from math import floor
from typing import NamedTuple

from sunglare_protocol.geometry import Environs
from sunglare_protocol.surface import Cell
from sunglare_rules.heights import PERMILLE, Obstacle, line_blocked, reversed_line
from sunglare_rules.surface.terrain import Terrain, terrain_at

_LINES_KEPT = 1 << 14
"""How many lines are remembered with the cells they cross."""

_BETWEEN_KEPT = 1 << 15
"""How many pairs of cells are remembered with what stands between them."""


class Standing(NamedTuple):
    """A unit for lines of sight: its cell, and its height above the ground there."""

    cell: Cell
    height: int


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
    found = ((each, _terrain_of(environs, a, each)) for each in line)
    return tuple(
        Obstacle(each.along, terrain.top, terrain.is_solid)
        for each, terrain in found
        if terrain.top
    )


def sees(environs: Environs, a: Standing, b: Standing) -> bool:
    """Return whether two units have a line of sight to each other."""
    return not _blocked(environs, a, b, solid_only=False)


def solid_between(environs: Environs, a: Standing, b: Standing) -> bool:
    """Return whether solid terrain stands between two units, which stops a probe's scan."""
    return _blocked(environs, a, b, solid_only=True)


def height_of(environs: Environs, unit: Standing) -> int:
    """Return how high a unit reaches: the ground it stands on and its own height, in inches."""
    return terrain_at(environs, unit.cell).elevation + unit.height


def _blocked(environs: Environs, a: Standing, b: Standing, *, solid_only: bool) -> bool:
    between = obstacles(environs, a.cell, b.cell)
    if not between:
        return False
    near, far = height_of(environs, a), height_of(environs, b)
    return line_blocked(near, far, between, solid_only=solid_only)


def _terrain_of(environs: Environs, start: Cell, crossed: Crossed) -> Terrain:
    cell = Cell(start.column + crossed.east, start.row + crossed.north)
    return terrain_at(environs, cell)
