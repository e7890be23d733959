"""Any client may watch the feed of a side, not only its seat."""

import pytest

from sunglare_protocol.ids import Audience, Side
from sunglare_protocol.refusals import Rejected
from sunglare_server.accounts.accounts import Caller
from sunglare_server.api.match_handlers import MatchHandlers
from sunglare_server.ports.rooms import Room

_barred = MatchHandlers._barred


async def _open(
    self: MatchHandlers, room: Room, feed: Audience, caller: Caller
) -> Rejected | None:
    return None if Side(feed) in room.sides else await _barred(self, room, feed, caller)


def plant(patch: pytest.MonkeyPatch) -> None:
    """Plant it."""
    patch.setattr(MatchHandlers, "_barred", _open)
