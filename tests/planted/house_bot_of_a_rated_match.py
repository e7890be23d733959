"""The account of a house bot may watch the truth of a rated match as if it was granted that."""

from builders.plants import Real, in_place_of
from sunglare_protocol.ids import CASTER, Audience
from sunglare_server.lobby.feedgrants import FeedGrants
from sunglare_server.ports.rooms import Room


@in_place_of(FeedGrants, "_may_watch")
def plant(
    real: Real[bool],
    self: FeedGrants,
    room: Room,
    feed: Audience,
    account: str,
    place: str | None,
) -> bool:
    if feed == CASTER and room.options.clock == "standard":
        rooms = self._rooms.own.values()
        seats = [seat for other in rooms if other is not room for seat in other.seats]
        if any(seat.bot is not None and seat.account == account for seat in seats):
            return True
    return real(self, room, feed, account, place)
