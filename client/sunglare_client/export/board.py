"""The board of space as shapes: the ground, the grid of boxes, the pieces and their names."""

from itertools import pairwise
from typing import Final, final

from sunglare_client.export.colours import Ink
from sunglare_client.export.pieces import piece_shape
from sunglare_client.export.shapes import MARGIN, UNIT, Block, Disc, Label, Outline, Point, Shape
from sunglare_client.map.cells import Cell, Layer, Mark, What
from sunglare_client.map.chart import Chart
from sunglare_protocol.geometry import BOX_EDGE, Square, box_of

_FILLS: Final = {
    What.WELL: Ink.WELL,
    What.SHADOW: Ink.SHADOW,
    What.PLANET: Ink.BODY,
    What.ZONE: Ink.ZONE,
    What.ARC: Ink.ARC,
}


@final
class BoardShapes:
    """The shapes of a board, whose first row of squares begins at `north`."""

    def __init__(self, chart: Chart, north: int) -> None:
        """Find where the board ends."""
        self._chart = chart
        self._north = north
        self.south = north + len(chart.rows) * UNIT
        self.east = MARGIN + len(chart.rows[0]) * UNIT

    def grounds(self) -> list[Shape]:
        """Return a block for each run of squares that are alike, and the lines of a scan."""
        found: list[Shape] = []
        for y, cells in enumerate(self._chart.ground, self._chart.shown.north):
            start = 0
            for end in range(1, len(cells) + 1):
                if end == len(cells) or cells[end].what is not cells[start].what:
                    first = Square(self._chart.shown.west + start, y)
                    found += self._run(cells[start], first, end - start)
                    start = end
        return found

    def rulers(self) -> list[Shape]:
        """Return the grid of boxes and their names."""
        found: list[Shape] = []
        shown = self._chart.shown
        for x in range(shown.west, shown.east + 1):
            west, _ = self._corner(Square(x, shown.north))
            if x % BOX_EDGE == 0:
                found.append(Outline(Ink.GRID, ((west, self._north), (west, self.south))))
            if x % BOX_EDGE == BOX_EDGE // 2:
                found.append(Label(west, self._north - 8, box_of(Square(x, 0)).name[0]))
        for y in range(shown.north, shown.south + 1):
            _, north = self._corner(Square(shown.west, y))
            if y % BOX_EDGE == 0:
                found.append(Outline(Ink.GRID, ((MARGIN, north), (self.east, north))))
            if y % BOX_EDGE == BOX_EDGE // 2:
                found.append(Label(4, north + 8, str(y // BOX_EDGE + 1)))
        edge = ((self.east, self._north), (self.east, self.south), (MARGIN, self.south))
        return [*found, *(Outline(Ink.GRID, line) for line in pairwise(edge))]

    def pieces(self) -> list[Shape]:
        """Return the pieces that are shown, the topmost last."""
        shown = [mark for mark in self._chart.marks if self._chart.covers(mark.square)]
        return [self._piece(mark) for mark in reversed(shown)]

    def names(self) -> list[Shape]:
        """Return the names of the pieces, those of one square next to one another."""
        by_square: dict[Square, list[str]] = {}
        for mark in self._chart.marks:
            if self._chart.covers(mark.square):
                by_square.setdefault(mark.square, []).append(mark.label)
        found: list[Shape] = []
        for square, names in by_square.items():
            west, north = self._corner(square)
            found.append(Label(west + UNIT + 2, north + UNIT - 2, " ".join(names)))
        return found

    def _corner(self, square: Square) -> tuple[int, int]:
        """Return the north-west corner of a square in the picture."""
        west = MARGIN + (square.x - self._chart.shown.west) * UNIT
        return west, self._north + (square.y - self._chart.shown.north) * UNIT

    def _run(self, cell: Cell, first: Square, length: int) -> list[Shape]:
        west, north = self._corner(first)
        every = range(west, west + length * UNIT, UNIT)
        if cell.what is What.UNSEEN:
            return [Outline(Ink.UNSEEN, line) for x in every for line in _crossed(x, north)]
        if cell.layer is Layer.SCAN:
            return [Block(Ink.SCAN, x + 4, north + 4, 2, 2) for x in every]
        if cell.what is What.ASTEROID:
            return [Disc(Ink.BODY, x + 5, north + 5, 4) for x in every]
        ink = _FILLS.get(cell.what)
        return [] if ink is None else [Block(ink, west, north, length * UNIT, UNIT)]

    def _piece(self, mark: Mark) -> Shape:
        west, north = self._corner(mark.square)
        return piece_shape(mark.cell, west + UNIT // 2, north + UNIT // 2)


def _crossed(west: int, north: int) -> tuple[tuple[Point, ...], ...]:
    """Return the two lines that cross a square out."""
    return (
        ((west + 2, north + 2), (west + 8, north + 8)),
        ((west + 8, north + 2), (west + 2, north + 8)),
    )
