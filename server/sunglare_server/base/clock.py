"""The time of the server: what records say of it, and how a task waits for it."""

import asyncio
import time
from collections.abc import Callable
from typing import Final, Protocol, final

from sunglare_server.match.clock.presets import BEAT_MS

_NS_PER_MS = 1_000_000
_NS_PER_S = 1_000_000_000

FROZEN_MS = 2_000
"""OWN: a process that did nothing for longer than this was stopped, and its clock with it."""

HEEDED_MS = 250
"""What is no longer than this is no stop of the process for anybody."""

LAG_EVERY_MS = 100
"""OWN: how often the lag of the loop is looked at."""

stopwatch_s: Final = time.perf_counter
"""Returns a time in seconds by which the machine's own work is measured, for figures alone."""

_HEED_S = 0.1

_FROZEN_NS = FROZEN_MS * _NS_PER_MS

_BEAT_NS = BEAT_MS * _NS_PER_MS


async def note_lag(clock: "Clock", note: Callable[[int], None]) -> None:
    """Note again and again, until cancelled, by how many ms a sleep has ended too late."""
    while True:
        due_ms = clock.now_ms() + LAG_EVERY_MS
        await clock.sleep_until_ms(due_ms)
        note(clock.now_ms() - due_ms)


class Clock(Protocol):
    """Gives the time in ms since 1970 and never runs backwards while the process lives."""

    def now_ms(self) -> int:
        """Return the time in ms."""
        ...

    async def sleep_until_ms(self, t: int) -> None:
        """Return once `now_ms()` is `t` or more; at once if it is already."""


@final
class SystemClock:
    """The wall clock, read once; from then on the steady clock carries it.

    An operator who sets the machine's time moves no deadline of a running process, and with
    `heed_stops` nor does one who stops the process and lets it go on.
    """

    def __init__(
        self,
        wall_ns: Callable[[], int] = time.time_ns,
        steady_ns: Callable[[], int] = time.monotonic_ns,
    ) -> None:
        """Read the wall clock."""
        self._steady_ns = steady_ns
        self._anchor_ns = wall_ns() - steady_ns()
        # When the clock was read last, while it heeds stops.
        self._read_ns: int | None = None
        self._stood_ns = 0
        self._halted: Callable[[int], object] = int

    async def heed_stops(
        self, tell: Callable[[int], object], halted: Callable[[int], object] = int
    ) -> None:
        """Stand still, until cancelled, whenever the process is stopped for a while.

        A deadline is then as far off after the stop as before it, but for less than a beat. `tell`
        is called with each stop: how many ms of whole beats it took. After one that is too short
        for that, and longer than `HEEDED_MS`, `halted` is called before the time after it is read.
        """
        self._halted = halted
        self._read_ns = self._steady_ns()
        try:
            while True:
                await asyncio.sleep(_HEED_S)
                self._now_ns()
                stood_ns, self._stood_ns = self._stood_ns, 0
                if stood_ns:
                    tell(stood_ns // _NS_PER_MS)
        finally:
            self._read_ns = None

    def now_ms(self) -> int:
        """Return the time in ms."""
        return self._now_ns() // _NS_PER_MS

    async def sleep_until_ms(self, t: int) -> None:
        """Return once `now_ms()` is `t` or more; at once if it is already."""
        # A loop may wake a sleeper a little early.
        while (left_ns := t * _NS_PER_MS - self._now_ns()) > 0:  # noqa: ASYNC110 - no event to wait for
            await asyncio.sleep(left_ns / _NS_PER_S)

    def _now_ns(self) -> int:
        steady_ns = self._steady_ns()
        if self._read_ns is not None:
            # First, for a listener that learns of a stop may ask for the time.
            gone_ns, self._read_ns = steady_ns - self._read_ns, steady_ns
            self._heed(gone_ns)
        return self._anchor_ns + steady_ns

    def _heed(self, gone_ns: int) -> None:
        # At every reading: after a stop any of them may be the first, before any deadline is kept.
        if gone_ns > _FROZEN_NS:
            # Whole beats, or the beats after it would show how long it took.
            stood_ns = gone_ns - gone_ns % _BEAT_NS
            self._anchor_ns -= stood_ns
            self._stood_ns += stood_ns
        elif gone_ns > HEEDED_MS * _NS_PER_MS:
            self._halted(gone_ns // _NS_PER_MS)


@final
class MatchClock:
    """The server's clock as one match has it: it stops at the last record, and goes on from there.

    Where the wall clock was set back while the server was away, it would hold back what was shown
    long ago until it comes to that time again.
    """

    def __init__(self, clock: Clock) -> None:
        """Go with the server's clock; `ahead_ms` is how far this one is ahead of it."""
        self._clock = clock
        self.ahead_ms = 0

    def begin_at(self, t: int) -> None:
        """Show `t`, a last record's time, if the server's clock shows less."""
        self.ahead_ms = max(0, t - self._clock.now_ms())

    def now_ms(self) -> int:
        """Return the time in ms."""
        return self._clock.now_ms() + self.ahead_ms

    def server_ms(self, t: int | None) -> int | None:
        """Return what the server's clock shows when this one shows `t`; None for no time."""
        return None if t is None else t - self.ahead_ms
