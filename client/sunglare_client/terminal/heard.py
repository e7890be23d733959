"""What a side was told lately, each notice with its rule and dice: what `why told` shows."""

from collections import deque
from typing import NamedTuple, final

from sunglare_client.text.printable import printable
from sunglare_client.text.story import notice_lines
from sunglare_protocol.messages import Frame
from sunglare_protocol.messages.answers import Card
from sunglare_protocol.notices import PublicNotice
from sunglare_protocol.views import View
from sunglare_rules.advice.cards.rolls import is_roll
from sunglare_rules.advice.cards.told import why_told

KEPT = 200
"""So many notices are remembered, the newest."""

SHOWN = 6
"""So many are shown at once."""


class _Entry(NamedTuple):
    turn: int
    sentence: str
    card: Card
    is_roll: bool


@final
class Heard:
    """The notices of a seat, the newest first; those of the public record are in its own card."""

    def __init__(self) -> None:
        """Begin with none."""
        self._entries: deque[_Entry] = deque(maxlen=KEPT)

    def take(self, frame: Frame, view: View) -> None:
        """Add what a frame brought, explained from its own view."""
        for notice in frame.notices:
            if not isinstance(notice, PublicNotice):
                sentence = notice_lines(notice, view.board)[0]
                card = why_told(view, notice)
                self._entries.appendleft(_Entry(view.stage.turn, sentence, card, is_roll(notice)))

    def lines(self, about: str) -> list[str]:
        """Return the newest rolls or notices, or the one of that number; none for other words."""
        match about.lower():
            case "roll" | "rolls":
                return self._rows([n for n, entry in enumerate(self._entries) if entry.is_roll])
            case "told":
                return self._rows(list(range(len(self._entries))))
            case word if word.isascii() and word.isdigit():
                number = int(word[:9]) - 1
                return self._rows([number] if 0 <= number < len(self._entries) else [])
            case _:
                return []

    def _rows(self, numbers: list[int]) -> list[str]:
        rows = []
        for number in numbers[:SHOWN]:
            entry = self._entries[number]
            rows.append(f"{number + 1}. (turn {entry.turn}) {entry.sentence}")
            rows.extend(printable(f"  {line}") for line in entry.card.lines)
        return rows or ["nothing of the kind was told you yet"]
