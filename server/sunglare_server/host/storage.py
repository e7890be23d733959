"""What a server keeps everything in: journal, store and ratings on one medium, opened together."""

import asyncio
import functools
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import NamedTuple, final

from sunglare_protocol.ids import MatchId
from sunglare_server.host.database import Database
from sunglare_server.host.deeds import Deeds
from sunglare_server.host.health import Health
from sunglare_server.host.journal import Journal
from sunglare_server.host.pruning import delete_match
from sunglare_server.host.ratings import PlayerRatings
from sunglare_server.host.sanctions import Sanctions
from sunglare_server.host.secretstore import SecretStore
from sunglare_server.host.setaside import SetAside
from sunglare_server.host.sqlite_deeds import SqliteDeeds
from sunglare_server.host.sqlite_journal import SqliteJournal
from sunglare_server.host.sqlite_ratings import SqliteRatings
from sunglare_server.host.sqlite_sanctions import SqliteSanctions
from sunglare_server.host.sqlite_secrets import SqliteSecrets
from sunglare_server.host.sqlite_store import SqliteStore
from sunglare_server.host.store import Store

Erase = Callable[[MatchId], Awaitable[None]]
"""Deletes everything that is kept of a match."""


@final
class Storage(NamedTuple):
    """An open medium; closing the journal closes it for the others as well."""

    journal: Journal
    store: Store
    ratings: PlayerRatings
    broken: asyncio.Event
    """Set when nothing is written to the medium any more: the process should end."""
    database: Database | None = None
    """The database file, for backups and the like; None for another medium."""
    sanctions: Sanctions | None = None
    """Those of the operator; None keeps them as long as the process lives."""
    deeds: Deeds | None = None
    """What operators have done; None likewise."""
    erase: Erase | None = None
    """What deletes everything that is kept of a match."""
    secrets: SecretStore | None = None
    """The server's own; None keeps them as long as the process lives."""
    aside: SetAside | None = None
    """What is set aside as damaged; None for another medium."""
    health: Health | None = None
    """Whether what is written is stored; None for a medium that always does."""


OpenStorage = Callable[[Path], Awaitable[Storage]]
"""Opens what is kept at a path."""


async def sqlite_storage(path: Path) -> Storage:
    """Return what the database file keeps, created if missing; OpenError names what's wrong."""
    database = await Database.open(path)
    try:
        return await _opened(database)
    except BaseException:
        await database.close()
        raise


async def _opened(database: Database) -> Storage:
    aside = await SetAside.open(database)
    ratings = SqliteRatings(database)
    if "ratings" not in aside.names:
        await ratings.refold_if_gone()
    return Storage(
        SqliteJournal(database),
        SqliteStore(database),
        ratings,
        database.broken,
        database,
        await SqliteSanctions.open(database),
        SqliteDeeds(database),
        functools.partial(delete_match, database),
        SqliteSecrets(database),
        aside,
        database.health,
    )
