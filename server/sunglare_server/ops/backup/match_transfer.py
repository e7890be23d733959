"""One match out of a server and into another: `dump` and `import`."""

import asyncio
import os
from contextlib import closing
from pathlib import Path
from typing import Final

from sunglare_server.base.storage_errors import MediumError
from sunglare_server.match.record import time_of
from sunglare_server.ops.control.overview import Installation
from sunglare_server.ops.control.requests import RequestError
from sunglare_server.ports.matchdump import (
    DUMP_BYTES_MOST,
    Dump,
    DumpError,
    packed_dump,
    read_dump,
)
from sunglare_server.ports.rooms import Room
from sunglare_server.sqlite.backup import make_room, settle
from sunglare_server.sqlite.database import Database
from sunglare_server.sqlite.match_rows import dumped, is_known, rows_of
from sunglare_server.textfiles import read_file

NO_DUMP: Final = (
    "dump and import take the matches of a database file, and this server has none: those of a"
    " cluster go to another one with a copy of its engines, as OPERATIONS says"
)
"""What is said where a match is to be moved by a server that has no database."""

_PART: Final = ".part"
_OWNER_ALONE: Final = 0o600


async def dump(site: Installation, room: Room, name: str) -> str:
    """Put all that is kept of a match into the new file `name`; say what it is."""
    path, database = _path(name), _database(site)
    seen = await database.as_it_is()

    def written() -> tuple[Dump, int]:
        with closing(seen):
            data = packed_dump(found := dumped(seen, room.match))
        read_dump(data)
        _write_new(path, data)
        return found, len(data)

    try:
        found, size = await asyncio.to_thread(written)
    except (DumpError, OSError) as error:
        raise RequestError(f"cannot dump to {path}: {_why(error)}") from error
    kind = "over" if found.is_finished else "running"
    return f"{path}: {room.match}, {kind}, {len(found.records)} records, {size} bytes"


async def bring_in(site: Installation, name: str) -> str:
    """Take up the match of a file; say who came with it.

    Raise `RequestError` if the file is damaged, or the match is here.
    """
    path, database = _path(name), _database(site)
    try:
        found = await asyncio.to_thread(lambda: read_dump(read_file(path, DUMP_BYTES_MOST)))
    except (DumpError, OSError) as error:
        raise RequestError(f"cannot import {path}: {_why(error)}") from error
    if await is_known(database, found.match):
        raise RequestError(f"this server has {found.match} already, or has rated it")
    if not found.is_finished and site.lobby.policy.is_draining:
        raise RequestError("the server is draining: it takes up no match that goes on")
    lacking = await _add_people(site, found)
    try:
        await database.submit(rows_of(found))
    except MediumError as error:
        raise RequestError(f"cannot import {path}: {error}") from error
    if not found.is_finished:
        newest_ms = time_of(found.records[-1]) or site.clock.now_ms()
        await site.lobby.takeover.take_in(found.match, newest_ms)
    kind = "is over" if found.is_finished else "goes on here"
    unknown = f"; not known here, so shown as someone: {', '.join(lacking)}" if lacking else ""
    return f"{found.match} {kind}, with {len(found.records)} records{unknown}"


async def _add_people(site: Installation, found: Dump) -> list[str]:
    """Add those people of a match that are not here; return whose names others have."""
    bring = site.lobby.accounts.bring
    return [account.name for account in found.people if not await bring(account)]


def _why(error: DumpError | OSError) -> str:
    return (error.strerror if isinstance(error, OSError) else None) or str(error)


def _path(name: str) -> Path:
    path = Path(name)
    if not path.is_absolute():
        raise RequestError(f"{name!r}: a file is named from the root, as in /var/games/x.match")
    return path


def _database(site: Installation) -> Database:
    if site.database is None:
        raise RequestError(NO_DUMP)
    return site.database


def _write_new(path: Path, data: bytes) -> None:
    """Write a file that is there whole or not at all, and replaces none."""
    part = path.with_name(f"{path.name}{_PART}")
    make_room(path, part)
    try:
        handle = os.open(part, os.O_CREAT | os.O_EXCL | os.O_WRONLY, _OWNER_ALONE)
        with open(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(handle)
        # A link fails where a renaming would overwrite.
        os.link(part, path)
    finally:
        part.unlink(missing_ok=True)
    settle(path.parent)
