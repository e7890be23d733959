"""The bell of a server: it wakes all matches, and on a beat first everything that is released.

Theory of operation. Were each match to wake by itself, the work of one could stand between a beat
and the release of another, and a match whose last window took long to resolve would come late in
the queue: its seats could measure what they may not know. So one task rings for all. What is due
at a beat is rung in two rounds: first every release, in the order in which the matches were
opened, none of which makes anything anew; then whatever wakes, which may close windows and work.
With each ring another match is the first, the one after that which was it last, so that nobody
always comes last; it follows from the rings alone and not from what anybody did.

What spectators get of a release is left to the gallery, which serves them after all seats.

Members set the bell again after each ring, for the earliest time at which they have something to
do. A ring that comes too early is harmless; moving one is dearer than letting it pass, so times
are only ever brought forward, and stale ones in the heap are passed over.

Work that can wait, such as folding the records of a match that is loaded, asks for a `lull`: it is
begun only while nobody is due soon. What came later than `LATE_MS` after its beat waits for the
next one, and the tally counts it, for the operator.
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
from sunglare_server.runtime.background_jobs import LongWork
from sunglare_server.runtime.spectator_fanout import Gallery
from sunglare_server.runtime.timing import Figures

LULL_MS = 5
"""OWN: work that can wait is begun only if nobody is due for so long; a record's is shorter."""

LATE_MS = 50
"""OWN: frames that the loop releases later than this after their beat wait for the next one."""


Rung = Callable[[], None]
"""Is called when it rings."""


def _nothing() -> None:
    pass


class Ring(enum.IntEnum):
    """What a match is rung for; the lower number comes first. `OVERDUE`: an append takes long."""

    RELEASE = 0
    WAKE = 1
    OVERDUE = 2


@final
class Punctuality(msgspec.Struct):
    """The releases on the beat: how many, how many slipped, the latest in ms."""

    releases: int = 0
    slips: int = 0
    latest_ms: int = 0

    def note(self, late_ms: int) -> None:
        """Count the release of a window's frames, so long after their beat."""
        self.releases += 1
        self.latest_ms = max(self.latest_ms, late_ms)


@final
class Bell:
    """Rings each of its members when it is due; `tally`, `figures` are for the operator alone.

    `gallery` has the spectators of all of them, `long_work` what those still do that are over.
    """

    def __init__(self, clock: Clock) -> None:
        """Ring by `clock`."""
        self.tally = Punctuality()
        self.figures = Figures()
        self.gallery = Gallery()
        self.long_work = LongWork()
        self._clock = clock
        self._members: dict[int, tuple[Rung, Rung, Rung]] = {}
        self._entered = 0
        self._first = 0
        self._due: dict[tuple[Ring, int], int] = {}
        self._heap: list[tuple[int, Ring, int]] = []
        self._next_ms: int | None = None
        self._task: asyncio.Task[None] | None = None
        self._log = structlog.get_logger()

    def enter(self, release: Rung, wake: Rung, overdue: Rung = _nothing) -> int:
        """Take a member, called for each kind of ring, and return its number."""
        self._entered += 1
        self._members[self._entered] = (release, wake, overdue)
        return self._entered

    def leave(self, member: int) -> None:
        """Ring a member no more; the task ends with the last one."""
        self._members.pop(member, None)
        for ring in Ring:
            self._due.pop((ring, member), None)
        if not self._members and self._task is not None:
            self._task.cancel()
            self._task, self._next_ms = None, None
            self._heap.clear()

    def set(self, member: int, ring: Ring, due_ms: int | None) -> None:
        """Ring a member at `due_ms` at the latest, once; it may have to set itself again.

        Without a time nothing changes. A ring that comes too early is harmless and cheaper than
        one moved in every window.
        """
        if due_ms is None or member not in self._members:
            return
        known = self._due.get((ring, member))
        if known is not None and known <= due_ms:
            return
        self._due[ring, member] = due_ms
        heapq.heappush(self._heap, (due_ms, ring, member))
        if self._next_ms is None or due_ms < self._next_ms:
            self._sleep_until(due_ms)

    async def lull(self) -> None:
        """Let the others run, and wait while one of them is due within `LULL_MS`."""
        await asyncio.sleep(0)
        while self._heap and self._heap[0][0] <= self._clock.now_ms() + LULL_MS:
            await self._clock.sleep_until_ms(self._heap[0][0] + 1)
            await asyncio.sleep(0)

    def _sleep_until(self, due_ms: int) -> None:
        if self._task is not None:
            self._task.cancel()
        self._next_ms = due_ms
        self._task = spawn(self._run(due_ms), "bell")

    async def _run(self, due_ms: int) -> None:
        await self._clock.sleep_until_ms(due_ms)
        # Whoever is rung may set the bell for a time before the next one of the others.
        self._task, self._next_ms = None, None
        self._ring(self._clock.now_ms())
        if self._heap and (self._next_ms is None or self._heap[0][0] < self._next_ms):
            self._sleep_until(self._heap[0][0])

    def _ring(self, now_ms: int) -> None:
        due: list[tuple[Ring, int]] = []
        while self._heap and self._heap[0][0] <= now_ms:
            due_ms, ring, member = heapq.heappop(self._heap)
            # One that has been set to an earlier time since, or that has left, is passed over.
            if self._due.get((ring, member)) == due_ms:
                del self._due[ring, member]
                due.append((ring, member))
        due.sort(key=self._turn)
        for ring, member in due:
            self._call(ring, member)
        if due:
            self._first = due[0][1]

    def _turn(self, rung: tuple[Ring, int]) -> tuple[Ring, bool, int]:
        ring, member = rung
        return ring, member <= self._first, member

    def _call(self, ring: Ring, member: int) -> None:
        calls = self._members.get(member)
        try:
            if calls is not None:
                calls[ring]()
        except Exception:  # noqa: BLE001 - told in full to the log
            # A bug in one match must not silence the bell for the others.
            self._log.exception("a match failed when it was rung")
