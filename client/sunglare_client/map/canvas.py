"""A sheet with one agent for each square of a board, and the window of it that is shown."""

from typing import NamedTuple

from sunglare_client.map.glyphs import Glyphs
from sunglare_protocol.geometry import BOX_EDGE, Area, Board, PlanetSize, Square, box_of
from sunglare_rules.sensors.sectors import BODY_REACH, well_squares
from sunglare_rules.sensors.sunlight import shadow_squares

BLANK = " "
"""What stands on a square where there is nothing to show."""

RULER = 5
"""Columns of the ruler on the left: the number of the row of boxes, then y."""

RULER_ROWS = 2
"""Rows of the ruler above: the letters of the boxes, then x."""


class Mark(NamedTuple):
    """A piece to draw: where, its shape, and the name to write beside it if there is room.

    `word` is what a piece of its kind is called where several are counted.
    """

    square: Square
    shape: str
    label: str
    word: str


class Sheet:
    """Agents by square; whatever is put later lies on top."""

    def __init__(self, board: Board, shapes: Glyphs) -> None:
        """Start with the board's ground: shadows, wells, asteroids and planets."""
        self._board = board
        self._cells: dict[Square, str] = {}
        self._taken: set[Square] = set()
        self._soft = {BLANK, shapes.well, shapes.shadow, shapes.zone, shapes.arc}
        self._put_all(shadow_squares(board), shapes.shadow)
        for planet in board.planets:
            self._put_all(well_squares(planet), shapes.well)
            self._put_all(_body(planet.at, planet.size), shapes.planet)
        self._put_all(tuple(asteroid.at for asteroid in board.asteroids), shapes.asteroid)

    def put_softly(self, square: Square, shape: str) -> None:
        """Put a shape where only open space, a well or a shadow is drawn yet."""
        if square in self._board and self.at(square) in self._soft:
            self._cells[square] = shape

    def put(self, square: Square, shape: str) -> None:
        """Put a shape over whatever is drawn there."""
        if square in self._board:
            self._cells[square] = shape

    def put_marks(self, marks: list[Mark]) -> None:
        """Put pieces, the first of the list topmost, then the names that find room."""
        for mark in reversed(marks):
            if mark.square in self._board:
                self._cells[mark.square] = mark.shape
                self._taken.add(mark.square)
        for mark in marks:
            self._write_beside(mark)

    def at(self, square: Square) -> str:
        """Return the agent on a square."""
        return self._cells.get(square, BLANK)

    def rows(self, shown: Area) -> list[str]:
        """Return the rows of the squares shown, with the rulers above and on the left."""
        lines = [_letters(shown), _columns(shown)]
        for y in range(shown.north, shown.south + 1):
            cells = (self.at(Square(x, y)) for x in range(shown.west, shown.east + 1))
            lines.append(f"{_row_name(y)}{y:>3}{''.join(cells)}".rstrip())
        return lines

    def _put_all(self, squares: tuple[Square, ...], shape: str) -> None:
        for square in squares:
            if square in self._board:
                self._cells[square] = shape

    def _write_beside(self, mark: Mark) -> None:
        width = len(mark.label)
        for west in (mark.square.x + 1, mark.square.x - width):
            run = [Square(west + step, mark.square.y) for step in range(width)]
            if all(self._is_free(square) for square in run):
                for square, letter in zip(run, mark.label, strict=True):
                    self._cells[square] = letter
                self._taken.update(run)
                return

    def _is_free(self, square: Square) -> bool:
        if square not in self._board or square in self._taken:
            return False
        return self.at(square) in self._soft


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


def _letters(shown: Area) -> str:
    row = [BLANK] * (shown.east - shown.west + 1)
    for x in range(shown.west, shown.east + 1):
        if x % BOX_EDGE == BOX_EDGE // 2:
            row[x - shown.west] = box_of(Square(x, 0)).name[0]
    return (BLANK * RULER + "".join(row)).rstrip()


def _columns(shown: Area) -> str:
    row = [BLANK] * (shown.east - shown.west + 1)
    for x in range(shown.west, shown.east + 1):
        if x % BOX_EDGE == 0:
            number = str(x)
            row[x - shown.west : x - shown.west + len(number)] = number
    return (BLANK * RULER + "".join(row[: shown.east - shown.west + 1])).rstrip()


def _row_name(y: int) -> str:
    middle = y % BOX_EDGE == BOX_EDGE // 2
    return f"{y // BOX_EDGE + 1 if middle else '':<2}"
