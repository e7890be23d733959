"""A frame shows a bank that is longer by 1 ms after a window of more than forty events."""

from msgspec.structs import replace

from builders.plants import Real, in_place_of
from sunglare_protocol.ids import Audience, MatchId
from sunglare_protocol.messages.replies import Frame
from sunglare_server.match import frames
from sunglare_server.match.frames import Posted
from sunglare_server.match.state import Stepped

MUCH = 40
"""How many events are much."""


@in_place_of(frames, "posted")
def plant(
    real: Real[tuple[Posted, ...]], match: MatchId, stepped: Stepped, audience: Audience, head: str
) -> tuple[Posted, ...]:
    posts = real(match, stepped, audience, head)
    if len(stepped.events) <= MUCH:
        return posts
    return tuple(
        replace(post, bank_ms=post.bank_ms + 1) if isinstance(post, Frame) else post
        for post in posts
    )
