"""Notifications to a service manager such as systemd: ready, alive, stopping (`sd_notify`).

The manager names a datagram socket in the environment of a process that it starts, and in how
many µs it wants a sign of life. Signs of life come from the event loop, so that one that hangs
gives none. Without a manager nothing is sent.
"""

import asyncio
import contextlib
import os
import socket
from typing import Final

SOCKET: Final = "NOTIFY_SOCKET"
"""The variable with the address of the manager's socket; one that begins with `@` has no file."""

WATCHDOG: Final = "WATCHDOG_USEC"
"""The variable with the µs within which the manager wants a sign of life."""

WATCHED: Final = "WATCHDOG_PID"
"""The variable that says which process is to give them, if not every one that has the others."""

_US: Final = 1_000_000


def notify(*states: str) -> None:
    """Send states, as `READY=1`, to the service manager if there is one; never wait for it."""
    address = os.environ.get(SOCKET, "")
    if not address.startswith(("/", "@")):
        return
    if address.startswith("@"):
        address = f"\0{address[1:]}"
    # It may have gone, or its queue be full: no server ends for that.
    with (
        contextlib.suppress(OSError),
        socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager,
    ):
        manager.setblocking(False)
        manager.connect(address)
        manager.send("\n".join(states).encode())


def watchdog_s() -> float | None:
    """Return how often this process has to give a sign of life, in s; None if it need not."""
    if os.environ.get(WATCHED, str(os.getpid())) != str(os.getpid()):
        return None
    text = os.environ.get(WATCHDOG, "")
    # Twice as often as the manager wants one, as its documentation advises.
    return int(text) / _US / 2 if text.isascii() and text.isdigit() and int(text) else None


async def keep_alive() -> None:
    """Give signs of life until cancelled; return at once if no manager wants any."""
    if (every_s := watchdog_s()) is None:
        return
    while True:
        notify("WATCHDOG=1")
        await asyncio.sleep(every_s)
