"""The client on a pseudo-terminal of 80 by 24: bytes go in, the modes it leaves on are read."""

import contextlib
import fcntl
import os
import pty
import re
import select
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final, final

from builders.forkserver import FORKABLE

WAIT_S: Final = 60.0
"""Seconds in which a program must draw what is waited for, or end."""

ALTERNATE_SCREEN: Final = "1049"
CURSOR: Final = "25"
LINE_WRAP: Final = "7"

_MODE: Final = re.compile(rb"\x1b\[\?(\d+)([hl])")
_ON_AT_FIRST: Final = frozenset({CURSOR, LINE_WRAP})


@final
class Pty:
    """The other end of a terminal, and the program on it, which leads a job of its own."""

    def __init__(self, handle: int, theirs: int, process: "subprocess.Popen[bytes]") -> None:
        """Take both ends of a pseudo-terminal and what runs on it."""
        self.process = process
        self.drawn = b""
        self._handle, self._theirs = handle, theirs
        self._cooked = termios.tcgetattr(theirs)

    def type(self, data: bytes) -> None:
        """Have these bytes typed."""
        os.write(self._handle, data)

    def wait_for(self, words: bytes, after: int = 0) -> None:
        """Read until these words are drawn as one piece, behind so many bytes."""
        until = time.monotonic() + WAIT_S
        while words not in self.drawn[after:]:
            assert time.monotonic() < until, self.drawn[-3000:]
            assert self._read() or self.process.poll() is None, self.drawn[-3000:]

    def wait_for_end(self) -> int:
        """Read until the program has ended, and return its exit code."""
        until = time.monotonic() + WAIT_S
        while self.process.poll() is None:
            assert time.monotonic() < until, self.drawn[-3000:]
            self._read()
        while self._read():
            pass
        return self.process.returncode

    def wait_for_stop(self) -> None:
        """Read until the program has been stopped."""
        until = time.monotonic() + WAIT_S
        while not os.waitid(os.P_PID, self.process.pid, os.WSTOPPED | os.WNOHANG):
            assert time.monotonic() < until, self.drawn[-3000:]
            self._read()
        while self._read():
            pass

    def modes_left_on(self) -> set[str]:
        """Return the private modes of the terminal that are not as they were at first."""
        modes = {number.decode(): end == b"h" for number, end in _MODE.findall(self.drawn)}
        return {mode for mode, is_on in modes.items() if is_on != (mode in _ON_AT_FIRST)}

    def left_behind(self) -> str:
        """Return what was written after the full screen was closed, which stays in sight."""
        return self.drawn.rpartition(b"\x1b[?1049l")[2].decode()

    def is_cooked(self) -> bool:
        """Return whether the terminal takes lines as it did at first."""
        return termios.tcgetattr(self._theirs) == self._cooked

    def hang_up(self) -> None:
        """Have the terminal go away."""
        for handle in (self._theirs, self._handle):
            os.close(handle)
        self._handle = self._theirs = -1

    def close(self) -> None:
        """Kill the program, if it has not ended, and close the terminal."""
        self.process.kill()
        self.process.wait()
        if self._handle >= 0:
            self.hang_up()

    def _read(self) -> bytes:
        if not select.select([self._handle], [], [], 0.05)[0]:
            return b""
        with contextlib.suppress(OSError):  # nothing has the other end open
            data = os.read(self._handle, 65_536)
            self.drawn += data
            return data
        return b""


WITH_TERMINAL = """
import fcntl, sys, termios
from sunglare_client.__main__ import main

fcntl.ioctl(0, termios.TIOCSCTTY, 0)
sys.exit(main())
"""
"""The client as the leader of a session, whose controlling terminal its standard input is."""


@contextlib.contextmanager
def sunglare_on_pty(folder: Path, *words: str, has_session: bool = False) -> Iterator[Pty]:
    """Run the client on a terminal, with a home of its own, in which it works.

    With a session of its own the terminal is its controlling one, as in a window that can close.
    """
    folder.mkdir(exist_ok=True)
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    program = ["-c", FORKABLE + WITH_TERMINAL] if has_session else ["-m", "sunglare_client"]
    process = subprocess.Popen(
        [sys.executable, *program, *words],
        cwd=folder,
        env={**os.environ, "TERM": "xterm-256color", "SUNGLARE_HOME": str(folder / "home")},
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        start_new_session=has_session,
        process_group=None if has_session else 0,
    )
    shown = Pty(ours, theirs, process)
    try:
        yield shown
    finally:
        shown.close()
