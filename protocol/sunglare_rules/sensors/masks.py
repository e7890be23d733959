"""Squares of a map as bit masks, and all that bodies and the sun fix of them once for a map.

Source: Intercept sensors part 2, "Planet LOS sectors" and "Shadow column"; sensors of our rule
book §1 and §2. A mask is a whole number: the bit y * width + x stands for the square x, y, so that
rising bits are squares row by row from the north. What holds for many squares at once is then
found by `&`, `|` and counting bits, and not square by square. Each mask has exactly the squares
for which `sectors` and `sunlight` say the same of one; squares off the map are in none.
"""

from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache, partial
from itertools import compress
from typing import NamedTuple, final

from sunglare_protocol.geometry import Area, Board, Compass, Place, Planet, Square
from sunglare_rules.sensors.sectors import (
    BODY_REACH,
    Zone,
    line_of_sight,
    sector,
    well_squares,
    zone,
)
from sunglare_rules.sensors.sunlight import ASTEROID_SHADOW_LENGTH

_BOARDS_KEPT = 64
"""How many maps are remembered with their masks."""

_MASKS_KEPT = 4096
"""How many areas and places are remembered with their masks, and masks with their numbers."""

_SQUARES_KEPT = 256
"""How many masks are remembered with their squares."""

_STEPS = len(Compass)


@final
class Around(NamedTuple):
    """The squares of a map around one planet: its body, and near and far those of each sector."""

    body: int
    near: tuple[int, ...]
    far: tuple[int, ...]


@final
class Masks(NamedTuple):
    """What a map fixes: all its squares, those in no body, in any well, in shadow.

    `squares` has the squares by their bit, `around` the parts of the map around each planet.
    """

    squares: tuple[Square, ...]
    every: int
    space: int
    wells: int
    shadow: int
    around: tuple[Around, ...]


@lru_cache(maxsize=_BOARDS_KEPT)
def masks_of(board: Board) -> Masks:
    """Return the masks of a map."""
    squares = tuple(board.area.squares())
    around = tuple([_around(board, planet, squares) for planet in board.planets])
    every = area_mask(board, board.area)
    bodies = wells = 0
    for parts in around:
        bodies |= parts.body
        wells |= _any_of(parts.near)
    return Masks(squares, every, every & ~bodies, wells, _shadow(board), around)


@lru_cache(maxsize=_MASKS_KEPT)
def area_mask(board: Board, area: Area) -> int:
    """Return the squares of the map that lie in an area."""
    seen = area.overlap(board.area)
    if seen.is_empty:
        return 0
    width = _width(board)
    row = ((1 << (seen.east + 1 - seen.west)) - 1) << seen.west
    return _any_of(row << width * y for y in range(seen.north, seen.south + 1))


def mask_of(board: Board, squares: Iterable[Square]) -> int:
    """Return the mask of these squares, of which those off the map are left out."""
    width = _width(board)
    return _any_of(1 << width * y + x for x, y in squares if (x, y) in board)


@final
class Stride(NamedTuple):
    """How far something moves along an axis, in squares: at least and at most."""

    least: int
    most: int

    def wider(self, by: int) -> "Stride":
        """Return the stride that may be so many squares more either way."""
        return Stride(self.least - by, self.most + by)

    def joined(self, other: "Stride") -> "Stride":
        """Return the narrowest stride that takes in both."""
        return Stride(min(self.least, other.least), max(self.most, other.most))


def swept(board: Board, mask: int, east: Stride, south: Stride) -> int:
    """Return where on the map what stands on a mask may be after a move within both strides."""
    rows = _swept(mask, east, partial(_eastward, board))
    return _swept(rows, south, partial(_southward, board))


def _swept(mask: int, stride: Stride, moved: Callable[[int, int], int]) -> int:
    """Return the union of a mask moved by every number of a stride.

    Never one way and then back: what has left the map does not return.
    """
    least, most = stride
    found = 0
    if most >= 0:
        first = max(0, least)
        found |= _reaching(moved(mask, first), most - first, 1, moved)
    if least < 0:
        first = min(0, most)
        found |= _reaching(moved(mask, first), first - least, -1, moved)
    return found


