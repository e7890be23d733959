"""The wiring of a gateway: connections, and a worker that is asked for everything else."""

import asyncio
from typing import final

import structlog

from sunglare_server.base.clock import Clock, SystemClock, note_lag
from sunglare_server.base.entropy import SystemEntropy, base32_id, drawn_generation
from sunglare_server.base.histograms import LAG_MS, Histogram
from sunglare_server.base.tasks import kept_up, spawn
from sunglare_server.config import Settings
from sunglare_server.config_reload import ReadSettings, Reloading
from sunglare_server.gateway.filelimit import raise_file_limit
from sunglare_server.gateway.gateway import Gateway
from sunglare_server.gateway.remote.service import RemoteService
from sunglare_server.gateway.shutdown_broadcast import WORKERS
from sunglare_server.ops.control.control_socket import Control
from sunglare_server.ops.control.gateway_control import GatewayOperator, GatewayParts
from sunglare_server.ops.metrics.exporter import Metrics
from sunglare_server.ops.metrics.gateway_metrics import GatewaySite, gateway_figures
from sunglare_server.process import Ending, end_signals, listened, on_hangup, unbounded
from sunglare_server.transport.socket_client import SocketClient
from sunglare_server.transport.subjects import Trust
from sunglare_server.transport.transport import Transport

NAME_LETTERS = 8
"""The length of a name that is drawn."""


def drawn_name() -> str:
    """Return a name that no other process has."""
    return base32_id(SystemEntropy())[:NAME_LETTERS]


@final
class Edge:
    """A whole gateway in one object; `start` listens, `stop` sends all clients elsewhere."""

    def __init__(self, settings: Settings, clock: Clock | None = None) -> None:
        """Take the settings, which name the worker."""
        self.reloading = Reloading(settings, self._take)
        self.url = ""
        self._clock = clock or SystemClock()
        self._chore: asyncio.Task[None] | None = None
        self._log = structlog.get_logger()

    async def start(self) -> str:
        """Listen, whether the worker is there as yet or not; return the address."""
        settings = self.settings
        trust = Trust.SPECTATORS if settings.spectators else Trust.PLAYERS
        transport, name = await self._transport()
        self._service = RemoteService(
            transport, name, trust, self._clock, drawn_generation(SystemEntropy())
        )
        await self._service.open()
        if isinstance(transport, SocketClient):
            transport.open()
        self._gateway = Gateway(self._service, self._clock, self.settings)
        shutdown_broadcast = self._gateway.shutdown_broadcast
        self._service.on_closing = lambda closing: shutdown_broadcast.announce(closing, WORKERS)
        self.url = await self._gateway.listen(self.settings.host, self.settings.port)
        await self._open_outlets(name)
        raise_file_limit(self.settings.connections)
        self._log.info("listening", url=self.url, gateway=name)
        return self.url

    async def _transport(self) -> tuple[Transport, str]:
        """Return what carries to the workers, over an engine or a socket, and the own name."""
        settings = self.settings
        name = settings.name or drawn_name()
        if not settings.nats:
            return SocketClient(settings.worker, self._clock), name
        # Its client is an extra that no other part needs.
        from sunglare_server.cluster.client.connect import Reach, open_transport

        reach = Reach(urls=settings.nats, credentials=settings.credentials)
        name = reach.named(settings.name) or name
        return await open_transport(reach, f"gateway {name}", self._clock), name

    async def _open_outlets(self, name: str) -> None:
        parts = GatewayParts(
            name=name,
            url=self.url,
            lines=self._gateway,
            service=self._service,
            clock=self._clock,
            started_ms=self._clock.now_ms(),
            reload=self.reloading.again,
        )
        self.operator = GatewayOperator(parts)
        self._control = Control(self.settings.control_path, self.operator.perform)
        await self._control.listen()
        lag = Histogram(LAG_MS)
        clock = self._clock
        if isinstance(clock, SystemClock):
            self._chore = kept_up(lambda: note_lag(clock, lag.note), "lag", clock)
        site = GatewaySite(self._gateway, self._service, clock, clock.now_ms(), lag)
        host_names = self._gateway.admission.host_names
        self.metrics = Metrics(lambda: gateway_figures(site), host_names)
        await self.metrics.listen(self.settings.metrics)

    async def stop(self) -> None:
        """Ask all clients to reconnect, here or at another gateway; matches notice no more."""
        self._gateway.stop_listening()
        if self._chore is not None:
            self._chore.cancel()
        self.operator.close()
        await self._control.close()
        await self.metrics.close()
        await self._gateway.close()
        await self._service.close()
        self._log.info("stopped")

    @property
    def settings(self) -> Settings:
        """Return the settings that count now."""
        return self.reloading.settings

    async def _take(self, settings: Settings) -> tuple[str, ...]:
        """Go by those settings that can change while people play."""
        self._gateway.take(settings)
        raise_file_limit(settings.connections)
        return ()

    def _hung_up(self) -> None:
        spawn(self.reloading.on_hangup(), "read settings again")

    async def run(self, read: ReadSettings | None = None, ending: Ending = unbounded) -> int:
        """Serve until a signal or the operator ends it; return the exit code.

        `read` reads the settings again, whenever SIGHUP asks for it; without it nothing does.
        `ending` is called before it stops.
        """
        if read is not None:
            # While it starts it has just read them.
            self.reloading.read = read
            on_hangup(lambda: self._hung_up() if self.url else None)
        signalled = end_signals(lambda: bool(self.url), ending)
        await listened(await self.start(), signalled.wait, self.operator.drained.wait)
        ending()
        await self.stop()
        return 0
