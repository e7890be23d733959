"""A clock that is the same in every run: time goes on where somebody waits for it, else not.

With the dice drawn from a seed, the time is all that still tells two runs apart: in answers, and
in records, whose hashes travel. This clock starts at `START_MS` and stands still while anything is
done, however long it takes. Who waits for a time waits as long as that is away, but `LEAST_S` at
the least; then the clock shows it. So what is said and answered within that time bears the same
times in every run. It is for development: clocks on the beat are slow by it.
"""

import asyncio
from typing import Final, final

START_MS: Final = 1_700_000_000_000
"""What it shows at the start of a process, in ms since 1970."""

LEAST_S: Final = 5.0
"""The least that a wait takes, in seconds of whoever looks at a watch."""


@final
class SteppedClock:
    """Shows the latest time that somebody has waited for."""

    def __init__(self, start_ms: int = START_MS, least_s: float = LEAST_S) -> None:
        """Show `start_ms`; let no wait take less than `least_s`."""
        self._now_ms = start_ms
        self._least_s = least_s
        # When the wait for a time ends by the loop's clock: whoever joins it waits no longer.
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
