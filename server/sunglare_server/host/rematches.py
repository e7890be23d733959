"""Rematches: who wishes one, and the room that is kept once all who played do."""

from typing import Protocol, final

from sunglare_protocol.ids import MatchId
from sunglare_protocol.refusals import Code, Rejected
from sunglare_protocol.text import REMATCH_NEWS
from sunglare_server.host.matches import Matches
from sunglare_server.host.openrooms import OpenRooms
from sunglare_server.host.roomlimits import Opener
from sunglare_server.host.rooms import Room, RoomSeat
from sunglare_server.match.data.options import again


class RematchRooms(OpenRooms, Protocol):
    """The lobby, as far as rematches need it."""

    matches: Matches


@final
class Rematches:
    """The wishes for another match, by the match that is over."""

    def __init__(self, lobby: RematchRooms) -> None:
        """Open the rooms in `lobby`."""
        self._lobby = lobby
        self._wished: dict[MatchId, list[str]] = {}

    async def wish(self, room: Room, opener: Opener) -> Rejected | None:
        """Note the wish of an account; once every account has it, a room is kept for them."""
        if not await self._lobby.matches.is_over(room):
            return Rejected(code=Code.MATCH_STARTED)
        if room.seat_of(opener.account) is None:
            return Rejected(code=Code.SEAT_NONE)
        wished = self._wished.setdefault(room.match, [])
        if opener.account not in wished:
            wished.append(opener.account)
        if all(seat.bot is not None or seat.account in wished for seat in room.seats):
            del self._wished[room.match]
            return await self._open(room, opener)
        return None

    def forget(self, match: MatchId) -> None:
        """Drop the wishes of a match that is deleted."""
        self._wished.pop(match, None)

    async def _open(self, old: Room, opener: Opener) -> Rejected | None:
        """Keep a room in which the sides move on by one; house bots are seated again at once.

        It is the first account's, and counts under the address of whoever wished it last.
        """
        lobby = self._lobby
        host = next(seat.account for seat in old.seats if seat.bot is None)
        asker, is_private = opener._replace(account=host), old.code is not None
        room = await lobby.create(
            asker,
            old.scenario,
            again(old.options),
            old.title,
            private=is_private,
            rated=old.rated,
        )
        if isinstance(room, Rejected):
            return room
        for seat, side in zip(old.seats, (*old.sides[1:], old.sides[0]), strict=True):
            if seat.bot is not None:
                await lobby.bot_seats.add(room.match, asker, seat.bot, side)
                continue
            kept = RoomSeat(side=side, account=seat.account, has_come=False)
            await lobby.keep(lobby.rooms[room.match].with_seat(kept))
        lobby.matches.tell_seats(old.match, f"{REMATCH_NEWS}{room.match}")
        return None
