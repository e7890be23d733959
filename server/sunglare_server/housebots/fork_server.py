"""Shipped house bots as forked processes, from the server's side of the line.

Theory of operation. `BotForkServer.start` writes one request to the line of a fork server, which
`sunglare_client.fork_server` describes, and returns at once: the bot's process is
there some milliseconds later, or after half a second where the fork server has to begin first, as
with the first bot. Its words and credentials go in a pipe of their own, which only that process
reads. No request waits for the line. A line that takes no more is given up, and a
fork server that does not answer in time is asked for no more bots; it ends after its last one.

The server owns the read end of each bot's standard error: closing it ends the bot, whatever it
does and whatever has happened to the fork server. So when the line ends, all bots of that fork
server end as if each had been killed, and the next bot begins another fork server.

A `ForkedBot` has those methods of `asyncio.subprocess.Process` that `HouseBots` uses.
"""

import asyncio
import contextlib
import json
import os
import signal
import socket
import sys
from collections.abc import Mapping, Sequence
from itertools import count
from typing import Final, final

import structlog

from sunglare_server.base.tasks import spawn

PROGRAM: Final = (sys.executable, "-P", "-m", "sunglare_client.fork_server")

ANSWER_S: Final = 60.0
"""OWN: how long of real time a fork server may take to start a bot, its own start included."""

LEAVE_S: Final = 1.0
"""OWN: how long of real time a fork server may take to end by itself once its line has ended."""

KEPT_BYTES: Final = 8_000
"""OWN: the last bytes of a bot's standard error that are kept: the log shows 2,000 characters."""

_CHUNK: Final = 65_536


@final
class ForkedBot:
    """A bot in a process that was asked for; its id and exit code come later."""

    def __init__(self, fork: "_Fork", number: int) -> None:
        """Stand for bot `number` of a fork server."""
        self._fork = fork
        self._number = number
        self._ended: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        self._errors = asyncio.StreamReader()
        self._pipe: asyncio.ReadTransport | None = None
        self.pid: int | None = None

    @property
    def returncode(self) -> int | None:
        """Return the exit code, or below 0 a signal's number; None before the end."""
        return self._ended.result() if self._ended.done() else None

    async def communicate(self) -> tuple[None, bytes]:
        """Wait for the end; return the last of what was written to standard error."""
        said = b""
        while chunk := await self._errors.read(_CHUNK):
            said = (said + chunk)[-KEPT_BYTES:]
        await self._ended
        return None, said

    def terminate(self) -> None:
        """Ask the bot to end."""
        self._fork.send({"end": self._number})

    def kill(self) -> None:
        """End the bot, whatever it does."""
        if self._pipe is not None:
            self._pipe.close()

    def end(self, code: int) -> None:
        """Take in that the process has ended with this code."""
        if not self._ended.done():
            self._ended.set_result(code)

    async def read_from(self, descriptor: int) -> None:
        """Read standard error from this end of a pipe."""
        self._pipe, _ = await asyncio.get_running_loop().connect_read_pipe(
            lambda: asyncio.StreamReaderProtocol(self._errors), os.fdopen(descriptor, "rb", 0)
        )


@final
class BotForkServer:
    """Starts bots in forked processes; its own process begins with the first one."""

    def __init__(self, program: Sequence[str], environment: Mapping[str, str]) -> None:
        """Run this program with this environment, which every bot has too; not yet."""
        self._program = tuple(program)
        self._environment = dict(environment)
        self._forks: list[_Fork] = []
        self._beginning = asyncio.Lock()

    @property
    def pid(self) -> int | None:
        """Return the id of the process that forks the next bot, if it is there."""
        return self._forks[-1].pid if self._forks and self._forks[-1].is_open else None

    async def start(self, words: Sequence[str], secrets: Mapping[str, str]) -> ForkedBot:
        """Return a bot that runs as `sunglare bot run WORDS`, with `secrets` in its environment.

        Raise `OSError` if the fork server or a pipe can't be made.
        """
        async with self._beginning:
            if not self._forks or not self._forks[-1].is_open:
                self._forks = [fork for fork in self._forks if not fork.ended.done()]
                self._forks.append(await _begun(self._program, self._environment))
            fork = self._forks[-1]
        return await fork.start(words, secrets)

    async def close(self) -> None:
        """End the fork server, and with it every bot that still runs."""
        async with self._beginning:
            for fork in self._forks:
                fork.close()
                await fork.ended


