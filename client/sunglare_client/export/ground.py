"""A surface map as shapes: the letters of its terrain, and who stands on its cells."""

import math
from typing import Final

from sunglare_client.export.colours import Ink
from sunglare_client.export.grounds import Ground
from sunglare_client.export.pieces import unit_shape
from sunglare_client.export.shapes import FONT, LETTER, LINE, MARGIN, Block, Label, Outline, Shape
from sunglare_client.map.cells import Cell
from sunglare_client.map.groundchart import OPEN_GROUND, GroundPlace
from sunglare_client.text.printable import printable

CELL: Final = 20
"""Units of the picture that one cell of a surface map is wide."""

HEAD: Final = 2 * LINE
"""Units above a surface map, for its title and the letters of its columns."""

_WATER: Final = "~"


def size_of(ground: Ground) -> tuple[int, int]:
    """Return how many units a surface map takes, with what stands around it."""
    wide = max(CELL * len(ground.rows[0]), math.ceil(LETTER * len(ground.title)))
    return MARGIN + wide, HEAD + CELL * len(ground.rows)


def ground_shapes(ground: Ground, west: int, north: int) -> list[Shape]:
    """Return the shapes of a surface map whose title begins at a point."""
    corner = (west + MARGIN, north + HEAD)
    return [
        Label(west + MARGIN, north + FONT, ground.title),
        *_terrain(ground, *corner),
        *_rulers(ground, *corner),
        *_standing(ground, *corner),
    ]


def _terrain(ground: Ground, west: int, north: int) -> list[Shape]:
    blocks: list[Shape] = []
    letters: list[Shape] = []
    for y, row in enumerate(ground.rows):
        for x, place in enumerate(row):
            if place.terrain != OPEN_GROUND:
                ink = Ink.SHADOW if place.terrain == _WATER else Ink.WELL
                left, top = west + x * CELL, north + y * CELL
                blocks.append(Block(ink, left, top, CELL, CELL))
                words = printable(place.terrain)
                letters.append(Label(left + 4, top + 8, words, Ink.TERRAIN, is_middle=True))
    return [*blocks, *letters]


def _rulers(ground: Ground, west: int, north: int) -> list[Shape]:
    """Return the lines between the cells, the letters of the columns, the numbers of the rows."""
    width, height = len(ground.rows[0]), len(ground.rows)
    east, south = west + width * CELL, north + height * CELL
    found: list[Shape] = [
        *(Outline(Ink.GRID, ((x, north), (x, south))) for x in range(west, east + 1, CELL)),
        *(Outline(Ink.GRID, ((west, y), (east, y))) for y in range(north, south + 1, CELL)),
    ]
    for x, place in enumerate(ground.rows[0]):
        middle = west + x * CELL + CELL // 2
        found.append(Label(middle, north - 4, place.at.name[0], is_middle=True))
    for y, row in enumerate(ground.rows):
        number = str(row[0].at.row + 1)
        found.append(Label(west - 10, north + y * CELL + 13, number, is_middle=True))
    return found


def _standing(ground: Ground, west: int, north: int) -> list[Shape]:
    """Return the topmost piece of each cell, then the names below the pieces."""
    pieces: list[Shape] = []
    names: list[Shape] = []
    for y, row in enumerate(ground.rows):
        for x, place in enumerate(row):
            if place.standing:
                left, top = west + x * CELL, north + y * CELL
                # A little to the east, where it leaves the letter of the terrain to be read.
                pieces += _piece(place.standing[0], left + 13, top + 6, is_truth=ground.is_truth)
                words = _short(place, ground)
                names.append(Label(left + CELL // 2, top + CELL - 1, words, is_middle=True))
    return [*pieces, *names]


def _piece(cell: Cell, x: int, y: int, *, is_truth: bool) -> list[Shape]:
    """Return a piece; in the truth the letter of its side stands in it."""
    shape = unit_shape(cell, x, y, is_truth=is_truth)
    if not is_truth or cell.side is None:
        return [shape]
    ink = Ink.TEXT if cell.fix is None else Ink.INVERSE
    return [shape, Label(x, y + 3, cell.side, ink, is_middle=True)]


def _short(place: GroundPlace, ground: Ground) -> str:
    """Return the name below a piece, without the side where that stands in the piece."""
    name = place.standing[0].name
    more = len(place.standing) - 1
    shown = name.partition(".")[2] if ground.is_truth else name
    return f"{shown}+{more}" if more else shown
