"""Work in several processes whose results come in the order of the tasks.

Each process is a fresh interpreter that inherits nothing one process would not have. A process
that is idle is given the next task; results wait here for those before them. A reader that stops
ends all processes at once, whatever they are doing, and they end by themselves when this one is
gone: a thread of each waits for nothing else.
"""

import multiprocessing
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import Any, Generic, TypeVar, final

from sunglare_arena.entrants import ArenaError
from sunglare_client.commands.verifying import CLIENT_VARIABLE

AHEAD_MOST = 16
"""So many results a process may have waiting for earlier ones."""

_LOOK_S = 0.5
"""How often a process looks whether the client that started it is still there."""

Task = TypeVar("Task")
Result = TypeVar("Result")


def processors() -> int:
    """Return how many processors this process may use."""
    if sys.platform == "linux":
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def in_order(
    work: Callable[[Task], Result],
    tasks: Sequence[Task],
    jobs: int,
    prepare: Callable[[], None],
) -> Generator[Result, None, None]:
    """Yield the results of `work` for the tasks, in their order, from up to `jobs` processes.

    With one job the work is done here; each further process calls `prepare` first. What the work
    raises is raised here. Raise `ArenaError` if a process dies over a task.
    """
    if jobs == 1:
        yield from map(work, tasks)
        return
    crew = _Crew(work, tasks, prepare)
    try:
        crew.start(min(jobs, len(tasks)))
        yield from crew.results()
    finally:
        crew.end()


@final
class _Crew(Generic[Task, Result]):
    """The processes, what each is at, and the results that wait for earlier ones."""

    def __init__(
        self,
        work: Callable[[Task], Result],
        tasks: Sequence[Task],
        prepare: Callable[[], None],
    ) -> None:
        self._work, self._prepare = work, prepare
        self._tasks, self._given = tasks, 0
        self._done: dict[int, Result] = {}
        self._at: dict[Connection, int] = {}
        self._processes: dict[Connection, BaseProcess] = {}

    def start(self, jobs: int) -> None:
        """Start the processes; an interruption comes between two of them, never into one's start.

        A process is started with interruptions held back, and accepts them again once it ignores
        them: before that it would end with a stray trace of Python's.
        """
        resource_tracker.ensure_running()  # its start, within a process's, lets interruptions in
        for _ in range(jobs):
            with _uninterrupted():
                self._start()

    def _start(self) -> None:
        context = multiprocessing.get_context("spawn")
        ours, theirs = context.Pipe()
        process = context.Process(
            target=_work, args=(theirs, self._work, self._prepare), daemon=False
        )
        process.start()
        theirs.close()
        self._processes[ours] = process

    def results(self) -> Iterator[Result]:
        idle = list(self._processes)
        ahead = AHEAD_MOST * len(idle)
        for number in range(len(self._tasks)):
            while number not in self._done:
                while idle and self._given < min(len(self._tasks), number + ahead):
                    self._give(idle.pop())
                idle += self._heard()
            yield self._done.pop(number)

    def end(self) -> None:
        for process in self._processes.values():
            process.kill()
        for pipe, process in self._processes.items():
            process.join()
            pipe.close()

    def _give(self, pipe: Connection) -> None:
        self._at[pipe] = self._given
        pipe.send(self._tasks[self._given])
        self._given += 1

    def _heard(self) -> list[Connection]:
        """Wait until a process has done something; return those that are idle now."""
        free = [pipe for pipe in wait(list(self._at)) if isinstance(pipe, Connection)]
        for pipe in free:
            number = self._at.pop(pipe)
            self._done[number] = self._answer(pipe, number)
        return free

    def _answer(self, pipe: Connection, number: int) -> Result:
        try:
            is_done, found = pipe.recv()
        except (EOFError, OSError):
            process = self._processes[pipe]
            process.join()
            raise ArenaError(
                f"the process that played match {number} died ({_ended(process.exitcode)})"
            ) from None
        if not is_done:
            raise found
        result: Result = found
        return result


@contextmanager
def _uninterrupted() -> Iterator[None]:
    """Hold interruptions back, whichever thread they come to, and from processes started here."""
    came: list[int] = []
    before = signal.signal(signal.SIGINT, lambda number, _: came.append(number))
    held = signal.pthread_sigmask(signal.SIG_BLOCK, (signal.SIGINT,))
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, held)
        signal.signal(signal.SIGINT, before)
        for number in came[:1]:
            signal.raise_signal(number)


def _ended(code: int | None) -> str:
    if code is not None and code < 0:
        return f"signal {signal.Signals(-code).name}"
    return f"exit code {code}"


def end_with(gone: Callable[[], object], end: Callable[[], None] = lambda: os._exit(1)) -> None:
    """End this process as soon as `gone` returns, whatever it is doing then."""

    def watch() -> None:
        gone()
        end()

    threading.Thread(target=watch, name="lifeline", daemon=True).start()


def end_with_parent() -> None:
    """End this process when the client is gone that started it, if one did."""
    client = os.environ.get(CLIENT_VARIABLE)
    if client is None or int(client) != os.getppid():
        return

    def gone() -> None:
        while os.getppid() == int(client):
            time.sleep(_LOOK_S)

    end_with(gone)


def _work(pipe: Connection, work: Callable[[Any], Any], prepare: Callable[[], None]) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the process that started this one sees to it
    signal.pthread_sigmask(signal.SIG_UNBLOCK, (signal.SIGINT,))
    parent = multiprocessing.parent_process()
    if parent is not None:
        end_with(parent.join)
    prepare()
    while True:
        try:
            task = pipe.recv()
        except EOFError:
            return
        pipe.send(_tried(work, task))


def _tried(work: Callable[[Any], Any], task: object) -> tuple[bool, Any]:
    try:
        return True, work(task)
    except Exception as fault:  # noqa: BLE001 - it is raised where the results are read
        return False, fault
