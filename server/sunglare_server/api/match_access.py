"""The right to know a private match, looked at before a message is answered.

Theory of operation. A message that names a private match to which its caller has no right goes on
as one about a match that there is not. So it takes the way of an unknown id through every check,
and its answer is the same to the byte, whichever check refuses it first.
"""

from typing import Final

from msgspec.structs import replace

from sunglare_protocol.ids import MatchId
from sunglare_protocol.messages import ClientMessage
from sunglare_protocol.messages.commands import Create, Resume
from sunglare_server.api.port import Immediate

NONE_SUCH: Final = MatchId("7" * 26)
"""An id that no match has: the last letter of a real one has bits that are always 0."""


def named_in(message: ClientMessage) -> MatchId | None:
    """Return the match that a message names and to which its caller needs a right, if any.

    `resume` asks for a ticket or a seat itself, as do the messages to a seat.
    """
    return None if isinstance(message, Resume | Immediate) else match_in(message)


def match_in(message: ClientMessage) -> MatchId | None:
    """Return the match that a message names, if any."""
    if isinstance(message, Create):
        return None if message.origin is None else message.origin.match
    match: MatchId | None = getattr(message, "match", None)
    return match


def code_in(message: ClientMessage) -> str | None:
    """Return the code that a message shows for the match that it names, if any."""
    shown = message.origin if isinstance(message, Create) else message
    code: str | None = getattr(shown, "code", None)
    return code


def about_none(message: ClientMessage) -> ClientMessage:
    """Return the same message about a match that there is not."""
    if isinstance(message, Create) and message.origin is not None:
        return replace(message, origin=replace(message.origin, match=NONE_SUCH))
    return replace(message, match=NONE_SUCH)
