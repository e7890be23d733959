"""The server's own secrets: one for each name, and of two who draw one both find the first."""

import asyncio
from pathlib import Path

from sunglare_server.ports.secret_store import SecretStore
from sunglare_server.sqlite.database import Database
from sunglare_server.sqlite.secret_store import SqliteSecrets


async def test_a_secret_that_was_never_drawn_is_none(secret_store: SecretStore) -> None:
    assert await secret_store.secret("seals") is None


async def test_a_secret_is_found_by_its_name_alone(secret_store: SecretStore) -> None:
    assert await secret_store.put_secret("seals", b"\x00one", None)
    assert await secret_store.put_secret("marks", b"other", None)
    assert await secret_store.secret("seals") == b"\x00one"
    assert await secret_store.secret("marks") == b"other"


async def test_a_secret_is_replaced_only_by_who_knows_it(secret_store: SecretStore) -> None:
    await secret_store.put_secret("seals", b"one", None)
    for was in (None, b"", b"two"):
        assert not await secret_store.put_secret("seals", b"three", was)
    assert await secret_store.secret("seals") == b"one"
    assert await secret_store.put_secret("seals", b"two", b"one")
    assert await secret_store.secret("seals") == b"two"


async def test_of_two_who_draw_a_secret_at_once_one_has_drawn_it(
    secret_store: SecretStore,
) -> None:
    drawn = (b"one", b"two")
    outcomes = await asyncio.gather(
        *[secret_store.put_secret("seals", value, None) for value in drawn]
    )
    assert sorted(outcomes) == [False, True]
    assert await secret_store.secret("seals") == drawn[outcomes.index(True)]


async def test_a_secret_in_a_file_outlasts_the_process(path: Path) -> None:
    for _ in range(2):
        database = await Database.open(path)
        secrets = SqliteSecrets(database)
        await secrets.put_secret("seals", b"one", None)
        assert await secrets.secret("seals") == b"one"
        await database.close()
