"""Stores of workers that share one NATS engine, each with a connection of its own."""

import contextlib
from collections.abc import AsyncIterator

from builders.clusters import REPLICAS, engine_at
from builders.engines import Engines
from sunglare_server.cluster.nats_store import NatsStore


@contextlib.asynccontextmanager
async def nats_store(engines: Engines, *first: str) -> AsyncIterator[NatsStore]:
    """Have the store of a worker, by way of `first` instead if any is given."""
    engine = await engine_at(first or engines.urls, REPLICAS[len(engines.nodes)])
    try:
        store = await NatsStore.open(engine)
        try:
            yield store
        finally:
            await store.close()
    finally:
        await engine.close()
