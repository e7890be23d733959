"""The whole board by boxes, and where there is room for it a part of it by squares: an inset.

The inset stands below the boxes if at least five of its rows fit there, else next to them.
"""

from typing import Final, NamedTuple, final

from sunglare_client.map.boxmap import BOX_RULER, CELL
from sunglare_client.map.frame import HEAD_ROWS
from sunglare_client.map.sheet import RULER
from sunglare_protocol.geometry import BOX_EDGE, Area, Board, Box

GAP: Final = 2
"""Blank columns between boxes and an inset next to them."""

_NARROWEST: Final = 3
"""Columns of a box next to an inset: its shape, a sign for more, a blank one."""

_LETTER_ROWS: Final = 1


@final
class Overview(NamedTuple):
    """How a board is laid out by boxes: `cell` columns a box, `columns` and `rows` in all.

    The inset begins at column `inset_x` and row `inset_y`, and has room for `across` times `down`
    squares, of so many columns each as was asked for; none if either is zero.
    """

    cell: int
    columns: int
    rows: int
    inset_x: int = 0
    inset_y: int = 0
    across: int = 0
    down: int = 0

    @property
    def has_inset(self) -> bool:
        """Return whether there is room for an inset."""
        return self.across > 0 and self.down > 0

    def box_at(self, board: Board, column: int, row: int) -> Box | None:
        """Return the box that is drawn at a column and row, where the whole board fits."""
        box = Box((column - BOX_RULER) // self.cell, row - _LETTER_ROWS)
        is_there = column >= BOX_RULER and row >= _LETTER_ROWS and row < self.rows
        return box if is_there and box.centre in board else None

    def place_of(self, box: Box) -> tuple[int, int]:
        """Return the column and the row at which a box is drawn."""
        return BOX_RULER + self.cell * box.column, _LETTER_ROWS + box.row

    def holds(self, area: Area) -> bool:
        """Return whether the inset has room for all of an area."""
        across, down = area.east + 1 - area.west, area.south + 1 - area.north
        return across <= self.across and down <= self.down


def overview(board: Board, width: int, height: int, columns: int) -> Overview:
    """Return the layout for so much room; `columns` are those of a square of the inset."""
    rows = _LETTER_ROWS + board.rows
    widest = min((width - BOX_RULER) // board.columns, CELL)
    left = height - rows - HEAD_ROWS
    if left >= BOX_EDGE:
        across = min((width - RULER) // columns, board.area.east + 1)
        down = min(left, board.area.south + 1)
        return Overview(max(widest, 1), width, rows, 0, rows, across, down)
    west = BOX_RULER + _NARROWEST * board.columns + GAP
    across = min((width - west - RULER) // columns, board.area.east + 1)
    if across >= BOX_EDGE and rows <= height:
        down = min(height - HEAD_ROWS, board.area.south + 1)
        return Overview(_NARROWEST, west - GAP, rows, west, 0, across, down)
    return Overview(max(widest, 1), width, min(rows, height))
