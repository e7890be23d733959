"""The lobby of a server, as the full screen shows it: from its model alone."""

from typing import final

from sunglare_client.fullscreen.pointing.pointing import Pointer
from sunglare_client.fullscreen.scene import MapLook, Occasion, Panel
from sunglare_client.terminal.lobby_model import LobbyModel
from sunglare_protocol.orders import Order

_KEYS = {"n": "new", "l": "look", "q": "quit", "question_mark": "help", "w": "watch"}


@final
class Lobbying:
    """The lists where a match has its map; a number or a click on a row chooses one."""

    def __init__(self, lobby: LobbyModel) -> None:
        """Show this model."""
        self.points = False
        self.occasion: Occasion = "lobby"
        self.page = 0
        self._lobby = lobby

    def heading(self) -> str:
        """Return which server it is, and who one is there."""
        return f"LOBBY  {self._lobby.url}  you: {self._lobby.name or 'a guest'}"

    def clock(self) -> str:
        """Return how many matches there are."""
        count = len(self._lobby.matches)
        return f"{count} match{'' if count == 1 else 'es'}"

    def view(self) -> None:
        """Return nothing: no match is shown."""

    def plan(self) -> tuple[Order, ...]:
        """Return nothing: no player is here."""
        return ()

    def given(self) -> tuple[Order, ...]:
        """Return nothing: no player is here."""
        return ()

    def look(self, pointer: Pointer | None) -> MapLook:
        """Return the lists."""
        del pointer
        return MapLook(rows=tuple(self._lobby.rows()))

    def panels(self) -> list[Panel]:
        """Return what may be said."""
        return [Panel("What to do", self._lobby.help_lines())]

    def card(self, pointer: Pointer | None) -> Panel:
        """Return how a match is chosen."""
        del pointer
        return Panel("Here", ["type the number of a match, or click on it; Enter asks again"])

    def line_at(self, pointer: Pointer) -> str:
        """Return nothing: there is no map to point at."""
        del pointer
        return ""

    def line_of_row(self, row: int) -> str:
        """Return the command that a click on a row of the lists means; empty if it means none."""
        rows = self._lobby.rows()
        number = rows[row].split()[:1] if row < len(rows) else []
        return number[0] if number and number[0].isdecimal() else ""

    def hint(self, pointer: Pointer | None, width: int) -> str:
        """Return how to choose."""
        del pointer, width
        return "a number or a click chooses a match"

    def complete(self, line: str) -> list[str]:
        """Return the words that begin so."""
        return self._lobby.complete(line)

    def taking_back(self) -> str:
        """Return nothing: nothing here waits to be done."""
        return ""

    def passage(self) -> None:
        """Return none: nothing happens between two lists."""

    def keys(self) -> dict[str, str]:
        """Return the commands of single keys."""
        numbers = {str(n): str(n) for n in range(1, 10)}
        return {**_KEYS, **numbers}
