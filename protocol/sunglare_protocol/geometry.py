"""The public grid: squares, vectors, compass points, boxes, areas and the board.

Scale and orientation: x grows east, y grows south, (0, 0) is the north-west square, and the
sun stands beyond the north edge. Five by five squares make one box. All values are plain,
immutable and hashable; on the wire a square or vector is a pair of integers.
"""

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import NamedTuple, final

import msgspec

from sunglare_protocol.errors import BoxNameError
from sunglare_protocol.surface import (
    CELL_INCHES,
    MAP_HEIGHT,
    MAP_WIDTH,
    Cell,
    Pressure,
    Site,
    Weather,
)
from sunglare_protocol.word import Word

BOX_EDGE = 5
"""Squares along the edge of a box."""

BOARD_BOXES_MOST = 26
"""A board is at most this many boxes wide and high, so that one letter names a column."""


class Vector(NamedTuple):
    """A displacement in squares a turn: dx to the east, dy to the south."""

    dx: int
    dy: int

    def plus(self, other: "Vector") -> "Vector":
        """Return the sum of both displacements."""
        return Vector(self.dx + other.dx, self.dy + other.dy)


class Square(NamedTuple):
    """One square of the grid, by column x (eastward) and row y (southward)."""

    x: int
    y: int

    def moved(self, by: Vector) -> "Square":
        """Return the square that lies `by` away."""
        return Square(self.x + by.dx, self.y + by.dy)

    def to(self, other: "Square") -> Vector:
        """Return the displacement from here to `other`."""
        return Vector(other.x - self.x, other.y - self.y)

    def distance_squared(self, other: "Square") -> int:
        """Return the squared distance between both centres, in squares."""
        dx, dy = other.x - self.x, other.y - self.y
        return dx * dx + dy * dy


class Compass(Word):
    """The eight compass points, for facings, planet sectors and edges; clockwise from north."""

    N = "N"
    NE = "NE"
    E = "E"
    SE = "SE"
    S = "S"
    SW = "SW"
    W = "W"
    NW = "NW"

    @property
    def index(self) -> int:
        """Return 0 for north and so on clockwise to 7 for north-west."""
        return _INDEX[self]

    @property
    def step(self) -> Vector:
        """Return the displacement to the neighbouring square in this direction."""
        return _STEP[self]

    @property
    def opposite(self) -> "Compass":
        """Return the compass point on the other side."""
        return self.turned(4)

    def turned(self, steps: int) -> "Compass":
        """Return the compass point `steps` of 45 degrees clockwise (negative: the other way)."""
        return _CLOCKWISE[(_INDEX[self] + steps) % 8]

    def apart(self, other: "Compass") -> int:
        """Return the number of 45 degree steps between both, 0 to 4, the shorter way round."""
        steps = abs(_INDEX[self] - _INDEX[other])
        return min(steps, 8 - steps)


_CLOCKWISE = tuple(Compass)
_INDEX = {point: index for index, point in enumerate(_CLOCKWISE)}
_STEP = {
    Compass.N: Vector(0, -1),
    Compass.NE: Vector(1, -1),
    Compass.E: Vector(1, 0),
    Compass.SE: Vector(1, 1),
    Compass.S: Vector(0, 1),
    Compass.SW: Vector(-1, 1),
    Compass.W: Vector(-1, 0),
    Compass.NW: Vector(-1, -1),
}


class Box(NamedTuple):
    """A block of five by five squares, by column from the west and row from the north, from 0."""

    column: int
    row: int

    @property
    def name(self) -> str:
        """Return the letter of the column and the number of the row, as in `C4`."""
        return f"{chr(ord('A') + self.column)}{self.row + 1}"

    @property
    def centre(self) -> Square:
        """Return the middle square of the box."""
        return Square(
            self.column * BOX_EDGE + BOX_EDGE // 2,
            self.row * BOX_EDGE + BOX_EDGE // 2,
        )

    @property
    def area(self) -> "Area":
        """Return the squares of the box."""
        west, north = self.column * BOX_EDGE, self.row * BOX_EDGE
        return Area(west, north, west + BOX_EDGE - 1, north + BOX_EDGE - 1)


_BOX_NAME = re.compile(r"([A-Z])([1-9][0-9]?)")


@lru_cache(maxsize=BOARD_BOXES_MOST**2)
def box_named(name: str) -> Box:
    """Return the box called `name`, such as `E4`; raise `BoxNameError` if it is no such name."""
    match = _BOX_NAME.fullmatch(name)
    if match is None or int(match[2]) > BOARD_BOXES_MOST:
        raise BoxNameError(name)
    return Box(ord(match[1]) - ord("A"), int(match[2]) - 1)


