"""A server's whole storage: journal, store and ratings on one medium, opened together."""

import asyncio
import functools
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import NamedTuple, final

from sunglare_protocol.ids import MatchId
from sunglare_server.base.storage_health import Health
from sunglare_server.ports.audit_log import AuditLog
from sunglare_server.ports.journal import Journal
from sunglare_server.ports.rating_store import PlayerRatings
from sunglare_server.ports.sanctions import Sanctions
from sunglare_server.ports.secret_store import SecretStore
from sunglare_server.ports.store import Store
from sunglare_server.sqlite.audit_log import SqliteAuditLog
from sunglare_server.sqlite.damaged_tables import SetAside
from sunglare_server.sqlite.database import Database
from sunglare_server.sqlite.journal import SqliteJournal
from sunglare_server.sqlite.pruning import delete_match
from sunglare_server.sqlite.ratings import SqliteRatings
from sunglare_server.sqlite.sanctions import SqliteSanctions
from sunglare_server.sqlite.secret_store import SqliteSecrets
from sunglare_server.sqlite.store import SqliteStore

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
    audit_log: AuditLog | None = None
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
        SqliteAuditLog(database),
        functools.partial(delete_match, database),
        SqliteSecrets(database),
        aside,
        database.health,
    )
