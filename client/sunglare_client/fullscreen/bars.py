"""The rows of the full screen that are one line high: where it stands, words, and the keys."""

from typing import final

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

from sunglare_client.text.printable import printable


@final
class WordChosen(Message):
    """A word of a bar was clicked."""

    def __init__(self, word: str) -> None:
        """Keep the word."""
        super().__init__()
        self.word = word


@final
class Bar(Widget):
    """One row with words on the left, and something short on the right that is never cut."""

    def __init__(
        self,
        style: Style,
        *,
        ascii_only: bool = False,
        id: str,  # noqa: A002 - the name that widgets have for it
    ) -> None:
        """Begin empty."""
        super().__init__(id=id)
        self._style = style
        self._ascii_only = ascii_only
        self.words: tuple[str, ...] = ()
        self.right = ""

    def show(self, words: tuple[str, ...], right: str = "") -> None:
        """Show other words, if they are others: a row that stays as it is costs nothing."""
        shown = tuple(printable(word, ascii_only=self._ascii_only) for word in words)
        if (shown, right) != (self.words, self.right):
            self.words, self.right = shown, right
            self.refresh()

    @property
    def text(self) -> str:
        """Return the row as it is drawn."""
        width = max(self.size.width, 1)
        room = max(width - len(self.right) - (1 if self.right else 0), 0)
        shown = self._fitting(room)
        return f"{shown:<{room}}{' ' if self.right else ''}{self.right}"[:width]

    def _fitting(self, room: int) -> str:
        """Return as many words as fit, and a count of those that do not."""
        row = "  ".join(self.words)
        kept = len(self.words)
        while len(row) > room and kept > 1:
            kept -= 1
            row = "  ".join((*self.words[:kept], f"+{len(self.words) - kept}"))
        return row[:room]

    def render_line(self, y: int) -> Strip:
        """Return the row as it is drawn."""
        del y
        return Strip([Segment(self.text, self._style)])

    def on_click(self, event: events.Click) -> None:
        """Post which word was clicked."""
        west = 0
        for word in self.words:
            if west <= event.x < west + len(word):
                self.post_message(WordChosen(word))
            west += len(word) + 2
