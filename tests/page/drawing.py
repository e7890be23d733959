"""What it costs the page to draw many pieces, measured in a browser."""

from typing import Final, NamedTuple, final

from page.browser import Tab
from page.nodes import SCRIPTS

SCRIPT: Final = SCRIPTS / "drawing.js"

MOST: Final = 4.0
"""Pieces take at most this many times the script time of as many plain shapes."""


@final
class Drawing(NamedTuple):
    """Milliseconds of script, on a canvas of one size.

    `pieces` is for so many pieces with the ways they go, `shapes` for as many plain shapes,
    `board` for the whole board with names, as it is drawn again and again, and `first` as it is
    drawn once; `worded` for shapes with the same words. `differs` is how far, of 255, a point of a
    board that is drawn again is from the first time, `unlike` from one without names.
    """

    number: int
    pieces: float
    shapes: float
    board: float
    first: float
    worded: float
    differs: int
    unlike: int

    @property
    def ratio(self) -> float:
        """Return the pieces by plain shapes."""
        return self.pieces / self.shapes

    @property
    def whole(self) -> float:
        """Return the whole board by plain shapes."""
        return self.board / self.shapes


async def measured(tab: Tab) -> Drawing:
    """Measure it in the page that is open, with the modules of that page."""
    return Drawing(**await tab.value(SCRIPT.read_text(encoding="utf-8")))
