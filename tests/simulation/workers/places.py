"""An event loop without real time, on which each callback belongs to a place that can stand still.

Theory of operation. A place is a process: whatever begins in it, tasks and timers and what they
begin, stays in it, as its name is in the context. While a place stands still nothing of it is run,
and all that comes due waits, in its order. One that is killed stands still for ever: so no
`finally` of it is run, as none is in a process that gets SIGKILL.
"""

import asyncio
import contextvars
import selectors
from collections import deque
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar, final

T = TypeVar("T")

_place: "contextvars.ContextVar[Place | None]" = contextvars.ContextVar("place", default=None)


class StuckError(Exception):
    """Nobody waits for anything that will come."""


ENDS_MOST = 5
"""How often tasks that go on though they were cancelled are cancelled again, at the end."""

END_S = 60.0
"""How long they have each time."""


@final
class _NoSelector(selectors.SelectSelector):
    """Waits for nothing: time goes on to when the next timer is due."""

    def __init__(self) -> None:
        super().__init__()
        self.now_s = 0.0

    def select(self, timeout: float | None = None) -> list[Any]:
        """Let the time go by that somebody waits for."""
        if timeout is None:
            raise StuckError("nobody waits for anything that will come")
        self.now_s += max(0.0, timeout)
        return []


@final
class _Due:
    """A callback of a place, which may have to wait until that goes on."""

    __slots__ = ("_args", "_callback", "_place", "handle")

    def __init__(
        self, place: "Place", callback: Callable[..., object], args: tuple[Any, ...]
    ) -> None:
        self._place, self._callback, self._args = place, callback, args
        self.handle: asyncio.Handle | None = None

    def __call__(self) -> None:
        """Run it, unless its place stands still."""
        if self._place.stands:
            self._place.due.append(self)
        elif self.handle is None or not self.handle.cancelled():
            self._callback(*self._args)


@final
class PlaceLoop(asyncio.SelectorEventLoop):
    """A loop whose time is simulated."""

    def __init__(self) -> None:
        self.places: list[Place] = []
        self._waits = _NoSelector()
        super().__init__(self._waits)

    def finish(self) -> None:
        """End whatever still runs, so that none of it is found by a later run, and close."""
        self.run_until_complete(self._finish())
        self.close()

    async def _finish(self) -> None:
        for place in self.places:
            place.go_on()
        me = asyncio.current_task()
        for _ in range(ENDS_MOST):
            left = [task for task in asyncio.all_tasks(self) if task is not me]
            for task in left:
                task.cancel()
            if not left:
                return
            await asyncio.wait(left, timeout=END_S)

    def time(self) -> float:
        """Return the simulated time in seconds, from 0 on."""
        return self._waits.now_s

    def run_in_executor(  # type: ignore[override]
        self, executor: Any, func: Any, *args: Any
    ) -> Any:
        """Do it at once, as no thread has simulated time."""
        del executor
        done = self.create_future()
        try:
            done.set_result(func(*args))
        except Exception as error:  # noqa: BLE001 - for whoever waits
            done.set_exception(error)
        return done

    def call_soon(  # type: ignore[override]
        self, callback: Any, *args: Any, context: Any = None
    ) -> asyncio.Handle:
        """Run something next, where it belongs."""
        given = contextvars.copy_context() if context is None else context
        place = given.get(_place)
        if place is None:
            return super().call_soon(callback, *args, context=given)
        due = _Due(place, callback, args)
        due.handle = super().call_soon(due, context=given)
        return due.handle

    def call_at(  # type: ignore[override]
        self, when: float, callback: Any, *args: Any, context: Any = None
    ) -> asyncio.TimerHandle:
        """Run something later, where it belongs."""
        given = contextvars.copy_context() if context is None else context
        place = given.get(_place)
        if place is None:
            return super().call_at(when, callback, *args, context=given)
        due = _Due(place, callback, args)
        due.handle = handle = super().call_at(when, due, context=given)
        return handle


@final
class Place:
    """A process, by name."""

    def __init__(self, name: str) -> None:
        """Run."""
        loop = asyncio.get_running_loop()
        assert isinstance(loop, PlaceLoop)
        loop.places.append(self)
        self.name = name
        self.stands = False
        self.due: deque[_Due] = deque()
        self._context = contextvars.Context()
        self._context.run(_place.set, self)

    def spawn(self, work: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
        """Begin a task in this place."""
        return asyncio.get_running_loop().create_task(work, context=self._context.copy())

    def soon(self, call: Callable[..., object], *args: Any) -> None:
        """Call something in this place."""
        asyncio.get_running_loop().call_soon(call, *args, context=self._context.copy())

    def stand_still(self) -> None:
        """Run nothing until it is to `go_on`."""
        self.stands = True

    def go_on(self) -> None:
        """Run what has come due meanwhile, in its order."""
        self.stands = False
        loop = asyncio.get_running_loop()
        waiting, self.due = self.due, deque()
        for due in waiting:
            handle = due.handle
            if handle is not None and not handle.cancelled():
                # Outside every place at first, as it knows its own.
                asyncio.SelectorEventLoop.call_soon(
                    loop,  # type: ignore[arg-type]
                    due,
                    context=getattr(handle, "_context"),  # noqa: B009 - of the library
                )
