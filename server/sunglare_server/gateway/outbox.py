"""The outbox of one connection: messages in order, bounded, what comes together in one write.

Theory of operation. Everything that a connection is sent goes through one queue, so its order is
the order in which it was put, answers and posts alike. Messages carry bytes that were made once
for all who get them. What is put within one round of the loop leaves in one write, without a task
being woken for it; only if the transport is full does the writing task take over and wait.

A reader that does not keep up never holds up a match. What waits is bounded by number and bytes:

- a spectator skips: all frames but the newest are dropped, for each holds the whole view;
- a seat, which must miss nothing, is disconnected with `try again`, and may resume;
- what a peer itself has asked for does not count against it; instead its next question is not read
  before this one has gone out (`drained`), so that asking much and reading nothing costs only it.

A connection is closed behind what waits: `close` and `dismiss` let the queue run out first, and
nothing is taken after them. `abort` is for a peer that does not even take that.
"""

import asyncio
from collections import deque
from collections.abc import Callable
from typing import final

import msgspec
from websockets.asyncio.server import ServerConnection
from websockets.exceptions import ConnectionClosed
from websockets.protocol import State

from sunglare_protocol.codec import Form
from sunglare_protocol.compact import Stream
from sunglare_protocol.ids import Audience, MatchId
from sunglare_protocol.messages.replies import Bye, ServerMessage
from sunglare_server.api.port import SEAT_TAKEN, SUPERSEDED
from sunglare_server.base.tasks import spawn
from sunglare_server.gateway.access_log import Access
from sunglare_server.gateway.frame_headers import BINARY, TEXT, head
from sunglare_server.runtime.encoded_message import EncodedMessage

MESSAGES_MOST = 64
"""How many encoded messages may wait."""

BYTES_MOST = 256 * 1024
"""How many bytes may wait."""

ASKED_BYTES_MOST = 128 * 1024
"""How many bytes may wait before no more is asked of us; a message takes about twice its bytes."""

BUFFERED_MOST = 16 * 1024
"""How many bytes go out in one write, and how many the transport may hold before we wait."""

TRY_AGAIN = 1013
"""The close code for a seat whose reader is too slow."""


@final
class _Waiting(msgspec.Struct, frozen=True):
    """An encoded message that waits; what the peer asked for does not count against the limits."""

    encoded_message: EncodedMessage
    size: int
    is_asked: bool


