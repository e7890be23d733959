"""What was told since the player's last command, to be kept in sight until the next one."""

from typing import Final, final

from sunglare_client.fullscreen.pane import rows_at
from sunglare_client.fullscreen.scene import Panel

TITLE: Final = "Results (F2 closes)"


@final
class Results:
    """The lines since the last command: a panel, once the record has no room for all of them."""

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
        fits = rows_at(self._lines, width) <= room
        return None if fits else Panel(TITLE, list(self._lines))
