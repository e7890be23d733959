"""A fork server: a process for each bot that a server seats, forked from one with all bots in it.

Theory of operation. A server starts this program, `python -m sunglare_client.fork_server`, with a
stream socket as its standard input and in the environment of a house bot. It imports the shipped
bots and what `sunglare bot run` imports, freezes what the collector found alive, and then forks
one process for each request. It starts no thread and no event loop, and reads neither a request's
words nor its credentials: the new process does. So a process has nothing of another bot's. What
was imported lies in memory once for all of them, but for the pages that a bot writes to.

Requests and answers are JSON objects, one on a line:

    {"start": 3}
    {"started": 3, "process": 4711}
    {"end": 3}                                   the bot receives SIGTERM
    {"ended": 3, "exit": 0}                      below 0: the number of the signal that ended it

Each `start` comes with two descriptors of pipes: the write end of the bot's standard error, and
the read end of one with its words and variables, again as JSON:

    {"words": ["hunter", "--match", …], "environment": {"SUNGLARE_TOKEN": …}}

The new process has no other descriptor of its parent, and its parent's variables with those of
its own. It runs what `sunglare bot run WORDS` runs and stays in the process group of the server.

The signals that a terminal or supervisor sends to a whole group are blocked in this process:
it ends with its line, and ends its bots first. A bot also ends when its pipe loses its reader. So
no bot outlives the server that started it or, as the server then closes the pipes, this process.
"""

import contextlib
import gc
import json
import os
import select
import signal
import socket
import sys
import threading
from collections import deque
from importlib import import_module
from types import FrameType
from typing import Any, Final, NamedTuple, final

from sunglare_client.__main__ import main as sunglare
from sunglare_client.bots import BOTS
from sunglare_client.cli.flags import URL
from sunglare_client.commands.arguments import SUBCOMMANDS, command_line

TO_GROUPS: Final = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
"""The signals that a terminal or supervisor sends to every process of a server."""

_STDIN, _STDOUT, _STDERR = 0, 1, 2

_CHUNK: Final = 65_536

_DESCRIPTORS_AT_ONCE: Final = 16


@final
class Start(NamedTuple):
    """A bot to run: the words after `sunglare bot run`, and the variables of its own."""

    words: tuple[str, ...]
    environment: dict[str, str]


def main() -> int:
    """Serve the socket that is standard input until it is closed; in a new process run its bot."""
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, TO_GROUPS)
    _import_bots()
    start = ForkLoop(socket.socket(fileno=_STDIN)).run()
    if start is None:
        return 0
    signal.pthread_sigmask(signal.SIG_SETMASK, mask)
    os.environ.update(start.environment)
    threading.Thread(target=_end_without_reader, name="reader gone", daemon=True).start()
    # All is flushed by then, and to free what was imported takes longer than to be seated.
    os._exit(sunglare(["bot", "run", *start.words]))


def _import_bots() -> None:
    """Import what `sunglare bot run` imports, and leave as little as can be for a bot to write to.

    A bot copies each page that it writes to. So the command line is read once, which compiles its
    patterns, and the cache of methods is emptied: each entry that a bot replaces counts one
    reference less to a name somewhere in the memory that all share.
    """
    seat = ("--url", URL, "--match", "a", "--side", "A")
    command_line("bot").parse_args(["bot", "run", next(iter(BOTS)), *seat])
    import_module(SUBCOMMANDS["bot"].run.function.__module__)
    gc.collect()
    sys._clear_type_cache()  # noqa: SLF001 - documented, and there is no other way
    gc.freeze()


def _end_without_reader() -> None:
    """End this process once its standard error has no reader, be it busy or not."""
    reader = select.poll()
    reader.register(_STDERR, 0)  # errors are reported unasked
    reader.poll()
    os.kill(os.getpid(), signal.SIGKILL)


@final
class ForkLoop:
    """Forks bots as the line asks, and reports their ends."""

    def __init__(self, line: socket.socket) -> None:
        """Serve this line; nothing is forked yet."""
        self._line = line
        self._unread = b""
        self._descriptors: deque[int] = deque()
        self._processes: dict[int, int] = {}

    def run(self) -> Start | None:
        """Return in each new process its bot; None once the line is closed and all have ended.

        Call it in the main thread, and with no other one alive.
        """
        children, woken = os.pipe()
        os.set_blocking(woken, False)
        os.set_blocking(children, False)
        signal.set_wakeup_fd(woken, warn_on_full_buffer=False)
        signal.signal(signal.SIGCHLD, _noticed)
        waiting = select.poll()
        waiting.register(self._line, select.POLLIN)
        waiting.register(children, select.POLLIN)
        while True:
            for ready, _ in waiting.poll():
                if ready == children:
                    os.read(children, _CHUNK)
                    self._report_ends()
                    continue
                requests = self._requests()
                if requests is None:
                    self._end_all()
                    return None
                for request in requests:
                    if (start := self._forked(request)) is not None:
                        return start

    def _requests(self) -> list[dict[str, Any]] | None:
        """Return what is asked for; None if the line is closed."""
        try:
            text, descriptors, _, _ = socket.recv_fds(self._line, _CHUNK, _DESCRIPTORS_AT_ONCE)
        except ConnectionError:
            return None
        self._descriptors.extend(descriptors)
        if not text:
            return None
        *lines, self._unread = (self._unread + text).split(b"\n")
        return [json.loads(line) for line in lines]

    def _forked(self, request: dict[str, Any]) -> Start | None:
        """Do what is asked for; return in a new process what it is to run."""
        if (number := request.get("end")) is not None:
            for process, bot in self._processes.items():
                if bot == number:  # it has not been waited for, so the number is still its own
                    os.kill(process, signal.SIGTERM)
            return None
        number = request["start"]
        stream, words = self._descriptors.popleft(), self._descriptors.popleft()
        try:
            process = os.fork()
        except OSError as fault:
            os.write(stream, f"no process can be started: {fault}".encode())
            answer = {"ended": number, "exit": 1}
        else:
            if not process:
                return self._become(stream, words)
            self._processes[process] = number
            answer = {"started": number, "process": process}
        os.close(stream)
        os.close(words)
        self._answer(answer)
        return None

    def _become(self, stream: int, words: int) -> Start:
        """Leave nothing of the parent in a new process but what was imported; return its bot."""
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        self._line.detach()
        with os.fdopen(words, "rb") as told:
            start = json.load(told)
        nothing = os.open(os.devnull, os.O_RDWR)
        for number, descriptor in ((_STDIN, nothing), (_STDOUT, nothing), (_STDERR, stream)):
            os.dup2(descriptor, number)
        os.closerange(_STDERR + 1, os.sysconf("SC_OPEN_MAX"))
        return Start(tuple(start["words"]), start["environment"])

    def _report_ends(self) -> None:
        """Answer for every bot that has ended since."""
        while self._processes:
            process, status = os.waitpid(-1, os.WNOHANG)
            if not process:
                return
            code = os.waitstatus_to_exitcode(status)
            self._answer({"ended": self._processes.pop(process), "exit": code})

    def _answer(self, answer: dict[str, int]) -> None:
        with contextlib.suppress(OSError):  # a line that is closed is found so when it is read
            self._line.sendall(json.dumps(answer).encode() + b"\n")

    def _end_all(self) -> None:
        for process in self._processes:
            os.kill(process, signal.SIGKILL)
        for process in self._processes:
            os.waitpid(process, 0)


def _noticed(_number: int, _frame: FrameType | None) -> None:
    """Let a signal wake the loop, which an ignored one would not."""


if __name__ == "__main__":
    sys.exit(main())
