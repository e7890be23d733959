"""The terrain of a surface map: what each letter stands for, what it costs, what it hides.

Source: Alpha Strike, "Blip Counters", on movement limits; surface play of our rule book, blips
§2.4, OWN throughout.
"""

from typing import NamedTuple

from sunglare_protocol.geometry import Environs
from sunglare_protocol.surface import Cell, Mode
from sunglare_protocol.word import Word

WOODS_TOP = 2
"""OWN: how high woods stand, in inches."""

CLEAR_COST = 1
"""OWN: what a cell of open ground, or of water, costs."""

SLOW_COST = 2
"""OWN: what a cell of rough ground, woods or a building costs."""


class Kind(Word):
    """What a cell is covered with."""

    CLEAR = "clear"
    ROUGH = "rough"
    WOODS = "woods"
    WATER = "water"
    BUILDING = "building"
    HILL = "hill"


class Terrain(NamedTuple):
    """The terrain of a cell; `level` is the top of a building or the level of a hill."""

    kind: Kind
    level: int = 0

    @property
    def elevation(self) -> int:
        """Return how high the ground lies on which a unit stands here, in inches."""
        return self.level if self.kind is Kind.HILL else 0

    @property
    def top(self) -> int:
        """Return how high it reaches above the lowest ground, in inches; 0: it hides nothing."""
        return WOODS_TOP if self.kind is Kind.WOODS else self.level

    @property
    def is_solid(self) -> bool:
        """Return whether not even a probe looks through it."""
        return self.kind in (Kind.BUILDING, Kind.HILL)

    @property
    def is_cover(self) -> bool:
        """Return whether a unit here is harder to hit."""
        return self.kind in (Kind.WOODS, Kind.BUILDING)


CLEAR = Terrain(Kind.CLEAR)
"""Open ground."""

LETTERS: dict[str, Terrain] = {
    ".": CLEAR,
    ",": Terrain(Kind.ROUGH),
    "w": Terrain(Kind.WOODS),
    "~": Terrain(Kind.WATER),
    "1": Terrain(Kind.BUILDING, 1),
    "2": Terrain(Kind.BUILDING, 2),
    "3": Terrain(Kind.BUILDING, 3),
    "4": Terrain(Kind.BUILDING, 4),
    "a": Terrain(Kind.HILL, 1),
    "b": Terrain(Kind.HILL, 2),
    "c": Terrain(Kind.HILL, 3),
}
"""OWN: the letters of a map: a digit is a building of that top, a to c a hill of level 1 to 3."""

_COSTS: dict[Kind, dict[Mode, int]] = {
    Kind.CLEAR: dict.fromkeys((Mode.FOOT, Mode.WHEELED, Mode.TRACKED, Mode.HOVER), CLEAR_COST),
    Kind.ROUGH: dict.fromkeys((Mode.FOOT, Mode.WHEELED, Mode.TRACKED, Mode.HOVER), SLOW_COST),
    Kind.WOODS: dict.fromkeys((Mode.FOOT, Mode.TRACKED), SLOW_COST),
    Kind.WATER: {Mode.HOVER: CLEAR_COST},
    Kind.BUILDING: {Mode.FOOT: SLOW_COST},
    Kind.HILL: dict.fromkeys((Mode.FOOT, Mode.WHEELED, Mode.TRACKED, Mode.HOVER), CLEAR_COST),
}
"""What a kind of terrain costs each way of moving; one that is missing cannot enter it."""


def terrain_at(environs: Environs, cell: Cell) -> Terrain:
    """Return the terrain of a cell of the map; clear where the map says nothing."""
    if not environs.terrain:
        return CLEAR
    return LETTERS[environs.terrain[environs.rows - 1 - cell.row][cell.column]]


def may_stand(mode: Mode, terrain: Terrain) -> bool:
    """Return whether a unit that moves this way may be on such a cell at all.

    What never moves may be put anywhere but into water.
    """
    if mode is Mode.NONE:
        return terrain.kind is not Kind.WATER
    return mode in _COSTS[terrain.kind]


def entry_cost(mode: Mode, here: Terrain, there: Terrain) -> int | None:
    """Return what it costs to enter `there` from `here`, in cells of open ground; None: never.

    Every level climbed costs one more; going down costs nothing extra.
    """
    cost = _COSTS[there.kind].get(mode)
    if cost is None:
        return None
    return cost + max(0, there.elevation - here.elevation)
