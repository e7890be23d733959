"""Threads that do work in the order in which it is given: short and long, or unwaited for."""

import asyncio
import queue
import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, TypeVar, final

_T = TypeVar("_T")

Others = Callable[[], None]
"""Does what has been given to the thread meanwhile; the long work calls it now and then."""


async def received(job: asyncio.Future[_T], drop: Callable[[_T], None]) -> _T:
    """Return the result of a job; if its waiter is gone, it is dropped when it comes.

    So what is opened on a thread is closed, whenever the task that wanted it is cancelled.
    """
    try:
        return await asyncio.shield(job)
    except asyncio.CancelledError:

        def done(ended: asyncio.Future[_T]) -> None:
            if not ended.cancelled() and ended.exception() is None:
                drop(ended.result())

        job.add_done_callback(done)
        raise


@final
class Worker:
    """The thread; belongs to the event loop in which it was made."""

    def __init__(self, name: str) -> None:
        """Start nothing yet."""
        self._loop = asyncio.get_running_loop()
        self._executor = ThreadPoolExecutor(max_workers=1, thread_name_prefix=name)
        self._meanwhile: queue.SimpleQueue[tuple[Future[Any], Callable[[], Any]]] | None = None
        self._one_long = asyncio.Lock()

    def run(self, work: Callable[[], _T]) -> asyncio.Future[_T]:
        """Have `work` done after all that was given before; return its result."""
        if self._meanwhile is None:
            return self._loop.run_in_executor(self._executor, work)
        job: Future[_T] = Future()
        self._meanwhile.put((job, work))
        return asyncio.wrap_future(job)

    async def run_beside(self, work: Callable[[Others], _T]) -> _T:
        """Have long work done; what is given later is done whenever it calls its argument."""
        async with self._one_long:
            meanwhile = queue.SimpleQueue[tuple[Future[Any], Callable[[], Any]]]()
            done = self.run(lambda: work(lambda: _do_all(meanwhile)))
            self._meanwhile = meanwhile
            try:
                # A caller that gives up waiting must not let another piece of work begin
                # meanwhile.
                return await _ended(done)
            finally:
                # Before anything that is given from now on, which goes to the thread itself.
                self._meanwhile = None
                self._executor.submit(_do_all, meanwhile)

    async def settled(self) -> None:
        """Return once no long work is under way."""
        async with self._one_long:
            return

    def end(self) -> None:
        """Take no work any more; what was given is done."""
        self._executor.shutdown(wait=False)


@final
class SideWorker:
    """A thread that is never waited for: work that hangs keeps no process from ending."""

    def __init__(self, name: str) -> None:
        """Start the thread, which ends with the process or by `end`."""
        self._jobs = queue.SimpleQueue[tuple[Future[Any], Callable[[], Any]] | None]()
        threading.Thread(target=self._do_all, name=name, daemon=True).start()

    def run(self, work: Callable[[], _T]) -> asyncio.Future[_T]:
        """Have `work` done after all that was given before; return its result."""
        job: Future[_T] = Future()
        self._jobs.put((job, work))
        return asyncio.wrap_future(job)

    def end(self) -> None:
        """Take no work any more; what was given is done, unless the process ends first."""
        self._jobs.put(None)

    def _do_all(self) -> None:
        while (given := self._jobs.get()) is not None:
            _do(*given)


async def _ended(done: asyncio.Future[_T]) -> _T:
    cancelled: asyncio.CancelledError | None = None
    while not done.done():
        try:
            await asyncio.wait([done])
        except asyncio.CancelledError as error:
            cancelled = error
    if cancelled is not None:
        raise cancelled
    return done.result()


def _do_all(meanwhile: queue.SimpleQueue[tuple[Future[Any], Callable[[], Any]]]) -> None:
    # What waits now and no more: new work must not keep the long one waiting for good.
    for _ in range(meanwhile.qsize()):
        _do(*meanwhile.get_nowait())


def _do(job: Future[Any], work: Callable[[], Any]) -> None:
    if not job.set_running_or_notify_cancel():
        return
    try:
        job.set_result(work())
    except BaseException as error:  # noqa: BLE001 - the waiter gets it
        job.set_exception(error)