def box_of(square: Square) -> Box:
    """Return the box in which `square` lies."""
    return Box(square.x // BOX_EDGE, square.y // BOX_EDGE)


class Area(NamedTuple):
    """A rectangle of squares, both corners included."""

    west: int
    north: int
    east: int
    south: int

    def covers(self, square: Square) -> bool:
        """Return whether `square` lies in the rectangle."""
        return self.west <= square.x <= self.east and self.north <= square.y <= self.south

    def __contains__(self, square: object) -> bool:
        """Return whether `square` (an x, y pair) lies in the rectangle."""
        if not isinstance(square, tuple) or len(square) != 2:
            return False
        x, y = square
        return bool(self.west <= x <= self.east and self.north <= y <= self.south)

    def squares(self) -> Iterator[Square]:
        """Yield every square, row after row from the north, each from the west."""
        for y in range(self.north, self.south + 1):
            for x in range(self.west, self.east + 1):
                yield Square(x, y)

    @property
    def is_empty(self) -> bool:
        """Return whether no square is left."""
        return self.east < self.west or self.south < self.north

    def overlap(self, other: "Area") -> "Area":
        """Return the rectangle that both share, possibly empty."""
        return Area(
            max(self.west, other.west),
            max(self.north, other.north),
            min(self.east, other.east),
            min(self.south, other.south),
        )


class PlanetSize(Word):
    """How big a planet is: small has a body of one square, large of three by three."""

    SMALL = "small"
    LARGE = "large"


Block = tuple[int, int, int, int]
"""A rectangle of cells of a surface map: west, south, east and north, all within."""


@final
class Environs(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, gc=False):
    """A landing place on a planet: its number, sector, size number, air, and its surface map.

    `width` and `height` of the map are in inches. `terrain` has a letter for each cell, row after
    row from the north, each from the west; without any the whole map is clear. `lit` are the
    blocks of cells that lamps light when it is not day.
    """

    number: int
    sector: Compass
    size: int = 1
    pressure: Pressure = Pressure.STANDARD
    weather: Weather = Weather.CLEAR
    width: int = MAP_WIDTH
    height: int = MAP_HEIGHT
    terrain: tuple[str, ...] = ()
    lit: tuple[Block, ...] = ()

    @property
    def columns(self) -> int:
        """Return how many cells the map has from west to east."""
        return self.width // CELL_INCHES

    @property
    def rows(self) -> int:
        """Return how many cells the map has from south to north."""
        return self.height // CELL_INCHES

    @property
    def middle(self) -> Cell:
        """Return the cell in the middle of the map, the north-eastern one of four."""
        return Cell(self.columns // 2, self.rows // 2)

    def is_lit(self, cell: Cell) -> bool:
        """Return whether a lamp lights `cell` when it is not day."""
        return any(
            west <= cell.column <= east and south <= cell.row <= north
            for west, south, east, north in self.lit
        )

    def __contains__(self, cell: object) -> bool:
        """Return whether `cell` (a column, row pair) lies on the map."""
        if not isinstance(cell, tuple) or len(cell) != 2:
            return False
        column, row = cell
        return bool(0 <= column < self.columns and 0 <= row < self.rows)


@final
class Planet(msgspec.Struct, frozen=True, kw_only=True, gc=False, cache_hash=True):
    """A planet: its name, the square of its centre, its size and its environs."""

    name: str
    at: Square
    size: PlanetSize
    environs: tuple[Environs, ...] = ()

    def environs_numbered(self, number: int | None) -> Environs | None:
        """Return the environs of that number, or None if the planet has no such place."""
        return next((place for place in self.environs if place.number == number), None)


@final
class Asteroid(msgspec.Struct, frozen=True, kw_only=True, gc=False, cache_hash=True):
    """An asteroid: its name and its square."""

    name: str
    at: Square


def environs_among(planets: Iterable[Planet], site: Site) -> Environs | None:
    """Return the environs of that site, or None if none of the planets has such a place."""
    for planet in planets:
        if planet.name == site.body:
            return planet.environs_numbered(site.environs)
    return None


@final
class Board(msgspec.Struct, frozen=True, kw_only=True, gc=False, cache_hash=True):
    """The public map: its size in boxes, the sun's strength and the bodies on it."""

    columns: int = 8
    rows: int = 8
    sunfactor: int = 6
    planets: tuple[Planet, ...] = ()
    asteroids: tuple[Asteroid, ...] = ()

    @property
    def area(self) -> Area:
        """Return every square of the map."""
        return Area(0, 0, self.columns * BOX_EDGE - 1, self.rows * BOX_EDGE - 1)

    def boxes(self) -> Iterator[Box]:
        """Yield every box of the map, row after row from the north, each from the west."""
        for row in range(self.rows):
            for column in range(self.columns):
                yield Box(column, row)

    def __contains__(self, square: object) -> bool:
        """Return whether `square` (an x, y pair) lies on the map."""
        if not isinstance(square, tuple) or len(square) != 2:
            return False
        x, y = square
        return bool(0 <= x < self.columns * BOX_EDGE and 0 <= y < self.rows * BOX_EDGE)

    def environs_at(self, site: Site) -> Environs | None:
        """Return the environs of that site, or None if the board has no such place."""
        return environs_among(self.planets, site)

    def planet_named(self, name: str | None) -> Planet | None:
        """Return the planet of that name, or None if there is none on the board."""
        return next((planet for planet in self.planets if planet.name == name), None)

    def surface_at(self, site: Site | None) -> tuple[Planet, Environs] | None:
        """Return the planet of that site and the environs, or None if there is no such place."""
        planet = None if site is None else self.planet_named(site.body)
        environs = None if site is None else self.environs_at(site)
        return None if planet is None or environs is None else (planet, environs)

    def numbers_on(self, planet: str | None) -> tuple[int, ...]:
        """Return the numbers of the environs of the planet of that name, if there is one."""
        body = self.planet_named(planet)
        return () if body is None else tuple(environs.number for environs in body.environs)


@final
class Landing(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """Where a landed ship stands: the body's name, the surface sector, a planet's environs.

    `cell` is the one of the environs' surface map; None stands for the middle of the map.
    """

    body: str
    sector: Compass
    environs: int | None = None
    cell: Cell | None = None

    @property
    def site(self) -> Site | None:
        """Return the environs on which the ship stands; None on an asteroid."""
        return None if self.environs is None else Site(self.body, self.environs)


class Place(NamedTuple):
    """Where a piece is for lines of sight: its square and, if it stands on a body, the landing."""

    square: Square
    landing: Landing | None = None
