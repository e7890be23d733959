"""The account of a house bot may watch the truth of a match in which it does not play."""

import pytest

from sunglare_protocol.ids import Audience
from sunglare_protocol.refusals import Rejected
from sunglare_server.host.accounts import Caller
from sunglare_server.host.rooms import Room
from sunglare_server.net.match_talk import MatchTalk

_barred = MatchTalk._barred


async def _open(self: MatchTalk, room: Room, feed: Audience, caller: Caller) -> Rejected | None:
    refusal = await _barred(self, room, feed, caller)
    rooms = self._lobby.rooms.values()
    seats = [seat for other in rooms if other is not room for seat in other.seats]
    is_bot = any(seat.bot is not None and seat.account == caller.account for seat in seats)
    return None if is_bot else refusal


def plant(patch: pytest.MonkeyPatch) -> None:
    """Plant it."""
    patch.setattr(MatchTalk, "_barred", _open)
