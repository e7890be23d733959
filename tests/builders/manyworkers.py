"""Workers and gateways in this process that share one engine, for as long as a test lasts."""

import contextlib
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any, final

from builders.data import shipped
from builders.engines import Engines
from builders.openlimits import OPEN
from builders.wires import Talker, met
from sunglare_protocol.ids import MatchId
from sunglare_server.app import App
from sunglare_server.config import Duty, Settings
from sunglare_server.gateway_app import Edge


@final
class Fleet:
    """Workers by name, and one gateway or more; what a worker keeps is in the engine alone."""

    def __init__(self, engines: Engines, folder: Path) -> None:
        """Begin with nobody."""
        self.workers: dict[str, App] = {}
        self._engines = engines
        self._folder = folder
        self._stack = contextlib.AsyncExitStack()
        self._edges: list[Edge] = []

    async def worker(self, name: str, **wish: Any) -> App:
        """Start a worker."""
        fields: dict[str, Any] = {"bots": (), "journal": self._folder / name, **OPEN, **wish}
        settings = Settings(
            duty=Duty.WORKER, name=name, nats=self._engines.urls, development=True, **fields
        )
        app = self.workers[name] = App(settings, library=shipped())
        await app.start()
        return app

    async def gateway(self, name: str = "g1") -> Edge:
        """Start a gateway."""
        settings = Settings(duty=Duty.GATEWAY, name=name, port=0, nats=self._engines.urls, **OPEN)
        edge = Edge(settings)
        await edge.start()
        self._edges.append(edge)
        return edge

    async def leave(self, name: str) -> None:
        """Let a worker end in order."""
        await self.workers.pop(name).stop()

    async def one(self, name: str | None = None, at: int = 0, **fields: Any) -> Talker:
        """Return another guest of a gateway, as `met` does."""
        return await self._stack.enter_async_context(met(self._edges[at].url, name, **fields))

    @property
    def url(self) -> str:
        """Return where the first gateway is found."""
        return self._edges[0].url

    def owner(self, match: MatchId) -> str:
        """Return which worker has the room of a match that goes on."""
        (name,) = [name for name, app in self.workers.items() if match in app.lobby.rooms]
        return name

    async def close(self) -> None:
        """Let everybody go."""
        await self._stack.aclose()
        for edge in self._edges:
            await edge.stop()
        for name in tuple(self.workers):
            await self.leave(name)


@contextlib.asynccontextmanager
async def fleet(engines: Engines, folder: Path, *workers: str) -> AsyncIterator[Fleet]:
    """Run these workers and a gateway."""
    made = Fleet(engines, folder)
    try:
        for name in workers:
            await made.worker(name)
        await made.gateway()
        yield made
    finally:
        await made.close()
