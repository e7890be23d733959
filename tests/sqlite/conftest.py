"""The database in a file, and each store of every kind."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from builders.engines import Engines, empty
from builders.natsstores import nats_ratings, nats_secrets, nats_store
from builders.stores import KINDS, storage_of
from sunglare_server.ports.rating_store import PlayerRatings
from sunglare_server.ports.secret_store import ProcessSecrets, SecretStore
from sunglare_server.ports.store import Store
from sunglare_server.sqlite.database import Database
from sunglare_server.sqlite.secret_store import SqliteSecrets


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Return where a server with this folder keeps its database."""
    return tmp_path / "journal.db"


@pytest.fixture
async def database(path: Path) -> AsyncIterator[Database]:
    """Give a test the database in an empty file."""
    database = await Database.open(path)
    yield database
    await database.close()


@pytest.fixture(params=[*KINDS, pytest.param("nats", marks=pytest.mark.needs_nats)])
async def store(request: pytest.FixtureRequest, path: Path) -> AsyncIterator[Store]:
    """Give a test an empty store of each kind, also of the one that many machines share."""
    if request.param == "nats":
        node: Engines = request.getfixturevalue("node_of_all")
        await empty(node)
        async with nats_store(node) as shared:
            yield shared
        return
    storage = await storage_of(request.param, path)
    yield storage.store
    await storage.journal.close()


@pytest.fixture(params=["process", "sqlite", pytest.param("nats", marks=pytest.mark.needs_nats)])
async def secret_store(request: pytest.FixtureRequest, path: Path) -> AsyncIterator[SecretStore]:
    """Give a test an empty store of secrets of each kind."""
    match request.param:
        case "process":
            yield ProcessSecrets()
        case "sqlite":
            database = await Database.open(path)
            yield SqliteSecrets(database)
            await database.close()
        case _:
            node: Engines = request.getfixturevalue("node_of_all")
            await empty(node)
            async with nats_secrets(node) as shared:
                yield shared


@pytest.fixture(params=[*KINDS, pytest.param("nats", marks=pytest.mark.needs_nats)])
async def ratings(request: pytest.FixtureRequest, path: Path) -> AsyncIterator[PlayerRatings]:
    """Give a test ratings of each kind in which nobody has played yet."""
    if request.param == "nats":
        node: Engines = request.getfixturevalue("node_of_all")
        await empty(node)
        async with nats_ratings(node) as shared:
            yield shared
        return
    storage = await storage_of(request.param, path)
    yield storage.ratings
    await storage.journal.close()
