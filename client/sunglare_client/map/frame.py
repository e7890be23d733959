"""The frame of a map that stays: one row of coordinates above it, and below it what is not seen.

A piece beyond an edge is named with the squares to it and the way: `C3 4 E` lies four squares
east of what is shown. Pieces that share a square, and so hide one another, are named as well.
"""

from collections import Counter
from collections.abc import Sequence
from typing import Final

from sunglare_client.map.cells import Mark
from sunglare_client.map.horizon import WAYS, stacked_marks, way_to
from sunglare_protocol.geometry import BOX_EDGE, Area, Square, box_of

HEAD_ROWS: Final = 1
"""Rows of coordinates above the map."""

SEPARATOR: Final = "  "

_THREE_DIGITS = 100


def head(shown: Area, columns: int) -> str:
    """Return the coordinates above a map: x where a box begins, its letter in its middle."""
    wide = columns * (shown.east - shown.west + 1)
    row = [" "] * wide
    for x in range(shown.west, shown.east + 1):
        west = columns * (x - shown.west)
        if x % BOX_EDGE == 0:
            number = str(x)
            row[west : west + len(number)] = number
        if x % BOX_EDGE == BOX_EDGE // 2:
            # The third digit of x stands where the letter would.
            past = 1 if columns == 1 and x >= _THREE_DIGITS else 0
            row[west + past : west + past + 1] = box_of(Square(x, 0)).name[0]
    return "".join(row[:wide]).rstrip()


def unseen(shown: Area, marks: Sequence[Mark], width: int) -> str:
    """Return what a map of these squares does not show, in at most `width` columns.

    Pieces go by their names if all fit, else those beyond the edges are counted by the way to
    them, and the others as `under others`.
    """
    shared = stacked_marks(mark for mark in marks if shown.covers(mark.square))
    beyond = sorted(
        (mark for mark in marks if not shown.covers(mark.square)),
        key=lambda mark: _squares_to(shown, mark.square),
    )
    named = [
        f"{mark.label} {_squares_to(shown, mark.square)} {way_to(shown, mark.square)}"
        for mark in beyond
    ]
    stacked = [f"{' '.join(labels)} on {at.x},{at.y}" for at, labels in shared.items()]
    under = sum(len(labels) - 1 for labels in shared.values())
    covered = [f"{under} under others"] if under else []
    counted = _counted(shown, beyond)
    longest_first = ((named, stacked), (counted, stacked), (named, covered), (counted, covered))
    texts = [SEPARATOR.join((*first, *then)) for first, then in longest_first]
    return next((text for text in texts if len(text) <= width), texts[-1][: max(width, 0)])


def _counted(shown: Area, beyond: Sequence[Mark]) -> list[str]:
    """Return how many pieces lie beyond each edge and corner."""
    counts = Counter(way_to(shown, mark.square) for mark in beyond)
    return [f"{way}: {counts[way]}" for way in WAYS if counts[way]]


def _squares_to(shown: Area, square: Square) -> int:
    """Return how many squares beyond the edge a square lies."""
    across = max(shown.west - square.x, square.x - shown.east, 0)
    down = max(shown.north - square.y, square.y - shown.south, 0)
    return max(across, down)
