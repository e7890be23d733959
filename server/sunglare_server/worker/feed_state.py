"""A worker's state of the feeds of its matches, beyond what is released to them."""

from sunglare_protocol.ids import Audience, MatchId
from sunglare_server.lobby.lobby import Lobby


def epoch_of(lobby: Lobby, match: MatchId) -> int:
    """Return by which epoch a match is owned here, 0 for one that is not in memory."""
    handle = lobby.matches.handle(match)
    return 0 if handle is None else handle.epoch


def is_anybodys(lobby: Lobby, match: MatchId, feed: Audience) -> bool:
    """Return whether anybody may watch a feed, without code, grant or seat."""
    room = lobby.rooms.get(match)
    return room is not None and room.code is None and not lobby.grants.is_granted(room, feed)
