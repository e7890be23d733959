"""A seat's part in the dice: entropy that it pledges, what the others pledge, when it reveals."""

import secrets
from typing import final

from sunglare_client.link.returning import is_before_start
from sunglare_client.text.printable import printable
from sunglare_protocol.ids import Side
from sunglare_protocol.messages import News, NewsKind, Resumed, Seated
from sunglare_protocol.seals import PLEDGE_NEWS, REVEAL_NEWS, UNREVEALED_NEWS, pledge

ENTROPY_BYTES = 32
"""How much entropy a seat pledges; it is past guessing."""

FREED = "the seat is free again, as its entropy did not come in time"
"""Why a seat is lost."""

NOT_ASKED = "the server never asked for the entropy that you pledged"
"""What is wrong with a match that has begun without it."""


def is_sealing(news: News) -> bool:
    """Return whether this news is about pledges, which programs settle among themselves."""
    is_ours = news.kind is NewsKind.SERVER and news.seq == 0
    return is_ours and (news.text == REVEAL_NEWS or news.text.startswith(PLEDGE_NEWS))


def calls_off(news: News) -> bool:
    """Return whether this news says that a seat is free, as its entropy did not come."""
    return news.kind is NewsKind.SEAT and news.seq == 0 and news.text == UNREVEALED_NEWS


def doubt_lines(doubt: str | None) -> list[str]:
    """Return the lines for a person at the start whose entropy may not be in the dice."""
    if doubt is None:
        return []
    return [
        printable(f"W-DICE    NOT PROVED: {doubt}."),
        "          The server may have chosen the dice of this match.",
        "          To leave it, say: resign yes. To play on all the same, give your orders.",
    ]


@final
class Sealing:
    """The entropy of a seat, and the pledges it has heard.

    `is_untold` says that the pledge has yet to be sent to the server, with the next `ready`.
    `refusal` is why the server did not take the entropy.
    """

    def __init__(self, entropy: bytes | None, *, is_untold: bool = False) -> None:
        """Hold entropy, or none for a seat that adds nothing to the dice."""
        self.entropy = entropy
        self.pledges: dict[Side, str] = {}
        self.has_revealed = False
        self.is_untold = is_untold and entropy is not None
        self.refusal = ""

    @property
    def pledge(self) -> str | None:
        """Return what the seat pledges."""
        return None if self.entropy is None else pledge(self.entropy)

    @property
    def doubt(self) -> str | None:
        """Return why the dice of a match that has begun may do without the entropy."""
        if self.entropy is None:
            return None
        if not self.has_revealed:
            return NOT_ASKED
        return f"the server did not take your entropy: {self.refusal}" if self.refusal else None

    def hears(self, news: News) -> bytes | None:
        """Take news in; return the entropy if it is to be revealed now."""
        if calls_off(news):
            self._begin_anew()
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

    def _begin_anew(self) -> None:
        """Forget what was pledged for a start that was called off: it may be known by now."""
        self.pledges, self.refusal = {}, ""
        if self.entropy is not None and self.has_revealed:
            self.entropy, self.is_untold = secrets.token_bytes(ENTROPY_BYTES), True
        self.has_revealed = False


def sealed(taken: Seated | Resumed, entropy: bytes | None) -> Sealing:
    """Return the entropy of a seat that was taken: none once its match has begun.

    What is pledged comes with `join`; a seat that is taken again pledges with `ready`.
    """
    if not is_before_start(taken):
        return Sealing(None)
    return Sealing(entropy, is_untold=isinstance(taken, Resumed))
