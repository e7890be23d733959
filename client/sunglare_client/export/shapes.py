"""A chart as a list of shapes, painted from the first to the last: whoever draws adds nothing.

`export/svg.py` writes them as they are, `export/raster.py` paints them in points. So the one
picture shows what the other does, and either what the text of the terminal is drawn from.
"""

import math
from itertools import pairwise
from typing import Final, NamedTuple, TypeAlias, final

from sunglare_client.export.colours import Ink
from sunglare_client.map.cells import Cell, Layer, Mark, What
from sunglare_client.map.chart import Chart
from sunglare_protocol.geometry import BOX_EDGE, Square, box_of
from sunglare_protocol.words.ladder import Fix

UNIT = 10
"""Units of the picture that one square is wide."""

MARGIN = 24
"""Units around the board, for the names of boxes."""

LINE = 14
"""Units from one line of words to the next, above the board and below it."""

FONT = 9
"""Units that the letters of words are high."""

Point = tuple[float, float]


@final
class Block(NamedTuple):
    """A rectangle: its north-west corner and its size, in units."""

    ink: Ink
    west: float
    north: float
    width: float
    height: float


@final
class Disc(NamedTuple):
    """A circle around a point; a hollow one is an outline whatever its ink fills."""

    ink: Ink
    x: float
    y: float
    radius: float
    is_hollow: bool = False


@final
class Outline(NamedTuple):
    """A closed shape through these points, or a line if there are two."""

    ink: Ink
    points: tuple[Point, ...]


@final
class Label(NamedTuple):
    """Words that begin at a point of their base line."""

    x: float
    y: float
    words: str


Shape: TypeAlias = Block | Disc | Outline | Label


@final
class Sketch(NamedTuple):
    """A picture: its size in units, its title and all it shows in words, and its shapes."""

    width: int
    height: int
    title: str
    words: str
    shapes: tuple[Shape, ...]


def sketch(chart: Chart, title: str, caption: str = "") -> Sketch:
    """Return the picture of a chart; a caption stands above the board, the notes below it."""
    top = MARGIN + (LINE if caption else 0)
    board = _Board(chart, top)
    notes = chart.notes if caption else ()
    height = board.south + MARGIN + LINE * len(notes)
    shapes: list[Shape] = [Block(Ink.PAPER, 0, 0, board.east + MARGIN, height)]
    shapes += [Label(MARGIN, LINE, caption)] if caption else []
    shapes += [*board.grounds(), *board.rulers(), *board.pieces(), *board.names()]
    shapes += [
        Label(MARGIN, board.south + LINE * number, note) for number, note in enumerate(notes, 1)
    ]
    return Sketch(board.east + MARGIN, height, title, described(chart), tuple(shapes))


def described(chart: Chart) -> str:
    """Return in words what the picture shows, piece by piece."""
    shown = [_words(mark) for mark in chart.marks if chart.covers(mark.square)]
    return "; ".join([*shown, *chart.notes]) or "nothing but the board"


def _words(mark: Mark) -> str:
    cell, at = mark.cell, f"{mark.square.x},{mark.square.y} {box_of(mark.square).name}"
    rung = "own" if cell.is_own else cell.fix.value if cell.fix is not None else "held by nobody"
    age = f", {cell.age} turns ago" if cell.age else ""
    return f"{cell.name} {rung} at {at}{age}"


_FILLS: Final = {
    What.WELL: Ink.WELL,
    What.SHADOW: Ink.SHADOW,
    What.PLANET: Ink.BODY,
    What.ZONE: Ink.ZONE,
    What.ARC: Ink.ARC,
}


@final
class _Board:
    """The board of a picture, whose first row of squares begins at `north`."""

    def __init__(self, chart: Chart, north: int) -> None:
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
        """Return the names of the pieces, those of one square beside one another."""
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
        return _shape(mark.cell, _ink(mark.cell), west + UNIT // 2, north + UNIT // 2)


def _crossed(west: int, north: int) -> tuple[tuple[Point, ...], ...]:
    """Return the two lines that cross a square out."""
    return (
        ((west + 2, north + 2), (west + 8, north + 8)),
        ((west + 8, north + 2), (west + 2, north + 8)),
    )


def _ink(cell: Cell) -> Ink:
    if cell.is_own:
        return Ink.OWN
    if cell.what is not What.HELD:
        return Ink.HIDDEN if cell.fix is None else Ink.KNOWN
    if cell.fix in (Fix.TRACKED, Fix.SOLUTION):
        return Ink.TRACKED
    return Ink.MEMORY if cell.fix in (Fix.MEMORY, Fix.COASTING) else Ink.FOREIGN


_HOUSE: Final = ((-5, 4), (-5, -1), (0, -5), (5, -1), (5, 4))
_SMALL_SQUARE: Final = ((-3, -3), (3, -3), (3, 3), (-3, 3))
_ARROW: Final = ((0, -6), (5, 5), (-5, 5))
_DIAMOND: Final = ((0, -6), (6, 0), (0, 6), (-6, 0))


def _shape(cell: Cell, ink: Ink, x: int, y: int) -> Shape:
    match cell.what:
        case What.CLOAKED:
            return Disc(ink, x, y, 5, is_hollow=True)
        case What.LANDED:
            return _around(ink, x, y, _HOUSE)
        case What.REMOTE:
            return _around(ink, x, y, _SMALL_SQUARE)
        case What.SHIP if cell.facing is not None:
            return _around(ink, x, y, _turned(_ARROW, cell.facing.index))
        case _:
            return _around(ink, x, y, _DIAMOND)


def _around(ink: Ink, x: int, y: int, points: tuple[Point, ...]) -> Outline:
    return Outline(ink, tuple((x + east, y + south) for east, south in points))


def _turned(points: tuple[Point, ...], eighths: int) -> tuple[Point, ...]:
    """Return points turned about the middle by so many eighths, the way clocks go."""
    angle = eighths * math.pi / 4
    cosine, sine = math.cos(angle), math.sin(angle)
    return tuple(
        (round(x * cosine - y * sine, 2), round(x * sine + y * cosine, 2)) for x, y in points
    )
