"""Coroutines run a step at a time: one dies after some steps, or several take turns by a plan.

A step goes to where a coroutine next waits. What waits for an engine has sent its request by then.
"""

import asyncio
from collections.abc import Coroutine, Generator, Sequence
from typing import Any, final


@final
class Dying:
    """Awaits `work` for so many steps; then it gets no further, as if its process had been killed.

    Returns whether it came to its end.
    """

    def __init__(self, work: Coroutine[Any, Any, Any], steps: int) -> None:
        """Let the work take that many steps."""
        self._work = work
        self._steps = steps

    def __await__(self) -> Generator[Any, None, bool]:
        """Run the work."""
        run = self._work.__await__()
        try:
            waited = run.send(None)
            for _ in range(self._steps):
                waited = _step(run, (yield from _fault_of(waited)))
        except StopIteration:
            return True
        # Not cancelled, for then it might still answer, or do what follows.
        self._work.close()
        return False


@final
class Plan:
    """Whose turn it is of several who work at once; after its end it is everybody's."""

    def __init__(self, turns: Sequence[int]) -> None:
        """Plan by numbers of workers."""
        self._turns = list(turns)
        self._done: dict[int, None] = {}
        self._moved = asyncio.Event()

    async def turn(self, number: int) -> None:
        """Wait until it is the turn of a worker, and use it up."""
        while self._turns and self._turns[0] != number:
            self._moved.clear()
            await self._moved.wait()
        if self._turns:
            self._turns.pop(0)
        self._move()

    def end(self, number: int) -> None:
        """Note that a worker needs no turn any more."""
        self._done[number] = None
        self._move()

    def _move(self) -> None:
        while self._turns and self._turns[0] in self._done:
            self._turns.pop(0)
        self._moved.set()


@final
class Paced:
    """Awaits `work`, each of its steps when the plan says so."""

    def __init__(self, work: Coroutine[Any, Any, Any], plan: Plan, number: int) -> None:
        """Be the worker of that number in a plan."""
        self._work = work
        self._plan = plan
        self._number = number

    def __await__(self) -> Generator[Any, None, Any]:
        """Run the work and return what it does."""
        run = self._work.__await__()
        try:
            waited = run.send(None)
            while True:
                fault = yield from _fault_of(waited)
                yield from self._plan.turn(self._number).__await__()
                waited = _step(run, fault)
        except StopIteration as end:
            return end.value
        finally:
            self._plan.end(self._number)


def _fault_of(waited: Any) -> Generator[Any, None, BaseException | None]:
    """Wait for what work waits for; return the fault with which that ends, if it does."""
    try:
        yield waited
    except (Exception, asyncio.CancelledError) as fault:  # noqa: BLE001 - the work is given it
        return fault
    return None


def _step(run: Generator[Any, Any, Any], fault: BaseException | None) -> Any:
    return run.send(None) if fault is None else run.throw(fault)
