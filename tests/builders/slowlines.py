"""A program on a pseudo-terminal whose line has a speed, as over a modem or a bad network."""

import contextlib
import fcntl
import os
import pty
import select
import signal
import struct
import subprocess
import termios
import time
from collections.abc import Iterator
from pathlib import Path
from typing import final

BITS = 10
"""So many bits a byte has on a serial line, with its start and its stop."""

SLICE_S = 0.02
"""So often the line is looked at."""

_KEYS = {
    "F1": b"\x1bOP",
    "Enter": b"\r",
    "Backspace": b"\x7f",
    "Up": b"\x1b[A",
    "Down": b"\x1b[B",
    "Right": b"\x1b[C",
}


@final
class SlowLine:
    """The other end of a terminal of 80 by 24: keys go in and what is drawn comes out, slowly.

    `baud_in` and `baud_out` are speeds in bits a second; 0 is as fast as the machine can.
    """

    def __init__(self, handle: int, *, baud_in: int, baud_out: int) -> None:
        """Take the controlling end of a pseudo-terminal."""
        self._handle = handle
        self._speeds = baud_in, baud_out
        self._left: list[float] = [0.0, 0.0]
        self._unsent = b""
        self.drawn = b""

    def press(self, *keys: str) -> None:
        """Have keys sent; a key without a name of its own is its letters."""
        self._unsent += b"".join(_KEYS.get(key, key.encode()) for key in keys)

    def run_until(self, words: bytes, limit_s: float) -> None:
        """Let the line work until these words were drawn after the call, or raise `TimeoutError`.

        Words that a program draws as one piece; the screen is not put together here.
        """
        begun, ends = len(self.drawn), time.monotonic() + limit_s
        while words not in self.drawn[begun:]:
            if time.monotonic() > ends:
                raise TimeoutError(f"{words!r} was not drawn: {self.drawn[-2000:]!r}")
            self._work()

    def run_until_sent(self, limit_s: float) -> None:
        """Let the line work until all keys are sent, or raise `TimeoutError`."""
        ends = time.monotonic() + limit_s
        while self._unsent:
            if time.monotonic() > ends:
                raise TimeoutError(f"{len(self._unsent)} bytes were not sent")
            self._work()

    def _work(self) -> None:
        ready, writable, _ = select.select([self._handle], [self._handle], [], SLICE_S)
        time.sleep(SLICE_S)
        budgets = [self._budget(index) for index in (0, 1)]
        if writable and self._unsent and budgets[0]:
            sent = os.write(self._handle, self._unsent[: budgets[0]])
            self._unsent = self._unsent[sent:]
            self._left[0] -= sent
        if ready and budgets[1]:
            with contextlib.suppress(OSError):  # the program has ended
                read = os.read(self._handle, budgets[1])
                self.drawn += read
                self._left[1] -= len(read)

    def _budget(self, index: int) -> int:
        """Return how many bytes may go now; what is not used is not saved up."""
        baud = self._speeds[index]
        if not baud:
            return 65_536
        each = baud / BITS * SLICE_S
        self._left[index] = min(self._left[index] + each, max(each, 1) * 2)
        return int(self._left[index])


@contextlib.contextmanager
def slow_line(
    folder: Path, *words: str, baud_in: int, baud_out: int, **env: str
) -> Iterator[SlowLine]:
    """Run a program on such a terminal in `folder`; at the end it is killed."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    settings = [f"{name}={value}" for name, value in {"TERM": "xterm-256color", **env}.items()]
    # By `env`, so that it starts from nothing and has this terminal as its own.
    program = subprocess.Popen(
        ["/usr/bin/setsid", "--ctty", "/usr/bin/env", *settings, *words],
        cwd=folder,
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
    )
    os.close(theirs)
    try:
        yield SlowLine(ours, baud_in=baud_in, baud_out=baud_out)
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.kill(program.pid, signal.SIGKILL)
        program.wait()
        os.close(ours)
