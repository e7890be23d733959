"""The words and places of surface play: sites, cells, terrain letters, ground units and arms.

A surface map is a grid of cells of two by two inches. Unlike the squares of space its rows count
from the south: cell (0, 0) is the south-west one, called A1. On the wire a cell is a pair of
integers, a site a pair of the planet's name and the number of the environs.
"""

import re
from typing import NamedTuple

from sunglare_protocol.errors import CellNameError
from sunglare_protocol.word import Word

CELL_INCHES = 2
"""OWN: the edge of a cell of a surface map, in inches."""

MAP_WIDTH = 36
"""OWN: how wide a surface map is, west to east, if its environs says nothing else, in inches."""

MAP_HEIGHT = 24
"""OWN: how high a surface map is, south to north, if its environs says nothing else."""

MAP_CELLS_MOST = 26
"""OWN: a surface map is at most this many cells wide and high, so that a letter names a column."""


class Cell(NamedTuple):
    """A cell of a surface map, by column from the west and row from the south, from 0."""

    column: int
    row: int

    @property
    def name(self) -> str:
        """Return the letter of the column and the number of the row, as in `C4`."""
        return f"{chr(ord('A') + self.column)}{self.row + 1}"


class Site(NamedTuple):
    """An environs of a planet and so a surface map: the planet's name and the number."""

    body: str
    environs: int

    @property
    def name(self) -> str:
        """Return the planet and the number, as in `Orlog 3`."""
        return f"{self.body} {self.environs}"


_CELL_NAME = re.compile(r"([A-Z])([1-9][0-9]?)")


def cell_named(name: str) -> Cell:
    """Return the cell called `name`, such as `C4`; raise `CellNameError` if it is no such name."""
    match = _CELL_NAME.fullmatch(name)
    if match is None or int(match[2]) > MAP_CELLS_MOST:
        raise CellNameError(name)
    return Cell(ord(match[1]) - ord("A"), int(match[2]) - 1)


class Pressure(Word):
    """How thick the air of an environs is."""

    VACUUM = "vacuum"
    TRACE = "trace"
    THIN = "thin"
    STANDARD = "standard"
    HIGH = "high"


class Weather(Word):
    """The weather over a surface map, from the best sight to the worst."""

    CLEAR = "clear"
    LIGHT = "light"
    MODERATE = "moderate"
    HEAVY = "heavy"
    STORM = "storm"
    HEAVY_FOG = "heavy_fog"


class Mode(Word):
    """How a ground unit moves; `none` stays where it is."""

    FOOT = "foot"
    WHEELED = "wheeled"
    TRACKED = "tracked"
    HOVER = "hover"
    NONE = "none"


class GroundKind(Word):
    """What a ground unit is, where height, sight and sensors make a difference."""

    INFANTRY = "infantry"
    BATTLE_ARMOUR = "battle_armour"
    PROTOMECH = "protomech"
    VEHICLE = "vehicle"
    MECH = "mech"
    SUPERHEAVY = "superheavy"
    STRUCTURE = "structure"
    REMOTE = "remote"


class Build(Word):
    """How a ground unit or landed ship is built, where that decides how high it stands."""

    INFANTRY = "infantry"
    BATTLE_ARMOUR = "battle_armour"
    PROTOMECH = "protomech"
    VEHICLE = "vehicle"
    LARGE_VEHICLE = "large_vehicle"
    MECH = "mech"
    SUPERHEAVY = "superheavy"
    VERY_LARGE = "very_large"
    AERODYNE = "aerodyne"
    SPHEROID = "spheroid"
    REMOTE = "remote"


class Quality(Word):
    """The names of the chart of troops, which decide what soldiers a patrol is made of."""

    CONSCRIPT = "conscript"
    FIRST_LINE = "first_line"
    SECOND_LINE = "second_line"
    STORMTROOPER = "stormtrooper"
    GUARD = "guard"
    MARINE = "marine"
    MILITIA = "militia"
    REGULAR = "regular"
    IRREGULAR = "irregular"
    ELITE = "elite"


class Arm(Word):
    """The kind of a ground unit's weapon: what it needs to fire and what its fire gives away.

    The `sds` kinds are the defences against ships in the order capital, sub-capital, missile.
    """

    DIRECT = "direct"
    INDIRECT = "indirect"
    PHYSICAL = "physical"
    ANTI_MECH = "anti_mech"
    SDS_C = "sds_c"
    SDS_SC = "sds_sc"
    SDS_CM = "sds_cm"
