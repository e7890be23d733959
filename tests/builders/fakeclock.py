"""A clock for tests, which stands still until it is told to go on."""

import asyncio
import heapq
from collections.abc import Collection
from typing import final

_ROUNDS = 16
"""OWN: how many rounds of the loop `run_for` gives to woken tasks before it goes on, at most."""

_IDLE_ROUNDS = 3
"""OWN: after how many rounds in which nobody else was ready it goes on already.

More than one: what one end of a connection has written is ready at the other a round later.
"""


@final
class FakeClock:
    """A clock that stands still until it is told to go on."""

    def __init__(self, start_ms: int = 0) -> None:
        """Show this time."""
        self._now_ms = start_ms
        self._slept = 0
        self._sleepers: list[tuple[int, int, asyncio.Future[None]]] = []

    def now_ms(self) -> int:
        """Return the time in ms."""
        return self._now_ms

    async def sleep_until_ms(self, t: int) -> None:
        """Return once `now_ms()` is `t` or more; at once if it is already."""
        if t <= self._now_ms:
            return
        sleeper = asyncio.get_running_loop().create_future()
        self._slept += 1
        heapq.heappush(self._sleepers, (t, self._slept, sleeper))
        await sleeper

    def next_due_ms(self) -> int | None:
        """Return when the next sleeper is due, None if nobody sleeps."""
        while self._sleepers and self._sleepers[0][2].done():
            heapq.heappop(self._sleepers)
        return self._sleepers[0][0] if self._sleepers else None

    def advance(self, ms: int) -> None:
        """Go on by `ms` and wake whoever is due: the earliest first, then who slept first.

        All of them find the new time; `run_for` lets each find its own.
        """
        if ms < 0:
            raise ValueError("a clock does not run backwards")
        self._now_ms += ms
        while (due := self.next_due_ms()) is not None and due <= self._now_ms:
            heapq.heappop(self._sleepers)[2].set_result(None)

    async def run_for(self, ms: int) -> None:
        """Go on by `ms`, stopping wherever a sleeper is due until the woken tasks have run.

        Tasks that wait for something other than this clock and each other are not waited for.
        """
        end = self._now_ms + ms
        await _let_others_run()
        while (due := self.next_due_ms()) is not None and due <= end:
            self.advance(due - self._now_ms)
            await _let_others_run()
        self.advance(end - self._now_ms)


async def _let_others_run() -> None:
    ready = _ready_of(asyncio.get_running_loop())
    idle = 0
    for _ in range(_ROUNDS):
        await asyncio.sleep(0)
        idle = 0 if ready else idle + 1
        if idle == _IDLE_ROUNDS:
            return


def _ready_of(loop: asyncio.AbstractEventLoop) -> Collection[object]:
    """Return what the loop is to call next, which nothing public tells; it changes as it does."""
    ready: Collection[object] = loop._ready  # type: ignore[attr-defined]  # noqa: SLF001
    return ready