def _reaching(mask: int, reach: int, way: int, moved: Callable[[int, int], int]) -> int:
    """Return the union of a mask moved by 0 to `reach` squares; what is covered doubles."""
    found, covered = mask, 1
    while covered <= reach:
        step = min(covered, reach + 1 - covered)
        found |= moved(found, way * step)
        covered += step
    return found


def _eastward(board: Board, mask: int, by: int) -> int:
    """Return a mask moved to the east, below zero to the west."""
    east, south = board.area.east, board.area.south
    if by >= 0:
        return (mask & area_mask(board, Area(0, 0, east - by, south))) << by
    return (mask & area_mask(board, Area(-by, 0, east, south))) >> -by


def _southward(board: Board, mask: int, by: int) -> int:
    """Return a mask moved to the south, below zero to the north."""
    rows = _width(board) * abs(by)
    return (mask << rows) & masks_of(board).every if by >= 0 else mask >> rows


@lru_cache(maxsize=_SQUARES_KEPT)
def squares_in(board: Board, mask: int) -> tuple[Square, ...]:
    """Return the squares of a mask, row by row from the north, each from the west."""
    return tuple(compress(masks_of(board).squares, _bits(mask)))


@lru_cache(maxsize=_BOARDS_KEPT)
def shadow_squares(board: Board) -> tuple[Square, ...]:
    """Return every shadowed square of the map, row by row from the north; for drawing."""
    return squares_in(board, masks_of(board).shadow)


@lru_cache(maxsize=_MASKS_KEPT)
def numbers_in(mask: int) -> tuple[int, ...]:
    """Return the numbers of the bits of a mask, rising."""
    return tuple([number for number, bit in enumerate(_bits(mask)) if bit])


@lru_cache(maxsize=_MASKS_KEPT)
def seen_from(board: Board, here: Place) -> int:
    """Return the squares of space that no body hides from a place."""
    masks = masks_of(board)
    if here.landing is not None:
        seen = (square for square in masks.squares if line_of_sight(board, here, Place(square)))
        return mask_of(board, seen)
    hidden = 0
    for planet, parts in zip(board.planets, masks.around, strict=True):
        hidden |= _hidden_by(planet, parts, here.square)
    return masks.every & ~hidden


def _hidden_by(planet: Planet, parts: Around, here: Square) -> int:
    """Return what a planet hides from a square of space, as `sectors.blocks` has it."""
    where = zone(planet, here)
    if where is Zone.BODY:
        return 0
    opposite = sector(planet.at, here).opposite.index
    return parts.near[opposite] | (parts.far[opposite] if where is Zone.NEAR else 0)


def _around(board: Board, planet: Planet, squares: tuple[Square, ...]) -> Around:
    reach = BODY_REACH[planet.size]
    x, y = planet.at
    body = area_mask(board, Area(x - reach, y - reach, x + reach, y + reach))
    near = mask_of(board, well_squares(planet))
    sectors = [0] * _STEPS
    for number, square in enumerate(squares):
        if square != planet.at:
            sectors[sector(planet.at, square).index] |= 1 << number
    return Around(
        body,
        tuple([part & near for part in sectors]),
        tuple([part & ~near & ~body for part in sectors]),
    )


def _shadow(board: Board) -> int:
    south = board.area.south
    planets = (
        Area(x - BODY_REACH[size], y + BODY_REACH[size] + 1, x + BODY_REACH[size], south)
        for (x, y), size in ((planet.at, planet.size) for planet in board.planets)
    )
    asteroids = (
        Area(x, y + 1, x, y + ASTEROID_SHADOW_LENGTH)
        for x, y in (asteroid.at for asteroid in board.asteroids)
    )
    return _any_of(area_mask(board, column) for column in (*planets, *asteroids))


def _bits(mask: int) -> Iterator[bool]:
    """Return whether each bit of a mask is set, from the lowest on."""
    return map("1".__eq__, reversed(f"{mask:b}"))


def _any_of(masks: Iterable[int]) -> int:
    every = 0
    for mask in masks:
        every |= mask
    return every


def _width(board: Board) -> int:
    return board.area.east + 1
