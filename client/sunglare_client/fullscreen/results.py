"""What was told since the player's last command, to be kept in sight until the next one."""

import re
from typing import Final, final

from sunglare_client.fullscreen.pane import rows_at
from sunglare_client.fullscreen.scene import Panel

TITLE: Final = "Results (F2 closes)"

_IMPORTANT: Final = re.compile(
    r"^THE END|^points:|^\W*your \w+ (is (DESTROYED|TRACKED|found)|loses a system)"
    r"|\bis lost\b|the passing has ended"
)
"""What is shown first of many lines: the end, and what befell the own pieces."""


@final
class Results:
    """The lines since the last command: a panel, once the record has no room for all of them.

    What matters most comes first, as the rest may not fit.
    """

    def __init__(self) -> None:
        """Begin without any."""
        self._lines: list[str] = []

    def add(self, lines: list[str]) -> None:
        """Keep these lines as well."""
        self._lines += lines

    def close(self) -> None:
        """Show them no more: the player has gone on."""
        self._lines = []

    def panel(self, width: int, room: int) -> Panel | None:
        """Return them as a panel if a record of that width and so many rows does not show all."""
        if rows_at(self._lines, width) <= room:
            return None
        first = [line for line in self._lines if _IMPORTANT.search(line)]
        others = [line for line in self._lines if not _IMPORTANT.search(line)]
        return Panel(TITLE, [*first, *others])
