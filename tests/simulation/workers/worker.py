"""One life of a worker: the real lobby and reception, on a line to the engine and a carrier."""

import asyncio
from random import Random
from typing import Any, cast, final

from builders.memorytransport import MemoryNetwork
from builders.openlimits import ROOMY
from simulation.workers.carriers import PlacedCarrier
from simulation.workers.engine import Engine, Line, Remote
from simulation.workers.leasing import SimLease
from simulation.workers.places import Place
from sunglare_server.accounts.accounts import Accounts
from sunglare_server.accounts.webhooks import Webhooks
from sunglare_server.base.clock import SystemClock
from sunglare_server.base.entropy import SeededEntropy
from sunglare_server.base.library import Library
from sunglare_server.base.tasks import kept_up
from sunglare_server.cluster.store.owned_rooms import OwnedRooms
from sunglare_server.cluster.store.store import NatsStore
from sunglare_server.housebots.housebots import HouseBots, Offer
from sunglare_server.lobby.lobby import Lobby
from sunglare_server.matchmaking.queue_store import QUEUE, QueueStore
from sunglare_server.ports.journal import Journal, JournalError
from sunglare_server.ports.rating_store import PlayerRatings
from sunglare_server.ports.secret_store import SecretStore
from sunglare_server.ports.store import Store, StoreError
from sunglare_server.rooms.quotas import RoomLimits
from sunglare_server.worker.rpc_server import RpcServer
from sunglare_server.worker.signed_claims import SignedClaims

EPOCH_MS = 1_800_000_000_000
"""What the clocks show when a run begins, but for what they are wrong by."""

_NS_PER_S = 1_000_000_000
_NS_PER_MS = 1_000_000


def steady_ns() -> int:
    """Return the simulated time in ns."""
    return round(asyncio.get_running_loop().time() * _NS_PER_S)


def clock(wrong_ms: int = 0) -> SystemClock:
    """Return a clock that is wrong by so many ms."""
    return SystemClock(lambda: steady_ns() + (EPOCH_MS + wrong_ms) * _NS_PER_MS, steady_ns)


@final
class Worker:
    """A life of the worker called `name`."""

    def __init__(
        self, name: str, life: int, engine: Engine, road: MemoryNetwork, way: Place, rng: Random
    ) -> None:
        """Begin nothing yet; `way` is where what is on the road is moved."""
        self.name = name
        self.called = f"{name}-{life}"
        self.place = Place(self.called)
        self.is_dead = False
        self.is_leaving = False
        self.line = Line(engine, self.place, rng)
        self.lease = SimLease(self.line, self.called, rng)
        self.carrier = PlacedCarrier(road.carrier(self.called), self.place, way)
        self.clock = clock(rng.randint(-3_000, 3_000))
        self._entropy = SeededEntropy(rng.randbytes(8))
        self._engine = engine

    async def begin(self, library: Library) -> None:
        """Begin as a process does; return once it serves."""
        await self.place.spawn(self._begin(library))

    async def leave(self) -> None:
        """End in order, in its own place."""
        self.is_leaving = True
        await self.place.spawn(self._leave())

    def kill(self) -> None:
        """End at once."""
        self.is_dead = True
        self.place.stand_still()
        self.line.close()
        self.carrier.inner.cut()

    async def _begin(self, library: Library) -> None:
        store = cast(Store, Remote(self.line, self._engine, StoreError))
        accounts = Accounts(store, self._entropy, ())
        await accounts.load()
        self.lobby = self._lobby(library, store, accounts)
        peer_rooms, takeover = self.lobby.peer_rooms, self.lobby.takeover
        secrets = cast(SecretStore, Remote(self.line, self._engine.secrets, StoreError))
        seals = SignedClaims(secrets, store, self.clock, self._entropy)
        self.reception = RpcServer(
            self.lobby, self.clock, self.carrier, seals, self.called, self.name
        )
        self.lobby.registry.on_served = self.reception.own
        await self.reception.open()
        self.lobby.begin()
        self.line.hear = self._hear
        for match, blob in await store.rooms():
            peer_rooms.hear(match, blob)
        waits = Remote(self.line, self._engine.waits, StoreError)
        self.lobby.quick.keep_in(cast(QueueStore, waits))
        self.lease.on_free(takeover.offer)
        takeover.offer(QUEUE)
        matches = self.lobby.matches
        self._chores = (
            kept_up(self.lease.beat, "beat", self.clock),
            kept_up(lambda: self.clock.heed_stops(int, matches.stood), "heed", self.clock),
        )

    def _lobby(self, library: Library, store: Store, accounts: Accounts) -> Lobby:
        journal = Remote(self.line, self._engine.journal, JournalError, "append")
        return Lobby(
            library,
            store,
            cast(Journal, journal),
            accounts,
            HouseBots(Offer((), 0, 0, {})),
            self.clock,
            self._entropy,
            RoomLimits(ROOMY),
            Webhooks(store, self.clock, None),
            cast(PlayerRatings, Remote(self.line, self._engine.ratings, StoreError)),
            self.lease,
            OwnedRooms(cast(NatsStore, store)),
        )

    def _hear(self, kind: str, facts: Any) -> None:
        match kind:
            case "name":
                self.lobby.accounts.heard(*facts)
            case "room":
                self.lobby.peer_rooms.hear(*facts)
            case "lease":
                self.lease.hear(*facts)
            case _:
                self.lease.hear_beat(*facts)

    async def _leave(self) -> None:
        self.lobby.policy.is_draining = True
        self.reception.stop_answering()
        await self.lobby.stop()
        await self.reception.close()
        for chore in self._chores:
            chore.cancel()
        await self.carrier.close()
