"""Chat of a match around a moment, read for the operator alone."""

from typing import Final, final

import msgspec

from sunglare_protocol.ids import MatchId, Side
from sunglare_server.ports.journal import Journal
from sunglare_server.ports.rooms import Room

BEFORE: Final = 20
"""OWN: so many words are shown that were said before the moment."""

AFTER: Final = 5
"""OWN: and so many after it."""


@final
class ChatLine(msgspec.Struct, frozen=True):
    """What a side said, and when, in ms of the server's clock."""

    at_ms: int
    side: Side
    text: str


class _Said(msgspec.Struct, frozen=True):
    t: str
    text: str = ""


class _Spoken(msgspec.Struct, frozen=True):
    """Of a record of any rules version, what it has if a seat said something."""

    t: int
    b: _Said
    s: Side | None = None


_spoken: msgspec.msgpack.Decoder[_Spoken] = msgspec.msgpack.Decoder(_Spoken)
_UNREADABLE = (msgspec.DecodeError, UnicodeError, RecursionError)
_CHAT: Final = "chat"


async def words_of(journal: Journal, match: MatchId) -> tuple[ChatLine, ...]:
    """Return all that was said in a match until its end, in its order, from its records.

    Raise `JournalError` if the medium refuses, `RecordError` for a record that is damaged.
    """
    found = [_word(blob) for blob in await journal.read(match)]
    return tuple([word for word in found if word is not None])


def words_after_end(room: Room) -> tuple[ChatLine, ...]:
    """Return what was said after the end of a match, which its room keeps, in its order."""
    return tuple([ChatLine(line.at_ms, line.side, line.text) for line in room.chat])


def around(words: tuple[ChatLine, ...], at_ms: int) -> tuple[ChatLine, ...]:
    """Return the last words before a moment and the first ones after it."""
    before = [word for word in words if word.at_ms <= at_ms]
    after = [word for word in words if word.at_ms > at_ms]
    return (*before[-BEFORE:], *after[:AFTER])


def _word(blob: bytes) -> ChatLine | None:
    try:
        found = _spoken.decode(blob)
    except _UNREADABLE:
        return None
    is_chat = found.b.t == _CHAT and found.s is not None
    return ChatLine(found.t, found.s, found.b.text) if is_chat and found.s is not None else None
