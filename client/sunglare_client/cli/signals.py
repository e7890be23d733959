"""Ending by a signal: what is open is closed first, such as a full screen or a private server."""

import asyncio
import contextlib
import signal
import threading
from collections.abc import Coroutine
from typing import Any, Final

from sunglare_protocol.errors import SunglareError

ENDING: Final = tuple(
    getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)
)
"""The signals that end a command: from a supervisor, and from a terminal that goes away."""

BY_SIGNAL: Final = 128
"""The exit code of a command that a signal ended is higher than the signal's number by this."""


async def until_signalled(work: Coroutine[Any, Any, int]) -> int:
    """Do the work and return its exit code; at one of `ENDING` cancel it, and return 128 + number.

    A signal that the process was started to ignore, as by nohup, stays ignored. Only the main
    thread of a process is sent signals.
    """
    loop, task = asyncio.get_running_loop(), asyncio.create_task(work)
    received: list[signal.Signals] = []

    def end(number: signal.Signals) -> None:
        if not received:
            task.cancel()
        received.append(number)

    if threading.current_thread() is threading.main_thread():
        for number in ENDING:
            if signal.getsignal(number) is signal.SIG_DFL:
                with contextlib.suppress(NotImplementedError):  # Windows: they end the program
                    loop.add_signal_handler(number, end, number)
    try:
        return await task
    except (asyncio.CancelledError, SunglareError, OSError):
        if not received:
            raise
    return BY_SIGNAL + received[0]