@final
class Outbox:
    """Takes encoded messages without ever blocking, and sends them one after the other."""

    def __init__(self, socket: ServerConnection, form: Form, access: Access) -> None:
        """Write to `socket` in `form`; `is_seated` decides what happens to a slow reader.

        `access` notes what the log says of the connection in the end.
        """
        self.access = access
        self.form = form
        self.forms = (form,)
        self.is_seated = False
        self._socket = socket
        self._waiting: deque[_Waiting] = deque()
        self._count = 0
        self._bytes = 0
        self._all_bytes = 0
        self._emptied = asyncio.Event()
        self._closing: tuple[int, str] | None = None
        self._loop = asyncio.get_running_loop()
        self._is_flush_due = False
        # The newest frame of each feed that a compact line was sent.
        self._shown: dict[Stream, int] = {}
        self._task: asyncio.Task[None] | None = None
        self._is_over = False

    def put(self, encoded_message: EncodedMessage) -> None:
        """Take a message of a feed; a reader that lags too far skips or is disconnected."""
        self._add(encoded_message, is_asked=False)
        if self._is_over_full:
            self.flush()
        if self._is_over_full:
            self._overflow()

    def give(self, encoded_message: EncodedMessage) -> None:
        """Take a message that the peer asked for; `drained` holds its next question back."""
        self._add(encoded_message, is_asked=True)

    def say(self, message: ServerMessage) -> None:
        """Take an answer."""
        self.access.said(message)
        self.give(EncodedMessage(message))

    def subscriber(self, match: MatchId, feed: Audience) -> "Outbox":  # noqa: ARG002 - of a line
        """Return what takes the encoded messages of a feed: itself, whichever it is."""
        return self

    @property
    def why_closed(self) -> str:
        """Return why this end has closed it; empty if it has not."""
        return "" if self._closing is None else self._closing[1]

    @property
    def is_closing(self) -> bool:
        """Return whether the connection ends once what waits has been sent."""
        return self._closing is not None

    @property
    def is_open(self) -> bool:
        """Return whether the peer is still there, as far as is known, and is not being closed."""
        return not self.is_closing and self._is_line_up

    @property
    def round_trip_ms(self) -> int:
        """Return how long a ping took there and back last, 0 before the first one."""
        return round(self._socket.latency * 1000)

    def holds(self, encoded_message: EncodedMessage) -> bool:
        """Return whether `encoded_message` still waits to be sent."""
        return any(waiting.encoded_message is encoded_message for waiting in self._waiting)

    async def drained(self) -> bool:
        """Return True once less than the limits waits; False where the connection is done for.

        All that waits counts here: a peer that asks for much and reads nothing is sent no more of
        it.
        """
        while self.is_behind and not self._is_over:
            self._emptied.clear()
            await self._emptied.wait()
        return not self._is_over

    def supersede(self) -> None:
        """End, because another connection has taken this seat."""
        self.say(SEAT_TAKEN)
        self.close(SUPERSEDED, "superseded")

    def dismiss(self, bye: Bye, code: int) -> None:
        """Say farewell and close the connection with a close code."""
        self.say(bye)
        self.close(code, bye.code.value)

    def let_go(self) -> None:
        """Note the end of a feed, which is not sent to the peer."""

    def flush(self) -> None:
        """Send what waits, as long as the connection takes it without being waited for."""
        self._is_flush_due = False
        if self._task is not None or self._is_over:
            return
        transport = self._socket.transport
        while self._waiting and transport.get_write_buffer_size() < BUFFERED_MOST:
            self._write_some()
        if self._waiting:
            self._write_on()
        if not self.is_behind:
            self._emptied.set()

    def close(self, code: int, reason: str) -> None:
        """Close the connection after what waits has been sent."""
        if self._closing is None:
            self._closing = (code, reason)
            self._write_on()

    async def finish(self) -> None:
        """Write nothing any more."""
        self._is_over = True
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait([self._task])
        self._emptied.set()

    def _add(self, encoded_message: EncodedMessage, *, is_asked: bool) -> None:
        if self._closing is not None:
            return
        size = len(encoded_message.encoded(self.form))
        self._waiting.append(_Waiting(encoded_message, size, is_asked))
        self._all_bytes += size
        if not is_asked:
            self._count += 1
            self._bytes += size
        if not self._is_flush_due:
            self._is_flush_due = True
            self._loop.call_soon(self.flush)

    @property
    def is_behind(self) -> bool:
        """Return whether no more may be asked of us before some of what waits has gone out."""
        return len(self._waiting) > MESSAGES_MOST or self._all_bytes > ASKED_BYTES_MOST

    @property
    def _is_over_full(self) -> bool:
        return self._count > MESSAGES_MOST or self._bytes > BYTES_MOST

    def _overflow(self) -> None:
        if not self.is_seated:
            self._keep_newest_frame()
        if self.is_seated or self._is_over_full:
            self._keep(lambda waiting: waiting.is_asked)
            self.close(TRY_AGAIN, "too slow")

    def _keep_newest_frame(self) -> None:
        frames = [waiting for waiting in self._waiting if _is_frame(waiting)]
        newest = frames[-1] if frames else None
        self._keep(lambda waiting: not _is_frame(waiting) or waiting is newest)

    def _keep(self, wanted: Callable[[_Waiting], bool]) -> None:
        self._waiting = deque(waiting for waiting in self._waiting if wanted(waiting))
        counted = [waiting.size for waiting in self._waiting if not waiting.is_asked]
        self._count, self._bytes = len(counted), sum(counted)
        self._all_bytes = sum(waiting.size for waiting in self._waiting)

    def _write_on(self) -> None:
        """Have a task write what waits and close the connection, if it is to be closed."""
        if self._task is None and not self._is_over:
            self._task = spawn(self._write(), "outbox")

    async def _write(self) -> None:
        goes_on = False
        try:
            while self._waiting:
                await self._send()
            if self._closing is not None:
                await self._socket.close(*self._closing)
            goes_on = self._closing is None
        except ConnectionClosed:
            return
        finally:
            self._task = None
            self._is_over = self._is_over or not goes_on
            self._emptied.set()

    def _write_some(self) -> None:
        """Write what waits, up to the limit of one write; nothing goes out after the close."""
        first = TEXT if self.form is Form.JSON else BINARY
        parts: list[bytes] = []
        size = 0
        while self._waiting and size < BUFFERED_MOST:
            data = self._taken()
            size += len(data)
            parts += (head(first, len(data)), data)
        if self._is_line_up:
            self._socket.transport.write(b"".join(parts))

    @property
    def _is_line_up(self) -> bool:
        is_open = self._socket.protocol.state is State.OPEN
        return is_open and not self._socket.transport.is_closing()

    async def _send(self) -> None:
        await self._socket.send(self._taken(), text=self.form is Form.JSON)
        if not self.is_behind:
            self._emptied.set()

    def _taken(self) -> bytes:
        """Take the first encoded message off the queue and return its data."""
        first = self._waiting.popleft()
        self._all_bytes -= first.size
        if not first.is_asked:
            self._count -= 1
            self._bytes -= first.size
        is_compact = self.form is Form.COMPACT
        encoded_message, shown = first.encoded_message, self._shown
        data = (
            encoded_message.following(shown) if is_compact else encoded_message.encoded(self.form)
        )
        self.access.sent_bytes += len(data)
        return data


def _is_frame(waiting: _Waiting) -> bool:
    return not waiting.is_asked and waiting.encoded_message.header.stream is not None
