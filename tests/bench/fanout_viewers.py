"""The spectators of `fanout.py`: thousands of WebSocket connections of one process that count.

A library's client would need more of the machine than the server that is measured. So these take
the protocol apart by hand, as far as a reader must: headers of frames, and pings, which are
answered. Ours also say `hello` and `watch`. The process gives way to all others.
"""

import asyncio
import os
import resource
import sys
from typing import cast, final
from urllib.parse import urlsplit

from sunglare_protocol.codec import Form, encode_client
from sunglare_protocol.ids import PUBLIC, MatchId
from sunglare_protocol.messages import PROTOCOL_VERSION, SUBPROTOCOL, ClientMessage, Hello, Watch
from sunglare_server.process import loop_factory

AT_ONCE = 50
"""So many connections are opened at a time."""

OPENS_S = 120.0
"""Seconds after which whoever is not connected never will be."""

KEY = "c3VuZ2xhcmUtYmVuY2gtMQ=="
BINARY, CLOSE, PING, PONG = 0x2, 0x8, 0x9, 0xA
FRAME = b"\xa1t\xa5frame"
"""How a frame begins, after the first byte."""


def masked(opcode: int, payload: bytes) -> bytes:
    """Return a WebSocket frame of a client, whose mask is four zeros and so changes nothing."""
    size = len(payload)
    head = bytes([0x80 | size]) if size < 126 else b"\xfe" + size.to_bytes(2)
    return bytes([0x80 | opcode]) + head + bytes(4) + payload


@final
class Line(asyncio.Protocol):
    """One connection; `frames` counts what came of a match, `messages` everything."""

    def __init__(self, url: str, greetings: list[ClientMessage]) -> None:
        """Connect to `url` and say the greetings, each after the answer to the one before."""
        self.frames = self.messages = 0
        self.is_closed = False
        self.is_ready = asyncio.get_running_loop().create_future()
        self._where = urlsplit(url)
        self._greetings = greetings
        self._held = b""
        self._is_open = False
        self._transport: asyncio.Transport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Ask for a WebSocket."""
        # uvloop's transports are of no class of asyncio's.
        self._transport = transport = cast(asyncio.Transport, transport)
        spoken = f"Sec-WebSocket-Protocol: {SUBPROTOCOL}\r\n" if self._greetings else ""
        transport.write(
            f"GET {self._where.path} HTTP/1.1\r\nHost: {self._where.netloc}\r\n"
            "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
            f"Sec-WebSocket-Key: {KEY}\r\n{spoken}\r\n".encode()
        )

    def connection_lost(self, exc: Exception | None) -> None:
        """Note that it has ended."""
        self.is_closed = True
        if not self.is_ready.done():
            self.is_ready.set_exception(exc or ConnectionError("closed before it was open"))

    def data_received(self, data: bytes) -> None:
        """Take what came apart."""
        self._held = data = self._held + data if self._held else data
        if not self._is_open:
            head, end, self._held = data.partition(b"\r\n\r\n")
            if not end:
                self._held = data
                return
            if not head.startswith(b"HTTP/1.1 101"):
                self.is_ready.set_exception(ConnectionError(head.decode(errors="replace")))
                return
            self._is_open = True
            self._greet()
        self._take()

    def _greet(self) -> None:
        if self._greetings:
            self._send(BINARY, encode_client(self._greetings.pop(0), Form.PACKED))
        elif not self.is_ready.done():
            self.is_ready.set_result(None)

    def _take(self) -> None:
        data, place = self._held, 0
        while len(data) >= place + 2:
            size, start = data[place + 1], place + 2
            if size > 125:
                width = 2 if size == 126 else 8
                if len(data) < start + width:
                    break
                size, start = int.from_bytes(data[start : start + width]), start + width
            if len(data) < start + size:
                break
            self._heard(data[place] & 0x0F, data, start, start + size)
            place = start + size
        self._held = data[place:]

    def _heard(self, opcode: int, data: bytes, start: int, end: int) -> None:
        if opcode == BINARY:
            self.messages += 1
            self.frames += data.startswith(FRAME, start + 1)
            if not self.is_ready.done():
                self._greet()
        elif opcode == PING:
            self._send(PONG, data[start:end])

    def _send(self, opcode: int, payload: bytes) -> None:
        assert self._transport is not None
        self._transport.write(masked(opcode, payload))

    def close(self) -> None:
        """End the connection."""
        if self._transport is not None:
            self._transport.abort()


async def opened(url: str, count: int, token: str, match: str) -> list[Line]:
    """Return so many connections; with a match they watch it."""
    where, lines = urlsplit(url), list[Line]()
    room = asyncio.Semaphore(AT_ONCE)

    async def come() -> None:
        greetings: list[ClientMessage] = []
        if match:
            watch = Watch(id=2, match=MatchId(match), feed=PUBLIC)
            greetings = [Hello(id=1, v=PROTOCOL_VERSION, token=token), watch]
        async with room:
            line = Line(url, greetings)
            lines.append(line)
            loop = asyncio.get_running_loop()
            await loop.create_connection(lambda: line, where.hostname or "", where.port or 0)
            await line.is_ready

    async with asyncio.timeout(OPENS_S):
        await asyncio.gather(*(come() for _ in range(count)))
    return lines


async def main_of(url: str, count: int, token: str, match: str) -> None:
    """Watch; for each input line tell how many frames came, the least of all, and who is gone."""
    lines = await opened(url, count, token, match)
    print("ready", flush=True)
    while await asyncio.to_thread(sys.stdin.readline):
        frames = [line.frames if match else line.messages for line in lines]
        gone = sum(line.is_closed for line in lines)
        print(sum(frames), min(frames, default=0), gone, flush=True)
    for line in lines:
        line.close()


def give_way() -> None:
    """Run only while nobody else wants the processor: the spectators of a server are elsewhere."""
    if hasattr(os, "SCHED_IDLE"):
        os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))
    else:
        os.nice(19)


def main() -> None:
    """Watch a match of a server with so many connections; without a match just read."""
    url, count, loop, *watched = sys.argv[1:]
    token, match = watched or ("", "")
    give_way()
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    with asyncio.Runner(loop_factory=loop_factory(loop)) as runner:
        runner.run(main_of(url, int(count), token, match))


if __name__ == "__main__":
    main()
