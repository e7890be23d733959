"""The map at its small scale: one cell for each box, with the best piece in it and its name."""

from sunglare_client.map.cells import Mark
from sunglare_client.map.glyphs import BLANK, Glyphs
from sunglare_client.map.horizon import beyond
from sunglare_protocol.geometry import BOX_EDGE, Area, Board, Box, Square, box_of

CELL = 6
"""Columns of a box where one cell stands for a whole box."""

_RULER = 3


def boxes(
    board: Board,
    marks: list[Mark],
    shapes: Glyphs,
    *,
    width: int,
    height: int | None,
    focus: Square,
) -> list[str]:
    """Return one cell for each box: its best piece with its name, and `+` if there are more.

    What does not fit around `focus` is counted in the last rows.
    """
    middle, notes = box_of(focus), 0
    while True:
        rows = board.rows if height is None else max(height - 1 - notes, 1)
        west, east = _run(middle.column, (width - _RULER) // CELL, board.columns)
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
    letters = "".join(f"{Box(column, 0).name[0]:<{CELL}}" for column in columns)
    lines = [f"   {letters}".rstrip()]
    for row in range(north, south + 1):
        cells = (_cell(Box(column, row), board, marks, shapes) for column in columns)
        lines.append(f"{row + 1:>2} {''.join(cells)}".rstrip())
    return [*lines, *missing]


def _run(middle: int, length: int, whole: int) -> tuple[int, int]:
    """Return the first and the last of the boxes in a line that are shown around the middle."""
    length = min(max(length, 1), whole)
    first = min(max(middle - length // 2, 0), whole - length)
    return first, first + length - 1


def _cell(box: Box, board: Board, marks: list[Mark], shapes: Glyphs) -> str:
    inside = [mark for mark in marks if box_of(mark.square) == box]
    if inside:
        more = "+" if len(inside) > 1 else BLANK
        return f"{shapes.shape(inside[0].cell)}{inside[0].label[: CELL - 3]}{more}".ljust(CELL)
    if any(box_of(planet.at) == box for planet in board.planets):
        return shapes.planet.ljust(CELL)
    if any(box_of(asteroid.at) == box for asteroid in board.asteroids):
        return shapes.asteroid.ljust(CELL)
    return "-".ljust(CELL)
