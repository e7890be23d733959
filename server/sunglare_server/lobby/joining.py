"""Joining a match: which seat of a room that waits somebody gets; and bots that come later."""

from typing import Protocol

from msgspec.structs import replace

from sunglare_protocol.ids import MatchId, Side
from sunglare_protocol.messages.replies import RoomState
from sunglare_protocol.refusals import Code, Rejected
from sunglare_server.lobby.feedgrants import BOUND, FeedGrants
from sunglare_server.ports.rooms import Room, RoomSeat
from sunglare_server.rooms.quotas import RoomLimits

UNREVEALED_MOST = 2
"""Whose seat was freed so often, since no entropy came for it, can't come back to the room."""


class KeepingRooms(Protocol):
    """The lobby, as far as it keeps rooms."""

    rooms: dict[MatchId, Room]

    async def keep(self, room: Room) -> None:
        """Keep a changed room."""


async def note_bot(lobby: KeepingRooms, match: MatchId, side: Side) -> None:
    """Note that a bot has come to a seat; if a person took that, everybody is shown it now."""
    room = lobby.rooms.get(match)
    seat = None if room is None or room.state is RoomState.OVER else room.seat_at(side)
    if room is not None and seat is not None and not seat.is_of_bot:
        await lobby.keep(room.with_seat(replace(seat, had_bot=True)))


class JoiningRooms(Protocol):
    """The lobby, as far as it says who may join."""

    grants: FeedGrants
    limits: RoomLimits

    @property
    def everyones(self) -> tuple[Room, ...]:
        """Return the rooms that go on, here and at other servers."""
        ...


def seat_for(
    lobby: JoiningRooms,
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
        # A code does not tell the match, whose seat is taken again by `resume`.
        return Rejected(code=Code.SEAT_YOURS, choices=(room.match,))
    if room.unrevealed.count(account) >= UNREVEALED_MOST:
        return Rejected(code=Code.SEAT_BARRED)
    if lobby.grants.bars(room, account):
        return BOUND
    free, bot = (room.free, None) if kept is None else ((kept.side,), kept.bot)
    if not free or (side is not None and side not in free):
        return Rejected(code=Code.SEAT_TAKEN, at="$.side", choices=free)
    many = lobby.limits.seat_refusal(lobby.everyones, account, is_bot=is_bot, besides=room.match)
    return many or RoomSeat(
        side=side or free[0], account=account, bot=bot, pledge=pledged, is_bot=is_bot
    )
