"""Movement of ground units: paths of cells, what they cost, where they stop; and jumps.

Source: Alpha Strike, "Blip Counters", on movement limits; surface play of our rule book, blips
§2.4, OWN throughout. Units never block one another, so only the map decides.
"""

from collections.abc import Iterator
from heapq import heappop, heappush
from typing import NamedTuple

from sunglare_protocol.geometry import Environs
from sunglare_protocol.surface import CELL_INCHES, Cell, Mode
from sunglare_protocol.word import Word
from sunglare_rules.ground.plane import adjoins, apart
from sunglare_rules.ground.terrain import entry_cost, may_stand, terrain_at


class Halt(Word):
    """Why a unit goes no further."""

    NOT_NEXT = "not_next"
    OFF_MAP = "off_map"
    BARRED = "barred"
    TOO_FAR = "too_far"


class Legs(NamedTuple):
    """How a unit moves: its mode, inches of movement, and inches of jump (0 without jets)."""

    mode: Mode
    move: int
    jump: int = 0


class PathEnd(NamedTuple):
    """Where a path leads: the cells entered, the inches spent, and why it ended early, if so."""

    cells: tuple[Cell, ...]
    spent: int
    halt: Halt | None = None


def step_cost(environs: Environs, mode: Mode, here: Cell, there: Cell) -> int | None:
    """Return what entering an adjoining cell costs, in inches; None if the mode cannot."""
    cost = entry_cost(mode, terrain_at(environs, here), terrain_at(environs, there))
    return None if cost is None else CELL_INCHES * cost


def walk(environs: Environs, legs: Legs, start: Cell, path: tuple[Cell, ...]) -> PathEnd:
    """Return how far a unit comes along a path.

    It stops before the first cell that does not adjoin, lies off the map, that it cannot enter
    or cannot pay.
    """
    spent, here, entered = 0, start, list[Cell]()
    for there in path:
        if not adjoins(here, there):
            return PathEnd(tuple(entered), spent, Halt.NOT_NEXT)
        if there not in environs:
            return PathEnd(tuple(entered), spent, Halt.OFF_MAP)
        cost = step_cost(environs, legs.mode, here, there)
        if cost is None:
            return PathEnd(tuple(entered), spent, Halt.BARRED)
        if spent + cost > legs.move:
            return PathEnd(tuple(entered), spent, Halt.TOO_FAR)
        entered.append(there)
        spent, here = spent + cost, there
    return PathEnd(tuple(entered), spent)


def jump(environs: Environs, legs: Legs, start: Cell, to: Cell) -> PathEnd:
    """Return a jump in a straight line over any terrain, measured centre to centre.

    OWN: the unit must be able to stand where it comes down.
    """
    if to not in environs:
        return PathEnd((), 0, Halt.OFF_MAP)
    if not may_stand(legs.mode, terrain_at(environs, to)):
        return PathEnd((), 0, Halt.BARRED)
    if not apart(start, to).within(legs.jump):
        return PathEnd((), 0, Halt.TOO_FAR)
    return PathEnd((to,), legs.jump)


def walks(environs: Environs, legs: Legs, start: Cell) -> dict[Cell, tuple[Cell, ...]]:
    """Return every cell to which a unit can walk, with the path that costs least.

    Of paths that cost the same it is one of the fewest cells. No path leads to where it stands.
    """
    paths: dict[Cell, tuple[Cell, ...]] = {}
    open_ends: list[tuple[int, int, tuple[Cell, ...]]] = [(0, 0, (start,))]
    while open_ends:
        spent, steps, path = heappop(open_ends)
        here = path[-1]
        if here in paths:
            continue
        paths[here] = path[1:]
        for there in beside(environs, here):
            cost = step_cost(environs, legs.mode, here, there)
            if cost is not None and there not in paths and spent + cost <= legs.move:
                heappush(open_ends, (spent + cost, steps + 1, (*path, there)))
    del paths[start]
    return paths


def beside(environs: Environs, here: Cell) -> Iterator[Cell]:
    """Yield the cells of the map that adjoin one."""
    for row in (here.row - 1, here.row, here.row + 1):
        for column in (here.column - 1, here.column, here.column + 1):
            there = Cell(column, row)
            if there != here and there in environs:
                yield there
