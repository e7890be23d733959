"""The answers to `ping`, which leave on a grid of 50 ms, whenever they were asked for.

Theory of operation. A server has one loop, so how soon it answers shows how busy it is; where one
match runs alone that is the work of its window, which follows from hidden things. So all pongs of
a process leave together, at the points of a grid, each stamped with the time at which it leaves.
Where the loop is kept busy beyond a point they wait for the next one, so that they show long work
in whole steps alone; all that is shorter and lies between two points shows in none. The points of
the grid are also those of the beat: there pongs leave before the work of any window begins, since
what is due at a beat wakes the tasks that work.

After some points in a row that were missed they leave all the same: a machine that is always busy
still answers.
"""

import asyncio
from typing import Final, final

from sunglare_protocol.messages.replies import Pong
from sunglare_server.base.clock import Clock
from sunglare_server.base.tasks import spawn
from sunglare_server.gateway.outbox import Outbox

GRID_MS: Final = 50
"""OWN: the step of the grid; a beat is a whole number of them."""

LATE_MS: Final = 10
"""OWN: pongs that would leave later than this after a point of the grid wait for the next one."""

MISSED_MOST: Final = 5
"""OWN: after so many points in a row that were missed they leave at the next, however late."""

WAITING_MOST: Final = 16
"""OWN: so many pongs of one connection may wait; its next message is not read before one left."""

SLICE: Final = 25
"""OWN: after so many pongs the others get their turn."""


@final
class Pongs:
    """Sends the pongs of all connections of a process."""

    def __init__(self, clock: Clock) -> None:
        """Send by `clock`."""
        self._clock = clock
        self._waiting: dict[Outbox, list[int]] = {}
        self._left = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    def take(self, outbox: Outbox, number: int) -> None:
        """Answer the ping of this id at the next point of the grid."""
        self._waiting.setdefault(outbox, []).append(number)
        if self._task is None or self._task.done():
            self._task = spawn(self._run(), "pongs")

    def is_full(self, outbox: Outbox) -> bool:
        """Return whether as many pongs of a connection wait as may."""
        return len(self._waiting.get(outbox, ())) >= WAITING_MOST

    async def room(self, outbox: Outbox) -> None:
        """Return once another pong of a connection may wait."""
        while self.is_full(outbox):
            self._left.clear()
            await self._left.wait()

    def forget(self, outbox: Outbox) -> None:
        """Send nothing more to a connection, which has ended."""
        self._waiting.pop(outbox, None)
        self._left.set()

    def stop(self) -> None:
        """Send nothing more."""
        self._waiting.clear()
        self._left.set()
        if self._task is not None:
            self._task.cancel()

    async def _run(self) -> None:
        missed = 0
        while self._waiting:
            now_ms = self._clock.now_ms()
            await self._clock.sleep_until_ms(now_ms + -now_ms % GRID_MS)
            while self._waiting and (self._is_on_time() or missed >= MISSED_MOST):
                missed = 0
                self._send_some()
                await asyncio.sleep(0)
            missed += 1

    def _is_on_time(self) -> bool:
        return self._clock.now_ms() % GRID_MS <= LATE_MS

    def _send_some(self) -> None:
        """Send the pongs of those that have waited longest."""
        for outbox in list(self._waiting)[:SLICE]:
            for number in self._waiting.pop(outbox):
                outbox.say(Pong(id=number, time_ms=self._clock.now_ms()))
        self._left.set()
