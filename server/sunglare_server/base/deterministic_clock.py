"""A clock that is the same in every run: time goes on where a task waits for it, else not.

With the dice drawn from a seed, the time is all that still differs between two runs: in answers,
and in records, whose hashes travel. This clock starts at `START_MS` and stands still while
anything is done, however long it takes. A task that waits for a time waits as long as that is
away, but `LEAST_S` at the least; then the clock shows it. So what is said and answered within that
time bears the same times in every run, however long after its start. Chores, which only wait, move
no time (`aside`). It is for development: clocks on the beat are slow by it.
"""

import asyncio
from typing import Final, final

from sunglare_server.base.clock import Clock

START_MS: Final = 1_700_000_000_000
"""What it shows at the start of a process, in ms since 1970."""

LEAST_S: Final = 10.0
"""The least that a wait takes, in seconds of the wall clock."""


@final
class SteppedClock:
    """Shows the latest time that a task has waited for."""

    def __init__(self, start_ms: int = START_MS, least_s: float = LEAST_S) -> None:
        """Show `start_ms`; let no wait take less than `least_s`."""
        self._now_ms = start_ms
        self._least_s = least_s
        # When the wait for a time ends by the loop's clock: a task that joins it waits no longer.
        self._ends: dict[int, float] = {}

    def now_ms(self) -> int:
        """Return the time in ms."""
        return self._now_ms

    async def sleep_until_ms(self, t: int) -> None:
        """Return once `now_ms()` is `t` or more; at once if it is already."""
        if t <= self._now_ms:
            return
        loop_s = asyncio.get_running_loop().time
        away_s = max((t - self._now_ms) / 1000, self._least_s)
        end_s = self._ends.setdefault(t, loop_s() + away_s)
        await asyncio.sleep(max(0.0, end_s - loop_s()))
        self._show(t)

    def _show(self, t: int) -> None:
        self._now_ms = max(self._now_ms, t)
        self._ends = {due: end_s for due, end_s in self._ends.items() if due > self._now_ms}


def aside(clock: Clock) -> Clock:
    """Return the clock by which chores wait for their next round: of a stepped one they move none.

    What they do is the same whenever they do it, and they would step on and on.
    """
    return _Aside(clock) if isinstance(clock, SteppedClock) else clock


@final
class _Aside:
    """Shows what another clock shows, and lets a wait end without a step of it."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock

    def now_ms(self) -> int:
        return self._clock.now_ms()

    async def sleep_until_ms(self, t: int) -> None:
        await asyncio.sleep((t - self._clock.now_ms()) / 1000)
