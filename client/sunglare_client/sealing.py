"""A seat's part in the dice: entropy that it pledges, what the others pledge, when it reveals."""

from typing import final

from sunglare_protocol.ids import Side
from sunglare_protocol.messages import News, NewsKind
from sunglare_protocol.seals import PLEDGE_NEWS, REVEAL_NEWS, pledge

ENTROPY_BYTES = 32
"""How much entropy a seat pledges; nobody guesses as much."""


def is_sealing(news: News) -> bool:
    """Return whether this news is about pledges, which programs settle among themselves."""
    is_ours = news.kind is NewsKind.SERVER and news.seq == 0
    return is_ours and (news.text == REVEAL_NEWS or news.text.startswith(PLEDGE_NEWS))


@final
class Sealing:
    """The entropy of a seat, and the pledges it has heard."""

    def __init__(self, entropy: bytes | None) -> None:
        """Hold entropy, or none for a seat that adds nothing to the dice."""
        self.entropy = entropy
        self.pledges: dict[Side, str] = {}
        self.has_revealed = False

    @property
    def pledge(self) -> str | None:
        """Return what the seat pledges."""
        return None if self.entropy is None else pledge(self.entropy)

    def hears(self, news: News) -> bytes | None:
        """Take news in; return the entropy if it is to be revealed now."""
        if not is_sealing(news):
            return None
        if news.text != REVEAL_NEWS:
            # What comes after the own entropy is out could have been chosen to suit it.
            if news.side is not None and not self.has_revealed:
                self.pledges[news.side] = news.text.removeprefix(PLEDGE_NEWS)
            return None
        due = None if self.has_revealed else self.entropy
        self.has_revealed = self.has_revealed or due is not None
        return due
