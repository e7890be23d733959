"""The control socket: a Unix socket beside the database that only its owner can open."""

import asyncio
import contextlib
import socket
import stat
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import final

import structlog

from sunglare_protocol.errors import SunglareError
from sunglare_server.ops import requests

IDLE_S = 30.0
"""How long a connection may be silent."""

CALLERS_MOST = 16
"""How many connections are served at once; more are told to come again."""

PATH_BYTES_MOST = 103
"""The longest name of a Unix socket that every system takes."""

_OWNER_ALONE = 0o600
_PROBE_S = 1.0
_BACKLOG = 8

Perform = Callable[[requests.Request], Awaitable[requests.Answer]]
"""Does what is asked; `RequestError` says why not."""


class ControlError(SunglareError):
    """The control socket can't be opened: `path` and `why`."""

    def __init__(self, path: Path, why: str) -> None:
        """Keep the facts."""
        super().__init__(path, why)
        self.path = path
        self.why = why

    def __str__(self) -> str:
        """Say which socket and why."""
        return f"cannot open the control socket {self.path}: {self.why}"


@final
class Control:
    """Serves the control socket; one answer to each line, in order."""

    def __init__(self, path: Path | None, perform: Perform) -> None:
        """Answer with what `perform` returns; without a path there is no socket."""
        self._path = path
        self._perform = perform
        self._server: asyncio.Server | None = None
        self._callers: dict[asyncio.Task[None], asyncio.StreamWriter] = {}
        self._log = structlog.get_logger()

    async def listen(self) -> None:
        """Open the socket in the place of one that a killed server left; raise `ControlError`."""
        if self._path is None:
            return
        listening = _bound(self._path)
        self._server = await asyncio.start_unix_server(
            self._serve, sock=listening, limit=requests.REQUEST_BYTES
        )

    async def close(self) -> None:
        """Close and remove the socket; answers on their way are given up."""
        if self._server is None or self._path is None:
            return
        self._server.close()
        for task in tuple(self._callers):
            task.cancel()
        if self._callers:
            await asyncio.wait(tuple(self._callers))
        with contextlib.suppress(OSError):
            self._path.unlink()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None  # noqa: S101 - the stream server starts a task for each caller
        self._callers[task] = writer
        try:
            if len(self._callers) > CALLERS_MOST:
                await _say(writer, requests.Answer(error="too many callers at once; come again"))
                return
            while await self._answered(reader, writer):
                pass
        except (OSError, TimeoutError, asyncio.CancelledError):
            # The caller has gone, says nothing, or the server ends.
            return
        finally:
            del self._callers[task]
            writer.close()

    async def _answered(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        """Answer the next line; return whether another may follow."""
        try:
            async with asyncio.timeout(IDLE_S):
                line = await reader.readuntil(b"\n")
        except asyncio.IncompleteReadError:
            return False
        except asyncio.LimitOverrunError:
            why = f"a request has at most {requests.REQUEST_BYTES} bytes and ends with a line feed"
            await _say(writer, requests.Answer(error=why))
            return False
        await _say(writer, await self._answer(line))
        return True

    async def _answer(self, line: bytes) -> requests.Answer:
        try:
            request = requests.read_request(line)
            # Whoever looks changes nothing, and may look every second.
            is_look = isinstance(request, requests.StatusAsked | requests.MatchesAsked)
            note = self._log.debug if is_look else self._log.info
            note("an operator's request", request=type(request).__name__)
            return await self._perform(request)
        except requests.RequestError as error:
            return requests.Answer(error=error.why)
        except Exception:  # noqa: BLE001 - told in full to the log
            # A bug here must not end the server.
            self._log.exception("an operator's request failed")
            return requests.Answer(error="the server failed at this; its log says how")


async def _say(writer: asyncio.StreamWriter, answer: requests.Answer) -> None:
    writer.write(requests.encode(answer) + b"\n")
    async with asyncio.timeout(IDLE_S):
        await writer.drain()


def why_not(path: Path) -> str | None:
    """Return why there can be no socket of this name here; None if there can be."""
    if not hasattr(socket, "AF_UNIX"):
        return "this system has no Unix sockets"
    if len(str(path).encode()) > PATH_BYTES_MOST:
        return f"a socket's name has at most {PATH_BYTES_MOST} bytes; name another with --control"
    return None


def _bound(path: Path) -> socket.socket:
    """Return the bound socket, which nobody can connect to before it is its owner's alone."""
    if (why := why_not(path)) is not None:
        raise ControlError(path, why)
    listening = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        _make_room(path)
        listening.bind(str(path))
        path.chmod(_OWNER_ALONE)
        listening.listen(_BACKLOG)
    except OSError as error:
        listening.close()
        raise ControlError(path, error.strerror or str(error)) from error
    except BaseException:
        listening.close()
        raise
    return listening


def _make_room(path: Path) -> None:
    """Remove the socket of a server that was killed; raise if it is anything else."""
    try:
        mode = path.lstat().st_mode
    except FileNotFoundError:
        return
    if not stat.S_ISSOCK(mode):
        raise ControlError(path, "there is a file of this name that is no socket")
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as probe:
        probe.settimeout(_PROBE_S)
        try:
            probe.connect(str(path))
        except ConnectionRefusedError:
            path.unlink()
            return
    raise ControlError(path, "another server answers there")
