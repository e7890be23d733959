"""A side's recent notices, each with its rule and dice: `why told` shows them."""

from collections import deque
from typing import NamedTuple, final

from sunglare_client.map.evidence import NONE, Evidence, evidence
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
    evidence: Evidence


@final
class RecentNotices:
    """The notices of a seat, the newest first; those of the public record are in its own card."""

    def __init__(self) -> None:
        """Begin with none."""
        self._entries: deque[_Entry] = deque(maxlen=KEPT)

    def take(self, frame: Frame, view: View) -> None:
        """Add what a frame brought, explained from its own view."""
        for notice in frame.notices:
            if not isinstance(notice, PublicNotice):
                sentence = notice_lines(notice, view.board)[0]
                card, seen = why_told(view, notice), evidence(view, notice)
                entry = _Entry(view.stage.turn, sentence, card, is_roll(notice), seen)
                self._entries.appendleft(entry)

    def lines(self, about: str) -> list[str]:
        """Return the newest rolls or notices, or the one of that number; none for other words."""
        numbers = self._meant(about)
        return [] if numbers is None else self._rows(numbers)

    def evidence(self, about: str) -> Evidence:
        """Return what may be drawn of the newest of these that has a place."""
        found = (self._entries[number].evidence for number in self._meant(about) or ())
        return next((each for each in found if each != NONE), NONE)

    def _meant(self, about: str) -> list[int] | None:
        """Return which entries are shown for a word, None if it means none of them."""
        match about.lower():
            case "roll" | "rolls":
                return [n for n, entry in enumerate(self._entries) if entry.is_roll][:SHOWN]
            case "told":
                return list(range(len(self._entries)))[:SHOWN]
            case word if word.isascii() and word.isdigit():
                number = int(word[:9]) - 1
                return [number] if 0 <= number < len(self._entries) else []
            case _:
                return None

    def _rows(self, numbers: list[int]) -> list[str]:
        rows = []
        for number in numbers:
            entry = self._entries[number]
            rows.append(f"{number + 1}. (turn {entry.turn}) {entry.sentence}")
            rows.extend(printable(f"  {line}") for line in entry.card.lines)
        return rows or ["nothing of the kind was told you yet"]
