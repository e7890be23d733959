"""Answers to callers in the queue of the quick match: that they wait, or where their seat is."""

from sunglare_protocol.messages.commands import QuickMatch, Unquick
from sunglare_protocol.messages.replies import Accepted, Queued, Refused
from sunglare_protocol.refusals import Rejected
from sunglare_server.api.refusals import refused
from sunglare_server.lobby.lobby import Lobby
from sunglare_server.matchmaking.matchmaker import AGAIN_MS
from sunglare_server.matchmaking.rooms import READY_MS
from sunglare_server.rooms.quotas import Opener

OfQueue = QuickMatch | Unquick
"""The messages of those who wait."""


async def quick_answer(
    lobby: Lobby, asked: OfQueue, opener: Opener
) -> Queued | Accepted | Refused:
    """Return the answer to who waits, goes on waiting, or waits no longer."""
    if isinstance(asked, Unquick):
        await lobby.quick.leave(opener.account)
        return Accepted(id=asked.id)
    found = await lobby.quick.ask(opener, asked.family, rated=asked.rated)
    if isinstance(found, Rejected):
        return refused(asked.id, found)
    if found is None:
        return Queued(id=asked.id, again_ms=AGAIN_MS)
    return Queued(id=asked.id, match=found, ready_ms=READY_MS)
