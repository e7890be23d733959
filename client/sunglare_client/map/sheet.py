"""A sheet with a cell for each square of a board, and the window of it that is shown."""

from collections.abc import Mapping
from functools import lru_cache

from sunglare_client.map.cells import SOFT, SPACE, Cell, Layer, Mark, What
from sunglare_protocol.geometry import BOX_EDGE, Area, Board, PlanetSize, Square
from sunglare_rules.sensors.masks import shadow_squares
from sunglare_rules.sensors.sectors import BODY_REACH, well_squares

RULER = 5
"""Columns of the ruler on the left: the number of the row of boxes, then y."""

RULER_ROWS = 2
"""Rows of the ruler above: the letters of the boxes, then x."""


class Sheet:
    """Cells by square; whatever is put later lies on top."""

    def __init__(self, board: Board) -> None:
        """Start with the board's ground: shadows, wells, asteroids and planets."""
        self._board = board
        self._cells = dict(_ground(board))
        self._taken: set[Square] = set()

    def copy(self) -> "Sheet":
        """Return another sheet with the same cells."""
        other = Sheet(self._board)
        other._cells, other._taken = {**self._cells}, {*self._taken}
        return other

    def put_softly(self, square: Square, cell: Cell) -> None:
        """Put a cell where only open space, a well, a shadow, a zone or an arc is drawn yet."""
        if square in self._board and self.at(square).layer in SOFT:
            self._cells[square] = cell

    def put(self, square: Square, cell: Cell) -> None:
        """Put a cell over whatever is drawn there."""
        if square in self._board:
            self._cells[square] = cell

    def put_marks(self, marks: list[Mark]) -> None:
        """Put pieces, the first of the list topmost, then the names that find room."""
        for mark in reversed(marks):
            if mark.square in self._board:
                self._cells[mark.square] = mark.cell
                self._taken.add(mark.square)
        for mark in marks:
            self._write_beside(mark)

    def at(self, square: Square) -> Cell:
        """Return the cell on a square."""
        return self._cells.get(square, SPACE)

    def rows(self, shown: Area) -> tuple[tuple[Cell, ...], ...]:
        """Return the cells of the squares shown, row by row from the north."""
        cell_at, columns = self._cells.get, range(shown.west, shown.east + 1)
        # A square is a tuple: this is `at` for thousands of squares of every drawing.
        return tuple(
            tuple([cell_at((x, y), SPACE) for x in columns])  # type: ignore[call-overload]
            for y in range(shown.north, shown.south + 1)
        )

    def _write_beside(self, mark: Mark) -> None:
        width = len(mark.label)
        for west in (mark.square.x + 1, mark.square.x - width):
            run = [Square(west + step, mark.square.y) for step in range(width)]
            if all(self._is_free(square) for square in run):
                for square, letter in zip(run, mark.label, strict=True):
                    written = mark.cell._replace(what=What.LETTER, layer=Layer.NAME, letter=letter)
                    self._cells[square] = written
                self._taken.update(run)
                return

    def _is_free(self, square: Square) -> bool:
        if square not in self._board or square in self._taken:
            return False
        return self.at(square).layer in SOFT


@lru_cache(maxsize=16)
def _ground(board: Board) -> Mapping[Square, Cell]:
    """Return the cells of a board without a piece, the topmost on each square."""
    shadow, well = Cell(What.SHADOW, Layer.GROUND), Cell(What.WELL, Layer.GROUND)
    cells = dict.fromkeys(shadow_squares(board), shadow)
    for planet in board.planets:
        cells |= dict.fromkeys(well_squares(planet), well)
        body = Cell(What.PLANET, Layer.BODY, name=planet.name)
        cells |= dict.fromkeys(_body(planet.at, planet.size), body)
    for asteroid in board.asteroids:
        cells[asteroid.at] = Cell(What.ASTEROID, Layer.BODY, name=asteroid.name)
    return {square: cell for square, cell in cells.items() if square in board}


def window(
    board: Board, *, width: int, height: int | None, focus: Square, keep: Area | None = None
) -> Area:
    """Return the squares around `focus` that fit a drawing of that width and height.

    Width and height count the rulers; the window stays on the map and is never empty. All of
    `keep` lies in it, even where it must be higher or wider for that.
    """
    whole = board.area
    wanted = keep or Area(focus.x, focus.y, focus.x, focus.y)
    wide = min(max(width - RULER, BOX_EDGE, wanted.east + 1 - wanted.west), whole.east + 1)
    rows = whole.south + 1 if height is None else height - RULER_ROWS
    tall = min(max(rows, BOX_EDGE, wanted.south + 1 - wanted.north), whole.south + 1)
    west = _around(focus.x, wide, whole.east, (wanted.west, wanted.east))
    north = _around(focus.y, tall, whole.south, (wanted.north, wanted.south))
    return Area(west, north, west + wide - 1, north + tall - 1)


def _around(middle: int, length: int, last: int, keep: tuple[int, int]) -> int:
    """Return where a run of that length begins: around `middle`, on the map, with `keep` in it."""
    first, end = keep
    begin = min(max(middle - length // 2, end + 1 - length), first)
    return min(max(begin, 0), last + 1 - length)


def _body(at: Square, size: PlanetSize) -> tuple[Square, ...]:
    reach = BODY_REACH[size]
    return tuple(Area(at.x - reach, at.y - reach, at.x + reach, at.y + reach).squares())
