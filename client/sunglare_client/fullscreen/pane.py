"""A pane of text under a title: lines that are broken between words, and counted where cut."""

import re
import textwrap
from collections.abc import Callable, Iterable
from typing import final

from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.strip import Strip
from textual.widget import Widget

from sunglare_client.fullscreen.palette import Palette
from sunglare_client.text.printable import printable

INDENT = 2
"""So much farther right goes on what does not fit in a row."""

# A box such as C6 is no contact: it stands behind a square, or the word for it.
_WORD = re.compile(r"(?<!,[0-9] )(?<!,[0-9][0-9] )(?<!box )\b\w+")

_FILLER = "\ue000"
"""Stands for the second column of a letter; no line that may be shown holds it."""

Tint = Callable[[str], Style | None]
"""Returns the style of a word that has one of its own, such as the name of a piece."""


@final
class Pane(Widget):
    """Lines under a title; `follows` keeps the newest in sight, else the first.

    Blank rows give way first, if the rest fits so.

    What does not fit is counted in the last row, and comes with the wheel or `scroll`. A pane
    that is not titled has rows of text alone.
    """

    def __init__(
        self,
        title: str,
        palette: Palette,
        *,
        follows: bool = False,
        ascii_only: bool = False,
        id: str,  # noqa: A002 - the name that widgets have for it
    ) -> None:
        """Begin empty."""
        super().__init__(id=id)
        self.title = title
        self.is_titled = True
        self.tint: Tint = _plain
        self._palette = palette
        self._follows = follows
        self._ascii_only = ascii_only
        self._lines: list[str] = []
        self._rows: list[str] = []
        self._wide = 0
        self._up = 0
        self._first = 0

    @property
    def lines(self) -> tuple[str, ...]:
        """Return all lines, whether they are in sight or not."""
        return tuple(self._lines)

    def show(self, title: str, lines: Iterable[str]) -> None:
        """Show other lines; the place in them stays only if they are the same."""
        told = self._printable(lines)
        if (title, told) != (self.title, self._lines):
            self.title, self._lines, self._wide, self._up = title, told, 0, 0
            self.refresh()

    def add(self, lines: Iterable[str], most: int, *, from_first: bool = False) -> None:
        """Add lines at the end; the oldest beyond so many go.

        If they do not fit, the last of them are in sight, or with `from_first` the first.
        """
        added = self._printable(lines)
        if not added:
            return
        self._lines = [*self._lines, *added][-most:]
        self._wide = self._up = 0
        self._first = len(added) if from_first else 0
        self.refresh()

    def scroll_rows(self, rows: int) -> None:
        """Move what is in sight by so many rows, down where they are above zero."""
        self._break()
        self._turn_to_first()
        self._first = 0
        most = max(len(self._rows) - self._room, 0)
        self._up = min(max(self._up + (-rows if self._follows else rows), 0), most)
        self.refresh()

    def _printable(self, lines: Iterable[str]) -> list[str]:
        return [printable(line, ascii_only=self._ascii_only) for line in lines]

    @property
    def _room(self) -> int:
        return max(self.size.height - self._title_rows, 1)

    @property
    def _title_rows(self) -> int:
        return 1 if self.is_titled else 0

    def _break(self) -> None:
        """Break the lines into rows, if the width or the lines have changed."""
        if self._wide == self.size.width:
            return
        self._wide = self.size.width
        width = max(self._wide, 8)
        self._rows = [row for line in self._lines for row in broken(line, width)]

    def _turn_to_first(self) -> None:
        """Have the first of so many newest lines in sight that are read from there on."""
        if self._first:
            width = max(self._wide, 8)
            rows = sum(len(broken(line, width)) for line in self._lines[-self._first :])
            self._up = max(rows - self._room + 1, 0) if rows > self._room else 0

    def _in_sight(self) -> list[str]:
        """Return the rows in sight; one of them counts those that are not."""
        self._break()
        self._turn_to_first()
        rows, room = self._rows, self._room
        if len(rows) <= room:
            return rows
        filled = [row for row in rows if row.strip()]
        if len(filled) <= room and not self._follows:
            return filled
        if self._follows:
            end = len(rows) - self._up
            newer = [f"... {self._up} newer (PgDn)"] if self._up else []
            return [*rows[max(end - room + len(newer), 0) : end], *newer]
        left = len(rows) - self._up - room + 1
        if left <= 1:
            return rows[-room:]
        return [*rows[self._up : self._up + room - 1], f"... {left} more (PgDn)"]

    def render_line(self, y: int) -> Strip:
        """Return a row as it is drawn."""
        width = self.size.width
        if y == 0 and self.is_titled:
            title = f" {self.title} " if self.title else ""
            rule = "-" if self._ascii_only else "─"
            return Strip([Segment(title.ljust(width, rule)[:width], self._palette.faint)])
        rows = self._in_sight()
        y -= self._title_rows
        text = rows[y] if y < len(rows) else ""
        return Strip(self._tinted(text)).adjust_cell_length(width, self._palette.text)

    def _tinted(self, text: str) -> list[Segment]:
        base, parts, done = self._base(text), [], 0
        for found in _WORD.finditer(text):
            style = self.tint(found[0])
            if style is not None:
                parts += [Segment(text[done : found.start()], base), Segment(found[0], style)]
                done = found.end()
        return [*parts, Segment(text[done:], base)]

    def _base(self, text: str) -> Style:
        if text.startswith("> "):
            return self._palette.typed
        if text.startswith("E-"):
            return self._palette.fault
        if text.startswith(("* ", "...")):
            return self._palette.news
        return (
            self._palette.title if text.endswith(":") and text[:1] != " " else self._palette.text
        )

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        """Go down with the wheel."""
        event.stop()
        self.scroll_rows(2)

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        """Go up with the wheel."""
        event.stop()
        self.scroll_rows(-2)


def rows_at(lines: Iterable[str], width: int) -> int:
    """Return how many rows the lines take at a width in columns."""
    return sum(len(broken(line, max(width, 8))) for line in lines)


def broken(line: str, width: int) -> list[str]:
    """Return a line as rows of a width in columns, broken between words where that can be."""
    if cell_len(line) <= width:
        return [line]
    indent = " " * min(len(line) - len(line.lstrip()) + INDENT, width // 3)
    # Letters that are two columns wide count as two while the line is broken; where a row ends
    # within one of them it is a column wider than it counts.
    even = "".join(letter + _FILLER * (cell_len(letter) - 1) for letter in line)
    rows = textwrap.wrap(
        even,
        width if even == line else width - 1,
        subsequent_indent=indent,
        replace_whitespace=False,
        break_on_hyphens=False,
    )
    return [row.replace(_FILLER, "") for row in rows]


def _plain(word: str) -> None:
    del word
