"""Results since the player's last command, kept in sight until the next one."""

from typing import Final, final

from sunglare_client.fullscreen.pane import rows_at
from sunglare_client.fullscreen.scene import Panel

TITLE: Final = "Results (F2 closes)"


@final
class Results:
    """The lines since the last command: a panel, once the record has no room for all of them.

    What matters most comes first, as the rest may not fit.
    """

    def __init__(self) -> None:
        """Begin without any."""
        self._lines: list[str] = []
        self._first: list[str] = []

    def add(self, lines: list[str]) -> None:
        """Keep these lines as well."""
        self._lines += lines

    def put_first(self, lines: list[str]) -> None:
        """Have those of the lines that are kept come before all others, in this order."""
        self._first += [line for line in lines if line in self._lines]

    def close(self) -> None:
        """Show them no more: the player has gone on."""
        self._lines, self._first = [], []

    def panel(self, width: int, room: int) -> Panel | None:
        """Return them as a panel if a record of that width and so many rows does not show all."""
        if rows_at(self._lines, width) <= room:
            return None
        others = [line for line in self._lines if line not in self._first]
        return Panel(TITLE, [*self._first, *others])
