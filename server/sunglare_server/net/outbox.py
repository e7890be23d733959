"""The outbox of one connection: parcels in order, bounded, written by a task of its own.

A reader that does not keep up never holds up a match: a spectator skips to the newest frame
(each holds the whole view), a seat is disconnected and may resume.
"""

import asyncio
from collections import deque
from typing import final

from websockets.asyncio.server import ServerConnection
from websockets.exceptions import ConnectionClosed

from sunglare_protocol.codec import Form
from sunglare_protocol.refusals import Code
from sunglare_protocol.replies import Bye, Frame, ServerMessage
from sunglare_server.host.parcel import Parcel

PARCELS_MOST = 64
"""How many parcels may wait."""

BYTES_MOST = 256 * 1024
"""How many bytes may wait."""

TRY_AGAIN = 1013
"""The close code for a seat whose reader is too slow."""

SUPERSEDED = 4001
"""The close code for a connection whose seat another one has taken."""


@final
class Outbox:
    """Takes parcels without ever blocking, and sends them one after the other."""

    def __init__(self, socket: ServerConnection, form: Form) -> None:
        """Write to `socket` in `form`; `is_seated` decides what happens to a slow reader."""
        self.is_seated = False
        self._socket = socket
        self._form = form
        self._waiting: deque[tuple[Parcel, int]] = deque()
        self._bytes = 0
        self._filled = asyncio.Event()
        self._closing: tuple[int, str] | None = None
        self._task = asyncio.create_task(self._write())

    def put(self, parcel: Parcel) -> None:
        """Take a parcel for sending; a seat's reader that lags too far is disconnected."""
        if self._closing is not None:
            return
        size = len(parcel.encoded(self._form))
        self._waiting.append((parcel, size))
        self._bytes += size
        self._filled.set()
        if len(self._waiting) > PARCELS_MOST or self._bytes > BYTES_MOST:
            self._overflow()

    def say(self, message: ServerMessage) -> None:
        """Take a message for sending."""
        self.put(Parcel(message))

    def supersede(self) -> None:
        """End, because another connection has taken this seat."""
        self.say(Bye(code=Code.SEAT_TAKEN, text="Another connection has taken this seat."))
        self.close(SUPERSEDED, "superseded")

    def close(self, code: int, reason: str) -> None:
        """Close the connection after what waits has been sent."""
        if self._closing is None:
            self._closing = (code, reason)
            self._filled.set()

    async def finish(self) -> None:
        """End the writing task."""
        self._task.cancel()
        await asyncio.wait([self._task])

    def _overflow(self) -> None:
        if self.is_seated:
            self._waiting.clear()
            self.close(TRY_AGAIN, "too slow")
            return
        newest = next(each for each in reversed(self._waiting) if _is_newest(each[0]))
        kept = [each for each in self._waiting if not isinstance(each[0].message, Frame)]
        self._waiting = deque((*kept[-PARCELS_MOST // 2 :], newest))
        self._bytes = sum(size for _, size in self._waiting)

    async def _write(self) -> None:
        try:
            while True:
                await self._filled.wait()
                while self._waiting:
                    parcel, size = self._waiting.popleft()
                    self._bytes -= size
                    await self._send(parcel)
                if self._closing is not None:
                    await self._socket.close(*self._closing)
                    return
                self._filled.clear()
        except ConnectionClosed:
            return

    async def _send(self, parcel: Parcel) -> None:
        data = parcel.encoded(self._form)
        await self._socket.send(data, text=self._form is Form.JSON)


def _is_newest(parcel: Parcel) -> bool:
    return isinstance(parcel.message, Frame)
