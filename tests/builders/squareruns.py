"""The squares that runs of an analysis stand for, read back."""

from sunglare_protocol.geometry import Board, Square
from sunglare_protocol.replay.analysis import Runs


def squares_of(board: Board, found: Runs) -> tuple[Square, ...]:
    """Return the squares that runs stand for, row by row."""
    columns = board.area.east + 1
    pairs = zip(found[::2], found[1::2], strict=True)
    numbers = [number for first, count in pairs for number in range(first, first + count)]
    return tuple([Square(number % columns, number // columns) for number in numbers])
