"""The layer `analysis` of a replay: what the rules derive from a finished match.

It has a message for each window that took orders, in the order of the match, numbered from 1. It
is made from the whole record when the match is over, and never sent: no message of the wire has
this form.

Squares stand as runs: a list of numbers in pairs, the first square of a run and how many squares
there are in it, to the east. Squares are numbered row by row from the north-west, from 0 on.
"""

from collections.abc import Iterable
from typing import Final, final

import msgspec

from sunglare_protocol.geometry import Board, Square
from sunglare_protocol.ids import OwnId, Side, WindowId
from sunglare_protocol.word import Word
from sunglare_protocol.words.scans import ScanSize, ScanType

ANALYSIS: Final = "analysis"
"""The name of the layer; no audience is called so."""

Runs = tuple[int, ...]
"""Squares as runs."""


class Basis(Word):
    """Why a side knows where a piece may be: it holds it, it lost it, or it heard its scan."""

    HELD = "held"
    LOST = "lost"
    SCAN = "scan"


class _Base(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, gc=False):
    """The base of all parts of the layer: defaults are left out."""


@final
class Spot(_Base, frozen=True, kw_only=True):
    """Where one foreign piece may still be, as far as a side can know.

    `of` is its label, or the scan it made, such as `ir 3box E4`; `side` is whose it is, absent
    where that is not known.
    """

    of: str
    basis: Basis
    side: Side | None = None
    squares: Runs


@final
class BestScan(_Base, frozen=True, kw_only=True):
    """A scan that a side could have made, and what it would have come to with the Sense roll.

    `found` names the contacts, as in `B.S1`, `tracked` those among them that it would have made
    tracks, with the dice of the match. `left` is in how many squares of space all sides could then
    have looked for the ship; 0: its answers fit none, for it stands on a body.
    """

    ship: OwnId
    type: ScanType
    size: ScanSize
    at: str | Square
    found: tuple[str, ...] = ()
    tracked: tuple[str, ...] = ()
    left: int = 0


@final
class Analysis(_Base, frozen=True, kw_only=True, tag_field="t", tag="analysis"):
    """What there is to say of a window when it opened.

    `spots` are by the side that looks, `scans` by the side whose SCAN window it is, the scan that
    would have found most first; where none would have found anything, the list is empty.
    """

    seq: int
    turn: int
    window: WindowId
    spots: dict[Side, tuple[Spot, ...]] = {}
    scans: dict[Side, tuple[BestScan, ...]] = {}


def runs(board: Board, squares: Iterable[Square]) -> Runs:
    """Return squares of the board as runs, those outside left out."""
    columns, rows = board.area.east + 1, board.area.south + 1
    numbers = [y * columns + x for x, y in squares if 0 <= x < columns and 0 <= y < rows]
    found: list[int] = []
    for number in sorted(dict.fromkeys(numbers)):
        if found and found[-2] + found[-1] == number and number % columns:
            found[-1] += 1
        else:
            found += (number, 1)
    return tuple(found)
