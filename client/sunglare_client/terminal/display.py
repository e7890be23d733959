"""The display of a match: the lines of a plain terminal, or a screen that keeps the board."""

from collections.abc import Iterable
from typing import Protocol


class Display(Protocol):
    """Where lines go; some faces keep the board in sight too, and need no maps among them.

    `width` and `map_height` are what there is for a map that is drawn as lines.
    """

    ascii_only: bool
    width: int
    map_height: int
    keeps_board: bool

    def show(self, lines: Iterable[str]) -> None:
        """Show the lines below what was shown before."""
        ...

    def put_first(self, lines: Iterable[str]) -> None:
        """Have these of the lines shown just now come first, where not all have room."""
        ...

    def read(self, lines: Iterable[str]) -> None:
        """Show a longer text from its first line on, even if the rest needs another page."""
        ...

    def tell(self, line: str) -> None:
        """Show a line that is not to be broken where it may be copied, since a person may."""
        ...

    def legend(self) -> list[str]:
        """Return the shapes on the board that is kept, each with its meaning; else nothing."""
        ...

    def draw(self) -> None:
        """Show how the match stands now, if the board is kept."""
        ...
