"""Sanctions in each of the places that keep them."""

import contextlib
from collections.abc import AsyncIterator
from pathlib import Path

from builders.clusters import engine_on
from builders.engines import Engines
from sunglare_server.cluster.store.sanctions import NatsSanctions
from sunglare_server.ports.sanctions import Sanction, SanctionKind
from sunglare_server.sqlite.database import Database
from sunglare_server.sqlite.sanctions import SqliteSanctions

ANNA, BORIS = "a" * 32, "b" * 32
SPAM = "spam in the lobby"


def ban(whom: str = ANNA, until_ms: int | None = None, reason: str = SPAM) -> Sanction:
    """Return a ban that began in the first second of all time."""
    return Sanction(kind=SanctionKind.BAN, whom=whom, since_ms=1, until_ms=until_ms, reason=reason)


def mute(whom: str = ANNA, until_ms: int | None = None) -> Sanction:
    """Return a mute that began with that ban."""
    return Sanction(kind=SanctionKind.MUTE, whom=whom, since_ms=1, until_ms=until_ms)


@contextlib.asynccontextmanager
async def in_file(path: Path) -> AsyncIterator[SqliteSanctions]:
    """Have the sanctions of a database file."""
    database = await Database.open(path)
    try:
        yield await SqliteSanctions.open(database)
    finally:
        await database.close()


@contextlib.asynccontextmanager
async def on_worker(engines: Engines) -> AsyncIterator[NatsSanctions]:
    """Have the sanctions of one worker, over a connection of its own."""
    engine = await engine_on(engines)
    try:
        kept = await NatsSanctions.open(engine)
        try:
            yield kept
        finally:
            await kept.close()
    finally:
        await engine.close()
