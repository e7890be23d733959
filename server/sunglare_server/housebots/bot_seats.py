"""The seats of house bots: kept, filled by a child process, filled again after a restart."""

from typing import final

import structlog

from sunglare_protocol.botnames import current_name
from sunglare_protocol.ids import MatchId, Side
from sunglare_protocol.messages.replies import NewsKind, RoomState
from sunglare_protocol.refusals import Code, Rejected
from sunglare_protocol.seals import SEED_BYTES
from sunglare_server.accounts.accounts import Accounts, Caller
from sunglare_server.base.entropy import Entropy
from sunglare_server.housebots.housebots import BotPlace, HouseBots
from sunglare_server.ports.rated_results import sits_twice
from sunglare_server.ports.rooms import Room, RoomSeat
from sunglare_server.ports.store import StoreError
from sunglare_server.rooms.quotas import Opener
from sunglare_server.rooms.room_registry import RoomRegistry
from sunglare_server.rooms.tickets import Tickets
from sunglare_server.runtime.subscriptions import Subscriptions


@final
class BotSeats:
    """Seats house bots in the rooms of a lobby."""

    def __init__(
        self,
        rooms: RoomRegistry,
        accounts: Accounts,
        tickets: Tickets,
        subscriptions: Subscriptions,
        bots: HouseBots,
        entropy: Entropy,
    ) -> None:
        """Use the bots of the settings' list, and draw what they pledge from `entropy`."""
        self._rooms = rooms
        self._own = rooms.own
        self._accounts = accounts
        self._tickets = tickets
        self._subscriptions = subscriptions
        self._entropy = entropy
        self._bots = bots
        bots.on_failure = self._failed

    async def add(
        self, match: MatchId, opener: Opener, name: str, side: Side | None
    ) -> Rejected | None:
        """Keep a seat for a house bot and start it; the host and the seated may ask for one."""
        name = current_name(name)
        if not self._bots.has(name):
            return Rejected(code=Code.BOT_UNKNOWN, at="$.name", choices=self._bots.names)
        # Looked at twice, since a bot's name is made on disk in between.
        refused = await self._problem(match, opener, name, side)
        caller = None if refused is not None else await self._accounts.enrol(None)
        refused = refused or await self._problem(match, opener, name, side)
        if refused is not None or caller is None or isinstance(caller, Rejected):
            return refused or (caller if isinstance(caller, Rejected) else None)
        room = self._own[match]
        seat = RoomSeat(
            side=side or room.free[0], account=caller.account, bot=name, has_come=False
        )
        with self._bots.place(opener.address) as place:
            await self._rooms.keep(room.with_seat(seat))
            await self._start(place, name, match, seat.side, caller)
        return None

    def shortage(self, address: str | None, more: int = 1, *, rated: bool) -> Rejected | None:
        """Return why so many `more` bots may not be asked for from an address, if they may not."""
        limits, rooms = self._rooms.limits, self._rooms.ongoing
        refused = limits.rated_bots_refusal(rooms, more) if rated else None
        return refused or self._bots.refusal(address, more)

    async def _start(
        self, place: BotPlace, name: str, match: MatchId, side: Side, caller: Caller
    ) -> None:
        entropy = self._entropy.token(SEED_BYTES)
        await self._bots.start(place, name, match, side, caller.token, entropy=entropy)

    async def fill_again(self) -> None:
        """Start house bots again in the seats they held when the server ended.

        One that can't be is logged: the server starts without it.
        """
        for room in tuple(self._own.values()):
            await self.fill(room)

    async def fill(self, room: Room) -> None:
        """Start house bots again in the seats that they hold in a room."""
        for seat in room.seats:
            is_played = room.state is not RoomState.OVER
            if is_played and seat.bot and self._bots.has(seat.bot):
                await self._try_again(room, seat, seat.bot)

    async def _try_again(self, room: Room, seat: RoomSeat, bot: str) -> None:
        try:
            await self._seat_again(room, seat, bot)
        except StoreError as error:
            log = structlog.get_logger().bind(match=room.match, side=seat.side, bot=bot)
            log.error("house_bot_reseat_failed", why=error.why)

    async def _seat_again(self, room: Room, seat: RoomSeat, bot: str) -> None:
        caller = await self._accounts.enrol(None)
        if isinstance(caller, Rejected):
            return
        with self._bots.place(None) as place:
            if not seat.has_come or room.state is RoomState.LOBBY:
                # The entropy that it pledged went with its process: it comes with a new pledge.
                kept = RoomSeat(side=seat.side, account=caller.account, bot=bot, has_come=False)
                await self._rooms.keep(room.with_seat(kept))
                await self._tickets.end(room.match, seat.side)
                await self._start(place, bot, room.match, seat.side, caller)
                return
            ticket = await self._tickets.issue(room.match, seat.side)
            await self._bots.start(place, bot, room.match, seat.side, caller.token, ticket)

    async def _failed(self, match: MatchId, side: Side) -> None:
        """Free the seat that was kept for a house bot which did not come."""
        room = self._own.get(match)
        seat = None if room is None else room.seat_at(side)
        if room is None or seat is None or seat.has_come or room.state is not RoomState.LOBBY:
            return
        await self._rooms.keep(room.without(side))
        self._subscriptions.tell_room(match, side, "the bot did not come", NewsKind.SERVER)

    async def _problem(
        self, match: MatchId, opener: Opener, name: str, side: Side | None
    ) -> Rejected | None:
        room = await self._rooms.find_waiting(match)
        if isinstance(room, Rejected):
            return room
        if room.host != opener.account and room.seat_of(opener.account) is None:
            return Rejected(code=Code.SEAT_NONE)
        if not room.free or (side is not None and side not in room.free):
            return Rejected(code=Code.SEAT_TAKEN, at="$.side", choices=room.free)
        if sits_twice(room, name):
            return Rejected(code=Code.RATED_BOT, at="$.name")
        return self.shortage(opener.address, rated=room.rated)
