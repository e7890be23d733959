"""The account of a house bot may watch the truth of a match in which it does not play."""

from collections.abc import Awaitable

from builders.plants import Real, in_place_of
from sunglare_protocol.ids import Audience
from sunglare_protocol.refusals import Rejected
from sunglare_server.accounts.accounts import Caller
from sunglare_server.api.match_handlers import MatchHandlers
from sunglare_server.ports.rooms import Room


@in_place_of(MatchHandlers, "_barred")
async def plant(
    real: Real[Awaitable[Rejected | None]],
    self: MatchHandlers,
    room: Room,
    feed: Audience,
    caller: Caller,
) -> Rejected | None:
    refusal = await real(self, room, feed, caller)
    rooms = self._matches.rooms.own.values()
    seats = [seat for other in rooms if other is not room for seat in other.seats]
    is_bot = any(seat.bot is not None and seat.account == caller.account for seat in seats)
    return None if is_bot else refusal
