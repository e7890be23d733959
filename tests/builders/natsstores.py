"""Stores of workers that share one NATS engine, each with a connection of its own."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import TypeVar

from builders.clusters import REPLICAS, engine_at
from builders.engines import Engines
from sunglare_server.cluster.client.connection import EngineRefusedError
from sunglare_server.cluster.store.ratings import NatsRatings
from sunglare_server.cluster.store.secret_store import NatsSecrets
from sunglare_server.cluster.store.store import NatsStore

_BEING_DELETED = 10049
"""The engine's number for a stream whose files of before are still being deleted."""

_TRIES = 50
_AGAIN_S = 0.1

T = TypeVar("T")


@contextlib.asynccontextmanager
async def nats_store(engines: Engines, *first: str) -> AsyncIterator[NatsStore]:
    """Have the store of a worker, by way of `first` instead if any is given."""
    engine = await engine_at(first or engines.urls, REPLICAS[len(engines.nodes)])
    try:
        store = await _opened(lambda: NatsStore.open(engine))
        try:
            yield store
        finally:
            await store.close()
    finally:
        await engine.close()


@contextlib.asynccontextmanager
async def nats_ratings(engines: Engines) -> AsyncIterator[NatsRatings]:
    """Have the ratings of a worker."""
    engine = await engine_at(engines.urls, REPLICAS[len(engines.nodes)])
    try:
        ratings = await _opened(lambda: NatsRatings.open(engine))
        try:
            yield ratings
        finally:
            await ratings.close()
    finally:
        await engine.close()


@contextlib.asynccontextmanager
async def nats_secrets(engines: Engines) -> AsyncIterator[NatsSecrets]:
    """Have the secrets that workers share."""
    engine = await engine_at(engines.urls, REPLICAS[len(engines.nodes)])
    try:
        yield await _opened(lambda: NatsSecrets.open(engine))
    finally:
        await engine.close()


async def _opened(opened: Callable[[], Awaitable[T]]) -> T:
    for _ in range(_TRIES):
        try:
            return await opened()
        except EngineRefusedError as error:
            # A test before this one has left them; nobody else deletes a stream.
            if error.code != _BEING_DELETED:
                raise
        await asyncio.sleep(_AGAIN_S)
    raise AssertionError("the streams of before are never deleted")
