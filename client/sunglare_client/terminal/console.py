"""The console of a match: a display, and the lines that are typed."""

from collections.abc import AsyncIterator
from typing import Protocol, final

from sunglare_client.terminal.display import Display
from sunglare_client.terminal.plain import Terminal


class Console(Protocol):
    """A display and what is typed at it; `shown` is the terminal of the match shown last."""

    display: Display
    lines: AsyncIterator[str]
    shown: Terminal | None

    def show(self, terminal: Terminal, title: str) -> None:
        """Show the match that this terminal plays."""
        ...


@final
class PlainConsole:
    """Lines in, lines out; a line editor completes words with the terminal in the list."""

    def __init__(
        self, lines: AsyncIterator[str], display: Display, playing: list[Terminal]
    ) -> None:
        """Keep them."""
        self.lines = lines
        self.display = display
        self.shown: Terminal | None = None
        self._playing = playing

    def show(self, terminal: Terminal, title: str) -> None:
        """Have words completed by this terminal."""
        del title
        self.shown = terminal
        self._playing.append(terminal)
