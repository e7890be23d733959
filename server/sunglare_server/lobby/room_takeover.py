"""Room takeover: this server claims a room that no server owns any more.

Theory of operation. A room without an owner is offered to each server in turn; the one that claims
it reads it from the store, and serves it from then on. One server keeps the queue of quick matches
in the same way, which has no room.
"""

from typing import final

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
from sunglare_server.ports.rooms import Room
from sunglare_server.rooms.room_loader import as_it_is
from sunglare_server.rooms.room_registry import RoomRegistry
from sunglare_server.runtime.registry import Matches

AWAY_MS = 2_500
"""OWN: a match whose owner was lost is put off by as long as that may have been away at most."""


@final
class RoomTakeover:
    """Takes rooms over that no server owns."""

    def __init__(
        self,
        rooms: RoomRegistry,
        matches: Matches,
        starting: Starting,
        bot_seats: BotSeats,
        matchmaker: Matchmaker,
        policy: ModerationPolicy,
        journal: Journal,
        clock: Clock,
    ) -> None:
        """Have none under way."""
        self._rooms = rooms
        self._matches = matches
        self._ownership = matches.ownership
        self._starting = starting
        self._bot_seats = bot_seats
        self._matchmaker = matchmaker
        self._policy = policy
        self._journal = journal
        self._clock = clock
        self._coming: dict[MatchId, None] = {}
        self._log = structlog.get_logger()

    def offer(self, match: MatchId) -> None:
        """Take over a match without an owner, unless that is under way."""
        is_known = match in self._coming or match in self._rooms.own
        # A server that ends takes nothing over.
        if not is_known and not self._policy.is_draining:
            self._coming[match] = None
            spawn(self._take_over(match), f"take {match} over")

    async def take_in(self, match: MatchId, since_ms: int) -> None:
        """Take up a match that has just come, and stood still elsewhere since then.

        Raise `MediumError` while it can't be read or taken over.
        """
        if await self._ownership.claimed(match):
            await self._begin(match, since_ms)

    async def _take_over(self, match: MatchId) -> None:
        try:
            if await self._ownership.claimed(match):
                await self._begin(match)
        except MediumError as error:
            # It is offered again.
            self._log.warning("match_takeover_failed", match=match, why=error.why)
            self._matches.give_up(match)
            await self._ownership.release(match)
        finally:
            self._coming.pop(match, None)

    async def _begin(self, match: MatchId, since_ms: int | None = None) -> None:
        if match == QUEUE:
            self._rooms.on_served(match, True)
            return
        rooms = self._rooms
        room = await rooms.peers.take(match)
        if room is None or room.state is RoomState.OVER:
            # Its owner had not come to forget it; or it is damaged, as the log says.
            await self._ownership.drop(match)
            return
        now_ms = self._clock.now_ms()
        room = await as_it_is(room, self._journal, now_ms)
        if room.state is RoomState.LOBBY:
            # What its owner before may still write finds another room there, and is refused.
            await rooms.store(room)
        figures = self._matches.scheduler.figures
        figures.takeovers += 1
        rooms.admit(room)
        self._log.info("match_taken_over", match=match, state=room.state.value)
        if room.state is RoomState.RUNNING:
            await self._go_on(room, now_ms - AWAY_MS if since_ms is None else since_ms)
        if match not in self._rooms.own:
            # Another one has it by now.
            return
        self._rooms.on_served(match, True)
        await self._bot_seats.fill(rooms.own.get(match, room))
        if room.state is RoomState.LOBBY:
            self._starting.begin_if_ready(match, RETURN_MS)
            self._matchmaker.look_after(room)

    async def _go_on(self, room: Room, since_ms: int) -> None:
        """Load a match that was in memory, so that its seats find it as soon as they are back."""
        self._matches.take_up([room], since_ms)
        if room.due_ms is None:
            await self._matches.handle_of(room)
