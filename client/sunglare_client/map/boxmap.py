"""The map at its small scale: one cell for each box, with the best piece in it and its name."""

from collections.abc import Iterator
from itertools import chain

from sunglare_client.map.cells import Cell, Layer, Mark, What
from sunglare_client.map.glyphs import BLANK, Glyphs
from sunglare_client.map.horizon import beyond
from sunglare_protocol.geometry import BOX_EDGE, Area, Board, Box, Square, box_of

CELL = 6
"""Columns of a box where one cell stands for a whole box, if there is room for them."""

NOTHING = "-"
"""What stands for a box with nothing in it."""

BOX_SIGNS = (f"{NOTHING} an empty box", "+ more pieces in the box")
"""The meanings of what stands on a map of boxes alone."""

BOX_RULER = 3
"""Columns of the numbers next to the boxes."""

_LETTERS_FROM = 4
"""Columns from which on a box has room for letters of a name."""


def boxes(
    board: Board,
    marks: list[Mark],
    shapes: Glyphs,
    *,
    width: int,
    height: int | None,
    focus: Square,
    cell: int = CELL,
    area: Area | None = None,
) -> list[str]:
    """Return one cell for each box: its best piece with its name, and `+` if there are more.

    What does not fit around `focus` is counted in the last rows. A `cell` is so many columns;
    empty boxes of an `area` that is scanned are marked.
    """
    middle, notes = box_of(focus), 0
    while True:
        rows = board.rows if height is None else max(height - 1 - notes, 1)
        west, east = _run(middle.column, (width - BOX_RULER) // cell, board.columns)
        north, south = _run(middle.row, rows, board.rows)
        shown = Area(
            west * BOX_EDGE,
            north * BOX_EDGE,
            (east + 1) * BOX_EDGE - 1,
            (south + 1) * BOX_EDGE - 1,
        )
        missing = beyond(shown, marks, width)
        if len(missing) <= notes or height is None:
            break
        notes = len(missing)
    columns = range(west, east + 1)
    letters = "".join(f"{Box(column, 0).name[0]:<{cell}}" for column in columns)
    lines = [f"   {letters}".rstrip()]
    for row in range(north, south + 1):
        cells = (
            _text(box, cell_of(box, board, marks, area), marks, shapes, cell)
            for box in (Box(column, row) for column in columns)
        )
        lines.append(f"{row + 1:>2} {''.join(cells)}".rstrip())
    return [*lines, *missing]


def _run(middle: int, length: int, whole: int) -> tuple[int, int]:
    """Return the first and the last of the boxes in a line that are shown around the middle."""
    length = min(max(length, 1), whole)
    first = min(max(middle - length // 2, 0), whole - length)
    return first, first + length - 1


def _text(box: Box, standing: Cell | None, marks: list[Mark], shapes: Glyphs, columns: int) -> str:
    """Return a box as so many columns of text."""
    inside = [mark for mark in marks if box_of(mark.square) == box]
    text = NOTHING if standing is None else shapes.shape(standing)
    if inside:
        letters = inside[0].label[: columns - 3] if columns >= _LETTERS_FROM else ""
        text = f"{text}{letters}{'+' if len(inside) > 1 else BLANK}"
    return text[:columns].ljust(columns)


def boxes_drawn(board: Board, marks: list[Mark], area: Area | None) -> Iterator[Cell]:
    """Yield what stands for each box of a board that has anything in it."""
    for row in range(board.rows):
        for column in range(board.columns):
            standing = cell_of(Box(column, row), board, marks, area)
            if standing is not None:
                yield standing


def cell_of(box: Box, board: Board, marks: list[Mark], area: Area | None) -> Cell | None:
    """Return what stands for a box: its best piece, else its body; None for an empty one."""
    pieces = (mark.cell for mark in marks if box_of(mark.square) == box)
    planets = (
        Cell(What.PLANET, Layer.BODY, name=planet.name)
        for planet in board.planets
        if box_of(planet.at) == box
    )
    rocks = (
        Cell(What.ASTEROID, Layer.BODY, name=rock.name)
        for rock in board.asteroids
        if box_of(rock.at) == box
    )
    spots = (Cell(What.SPOT, Layer.SCAN),) if area is not None and area.covers(box.centre) else ()
    return next(chain(pieces, planets, rocks, spots), None)
