"""Joining a room that waits: which seat somebody gets, or why none."""

from sunglare_protocol.ids import Side
from sunglare_protocol.refusals import Code, Rejected
from sunglare_server.host.feedgrants import BOUND
from sunglare_server.host.rooms import Room, RoomSeat

UNREVEALED_MOST = 2
"""Whose seat was freed so often, since no entropy came for it, can't come back to the room."""


def seat_for(
    room: Room, account: str, side: Side | None, pledged: str | None, *, is_bound: bool
) -> RoomSeat | Rejected:
    """Return the seat that an account takes: the one kept for it, one it names, or a free one.

    Whoever `is_bound` has seen what no seat goes with.
    """
    kept = room.seat_of(account)
    if kept is not None and kept.has_come:
        return Rejected(code=Code.SEAT_YOURS)
    if room.unrevealed.count(account) >= UNREVEALED_MOST:
        return Rejected(code=Code.SEAT_BARRED)
    if is_bound:
        return BOUND
    free, bot = (room.free, None) if kept is None else ((kept.side,), kept.bot)
    if not free or (side is not None and side not in free):
        return Rejected(code=Code.SEAT_TAKEN, at="$.side", choices=free)
    return RoomSeat(side=side or free[0], account=account, bot=bot, pledge=pledged)
