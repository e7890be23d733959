"""A proxy between clients and a server that keeps whatever passes, and can break lines off."""

import asyncio
import contextlib
import itertools
from collections.abc import AsyncIterator, Iterator
from typing import final

from websockets.asyncio.client import ClientConnection
from websockets.asyncio.client import connect as open_socket
from websockets.asyncio.server import ServerConnection, serve
from websockets.exceptions import ConnectionClosed, WebSocketException
from websockets.typing import Subprotocol

from sunglare_protocol.codec import Form, decode_client, decode_server
from sunglare_protocol.messages import ClientMessage, ServerMessage

_SPOKEN = [Subprotocol(form.value) for form in Form]
_BYTES_MOST = 4 * 1024 * 1024
_GONE = (None, 1005, 1006)


@final
class Line:
    """What passed over one connection, up to the server and down from it."""

    def __init__(self) -> None:
        """Begin with nothing; of what came down it is told when, by the clock of the loop."""
        self.up: list[bytes] = []
        self.down: list[bytes] = []
        self.came_s: list[float] = []
        self.is_up = True

    def said(self) -> list[ClientMessage]:
        """Return what the client said."""
        return [decode_client(data, Form.PACKED) for data in self.up]

    def hearing(self) -> Iterator[ServerMessage]:
        """Yield what the server said, each read when it is wanted."""
        return (decode_server(data, Form.PACKED) for data in self.down)

    def heard(self) -> list[ServerMessage]:
        """Return what the server said."""
        return list(self.hearing())


@final
class Proxy:
    """Forwards binary messages between clients and servers, to which connections go in turns."""

    def __init__(self, *upstreams: str) -> None:
        """Forward to `upstreams`."""
        self._upstreams = itertools.cycle(upstreams)
        self.url = ""
        self.lines: list[Line] = []
        self.passed = 0
        self._stirred = asyncio.Event()

    async def wait_passed(self, number: int) -> None:
        """Wait until that many messages have come from the server in all."""
        while self.passed < number:
            self._stirred.clear()
            await self._stirred.wait()

    async def handle(self, client: ServerConnection) -> None:
        """Serve one connection; without a server it is broken off."""
        line = Line()
        self.lines.append(line)
        assert client.subprotocol is not None
        try:
            async with open_socket(
                next(self._upstreams),
                subprotocols=[client.subprotocol],
                compression=None,
                max_size=_BYTES_MOST,
                proxy=None,
            ) as server:
                await self._pump(client, server, line)
        except (OSError, WebSocketException):
            client.transport.abort()
        finally:
            line.is_up = False
            self._stirred.set()

    async def wait_down(self) -> None:
        """Wait until no line is up, when all that came over them is kept."""
        while any(line.is_up for line in self.lines):
            self._stirred.clear()
            await self._stirred.wait()

    async def _pump(self, client: ServerConnection, server: ClientConnection, line: Line) -> None:
        ways = [
            asyncio.create_task(self._forward(client, server, line.up)),
            asyncio.create_task(self._forward(server, client, line.down, line.came_s)),
        ]
        await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
        for way in ways:
            way.cancel()
        await asyncio.gather(*ways, return_exceptions=True)
        if server.close_code in _GONE:
            client.transport.abort()
        else:
            await client.close(server.close_code or 1000, server.close_reason or "")

    async def _forward(
        self,
        source: ServerConnection | ClientConnection,
        target: ServerConnection | ClientConnection,
        kept: list[bytes],
        came_s: list[float] | None = None,
    ) -> None:
        with contextlib.suppress(ConnectionClosed):
            async for data in source:
                assert isinstance(data, bytes)
                kept.append(data)
                if came_s is not None:
                    came_s.append(asyncio.get_running_loop().time())
                    self.passed += 1
                    self._stirred.set()
                await target.send(data)


@contextlib.asynccontextmanager
async def proxied(*upstreams: str) -> AsyncIterator[Proxy]:
    """Run a proxy in front of the servers at `upstreams`."""
    proxy = Proxy(*upstreams)
    async with serve(
        proxy.handle, "127.0.0.1", 0, subprotocols=_SPOKEN, compression=None, max_size=_BYTES_MOST
    ) as server:
        port = next(iter(server.sockets)).getsockname()[1]
        proxy.url = f"ws://127.0.0.1:{port}/play"
        yield proxy
