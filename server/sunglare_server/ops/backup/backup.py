"""Backups of a running server's database, and the deletion of its old matches."""

import asyncio
from pathlib import Path

from sunglare_protocol.ids import MatchId
from sunglare_server.base.storage_errors import MediumError
from sunglare_server.ops.backup.record_archive import folder_of, is_archived
from sunglare_server.ops.control.overview import Installation
from sunglare_server.ops.control.requests import DAYS_MOST, RequestError
from sunglare_server.sqlite.backup import keep_copy, make_room
from sunglare_server.sqlite.pruning import delete_match, ended_matches
from sunglare_server.sqlite.schema import OpenError
from sunglare_server.sqlite.store import SqliteStore

PART = ".part"
"""What is added to the name of a backup until it is whole and checked."""

NO_BACKUP = (
    "this server keeps nothing in a file: what the engine of a cluster holds is backed up with the"
    " engine's own means, as OPERATIONS says under `Backup of a cluster`"
)
"""What is said where a backup is asked of a server that has no database."""

NO_PRUNING = (
    "prune deletes from a database file, and this server has none: what the engine of a cluster"
    " keeps of finished matches goes as OPERATIONS says under `Many machines`"
)
"""What is said there of old matches."""

_DAY_MS = 86_400_000


async def back_up(site: Installation, name: str) -> str:
    """Copy the database to the new file `name`, check the copy, and say how much it holds."""
    if site.database is None:
        raise RequestError(NO_BACKUP)
    path = Path(name)
    if not path.is_absolute():
        raise RequestError(f"{name!r}: a backup is named from the root, as in /var/backups/x.db")
    part = path.parent / f"{path.name}{PART}"
    try:
        await asyncio.to_thread(make_room, path, part)
        await site.database.copy_to(part)
        held = await asyncio.to_thread(keep_copy, part, path)
    except (MediumError, OpenError, OSError) as error:
        raise RequestError(f"cannot back up to {path}: {error}") from error
    return f"{path}: {held.size} bytes, {held.matches} matches, checked"


async def prune(site: Installation, days: int, *, dry: bool, archived: str | None = None) -> str:
    """Delete the finished matches that ended more than `days` ago; say how many.

    If `archived` names a folder, only those whose record files are there.
    """
    if not 0 <= days <= DAYS_MOST:
        raise RequestError(f"--older-than {days}: a number of days from 0 to {DAYS_MOST}")
    database = site.database
    if database is None:
        raise RequestError(NO_PRUNING)
    before_ms = site.clock.now_ms() - days * _DAY_MS
    try:
        ended = await ended_matches(database)
        old = [match for match, ended_ms in ended.items() if ended_ms <= before_ms]
        kept_elsewhere = await _archived(site, old, archived)
        lacking = _lacking(len(old) - len(kept_elsewhere))
        old = kept_elsewhere
        if dry:
            return f"{len(old)} of {len(ended)} finished matches would be deleted{lacking}"
        gone = 0
        for match in old:
            if site.lobby.forget(match):
                await delete_match(database, match)
                gone += 1
        await SqliteStore(database).drop_tickets(site.clock.now_ms())
        await database.fold_in()
    except MediumError as error:
        raise RequestError(f"the database refused: {error}") from error
    watched = f"; {len(old) - gone} are being watched" if gone < len(old) else ""
    return f"deleted {gone} of {len(ended)} finished matches{watched}{lacking}"


async def _archived(
    site: Installation, matches: list[MatchId], archived: str | None
) -> list[MatchId]:
    """Return those of some matches whose record files are in a folder; all if none is named."""
    if archived is None:
        return matches
    folder = folder_of(site, archived)
    return [match for match in matches if await is_archived(site, folder, match)]


def _lacking(count: int) -> str:
    return f"; {count} are not in the archive as they are here" if count else ""
