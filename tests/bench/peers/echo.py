"""A bare `websockets` server that answers each message with what a recording says came after it.

    echo.py RECORDING [plain|hooked]

It has our gateway's options and its event loop. `hooked` takes messages where they arrive and
writes all answers to one of them at once, as far as one can go without leaving the library.
"""

import asyncio
import struct
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, final

from websockets.asyncio.server import ServerConnection, serve

from sunglare_server.process import loop_factory, tune_python

OPTIONS: dict[str, Any] = {
    "compression": None,
    "max_size": 65536,
    "max_queue": 16,
    "ping_interval": None,
    "server_header": None,
}
BINARY = 2

Bursts = list[list[bytes]]
"""What a connection is sent, by the message of its own that came before."""


@final
class Reader:
    """Reads the numbers and messages of a recording, one after the other."""

    def __init__(self, data: bytes) -> None:
        """Begin at the first."""
        self._data = data
        self._at = 0

    def number(self) -> int:
        """Return the next number."""
        found: int = struct.unpack_from("<I", self._data, self._at)[0]
        self._at += 4
        return found

    def message(self) -> bytes:
        """Return the next message."""
        size = self.number()
        self._at += size
        return self._data[self._at - size : self._at]

    def skip(self, counted: bool = False) -> None:
        """Pass a byte, and with `counted` as many more as it says."""
        self._at += 1 + (self._data[self._at] if counted else 0)


def bursts(recording: Reader) -> Iterator[Bursts]:
    """Yield the answers of each connection."""
    connections = recording.number()
    recording.number()
    for _ in range(connections):
        for _ in range(recording.number()):
            recording.skip(counted=True)
            recording.message()
        sends = recording.number()
        for _ in range(sends):
            recording.number()
            recording.message()
        yield [list(_burst(recording)) for _ in range(sends)]


def _burst(recording: Reader) -> Iterator[bytes]:
    for _ in range(recording.number()):
        recording.skip()
        yield recording.message()


def head(size: int) -> bytes:
    """Return the head of a binary frame of so many bytes."""
    if size < 126:
        return bytes((0x80 | BINARY, size))
    return bytes((0x80 | BINARY, 126)) + size.to_bytes(2, "big")


async def run(answers: list[Bursts], *, is_hooked: bool) -> None:
    """Serve until it is ended; print `listening on URL`."""

    def place(socket: ServerConnection) -> int:
        assert socket.request is not None
        return int(socket.request.path.strip("/"))

    class Hooked(ServerConnection):
        _next: Iterator[list[bytes]] | None = None

        def process_event(self, event: Any) -> None:
            if getattr(event, "opcode", None) != BINARY:
                super().process_event(event)
                return
            self._next = self._next or iter(answers[place(self)])
            self.transport.write(b"".join(head(len(d)) + d for d in next(self._next)))

    async def answer(socket: ServerConnection) -> None:
        following = iter(answers[place(socket)])
        async for _ in socket:
            for data in next(following):
                await socket.send(data)

    async def wait(socket: ServerConnection) -> None:
        await socket.wait_closed()

    kind: dict[str, Any] = {"create_connection": Hooked} if is_hooked else {}
    handler = wait if is_hooked else answer
    async with serve(handler, "127.0.0.1", 0, **OPTIONS, **kind) as server:
        port = next(iter(server.sockets)).getsockname()[1]
        print(f"listening on ws://127.0.0.1:{port}/play", flush=True)
        await asyncio.Event().wait()


def main() -> None:
    """Serve the recording named."""
    answers = list(bursts(Reader(Path(sys.argv[1]).read_bytes())))
    tune_python()
    with asyncio.Runner(loop_factory=loop_factory("auto")) as runner:
        runner.run(run(answers, is_hooked="hooked" in sys.argv))


if __name__ == "__main__":
    main()
