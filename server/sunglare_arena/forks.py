"""A fork server: processes for bots, each forked from one that has imported all but the bot.

To start an interpreter takes as long as a short match; a fork takes a few milliseconds. Each
process that plays matches has one server, which is started with the first bot and ends when the
line to it is closed, in whatever way. It starts nothing but `seat`, has no threads, and reads no
code of a bot itself: what it forks has nothing of another bot.

A request is a kind and a number, with the descriptors of a new process in the message; an answer
is whether there is a number, and the number.
"""

import atexit
import contextlib
import os
import signal
import socket
import struct
import subprocess
import sys
import time
from typing import Final, final

from sunglare_arena.parcels import BrokenError

START, END, AWAIT = 1, 2, 3

REQUEST: Final = struct.Struct("!Bq")
ANSWER: Final = struct.Struct("!?q")

DESCRIPTORS: Final = 2
"""A new process is sent the socket over which it speaks, and the pipe with which it ends."""

ANSWER_S: Final = 60.0
"""How long of real time the server may take for an answer, its own start included."""

ENVIRONMENT: Final = ("HOME", "LANG", "PATH", "PYTHONPATH", "TMPDIR", "VIRTUAL_ENV")
"""What a bot sees of the environment."""

LEAVE_S: Final = 0.05
"""How long of real time a process that is done with may take to end by itself."""

GONE_S: Final = 5.0
"""How long one may take that has closed its socket, as at its end: on a busy machine longer."""

_STDERR = 2
"""What a bot prints goes there: the standard output of an arena is for its report."""

_LOOK_S = 0.002
"""How often the server looks whether it has."""


@final
class ForkServer:
    """The server of this process, from the other end of the line."""

    def __init__(self) -> None:
        """Start nothing yet."""
        self._process: subprocess.Popen[bytes] | None = None
        self._line: socket.socket | None = None
        atexit.register(self.close)

    def start(self, speak: int, life: int, memory: int) -> int:
        """Start a process with these descriptors and so many bytes; return its id.

        Raise `BrokenError` if there is no server, and another one can't be started.
        """
        try:
            answer = self._ask(START, memory, speak, life)
        except BrokenError:
            answer = self._ask(START, memory, speak, life)
        if answer is None:
            raise BrokenError("no process was started")
        return answer

    def end(self, process: int, *, is_gone: bool = False) -> int | None:
        """End a process with all that it has started; return its code if it had ended by itself.

        One that `is_gone` has closed its socket, and is given time to end. Below 0 the code is a
        signal. Of a process that this server has not started, as the one before it is gone,
        nothing is known: that ends with its pipe.
        """
        if self._line is None:
            return None
        try:
            return self._ask(AWAIT if is_gone else END, process)
        except BrokenError:
            return None

    def close(self) -> None:
        """End the server."""
        line, self._line = self._line, None
        process, self._process = self._process, None
        if line is not None and process is not None:
            line.close()
            process.kill()  # whatever it is doing; what it has started ends with its pipes
            process.wait()

    def _ask(self, kind: int, number: int, *descriptors: int) -> int | None:
        line = self._begun()
        try:
            socket.send_fds(line, [REQUEST.pack(kind, number)], descriptors)
            answer = line.recv(ANSWER.size, socket.MSG_WAITALL)
        except OSError as fault:
            self.close()
            raise BrokenError(str(fault), is_gone=True) from None
        except BaseException:
            self.close()  # an answer that is on its way would be taken for the next one
            raise
        if len(answer) < ANSWER.size:
            self.close()
            raise BrokenError("the fork server has gone", is_gone=True)
        is_there, found = ANSWER.unpack(answer)
        return int(found) if is_there else None

    def _begun(self) -> socket.socket:
        if self._line is None:
            ours, theirs = socket.socketpair()
            env = {name: os.environ[name] for name in ENVIRONMENT if name in os.environ}
            with theirs:
                self._process = subprocess.Popen(  # noqa: S603 - our own program
                    (sys.executable, "-u", "-m", "sunglare_arena.seat", str(theirs.fileno())),
                    pass_fds=(theirs.fileno(),),
                    env={**env, "PYTHONHASHSEED": "0"},
                    stdin=subprocess.DEVNULL,
                    stdout=_STDERR,
                    start_new_session=True,
                )
            ours.settimeout(ANSWER_S)
            self._line = ours
        return self._line


def serve(line: socket.socket) -> tuple[int, int, int] | None:
    """Start and end processes as asked until the line is closed.

    In each new process return what it is given: the descriptors and the bytes of memory; in the
    server, at the end, None.
    """
    with contextlib.suppress(OSError):
        while True:
            request, descriptors, _, _ = socket.recv_fds(line, REQUEST.size, DESCRIPTORS)
            if len(request) < REQUEST.size:
                return None
            kind, number = REQUEST.unpack(request)
            if kind != START:
                code = _ended(number, GONE_S if kind == AWAIT else LEAVE_S)
                line.sendall(ANSWER.pack(code is not None, code or 0))
                continue
            process = os.fork()
            if not process:
                os.setsid()
                line.close()
                speak, life = descriptors
                return speak, life, number
            for descriptor in descriptors:
                os.close(descriptor)
            line.sendall(ANSWER.pack(True, process))
    return None


def _ended(process: int, patience_s: float) -> int | None:
    """End a child with its group; return its code if it ended by itself in time, or was none."""
    late = time.monotonic() + patience_s
    try:
        while (code := _code(process, os.WNOHANG)) is None and time.monotonic() < late:
            time.sleep(_LOOK_S)
    except ChildProcessError:
        return None
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process, signal.SIGKILL)
    if code is None:
        os.kill(process, signal.SIGKILL)  # it may lead no group yet
        _code(process, 0)
    return code


def _code(process: int, how: int) -> int | None:
    """Return the code of a child that has ended."""
    found, status = os.waitpid(process, how)
    return os.waitstatus_to_exitcode(status) if found else None
