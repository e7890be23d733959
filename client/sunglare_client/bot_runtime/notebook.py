"""A bot's notes for itself during a match, some of them about a square.

They stay where the bot runs: in memory, and in the log of its seat if one is kept. No message
carries them to a server, and readers of the log are shown another author's text.
"""

import logging
from collections.abc import Callable
from typing import final

from sunglare_client.errors import BotError
from sunglare_protocol.geometry import Square
from sunglare_protocol.replay.notes import (
    NOTE_LETTERS_MOST,
    NOTES_MOST,
    SQUARE_MOST,
    Note,
    is_markable,
)

log = logging.getLogger(__name__)

Keep = Callable[[Note], None]
"""Keeps a note somewhere else, too."""


@final
class Notebook:
    """The notes of one match, in their order; what is more than the most is not kept."""

    def __init__(self) -> None:
        """Begin before the first window."""
        self.notes: list[Note] = []
        self._turn, self._window = 0, ""
        self._keep: Keep | None = None

    def begin(self, keep: Keep | None = None) -> None:
        """Begin another match, whose notes `keep` takes, too."""
        self.notes.clear()
        self._keep = keep
        self.turn_to(0, "")

    def turn_to(self, turn: int, window: str) -> None:
        """Write what comes under this window."""
        self._turn, self._window = turn, window

    def add(self, text: str, at: Square | None = None) -> None:
        """Write a note down, cut to the most; raise `BotError` if the square is on no board."""
        if at is not None:
            at = _square(at)
        if len(self.notes) >= NOTES_MOST:
            return
        kept = _plain(text)
        note = Note(
            seq=len(self.notes) + 1, turn=self._turn, window=self._window, text=kept, at=at
        )
        self.notes.append(note)
        if len(self.notes) == NOTES_MOST:
            log.warning("%d notes are the most of a match; no more are kept", NOTES_MOST)
        if self._keep is not None:
            self._keep(note)


def _plain(text: str) -> str:
    """Return a text that any file can hold: halves of letters become question marks."""
    return str(text)[:NOTE_LETTERS_MOST].encode("utf-8", "replace").decode("utf-8")


def _square(at: Square) -> Square:
    try:
        x, y = at
        square = Square(int(x), int(y))
    except (TypeError, ValueError):
        raise BotError(f"{at!r} is no square; a mark is made at one, as Square(7, 27)") from None
    if not is_markable(square):
        raise BotError(f"{square} lies on no board; a square has numbers from 0 to {SQUARE_MOST}")
    return square
