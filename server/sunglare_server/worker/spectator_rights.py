"""Rights of a spectators' gateway: what any spectator may see, and nothing of a side."""

from sunglare_protocol.ids import OMNI, PUBLIC, Audience
from sunglare_protocol.messages import AskLadder, ClientMessage
from sunglare_protocol.messages.commands import (
    FetchRecord,
    Hello,
    Info,
    Leave,
    ListMatches,
    Watch,
)
from sunglare_server.transport.subjects import Trust

SEEN_BY_ALL = (PUBLIC, OMNI)
"""The feeds that it may ask for; the truth is shown late."""

_OF_ALL = (Hello, ListMatches, AskLadder, Info)


def is_public(side: object, feed: Audience | None) -> bool:
    """Return whether a line that holds this, of a side or of a feed, may be at such a gateway."""
    return side is None and (feed is None or feed in SEEN_BY_ALL)


def is_open(
    message: ClientMessage, trust: Trust, *, is_held: bool, is_record_open: bool = False
) -> bool:
    """Return whether a gateway may pass on a message; `is_held`: its line holds that match.

    What a line of spectators holds is a feed, which is all that it may leave. A record is for
    them if the match is over and its id, or its id and code, are all that it takes.
    """
    if trust is Trust.PLAYERS or isinstance(message, _OF_ALL):
        return True
    if isinstance(message, Leave):
        return is_held
    if isinstance(message, FetchRecord):
        return is_record_open
    return isinstance(message, Watch) and message.feed in SEEN_BY_ALL
