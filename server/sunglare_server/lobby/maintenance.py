"""Periodic work of a server beyond its matches: closes stale rooms, and shows that it lives.

Each is a background task of its own; what the medium refuses one is tried again in its next round.
"""

import asyncio
from typing import final

import structlog

from sunglare_protocol.messages.replies import RoomState
from sunglare_server.base.clock import Clock
from sunglare_server.base.deterministic_clock import aside
from sunglare_server.base.heartbeat import MARK_MS
from sunglare_server.base.tasks import kept_up
from sunglare_server.lobby.starting import Starting
from sunglare_server.matchmaking.room_opener import RoomOpener
from sunglare_server.ports.journal import Journal, JournalError
from sunglare_server.ports.rooms import Room
from sunglare_server.ports.store import StoreError

SWEEP_MS = 15_000
"""How often the lobby looks for rooms to close."""


@final
class RoomMaintenance:
    """Sweeps the rooms of a lobby, and marks in the journal that the server is there."""

    def __init__(
        self, opener: RoomOpener, starting: Starting, journal: Journal, clock: Clock
    ) -> None:
        """Do nothing yet; rooms are closed by `opener`, unless their match is `starting`."""
        self._opener = opener
        self._rooms = opener.rooms
        self._matches = opener.matches
        self._starting = starting
        self._journal = journal
        self._clock = aside(clock)
        self._tasks: tuple[asyncio.Task[None], ...] = ()
        self._log = structlog.get_logger()

    def begin(self) -> None:
        """Go on until `end`."""
        self._tasks = (
            kept_up(self._sweep, "sweep", self._clock),
            kept_up(self._mark, "signs of life", self._clock),
        )

    async def end(self) -> None:
        """Stop, with a last sign of life."""
        for task in self._tasks:
            task.cancel()
        if self._tasks:
            await self._mark_once()

    def stale(self) -> list[Room]:
        """Return the rooms that are to be closed; one that asks for entropy has all its seats."""
        rooms, limits = self._rooms.own, self._rooms.limits
        left = limits.left(rooms.values(), self._clock.now_ms())
        return [room for room in left if not self._starting.is_under_way(room.match)]

    async def _sweep(self) -> None:
        while True:
            await self._clock.sleep_until_ms(self._clock.now_ms() + SWEEP_MS)
            for room in self.stale():
                try:
                    await self._opener.close(room)
                except StoreError as error:
                    self._log.warning("room_not_closed", match=room.match, why=error.why)
            await self._matches.park_idle()

    async def _mark(self) -> None:
        while True:
            await self._mark_once()
            await self._clock.sleep_until_ms(self._clock.now_ms() + MARK_MS)

    async def _mark_once(self) -> None:
        rooms = self._rooms.own
        if all(room.state is not RoomState.RUNNING for room in rooms.values()):
            return
        try:
            await self._journal.mark_alive(self._clock.now_ms())
        except JournalError as error:
            self._log.warning("heartbeat_not_stored", why=error.why)
