"""The announced end of a server: its moment, its announcement, and when that is repeated."""

from typing import Final, final

import msgspec

from sunglare_protocol.ids import NO_MATCH
from sunglare_protocol.messages.replies import News, NewsKind
from sunglare_protocol.text import ENDS_NEWS, ENDS_NOT_NEWS

MINUTE_MS: Final = 60_000

TOLD_MS: Final = tuple(minutes * MINUTE_MS for minutes in (1, 2, 5, 10, 15, 30, 60))
"""OWN: an end that was announced is announced again so long before it comes."""


@final
class Closing(msgspec.Struct, frozen=True, array_like=True, order=True, gc=False):
    """That the server ends at a moment of its clock, with what its operator says of that."""

    at_ms: int
    note: str = ""


def news_of(closing: Closing, now_ms: int) -> News:
    """Return the news of an end that comes."""
    words = f"{ENDS_NEWS}: {closing.note}" if closing.note else ENDS_NEWS
    left_ms = max(0, closing.at_ms - now_ms)
    return News(match=NO_MATCH, seq=0, kind=NewsKind.SERVER, text=words, ends_ms=left_ms)


def called_off() -> News:
    """Return the news that the end does not come."""
    return News(match=NO_MATCH, seq=0, kind=NewsKind.SERVER, text=ENDS_NOT_NEWS)


def told_again_ms(closing: Closing, now_ms: int) -> int:
    """Return when an end that has just been announced is announced next, or comes."""
    due = [closing.at_ms - before for before in TOLD_MS if closing.at_ms - before > now_ms]
    return min(due, default=closing.at_ms)
