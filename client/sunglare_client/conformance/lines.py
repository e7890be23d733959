"""One line to a server as it is: bytes out, and bytes in as two sequences, answers and posts."""

import asyncio
from typing import Final, NamedTuple, final

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, WebSocketException
from websockets.typing import Subprotocol

from sunglare_client.conformance.sessions import Message, SessionError, plain
from sunglare_client.errors import LostError
from sunglare_client.link.connection import INCOMING_BYTES, OPEN_S
from sunglare_client.link.handshakes import proxy_to
from sunglare_client.link.server_address import address
from sunglare_protocol.codec import Form

PATIENCE_S: Final = 20.0
"""Seconds in which a message that is due must come."""


@final
class Came(NamedTuple):
    """A message that came, and its bytes."""

    message: Message
    data: bytes | str


class NothingCameError(LostError):
    """What was due did not come in time, or the line ended before."""


@final
class RawLine:
    """A WebSocket on which every message is kept as it came, until it is taken."""

    def __init__(self, socket: ClientConnection, form: Form, patience_s: float) -> None:
        self.form = form
        self._socket = socket
        self._patience_s = patience_s
        self._answers: asyncio.Queue[Came | None] = asyncio.Queue()
        self._posts: asyncio.Queue[Came | None] = asyncio.Queue()
        self._reader = asyncio.create_task(self._read())

    @classmethod
    async def opened(cls, url: str, form: Form, patience_s: float = PATIENCE_S) -> "RawLine":
        """Open a line; raise `LostError` if no server answers there or the form is not spoken."""
        where = address(url)
        try:
            socket = await connect(
                where,
                subprotocols=[Subprotocol(form.value)],
                compression=None,
                proxy=proxy_to(where),
                max_size=INCOMING_BYTES,
                open_timeout=OPEN_S,
                close_timeout=2,
            )
        except (OSError, WebSocketException) as fault:  # a time-out is an OSError too
            raise LostError(str(fault) or "no answer in time") from fault
        if socket.subprotocol != form.value:
            await socket.close(1002)
            raise LostError(f"the server does not speak {form.value}")
        return cls(socket, form, patience_s)

    async def say(self, data: bytes) -> None:
        """Send a message; on a line that has ended it is lost, and so is its answer."""
        try:
            await self._socket.send(data, text=self.form is Form.JSON)
        except ConnectionClosed:
            return

    async def take(self, *, is_answer: bool) -> Came:
        """Return the next answer or the next post; raise `NothingCameError` if none comes."""
        queue = self._answers if is_answer else self._posts
        try:
            async with asyncio.timeout(self._patience_s):
                came = await queue.get()
        except TimeoutError:
            raise NothingCameError(f"nothing came within {self._patience_s:g} s") from None
        if came is None:
            queue.put_nowait(None)
            raise NothingCameError("the line has ended", self._socket.close_code)
        return came

    @property
    def left(self) -> list[Came]:
        """Return what came and was not taken."""
        queues = (self._answers, self._posts)
        found = [queue.get_nowait() for queue in queues for _ in range(queue.qsize())]
        return [came for came in found if came is not None]

    async def drop(self) -> None:
        """Lose the line without a word."""
        self._socket.transport.abort()
        await self._reader

    async def close(self) -> None:
        """Close the line in order."""
        await self._socket.close()
        await self._reader

    async def _read(self) -> None:
        try:
            async for data in self._socket:
                self._keep(data)
        except ConnectionClosed:
            pass
        finally:
            self._answers.put_nowait(None)
            self._posts.put_nowait(None)

    def _keep(self, data: bytes | str) -> None:
        try:
            message = plain(data, self.form)
        except SessionError as fault:
            # Whatever was due, this is something else, and will be reported as that.
            message = {"t": f"no message ({fault})"}
        queue = self._answers if is_answer(message) else self._posts
        queue.put_nowait(Came(message, data))


def is_answer(message: Message) -> bool:
    """Return whether a message of the server answers one of the client: it bears its number."""
    return "id" in message
