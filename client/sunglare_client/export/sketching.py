"""The picture of a moment: the board, the surface maps next to it, and the words around them."""

import textwrap
from typing import Final, NamedTuple, final

from sunglare_client.export.board import BoardShapes
from sunglare_client.export.colours import Ink
from sunglare_client.export.ground import ground_shapes, size_of
from sunglare_client.export.grounds import Ground
from sunglare_client.export.pieces import sample
from sunglare_client.export.shapes import LETTER, LINE, MARGIN, Block, Label, Shape, Sketch
from sunglare_client.map.cells import Mark, What
from sunglare_client.map.chart import Chart
from sunglare_client.map.legend import meaning_of
from sunglare_protocol.geometry import box_of
from sunglare_protocol.ids import Side

HIGH: Final = 2
"""OWN: so many surface maps stand below one another."""

LEGEND_LINE: Final = 20
"""Units that the line takes on which the sides are distinguished."""


@final
class Around(NamedTuple):
    """What stands around a board: a caption, surface maps, and the sides of the truth."""

    caption: str = ""
    grounds: tuple[Ground, ...] = ()
    sides: tuple[Side, ...] = ()


BARE: Final = Around()
"""A board with nothing around it."""


def sketch(chart: Chart, title: str, around: Around = BARE) -> Sketch:
    """Return the picture of a chart; a caption stands above the board, the notes below it."""
    top = MARGIN + (LINE if around.caption else 0)
    board = BoardShapes(chart, top)
    ground, width, south = _grounds(around.grounds, board.east + MARGIN, board.south)
    lines = _lines(chart, around, width)
    legend = LEGEND_LINE if around.sides else 0
    height = south + MARGIN + legend + LINE * len(lines)
    shapes: list[Shape] = [Block(Ink.PAPER, 0, 0, width, height)]
    shapes += [Label(MARGIN, LINE, around.caption)] if around.caption else []
    shapes += [*board.grounds(), *board.rulers(), *board.pieces(), *board.names(), *ground]
    shapes += _legend(around.sides, south + LINE)
    shapes += [
        Label(MARGIN, south + legend + LINE * number, line) for number, line in enumerate(lines, 1)
    ]
    words = described(chart, around.grounds)
    return Sketch(board.east + MARGIN, width, height, title, words, tuple(shapes))


def described(chart: Chart, grounds: tuple[Ground, ...] = ()) -> str:
    """Return in words what the picture shows, piece by piece."""
    shown = [_words(mark) for mark in chart.marks if chart.covers(mark.square)]
    standing = [words for ground in grounds for words in ground.words()]
    return "; ".join([*shown, *standing, *chart.notes]) or "nothing but the board"


def _words(mark: Mark) -> str:
    cell, at = mark.cell, f"{mark.square.x},{mark.square.y} {box_of(mark.square).name}"
    rung = "own" if cell.is_own else cell.fix.value if cell.fix is not None else "held by nobody"
    age = f", {cell.age} turns ago" if cell.age else ""
    return f"{cell.name} {rung} at {at}{age}"


def _grounds(grounds: tuple[Ground, ...], west: int, south: int) -> tuple[list[Shape], int, int]:
    """Return the surface maps in columns next to a board, and where all of it ends."""
    shapes: list[Shape] = []
    for start in range(0, len(grounds), HIGH):
        column = grounds[start : start + HIGH]
        north = MARGIN
        for ground in column:
            shapes += ground_shapes(ground, west, north)
            north += size_of(ground)[1] + LINE
        west += max(size_of(ground)[0] for ground in column) + MARGIN
        south = max(south, north - LINE)
    return shapes, west, south


def _lines(chart: Chart, around: Around, width: int) -> list[str]:
    """Return the lines below the pictures, none wider than these."""
    if not around.caption:
        return []
    notes = [
        *_layers(chart),
        *chart.notes,
        *(note for ground in around.grounds for note in ground.notes()),
    ]
    notes += [_TERRAIN] if around.grounds else []
    letters = int((width - 2 * MARGIN) / LETTER)
    return [line for note in notes for line in textwrap.wrap(note, letters)]


def _layers(chart: Chart) -> list[str]:
    """Return what the signs of the layers that are drawn mean."""
    drawn = {cell for row in chart.ground for cell in row if cell.what in _SIGNS}
    found = {f"{_SIGNS[cell.what]}: {meaning_of(cell)}" for cell in drawn}
    return sorted(found)


_SIGNS: Final = {
    What.ARC: "tinted",
    What.BORDER: "small squares",
    What.FRONT: "slanted strokes",
    What.GHOST: "circles",
    What.GLARE: "upright strokes",
    What.PLACE: "dots",
}
"""How a picture shows the layers that a map may have."""

_TERRAIN: Final = ", rough; w woods; ~ water; 1-4 building; a-c hill;  2 inches a cell"
"""What the letters of terrain mean, without open ground, which has none here."""

_EACH: Final = 32


def _legend(sides: tuple[Side, ...], middle: int) -> list[Shape]:
    """Return a ship of each side with its letter, and what a hollow one means."""
    if not sides:
        return []
    found: list[Shape] = []
    for number, side in enumerate(sides):
        west = MARGIN + number * _EACH
        found += [sample(side, west + 6, middle), Label(west + 15, middle + 3, side)]
    words = "hollow: held by no other side"
    return [*found, Label(MARGIN + len(sides) * _EACH, middle + 3, words)]
