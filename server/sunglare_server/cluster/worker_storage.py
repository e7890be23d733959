"""A worker's part of an engine, opened together: journal, store, ratings, lease, transport."""

import asyncio
from typing import NamedTuple, final

from sunglare_protocol.ids import MatchId
from sunglare_server.base.clock import Clock
from sunglare_server.base.entropy import Entropy
from sunglare_server.cluster.client.connect import Reach, open_transport
from sunglare_server.cluster.client.connection import Connection
from sunglare_server.cluster.client.credentials import system_beside
from sunglare_server.cluster.client.durability_check import REPLICAS, require_safety
from sunglare_server.cluster.client.engine import Engine
from sunglare_server.cluster.journal.journal import NatsJournal
from sunglare_server.cluster.journal.replicas import Copies
from sunglare_server.cluster.lease.lease import NatsLease
from sunglare_server.cluster.nats_transport import NatsTransport
from sunglare_server.cluster.store.audit_log import NatsAuditLog
from sunglare_server.cluster.store.owned_rooms import OwnedRooms
from sunglare_server.cluster.store.queue_store import NatsWaits
from sunglare_server.cluster.store.ratings import NatsRatings
from sunglare_server.cluster.store.sanctions import NatsSanctions
from sunglare_server.cluster.store.secret_store import NatsSecrets
from sunglare_server.cluster.store.store import NatsStore
from sunglare_server.sqlite.storage import Erase, Storage


@final
class Site(NamedTuple):
    """The parts, over two lines: what is carried never waits behind what is stored."""

    storage: Storage
    store: NatsStore
    ratings: NatsRatings
    lease: NatsLease
    repository: OwnedRooms
    transport: NatsTransport
    sanctions: NatsSanctions
    waits: NatsWaits
    connection: Connection
    engine: Engine
    copies: Copies

    async def close(self) -> None:
        """Release everything; what this worker owns can be claimed at once."""
        await self.lease.close()
        await self.sanctions.close()
        await self.ratings.close()
        await self.store.close()
        await self.storage.journal.close()
        await self.connection.close()


def _erasing(journal: NatsJournal, store: NatsStore) -> Erase:
    """Return what deletes everything of a match, in the order in which an archivist does."""

    async def erase(match: MatchId) -> None:
        await journal.mark_leaving(match)
        await store.drop_reports(match)
        await store.drop_room(match)
        await journal.drop(match)

    return erase


async def open_site(
    reach: Reach, worker: str, ttl_ms: int, clock: Clock, entropy: Entropy
) -> Site:
    """Return what a worker needs of an engine; raise `UnsafeEngineError` if that is not safe.

    Raise `EngineError` or `LeaseError` if it can't be reached or used.
    """
    system = None if reach.credentials is None else system_beside(reach.credentials)
    await require_safety(reach.urls, system, reach.trust, is_development=reach.is_development)
    connection = await Connection.open(reach.urls, f"worker {worker}", reach.login, reach.trust)
    engine = Engine(connection, clock, entropy, 1 if reach.is_development else REPLICAS)
    journal = await NatsJournal.open(engine)
    store = await NatsStore.open(engine)
    ratings = await NatsRatings.open(engine)
    sanctions = await NatsSanctions.open(engine)
    audit_log = await NatsAuditLog.open(engine)
    erase = _erasing(journal, store)
    lease = await NatsLease.open(engine, worker, ttl_ms)
    return Site(
        storage=Storage(
            journal,
            store,
            ratings,
            asyncio.Event(),
            sanctions=sanctions,
            audit_log=audit_log,
            erase=erase,
            secrets=await NatsSecrets.open(engine),
            health=engine.health,
        ),
        store=store,
        ratings=ratings,
        lease=lease,
        repository=OwnedRooms(store),
        transport=await open_transport(reach, f"road of {worker}", clock),
        sanctions=sanctions,
        waits=await NatsWaits.open(engine),
        connection=connection,
        engine=engine,
        copies=Copies(connection, journal.streams, clock),
    )