async def _begun(program: Sequence[str], environment: Mapping[str, str]) -> "_Fork":
    ours, theirs = socket.socketpair()
    ours.setblocking(False)
    try:
        process = await asyncio.create_subprocess_exec(
            *program,
            stdin=theirs.fileno(),
            stdout=asyncio.subprocess.DEVNULL,
            stderr=asyncio.subprocess.PIPE,
            env=environment,
        )
    except BaseException:
        ours.close()
        raise
    finally:
        theirs.close()
    return _Fork(process, ours)


def _filled_pipe(content: Mapping[str, object]) -> int:
    """Return the read end of a pipe with this as JSON in it; raise `OSError` if it has no room."""
    ours, theirs = os.pipe()
    body = json.dumps(content).encode()
    try:
        os.set_blocking(theirs, False)
        if os.write(theirs, body) != len(body):
            raise OSError("the words of a bot are too long")
    except BaseException:
        os.close(ours)
        raise
    finally:
        os.close(theirs)
    return ours


@final
class _Fork:
    """One process of a fork server, with its line."""

    def __init__(self, process: asyncio.subprocess.Process, line: socket.socket) -> None:
        self._process = process
        self._line = line
        self._numbers = count(1)
        self._bots: dict[int, ForkedBot] = {}
        self._is_closed = False
        self.is_open = True
        self.ended = spawn(self._read(), "fork server of the house bots")

    @property
    def pid(self) -> int:
        return self._process.pid

    async def start(self, words: Sequence[str], secrets: Mapping[str, str]) -> ForkedBot:
        number = next(self._numbers)
        bot = ForkedBot(self, number)
        words_end = _filled_pipe({"words": [*words], "environment": {**secrets}})
        try:
            ours, theirs = os.pipe()
            try:
                await bot.read_from(ours)
                self._bots[number] = bot
                self.send({"start": number}, theirs, words_end)
            finally:
                os.close(theirs)
        finally:
            os.close(words_end)
        if not self.is_open:
            self._fail(number)
        asyncio.get_running_loop().call_later(ANSWER_S, self._be_late, number)
        return bot

    def send(self, request: Mapping[str, object], *descriptors: int) -> None:
        """Write a request; one that the line does not take at once ends it."""
        body = json.dumps(request).encode() + b"\n"
        try:
            sent = socket.send_fds(self._line, [body], descriptors)
        except OSError:
            sent = 0
        if sent != len(body):
            self._end_line()

    def close(self) -> None:
        """End this process on request."""
        self._is_closed = True
        self._end_line()

    def _end_line(self) -> None:
        self.is_open = False
        with contextlib.suppress(OSError):
            self._line.shutdown(socket.SHUT_RDWR)

    async def _read(self) -> None:
        loop, unread = asyncio.get_running_loop(), b""
        with contextlib.suppress(OSError):
            while chunk := await loop.sock_recv(self._line, _CHUNK):
                *lines, unread = (unread + chunk).split(b"\n")
                for line in lines:
                    self._take(json.loads(line))
        self.is_open = False
        self._line.close()
        for number in tuple(self._bots):
            self._fail(number)
        ending = spawn(self._process.communicate(), "end of the fork server of the house bots")
        await asyncio.wait((ending,), timeout=LEAVE_S)
        if not ending.done():
            with contextlib.suppress(ProcessLookupError):
                self._process.kill()
        _, said = await ending
        if not self._is_closed:
            text = said.decode(errors="replace")[-2000:]
            log = structlog.get_logger()
            log.error("bot_fork_server_failed", exit=self._process.returncode, said=text)

    def _take(self, answer: Mapping[str, int]) -> None:
        if (number := answer.get("started")) is not None and number in self._bots:
            self._bots[number].pid = answer["process"]
        elif (number := answer.get("ended")) is not None and number in self._bots:
            self._bots.pop(number).end(answer["exit"])
            self._close_if_done()

    def _fail(self, number: int) -> None:
        """End a bot about which this process answers no more."""
        if (bot := self._bots.pop(number, None)) is not None:
            bot.kill()
            bot.end(-signal.SIGKILL)

    def _be_late(self, number: int) -> None:
        """Give up a bot that was not started in time, and ask this process for no more."""
        bot = self._bots.get(number)
        if bot is None or bot.pid is not None:
            return
        self.is_open = False
        self._fail(number)
        self._close_if_done()

    def _close_if_done(self) -> None:
        if not self.is_open and not self._bots:
            self.close()
