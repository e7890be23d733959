"""A proxy for any lines over TCP that can be cut, or made deaf: what comes down is thrown away."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from typing import final

_READ_BYTES = 65_536


@final
class TcpProxy:
    """Forwards whatever arrives at `port` to a port of this machine, and back."""

    def __init__(self, upstream: int) -> None:
        """Forward to port `upstream`; what goes up with `deafened_by` in it makes it deaf."""
        self.upstream = upstream
        self.port = 0
        self.is_deaf = False
        self.deafened_by: bytes | None = None
        self._writers: list[asyncio.StreamWriter] = []

    @property
    def url(self) -> str:
        """Return where clients of an engine connect."""
        return f"nats://127.0.0.1:{self.port}"

    def cut(self) -> None:
        """Break off every line, and hear again."""
        for writer in self._writers:
            writer.transport.abort()
        self._writers.clear()
        self.is_deaf, self.deafened_by = False, None

    async def handle(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Serve one line until either end closes it."""
        try:
            up_reader, up_writer = await asyncio.open_connection("127.0.0.1", self.upstream)
        except OSError:
            writer.transport.abort()
            return
        self._writers += [writer, up_writer]
        ways = [
            asyncio.create_task(self._forward(reader, up_writer, is_down=False)),
            asyncio.create_task(self._forward(up_reader, writer, is_down=True)),
        ]
        await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
        for way in ways:
            way.cancel()
        await asyncio.gather(*ways, return_exceptions=True)
        writer.transport.abort()
        up_writer.transport.abort()

    async def _forward(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, *, is_down: bool
    ) -> None:
        with contextlib.suppress(OSError):
            while data := await reader.read(_READ_BYTES):
                if not is_down and self.deafened_by is not None and self.deafened_by in data:
                    self.is_deaf = True
                if not (is_down and self.is_deaf):
                    writer.write(data)
                    await writer.drain()


@contextlib.asynccontextmanager
async def tcp_proxied(upstream: int) -> AsyncIterator[TcpProxy]:
    """Run a proxy in front of a port of this machine."""
    proxy = TcpProxy(upstream)
    server = await asyncio.start_server(proxy.handle, "127.0.0.1", 0)
    proxy.port = server.sockets[0].getsockname()[1]
    try:
        yield proxy
    finally:
        server.close()
        proxy.cut()
        await server.wait_closed()
