"""Common parts of every process of a server: its event loop, its Python, its orderly end."""

import asyncio
import contextlib
import gc
import os
import select
import signal
import stat
import sys
import threading
from collections.abc import Awaitable, Callable

from sunglare_server.base.service_manager import keep_alive, notify
from sunglare_server.base.tasks import spawn

COLLECTOR = (5_000, 1_000, 200)
"""The collector's thresholds of a running server; what is new is looked through by itself."""

SWITCH_S = 0.000_2
"""After how long a thread that runs lets another one run that waits."""

MEDIUM_FAILED = 3
"""The exit code when the journal's medium can't be trusted any more."""

END_S = 20.0
"""How long an orderly end may take; what was accepted is on disk long before."""

STANDARD_ERROR = 2
"""The descriptor of standard error."""

INPUT_BYTES = 4096
"""So much of standard input is passed over at once."""


def loop_factory(name: str) -> Callable[[], asyncio.AbstractEventLoop]:
    """Return what makes the event loop `name`: uvloop, asyncio, or the quicker one there is."""
    if name == "asyncio":
        return asyncio.new_event_loop
    try:
        import uvloop
    except ModuleNotFoundError:
        if name == "uvloop":
            raise
        return asyncio.new_event_loop
    return uvloop.new_event_loop


def tune_python() -> None:
    """Let nothing of Python's own keep a window waiting.

    It looks for reference cycles among all that lives seldom, as records, states and frames have
    none, and among what is new in small portions, which `tidied` sees to. The thread that stores
    a window is let in soon: it has to be a dozen times for each, and Python's own 5 ms are as long
    as two windows take.
    """
    gc.freeze()
    gc.set_threshold(*COLLECTOR)
    sys.setswitchinterval(SWITCH_S)


Ending = Callable[[], None]
"""Is called once an orderly end begins."""


def unbounded() -> None:
    """Let an end take as long as it does: it is not the end of a process."""


_bounded = threading.Lock()
"""Taken for good by the first bound."""


def bound_end(code: int = MEDIUM_FAILED) -> None:
    """End the process with `code` unless it has ended within `END_S`, whatever a thread does.

    A disk may hang for good. What the process itself waits for may hang then, and Python waits for
    all threads before it ends, so nothing calls this off. The first call holds: a later one, whose
    time would end a moment behind, might be heard first.
    """
    if not _bounded.acquire(blocking=False):
        return

    def give_up() -> None:
        _say_at_once(f"sunglare-server: not ended after {END_S:g} s; given up\n")
        os._exit(code)

    # A thread, since the event loop itself may hang; the process does not wait for a daemon.
    timer = threading.Timer(END_S, give_up)
    timer.daemon = True
    timer.start()


def _say_at_once(line: str) -> None:
    """Write to standard error if that takes it at once; a thread that hangs may hold its lock."""
    with contextlib.suppress(OSError, ValueError):
        _, writable, _ = select.select((), (STANDARD_ERROR,), (), 0)
        for number in writable:
            os.write(number, line.encode())


def on_hangup(do: Callable[[], None]) -> None:
    """Do something whenever SIGHUP comes, which would end the process otherwise."""
    asyncio.get_running_loop().add_signal_handler(signal.SIGHUP, do)


def end_signals(serves: Callable[[], bool], ending: Ending) -> asyncio.Event:
    """Return what SIGINT and SIGTERM set from now on, once the process `serves`.

    Before that each ends the process at once, as without this: a start may wait for long. Call it
    before the start: a signal may come as soon as the process listens, which is before the end of
    the start.
    """
    signalled = asyncio.Event()
    loop = asyncio.get_running_loop()

    def take(number: int) -> None:
        if serves():
            ending()
            signalled.set()
        else:
            loop.remove_signal_handler(number)
            signal.raise_signal(number)

    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, take, number)
    return signalled


async def listened(url: str, *reasons: Callable[[], Awaitable[object]]) -> None:
    """Say that the process listens, and return once one of the `reasons` ends it.

    A service manager learns the same, and that the process lives.
    """
    # Until the loop ends: an end may take longer than the manager waits for a sign of life.
    spawn(keep_alive(), "tell the service manager that the loop runs")
    sys.stdout.write(f"listening on {url}\n")
    sys.stdout.flush()
    notify("READY=1", f"STATUS=listening on {url}")
    waits = [spawn(_awaited(reason), "await an end") for reason in reasons]
    await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
    for wait in waits:
        wait.cancel()
    notify("STOPPING=1", "STATUS=stopping")


async def input_ended() -> None:
    """Return once standard input is at its end: the process that started us and held it has gone.

    What comes before is passed over. Where it can't be waited for, as with a plain file or the
    null device, it is at its end at once.
    """
    mode = os.fstat(sys.stdin.fileno()).st_mode
    if not (stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode) or sys.stdin.isatty()):
        return  # uvloop would end the process instead of refusing it
    loop = asyncio.get_running_loop()
    reader = asyncio.StreamReader()
    try:
        await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
    except (ValueError, OSError):
        return
    while await reader.read(INPUT_BYTES):
        continue


async def _awaited(reason: Callable[[], Awaitable[object]]) -> None:
    await reason()
