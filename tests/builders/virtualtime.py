"""An event loop whose time passes only while everything waits, and then at once."""

import asyncio
import selectors
from collections.abc import Coroutine
from typing import Any, TypeVar, final

Returned = TypeVar("Returned")

BEGIN_S = 1000.0
"""The time at which such a loop begins."""


@final
class _Selector(selectors.DefaultSelector):
    """A selector that waits for nothing, and counts how long it would have."""

    now_s = BEGIN_S

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        ready = super().select(0)
        if not ready and timeout is not None:
            self.now_s += timeout
        return ready


@final
class VirtualTimeLoop(asyncio.SelectorEventLoop):
    """A loop for programs that wait for their own timers alone, and for no other process."""

    def __init__(self) -> None:
        """Begin at `BEGIN_S`."""
        self._clock = _Selector()
        super().__init__(self._clock)

    def time(self) -> float:
        """Return the time in seconds."""
        return self._clock.now_s


def run_in_virtual_time(program: Coroutine[Any, Any, Returned]) -> Returned:
    """Run a program to its end in virtual time, and return what it returns."""
    with asyncio.Runner(loop_factory=VirtualTimeLoop) as runner:
        return runner.run(program)
