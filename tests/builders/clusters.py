"""Engines as workers use them, on the servers that a test runs."""

import contextlib
from collections.abc import AsyncIterator

from builders.engines import Engines
from sunglare_server.base.clock import SystemClock
from sunglare_server.base.entropy import SystemEntropy
from sunglare_server.cluster.client.connection import Connection
from sunglare_server.cluster.client.engine import Engine
from sunglare_server.cluster.journal.journal import NatsJournal

REPLICAS = {1: 1, 3: 3}
"""How many copies are kept, by the number of servers."""


async def engine_at(urls: tuple[str, ...], replicas: int) -> Engine:
    """Return an engine over a connection of its own to one of `urls`."""
    connection = await Connection.open(urls, "a test")
    return Engine(connection, SystemClock(), SystemEntropy(), replicas)


async def engine_on(engines: Engines) -> Engine:
    """Return an engine over a connection of its own."""
    return await engine_at(engines.urls, REPLICAS[len(engines.nodes)])


@contextlib.asynccontextmanager
async def journal_on(engines: Engines, *first: str) -> AsyncIterator[NatsJournal]:
    """Open a journal over a connection of its own, to `first` instead if any is given."""
    engine = await engine_at(first or engines.urls, REPLICAS[len(engines.nodes)])
    try:
        yield await NatsJournal.open(engine)
    finally:
        await engine.close()
