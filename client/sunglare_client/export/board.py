"""The board of space as shapes: the ground, the grid of boxes, the pieces and their names."""

from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise
from typing import Final, final

from sunglare_client.export.colours import Ink
from sunglare_client.export.pieces import piece_shape
from sunglare_client.export.shapes import MARGIN, UNIT, Block, Disc, Label, Outline, Point, Shape
from sunglare_client.map.cells import SPACE, Cell, Layer, Mark, What
from sunglare_client.map.chart import Chart
from sunglare_client.map.sheet import Sheet
from sunglare_protocol.geometry import BOX_EDGE, Square, box_of

_SIGNS: Final[dict[What, Callable[[int, int], Shape]]] = {
    What.ASTEROID: lambda west, north: Disc(Ink.BODY, west + 5, north + 5, 4),
    What.GLARE: lambda west, north: Outline(
        Ink.GLARE, ((west + 5, north + 2), (west + 5, north + 8))
    ),
    What.FRONT: lambda west, north: Outline(
        Ink.FRONT, ((west + 3, north + 7), (west + 7, north + 3))
    ),
    What.PLACE: lambda west, north: Disc(Ink.PLACE, west + 5, north + 5, 1.5),
    What.BORDER: lambda west, north: Block(Ink.BORDER, west + 4, north + 4, 3, 3),
    What.GHOST: lambda west, north: Disc(Ink.GHOST, west + 5, north + 5, 4, is_hollow=True),
}
"""The sign of a thing that is drawn square by square."""

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
        """Return a block for each run of squares that are alike, then what is drawn over them."""
        plain = Sheet(self._chart.board).rows(self._chart.shown)
        over = [
            [SPACE if cell == below else cell for cell, below in zip(*both, strict=True)]
            for both in zip(self._chart.ground, plain, strict=True)
        ]
        return [*self._runs(plain), *self._runs(over)]

    def _runs(self, rows: Iterable[Sequence[Cell]]) -> list[Shape]:
        found: list[Shape] = []
        for y, cells in enumerate(rows, self._chart.shown.north):
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
        if cell.what in _SIGNS:
            return [_SIGNS[cell.what](x, north) for x in every]
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
