"""The control socket: a Unix socket next to the database that only its owner can open."""

import asyncio
import contextlib
from pathlib import Path
from typing import final

from sunglare_server.ops.control import requests
from sunglare_server.ops.control.answers import Answer
from sunglare_server.ops.control.peer_credentials import peer_of
from sunglare_server.ops.control.request_handler import Perform, answered
from sunglare_server.transport.unix_socket import bound

IDLE_S = 30.0
"""How long a connection may be silent."""

CLOSE_S = 5.0
"""OWN: how long the last answers may take."""

CALLERS_MOST = 16
"""How many connections are served at once; more are refused for now."""


@final
class Control:
    """Serves the control socket; one answer to each line, in order."""

    def __init__(self, path: Path | None, perform: Perform) -> None:
        """Answer with what `perform` returns; without a path there is no socket."""
        self._path = path
        self._perform = perform
        self._server: asyncio.Server | None = None
        self._callers: dict[asyncio.Task[None], asyncio.StreamWriter] = {}
        self._answering: dict[asyncio.Task[None], None] = {}

    async def listen(self) -> None:
        """Open the socket in the place of one that a killed server left; raise `SocketError`."""
        if self._path is None:
            return
        listening = bound(self._path)
        self._server = await asyncio.start_unix_server(
            self._serve, sock=listening, limit=requests.REQUEST_BYTES
        )

    async def close(self) -> None:
        """Close and remove the socket; the answers on their way have a moment."""
        if self._server is None or self._path is None:
            return
        server, self._server = self._server, None
        server.close()
        for task in tuple(self._callers):
            if task not in self._answering:
                task.cancel()
        if self._answering:
            # The caller that has ended the server has yet to get its answer.
            await asyncio.wait(tuple(self._answering), timeout=CLOSE_S)
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
                await _say(writer, Answer(error="too many callers at once; come again"))
                return
            by = peer_of(writer.get_extra_info("socket"))
            while await self._answered(reader, writer, by) and self._server is not None:
                pass
        except (OSError, TimeoutError, asyncio.CancelledError):
            # The caller has gone, says nothing, or the server ends.
            return
        finally:
            del self._callers[task]
            writer.close()

    async def _answered(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, by: str
    ) -> bool:
        """Answer the next line, which a user of the system sends; return if another may follow."""
        try:
            async with asyncio.timeout(IDLE_S):
                line = await reader.readuntil(b"\n")
        except asyncio.IncompleteReadError:
            return False
        except asyncio.LimitOverrunError:
            why = f"a request has at most {requests.REQUEST_BYTES} bytes and ends with a line feed"
            await _say(writer, Answer(error=why))
            return False
        task = asyncio.current_task()
        assert task is not None  # noqa: S101 - see above
        self._answering[task] = None
        try:
            await _say(writer, await answered(line, self._perform, by))
        finally:
            del self._answering[task]
        return True


async def _say(writer: asyncio.StreamWriter, answer: Answer) -> None:
    writer.write(requests.encode(answer) + b"\n")
    async with asyncio.timeout(IDLE_S):
        await writer.drain()
