"""The scheduler of a server: it wakes all matches, and on a beat first all that is released.

Theory of operation. Were each match to wake by itself, the work of one could stand between a beat
and the release of another, and a match whose last window took long to resolve would come late in
the queue: its seats could measure what they may not know. So one task calls all. What is due at a
beat is called in two rounds: first every release, in the order in which the matches were opened,
none of which makes anything new; then whatever wakes, which may close windows and work. With each
run another match is the first, the one after that which was it last, so that no match always comes
last; it follows from the runs alone and not from what any player did.

What spectators get of a release is left to the broadcaster, which serves them after all seats.

Members set their time again after each call, to the earliest at which they have something to do.
A call that comes too early is harmless; moving one is dearer than letting it pass, so times are
only ever brought forward, and stale ones in the heap are passed over.

Work that can wait, such as folding the records of a match that is loaded, awaits `wait_idle`: it
is begun only while no member is due soon. What came later than `LATE_MS` after its beat waits for
the next one, and `release_lag` counts it, for the operator.
"""

import asyncio
import enum
import heapq
from collections.abc import Callable
from typing import final

import msgspec
import structlog

from sunglare_server.base.clock import Clock
from sunglare_server.base.tasks import spawn
from sunglare_server.runtime.background_jobs import BackgroundJobs
from sunglare_server.runtime.spectator_fanout import SpectatorBroadcaster
from sunglare_server.runtime.timing import Figures

IDLE_MS = 5
"""OWN: work that can wait is begun only if nothing is due for so long; a record's is shorter."""

LATE_MS = 50
"""OWN: frames that the loop releases later than this after their beat wait for the next one."""


Callback = Callable[[], None]
"""Is called when a member is due."""


def _nothing() -> None:
    pass


class Phase(enum.IntEnum):
    """What a match is called for; the lower number comes first. `OVERDUE`: a slow append."""

    RELEASE = 0
    WAKE = 1
    OVERDUE = 2


@final
class ReleaseLag(msgspec.Struct):
    """The releases on the beat: how many, how many slipped, the latest in ms."""

    releases: int = 0
    slips: int = 0
    latest_ms: int = 0

    def note(self, late_ms: int) -> None:
        """Count the release of a window's frames, so long after their beat."""
        self.releases += 1
        self.latest_ms = max(self.latest_ms, late_ms)


@final
class Scheduler:
    """Calls each of its members when it is due; `release_lag`, `figures` are the operator's alone.

    `broadcaster` has the spectators of all of them, `background_jobs` what those that are over
    still do.
    """

    def __init__(self, clock: Clock) -> None:
        """Call by `clock`."""
        self.release_lag = ReleaseLag()
        self.figures = Figures()
        self.broadcaster = SpectatorBroadcaster()
        self.background_jobs = BackgroundJobs()
        self._clock = clock
        self._members: dict[int, tuple[Callback, Callback, Callback]] = {}
        self._entered = 0
        self._first = 0
        self._due: dict[tuple[Phase, int], int] = {}
        self._heap: list[tuple[int, Phase, int]] = []
        self._next_ms: int | None = None
        self._task: asyncio.Task[None] | None = None
        self._log = structlog.get_logger()

    def enter(self, release: Callback, wake: Callback, overdue: Callback = _nothing) -> int:
        """Take a member, called for each phase, and return its number."""
        self._entered += 1
        self._members[self._entered] = (release, wake, overdue)
        return self._entered

    def leave(self, member: int) -> None:
        """Call a member no more; the task ends with the last one."""
        self._members.pop(member, None)
        for phase in Phase:
            self._due.pop((phase, member), None)
        if not self._members and self._task is not None:
            self._task.cancel()
            self._task, self._next_ms = None, None
            self._heap.clear()

    def set(self, member: int, phase: Phase, due_ms: int | None) -> None:
        """Call a member at `due_ms` at the latest, once; it may have to set itself again.

        Without a time nothing changes. A call that comes too early is harmless and cheaper than
        one moved in every window.
        """
        if due_ms is None or member not in self._members:
            return
        known = self._due.get((phase, member))
        if known is not None and known <= due_ms:
            return
        self._due[phase, member] = due_ms
        heapq.heappush(self._heap, (due_ms, phase, member))
        if self._next_ms is None or due_ms < self._next_ms:
            self._sleep_until(due_ms)

    async def wait_idle(self) -> None:
        """Let the others run, and wait while one of them is due within `IDLE_MS`."""
        await asyncio.sleep(0)
        while self._heap and self._heap[0][0] <= self._clock.now_ms() + IDLE_MS:
            await self._clock.sleep_until_ms(self._heap[0][0] + 1)
            await asyncio.sleep(0)

    def _sleep_until(self, due_ms: int) -> None:
        if self._task is not None:
            self._task.cancel()
        self._next_ms = due_ms
        self._task = spawn(self._run(due_ms), "scheduler")

    async def _run(self, due_ms: int) -> None:
        await self._clock.sleep_until_ms(due_ms)
        # A member that is called may set a time before the next one of the others.
        self._task, self._next_ms = None, None
        self._run_due(self._clock.now_ms())
        if self._heap and (self._next_ms is None or self._heap[0][0] < self._next_ms):
            self._sleep_until(self._heap[0][0])

    def _run_due(self, now_ms: int) -> None:
        due: list[tuple[Phase, int]] = []
        while self._heap and self._heap[0][0] <= now_ms:
            due_ms, phase, member = heapq.heappop(self._heap)
            # One that has been set to an earlier time since, or that has left, is passed over.
            if self._due.get((phase, member)) == due_ms:
                del self._due[phase, member]
                due.append((phase, member))
        due.sort(key=self._turn)
        for phase, member in due:
            self._call(phase, member)
        if due:
            self._first = due[0][1]

    def _turn(self, callback: tuple[Phase, int]) -> tuple[Phase, bool, int]:
        phase, member = callback
        return phase, member <= self._first, member

    def _call(self, phase: Phase, member: int) -> None:
        calls = self._members.get(member)
        try:
            if calls is not None:
                calls[phase]()
        except Exception:  # noqa: BLE001 - logged in full
            # A bug in one match must not keep the others from being called.
            self._log.exception("scheduler_callback_failed")
