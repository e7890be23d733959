"""Joining a match: which seat of a waiting room an account gets; and bots that come later."""

from msgspec.structs import replace

from sunglare_protocol.ids import MatchId, Side
from sunglare_protocol.messages.replies import RoomState
from sunglare_protocol.refusals import Code, Rejected
from sunglare_server.lobby.feedgrants import BOUND, FeedGrants
from sunglare_server.ports.rooms import Room, RoomSeat
from sunglare_server.rooms.room_registry import RoomRegistry

UNREVEALED_MOST = 2
"""Whose seat was freed so often, since no entropy came for it, can't come back to the room."""


async def note_bot(rooms: RoomRegistry, match: MatchId, side: Side) -> None:
    """Note that a bot has taken over a seat; if a person had it, all audiences see that now."""
    room = rooms.own.get(match)
    seat = None if room is None or room.state is RoomState.OVER else room.seat_at(side)
    if room is not None and seat is not None and not seat.is_of_bot:
        await rooms.keep(room.with_seat(replace(seat, had_bot=True)))


def seat_for(
    rooms: RoomRegistry,
    grants: FeedGrants,
    room: Room,
    account: str,
    side: Side | None,
    pledged: str | None,
    *,
    is_bot: bool,
) -> RoomSeat | Rejected:
    """Return the seat that an account takes: the one kept for it, one it names, or a free one."""
    kept = room.seat_of(account)
    if kept is not None and kept.has_come:
        # A code does not name the match, whose seat is taken again by `resume`.
        return Rejected(code=Code.SEAT_YOURS, choices=(room.match,))
    if room.unrevealed.count(account) >= UNREVEALED_MOST:
        return Rejected(code=Code.SEAT_BARRED)
    if grants.bars(room, account):
        return BOUND
    free, bot = (room.free, None) if kept is None else ((kept.side,), kept.bot)
    if not free or (side is not None and side not in free):
        return Rejected(code=Code.SEAT_TAKEN, at="$.side", choices=free)
    many = rooms.limits.seat_refusal(rooms.ongoing, account, is_bot=is_bot, besides=room.match)
    return many or RoomSeat(
        side=side or free[0], account=account, bot=bot, pledge=pledged, is_bot=is_bot
    )
