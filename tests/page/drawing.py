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
    `board` for the whole board with names, `worded` for shapes with the same words.
    """

    number: int
    pieces: float
    shapes: float
    board: float
    worded: float

    @property
    def ratio(self) -> float:
        """Return the pieces by plain shapes."""
        return self.pieces / self.shapes


async def measured(tab: Tab) -> Drawing:
    """Measure it in the page that is open, with the modules of that page."""
    return Drawing(**await tab.value(SCRIPT.read_text(encoding="utf-8")))
