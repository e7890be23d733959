"""Where several workers run: the engine, the road, workers that come again, and a gateway."""

import asyncio
import functools
from collections import Counter
from collections.abc import Coroutine
from random import Random
from typing import Any, final

from builders.memorytransport import MemoryNetwork, Weather
from simulation.workers.carriers import PlacedCarrier
from simulation.workers.engine import Engine
from simulation.workers.places import Place
from simulation.workers.trouble import DOWN_S, Scene, Trouble
from simulation.workers.worker import Worker, clock
from sunglare_protocol.ids import MatchId
from sunglare_server.base.library import Library, load_library
from sunglare_server.gateway.remote.service import RemoteService
from sunglare_server.transport.subjects import Trust


@functools.cache
def library() -> Library:
    """Return the shipped scenarios, read once."""
    return load_library(None)


GATE = "g"
"""The name of the gateway."""


@final
class Yard:
    """What a run is made of besides those who play, all of it drawn from `rng`."""

    engine: Engine
    road: MemoryNetwork
    way: Place
    gate: Place
    desk: RemoteService

    def __init__(self, rng: Random) -> None:
        """Begin nothing yet."""
        self._rng = rng
        self._workers: list[Worker] = []
        self._lives: Counter[str] = Counter()

    async def open(self) -> None:
        """Begin two or three workers and a gateway."""
        self.engine = await Engine.open(Random(self._rng.getrandbits(64)))
        self.road = MemoryNetwork(clock())
        self.way = Place("road")
        for name in self._rng.choice((("w1", "w2"), ("w1", "w2"), ("w1", "w2", "w3"))):
            await self._begin(name)
        await self._open_gate()

    async def troubled(
        self, scene: Scene, ends: list[asyncio.Task[Any]], within_s: float
    ) -> tuple[Counter[str], tuple[str, ...]]:
        """Bring trouble until all has ended; return what was brought, and what failed at it."""
        trouble = Trouble(scene, Random(self._rng.getrandbits(64)))
        keeping = asyncio.ensure_future(self._keep_up())
        troubling = asyncio.ensure_future(trouble.bring())
        await asyncio.wait(ends, timeout=within_s)
        for task in (keeping, troubling, *ends):
            task.cancel()
        await asyncio.wait((keeping, troubling))
        failures = [task.exception() for task in (keeping, troubling) if not task.cancelled()]
        return trouble.done, tuple(f"{one!r}" for one in failures if one is not None)

    def workers_now(self) -> list[Worker]:
        """Return the workers that live."""
        return [one for one in self._workers if not one.is_dead and not one.is_leaving]

    def owner(self, match: MatchId) -> Worker | None:
        """Return who owns a match, if that one lives."""
        entry = self.engine.entries.get(match)
        living = self.workers_now()
        return next((one for one in living if entry and one.called == entry.holder), None)

    def shake(self, weather: Weather) -> None:
        """Have this weather on the road."""
        self.road.weather = weather

    def at_gate(self, work: Coroutine[Any, Any, Any]) -> asyncio.Task[Any]:
        """Begin something in the place of the gateway."""
        return self.gate.spawn(work)

    async def _begin(self, name: str) -> None:
        self._lives[name] += 1
        rng = Random(self._rng.getrandbits(64))
        worker = Worker(name, self._lives[name], self.engine, self.road, self.way, rng)
        await worker.begin(library())
        self._workers.append(worker)

    async def _keep_up(self) -> None:
        """Begin a worker again whenever it is down."""
        while True:
            await asyncio.sleep(0.1)
            for name in tuple(self._lives):
                if all(one.name != name for one in self.workers_now()):
                    await asyncio.sleep(self._rng.uniform(*DOWN_S))
                    await self._begin(name)

    async def _open_gate(self) -> None:
        self.gate = Place("gate")
        is_steady = self._rng.random() < 0.5
        carrier = PlacedCarrier(self.road.carrier(GATE, is_steady=is_steady), self.gate, self.way)
        self.desk = RemoteService(carrier, GATE, Trust.PLAYERS, clock(), generation=1)
        await self.gate.spawn(self.desk.open())
