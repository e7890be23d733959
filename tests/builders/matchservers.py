"""The matches of a server whose time the test tells: started, parked, visited, restarted."""

import asyncio
import os
from typing import final

from builders.data import shipped
from builders.fakeclock import FakeClock
from builders.memoryjournal import MemoryJournal
from builders.runners import loaded_runner, runners_of
from builders.wires import WAIT_S
from sunglare_protocol.ids import MatchId, Side
from sunglare_protocol.messages.replies import RoomState
from sunglare_server.match.data.options import MatchOptions
from sunglare_server.match.record import OrdersGiven, WindowDue, unpacked
from sunglare_server.match.step import step
from sunglare_server.ports.lease import Lease
from sunglare_server.ports.rooms import Room, RoomSeat
from sunglare_server.runtime.inbox import Pending
from sunglare_server.runtime.registry import FINISHED_KEPT, PARK_AHEAD_MS, Matches

LONG = bool(os.environ.get("SUNGLARE_LONG"))

REST_S = 600.0 if LONG else WAIT_S
"""Seconds in which whatever is due at once must be done, which may be two thousand matches."""

START_MS = 1_000_000_000_000
DAY_MS = 24 * 3_600_000


@final
class MatchServer:
    """The matches of a server, their rooms and records, and a clock that the test tells."""

    def __init__(self, lease: Lease | None = None, beside: "MatchServer | None" = None) -> None:
        """Open without matches; all are its own, but for a `lease` that says which.

        It may stand beside another one, with its time, its records and its rooms.
        """
        self.lease = lease
        self.clock: FakeClock = FakeClock(START_MS) if beside is None else beside.clock
        self.journal: MemoryJournal = (
            MemoryJournal() if beside is None else beside.journal.shared()
        )
        self.library = shipped()
        self.rooms: dict[MatchId, Room] = {} if beside is None else beside.rooms
        self.answers: list[object] = []
        self.summoned: list[tuple[MatchId, tuple[Side, ...]]] = []
        self.matches = self._matches()

    def _matches(self) -> Matches:
        kept = (self.library, self.journal, self.clock, self.rooms, self.keep)
        return Matches(*kept, self._notify_turn, self.lease)

    def _notify_turn(self, match: MatchId, sides: tuple[Side, ...]) -> None:
        self.summoned.append((match, sides))

    async def keep(self, room: Room) -> None:
        """Keep a room as it is now."""
        self.rooms[room.match] = room

    async def start(self, number: int, clock: str = "correspondence") -> MatchId:
        """Start a match of two seats that nobody listens to."""
        match = MatchId(f"{number:026}")
        scenario = self.library.scenarios["shadow-of-ceres"]
        room = Room(
            match=match,
            scenario="shadow-of-ceres",
            sides=scenario.sides,
            options=MatchOptions(clock=clock, scan_slots="sealed"),  # type: ignore[arg-type]
            host="somebody",
            server_seed=number.to_bytes(32, "big"),
            seats=tuple(
                RoomSeat(side=side, account=side, is_ready=True) for side in scenario.sides
            ),
        )
        await self.keep(room)
        await self.matches.start(room)
        return match

    async def restart(self, outage_ms: int = 0) -> None:
        """End, be away for so long, and begin again with what is stored."""
        await self.journal.mark_alive(self.clock.now_ms())
        await self.matches.stop()
        self.clock.advance(outage_ms)
        self.journal = self.journal.reopened()
        self.matches = self._matches()
        running = [room for room in self.rooms.values() if room.state is RoomState.RUNNING]
        self.matches.take_up(running, await self.journal.alive_ms())

    async def go_on(self, ms: int) -> None:
        """Let so much time go by; whoever is woken has done its work before it goes on."""
        end_ms = self.clock.now_ms() + ms
        await self.at_rest()
        while (due_ms := self.clock.next_due_ms()) is not None and due_ms <= end_ms:
            self.clock.advance(due_ms - self.clock.now_ms())
            await self.at_rest()
        self.clock.advance(end_ms - self.clock.now_ms())
        await self.at_rest()

    async def visit(self, match: MatchId, day: int) -> None:
        """Let both seats come and say something, as people do once a day, without locking."""
        runner = await loaded_runner(self.matches, self.rooms[match])
        assert runner is not None
        if not runner.state.is_over:
            window = runner.state.standing.window
            for side in runner.state.standing.sides:
                given = OrdersGiven(window=window, rev=day, orders=(), lock=False)
                runner.command(Pending(side, day, given, self.answers.append))
        await self.at_rest()

    async def closes(self, match: MatchId) -> list[tuple[int, int]]:
        """Return when each window closed, and when it had to."""
        state, before, found = None, b"", []
        for number, blob in enumerate(await self.journal.read(match), 1):
            record = unpacked(blob, number, before)
            if state is not None and isinstance(record.b, WindowDue):
                found.append((record.t, state.closes_ms))
            state, before = step(state, record).state, blob
        return found

    def check_parked(self) -> None:
        """Check that what is in memory is due soon, or over; in the long form all may be due."""
        soon_ms = self.clock.now_ms() + PARK_AHEAD_MS
        runners = runners_of(self.matches).values()
        assert sum(runner.state.is_over for runner in runners) <= FINISHED_KEPT
        dues = [runner.due_ms for runner in runners if not runner.state.is_over]
        assert all(due_ms is not None and due_ms <= soon_ms for due_ms in dues)

    async def at_rest(self) -> None:
        """Return when nothing is being loaded and nobody has anything to do at once."""
        async with asyncio.timeout(REST_S):
            await asyncio.sleep(0)
            while self.matches.is_loading:  # noqa: ASYNC110 - a test looks from outside
                await asyncio.sleep(0)
            for _ in range(20):
                await asyncio.sleep(0)
