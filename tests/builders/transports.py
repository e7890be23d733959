"""Carriers of every kind for one suite: a worker's end, two gateways' ends, and what cuts them."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import final

from builders.engines import Engines
from builders.memorytransport import MemoryNetwork
from builders.tcplines import tcp_proxied
from sunglare_server.base.clock import SystemClock
from sunglare_server.cluster.client.connection import Connection
from sunglare_server.cluster.nats_transport import NatsTransport
from sunglare_server.transport.socket_client import SocketClient
from sunglare_server.transport.socket_server import SocketServer
from sunglare_server.transport.transport import Transport

WAIT_S = 30.0
"""Seconds in which whatever must happen has happened on the slowest machine."""

NOBODYS_PORT = 1
"""A port of this machine at which nobody listens."""

Act = Callable[[], Awaitable[None]]


@final
class Ends:
    """A worker's end and the ends of its gateways; `cut` and `mend` are for the first of them."""

    def __init__(
        self, worker: Transport, gateways: tuple[Transport, ...], cut: Act, mend: Act
    ) -> None:
        self.worker = worker
        self.gateways = gateways
        self.cut = cut
        self.mend = mend

    @property
    def gateway(self) -> Transport:
        """Return the end that can be cut off."""
        return self.gateways[0]


@final
class Heard:
    """What came of a subscription, in its order."""

    def __init__(self) -> None:
        self.posts: list[tuple[str, bytes]] = []
        self._stirred = asyncio.Event()

    def take(self, subject: str, data: bytes) -> None:
        """Keep a post."""
        self.posts.append((subject, data))
        self._stirred.set()

    async def so_many(self, number: int) -> list[bytes]:
        """Return the bytes of the first posts once there are so many."""
        async with asyncio.timeout(WAIT_S):
            while len(self.posts) < number:
                self._stirred.clear()
                await self._stirred.wait()
        return [data for _, data in self.posts]


async def until(holds: Callable[[], bool]) -> None:
    """Return once something holds; fail if it does not for long."""
    async with asyncio.timeout(WAIT_S):
        while not holds():  # noqa: ASYNC110 - a test looks from outside
            await asyncio.sleep(0.005)


async def echo(subject: str, data: bytes) -> bytes:
    """Answer with what was asked, behind its subject."""
    return subject.encode() + b" " + data


@contextlib.asynccontextmanager
async def memory_ends(_: Path) -> AsyncIterator[Ends]:
    """Run ends in memory, in fair weather."""
    road = MemoryNetwork(SystemClock())
    worker, one, two = road.carrier("w"), road.carrier("g1"), road.carrier("g2")

    async def cut() -> None:
        one.cut()

    async def mend() -> None:
        one.mend()

    try:
        yield Ends(worker, (one, two), cut, mend)
    finally:
        for carrier in (one, two, worker):
            await carrier.close()


@final
class _Between:
    """Stands between a gateway and its worker's socket, and can break its lines off."""

    def __init__(self, worker: Path) -> None:
        self._worker = worker
        self._writers: list[asyncio.StreamWriter] = []

    async def handle(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Serve one line until either end closes it."""
        # It can be broken off from now on, even before the worker is reached.
        self._writers.append(writer)
        up_reader, up_writer = await asyncio.open_unix_connection(self._worker)
        self._writers.append(up_writer)
        ways = [_forward(reader, up_writer), _forward(up_reader, writer)]
        await asyncio.wait(map(asyncio.create_task, ways))

    def cut(self) -> None:
        """Break off every line."""
        for writer in self._writers:
            writer.transport.abort()
        self._writers.clear()


async def _forward(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with contextlib.suppress(OSError):
        while data := await reader.read(65_536):
            writer.write(data)
            await writer.drain()
    writer.transport.abort()


@contextlib.asynccontextmanager
async def socket_ends(folder: Path) -> AsyncIterator[Ends]:
    """Run a hub and gateways behind its socket; something stands between it and the first one."""
    path, gate, moved, clock = folder / "worker", folder / "gate", folder / "moved", SystemClock()
    hub, between = SocketServer(path), _Between(path)
    await hub.open()
    server = await asyncio.start_unix_server(between.handle, gate)
    one, two = SocketClient(gate, clock), SocketClient(path, clock)
    for carrier in (one, two):
        carrier.open()
    await until(lambda: one.is_up and two.is_up)

    async def cut() -> None:
        gate.rename(moved)
        between.cut()
        await until(lambda: not one.is_up)

    async def mend() -> None:
        moved.rename(gate)
        await until(lambda: one.is_up)

    try:
        yield Ends(hub, (one, two), cut, mend)
    finally:
        for carrier in (one, two):
            await carrier.close()
        await hub.close()
        server.close()
        between.cut()
        await server.wait_closed()


@contextlib.asynccontextmanager
async def nats_ends(engines: Engines) -> AsyncIterator[Ends]:
    """Run ends over an engine; the first gateway's line can be broken off."""
    url, port = engines.urls[0], engines.nodes[0].port
    async with tcp_proxied(port) as proxy:
        one = NatsTransport(await Connection.open((proxy.url,), "g1"), SystemClock())
        two = NatsTransport(await Connection.open((url,), "g2"), SystemClock())
        worker = NatsTransport(await Connection.open((url,), "w"), SystemClock())

        async def cut() -> None:
            proxy.upstream = NOBODYS_PORT
            proxy.cut()
            await until(lambda: not one.is_up)

        async def mend() -> None:
            proxy.upstream = port
            await until(lambda: one.is_up)

        try:
            yield Ends(worker, (one, two), cut, mend)
        finally:
            for carrier in (one, two, worker):
                await carrier.close()


Opened = Callable[[Path], contextlib.AbstractAsyncContextManager[Ends]]

KINDS: dict[str, Opened] = {"memory": memory_ends, "socket": socket_ends}
"""Every carrier by name."""
