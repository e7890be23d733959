"""The rooms of quick matches: opened for those who were put together, closed if they do not begin.

The players who have waited for a room stand in it, so whichever server has the room looks after
it: after a takeover too, and then all have the whole `READY_MS` again. A player who gives the seat
back before, or is not ready in time, has deserted and may not wait for `BARRED_MS`; the others
keep their place in the queue, wherever that is kept.
"""

import asyncio
from collections.abc import Sequence
from typing import final

import structlog
from msgspec.structs import replace

from sunglare_protocol.ids import MatchId, Side
from sunglare_protocol.messages.replies import RoomState
from sunglare_protocol.refusals import Rejected
from sunglare_server.base.clock import Clock
from sunglare_server.base.storage_errors import MediumError
from sunglare_server.base.tasks import spawn
from sunglare_server.housebots.bot_seats import BotSeats
from sunglare_server.match.data.options import OptionValue
from sunglare_server.matchmaking.queue import QueueEntry
from sunglare_server.matchmaking.queue_store import InMemoryQueueStore, QueuePlace, QueueStore
from sunglare_server.matchmaking.room_opener import RoomOpener
from sunglare_server.ports.lease import ElsewhereError
from sunglare_server.ports.rated_results import family_of
from sunglare_server.ports.rooms import Room, RoomSeat, Waited
from sunglare_server.rooms.quotas import Opener

CLOCK = "blitz"
"""The clock of quick matches."""

READY_MS = 30_000
"""OWN: so long one who was put together with others has to be ready."""

LOOK_MS = 1_000
"""OWN: how often rooms are checked for players who have left."""

BARRED_MS = 120_000
"""OWN: so long a deserter may not wait."""


@final
class QuickRooms:
    """Opens rooms for groups, and looks after those that this server has."""

    def __init__(self, opener: RoomOpener, bot_seats: BotSeats, clock: Clock) -> None:
        """Open the rooms by `opener`; `waits` keeps places, and may be that of all servers."""
        self.waits: QueueStore = InMemoryQueueStore()
        self._opener = opener
        self._rooms, self._own = opener.rooms, opener.rooms.own
        self._matches = opener.matches
        self._bot_seats = bot_seats
        self._clock = clock
        self._tasks: dict[MatchId, asyncio.Task[None]] = {}

    async def open(
        self,
        opener: Opener,
        scenario: str,
        sides: Sequence[Side],
        group: Sequence[QueueEntry],
        bots: Sequence[str],
    ) -> MatchId | Rejected:
        """Keep a room for a group, and for the bots that fill it.

        It is opened for the latest asker, whom the bounds of rooms bind. Raise
        `ElsewhereError` if another server has taken the room before anybody was in it.
        """
        rooms, rated = self._rooms, group[0].rated
        wish: dict[str, OptionValue] = {"clock": CLOCK}
        room = await self._opener.create(opener, scenario, wish, "", private=False, rated=rated)
        if isinstance(room, Rejected):
            return room
        if room.match not in rooms.own:
            raise ElsewhereError(room.match)
        sides = _turned(sides, room.match)
        # All at once: the server that finds the room after a takeover must find all players in it.
        await rooms.keep(_with_seats(room, sides, group))
        for side, name in zip(sides[len(group) :], bots, strict=True):
            if (refused := await self._bot_seats.add(room.match, opener, name, side)) is not None:
                await self._opener.close(rooms.own.get(room.match, room))
                return refused
        self.look_after(rooms.own.get(room.match))
        return room.match

    def look_after(self, room: Room | None) -> None:
        """Close a room in time if it is that of a quick match and does not begin."""
        if room is None or not room.waited or room.match in self._tasks:
            return
        if room.state is RoomState.LOBBY:
            look = self._look_after(room.match)
            self._tasks[room.match] = spawn(look, f"quick match {room.match}")

    def stop(self) -> None:
        """Look after no room any more."""
        for task in self._tasks.values():
            task.cancel()

    async def _look_after(self, match: MatchId) -> None:
        until_ms = self._clock.now_ms() + READY_MS
        try:
            while (room := self._own.get(match)) and room.state is RoomState.LOBBY:
                now_ms = self._clock.now_ms()
                is_left = any(room.seat_of(one.account) is None for one in room.waited)
                if is_left or (now_ms >= until_ms and not room.is_full_and_ready):
                    return await self._call_off(room, is_due=now_ms >= until_ms)
                await self._clock.sleep_until_ms(now_ms + LOOK_MS)
        except MediumError as error:
            log = structlog.get_logger()
            log.warning("room_not_closed", match=match, why=error.why)
        finally:
            del self._tasks[match]

    async def _call_off(self, room: Room, *, is_due: bool) -> None:
        """Close a room; players who have not deserted keep their place once they ask."""
        now_ms = self._clock.now_ms()
        libraries = self._matches.libraries
        library = libraries.of(room.match)
        for one in room.waited:
            seat = room.seat_of(one.account)
            has_deserted = seat is None or (is_due and not (seat.has_come and seat.is_ready))
            wait = QueuePlace(
                family=family_of(library.scenarios[room.scenario]),
                # The room may have become unrated since, and the wait was for a rated match.
                rated=room.rated if one.rated is None else one.rated,
                since_ms=one.since_ms,
                noted_ms=now_ms,
                barred_ms=now_ms + BARRED_MS if has_deserted else 0,
            )
            await self.waits.put(one.account, wait)
        await self._opener.close(room)


def _with_seats(room: Room, sides: Sequence[Side], group: Sequence[QueueEntry]) -> Room:
    """Return a room with a seat kept for each of a group, side by side."""
    for side, one in zip(sides, group, strict=False):
        kept = RoomSeat(side=side, account=one.account, has_come=False, is_bot=one.is_bot)
        room = room.with_seat(kept)
    waited = [Waited(account=one.account, since_ms=one.since_ms, rated=one.rated) for one in group]
    return replace(room, waited=tuple(waited))


def _turned(sides: Sequence[Side], match: MatchId) -> tuple[Side, ...]:
    """Return the sides from another one on in each match, so that waiting long gives none."""
    first = sum(match.encode()) % len(sides)
    return (*sides[first:], *sides[:first])
