"""The rooms of other servers, as far as one hears of them, and how one of them is taken over.

Theory of operation. Where several servers share a store, each keeps the rooms that it owns by its
lease, and hears of the others, so that lists and limits are of all of them. Of those it knows no
more than the room: whoever asks for one is sent to its owner. A room that nobody owns any more is
offered to each server in turn; the one that claims it reads it anew, and serves it from then on.
The queue of quick matches is kept by one of them in the same way, and has no room.
"""

from collections.abc import Callable
from typing import Protocol, final

import structlog

from sunglare_protocol.ids import MatchId
from sunglare_protocol.messages.replies import RoomState
from sunglare_server.base.clock import Clock
from sunglare_server.base.storage_errors import MediumError
from sunglare_server.base.tasks import spawn
from sunglare_server.housebots.bot_seats import BotSeats
from sunglare_server.lobby.starting import RETURN_MS, Starting
from sunglare_server.matchmaking.matchmaker import Matchmaker
from sunglare_server.matchmaking.queue_store import QUEUE
from sunglare_server.moderation.policy import ModerationPolicy
from sunglare_server.ports.journal import Journal
from sunglare_server.ports.rooms import Room, packed_room
from sunglare_server.rooms.room_loader import RoomReader, as_it_is
from sunglare_server.rooms.room_store import RoomRepository
from sunglare_server.runtime.registry import Matches

Owned = Callable[[MatchId, bool], None]
"""Hears that a match is served here from now on, or no more."""

AWAY_MS = 2_500
"""OWN: a match whose owner was lost is put off by as long as that may have been away at most."""


class TakingRooms(Protocol):
    """The lobby, as far as taking rooms over needs it."""

    rooms: dict[MatchId, Room]
    matches: Matches
    bot_seats: BotSeats
    starting: Starting
    policy: ModerationPolicy
    quick: Matchmaker

    def admit(self, room: Room) -> None:
        """Hold a room that is this server's from now on."""


@final
class PeerRooms:
    """What one server knows of the others' rooms."""

    def __init__(
        self, lobby: TakingRooms, repository: RoomRepository, journal: Journal, clock: Clock
    ) -> None:
        """Know of none; `owned` hears what is served here, and is set by who answers for it."""
        self.owned: Owned = _nobody
        self._lobby = lobby
        self._repository = repository
        self._journal = journal
        self._clock = clock
        self._reader = RoomReader()
        self._known: dict[MatchId, Room] = {}
        self._coming: dict[MatchId, None] = {}
        self._log = structlog.get_logger()

    def hear(self, match: MatchId, blob: bytes | None) -> None:
        """Hear how a room stands; None for one that is gone or over."""
        room = None if blob is None else self._reader.read(match, blob)
        if room is None or room.state is RoomState.OVER:
            self._known.pop(match, None)
        else:
            self._known[match] = room

    def drop(self, match: MatchId) -> None:
        """Have a match that is over and not in memory any more be answered for by anybody."""
        self.owned(match, False)

    async def has(self, match: MatchId) -> bool:
        """Return whether a match goes on and is not this server's; `StoreError` if unknown."""
        if match in self._lobby.rooms:
            return False
        if match in self._known:
            return True
        # One that has begun this moment has not been heard of.
        room = await self.look(match)
        return room is not None and room.state is not RoomState.OVER

    async def look(self, match: MatchId) -> Room | None:
        """Return the room of a match, whosoever it is, over or not; None if there is none."""
        blob = await self._repository.look(match)
        return None if blob is None else self._reader.read(match, blob)

    @property
    def rooms(self) -> tuple[Room, ...]:
        """Return the rooms that go on and are not this server's."""
        own = self._lobby.rooms
        return tuple([room for match, room in self._known.items() if match not in own])

    def offer(self, match: MatchId) -> None:
        """Take a match over that nobody owns, unless that is under way."""
        is_known = match in self._coming or match in self._lobby.rooms
        # Whoever ends takes nothing over.
        if not is_known and not self._lobby.policy.is_draining:
            self._coming[match] = None
            spawn(self._take_over(match), f"take {match} over")

    async def take_in(self, match: MatchId, since_ms: int) -> None:
        """Take up a match that has just come, and stood still elsewhere since then.

        Raise `MediumError` while it can't be read or taken over.
        """
        if await self._lobby.matches.ownership.claimed(match):
            await self._begin(match, since_ms)

    async def _take_over(self, match: MatchId) -> None:
        try:
            if await self._lobby.matches.ownership.claimed(match):
                await self._begin(match)
        except MediumError as error:
            # It is offered again.
            self._log.warning("a match could not be taken over", match=match, why=error.why)
            self._lobby.matches.give_up(match)
            await self._lobby.matches.ownership.release(match)
        finally:
            self._coming.pop(match, None)

    async def _begin(self, match: MatchId, since_ms: int | None = None) -> None:
        if match == QUEUE:
            self.owned(match, True)
            return
        blob = await self._repository.take(match)
        room = None if blob is None else self._reader.read(match, blob)
        if room is None or room.state is RoomState.OVER:
            # Its owner had not come to forget it; or it is damaged, as the log says.
            await self._lobby.matches.ownership.drop(match)
            return
        now_ms = self._clock.now_ms()
        room = await as_it_is(room, self._journal, now_ms)
        if room.state is RoomState.LOBBY:
            # What its owner before may still write finds another room there, and is refused.
            await self._repository.put(match, packed_room(room))
        self._lobby.matches.scheduler.figures.takeovers += 1
        self._lobby.admit(room)
        self._log.info("a match is taken over", match=match, state=room.state.value)
        if room.state is RoomState.RUNNING:
            await self._go_on(room, now_ms - AWAY_MS if since_ms is None else since_ms)
        if match not in self._lobby.rooms:
            # Another one has it by now.
            return
        self.owned(match, True)
        await self._lobby.bot_seats.fill(self._lobby.rooms.get(match, room))
        if room.state is RoomState.LOBBY:
            self._lobby.starting.begin_if_ready(match, RETURN_MS)
            self._lobby.quick.look_after(room)

    async def _go_on(self, room: Room, since_ms: int) -> None:
        """Load a match that was in memory, so that its seats find it as soon as they are back."""
        self._lobby.matches.take_up([room], since_ms)
        if room.due_ms is None:
            await self._lobby.matches.handle_of(room)


def _nobody(match: MatchId, is_owned: bool) -> None:  # noqa: ARG001 - as it is told
    return
