"""The archive of a server's finished matches: a folder of record files, with an index.

A file is made when it is not there, and again when an account in it goes by another name by now or
has been forgotten. What is in the folder and not in the database any more is left as it is.
"""

import asyncio
import hashlib
from pathlib import Path
from typing import Final, NamedTuple, final

from sunglare_protocol.ids import MatchId, Side
from sunglare_server.accounts.role_names import SOMEONE
from sunglare_server.archive.recordfolder import BeingWrittenError, RecordFolder, UnkeptError
from sunglare_server.archive.recordindex import (
    INDEX,
    IndexLine,
    NoIndexError,
    packed_index,
    read_index,
)
from sunglare_server.base.storage_errors import MediumError
from sunglare_server.match.record import RecordError
from sunglare_server.ops.control.overview import Installation
from sunglare_server.ops.control.requests import RequestError
from sunglare_server.ports.journal import JournalError
from sunglare_server.ports.rooms import Room
from sunglare_server.sqlite.pruning import ended_matches

MOST_AT_ONCE: Final = 20
"""OWN: so many files are made for one request; the asker comes again for the rest."""

NO_ARCHIVE: Final = (
    "archive keeps the matches of a database file, and this server has none: those of a cluster"
    " are kept by `sunglare-server archivist`"
)
"""What is said where an archive is asked of a server that has no database."""

_Unkept = (BeingWrittenError, NoIndexError, UnkeptError, OSError)


@final
class Archived(NamedTuple):
    """What came of a request: files that were made, and matches that are left to be done."""

    made: int
    left: int
    failed: tuple[str, ...]


async def archive(site: Installation, name: str) -> Archived:
    """See to it that a folder has the record files of finished matches; say how many were made.

    Raise `RequestError` if nothing can be kept there.
    """
    folder = folder_of(site, name)
    try:
        await asyncio.to_thread(folder.prepare)
        index = read_index(await asyncio.to_thread(folder.read, INDEX))
        due = await _due(site, folder, index)
        failed: list[str] = []
        for room in due[:MOST_AT_ONCE]:
            try:
                index[room.match] = await _kept(site, folder, room)
            except (RecordError, JournalError) as error:
                failed.append(f"{room.match}: {error}")
        if due:
            await asyncio.to_thread(folder.keep_as, INDEX, packed_index(index))
    except _Unkept as error:
        raise RequestError(f"cannot archive to {name}: {error}") from error
    made = min(len(due), MOST_AT_ONCE) - len(failed)
    return Archived(made, max(0, len(due) - MOST_AT_ONCE), tuple(failed))


def folder_of(site: Installation, name: str) -> RecordFolder:
    """Return the folder of this name; raise `RequestError` if there is none to be had."""
    if site.database is None:
        raise RequestError(NO_ARCHIVE)
    if not Path(name).is_absolute():
        raise RequestError(f"{name!r}: a folder is named from the root, as in /var/games")
    return RecordFolder(Path(name))


async def is_archived(site: Installation, folder: RecordFolder, match: MatchId) -> bool:
    """Return whether the file of a match is in the folder, byte for byte as it would be made."""
    room = await site.lobby.past.room(match)
    if not isinstance(room, Room):
        return False
    try:
        data = await site.lobby.files.record(room)
        return await asyncio.to_thread(folder.holds, match, data)
    except (RecordError, MediumError, OSError):
        return False


async def _due(
    site: Installation, folder: RecordFolder, index: dict[MatchId, IndexLine]
) -> list[Room]:
    """Return the rooms of those matches of which no file is there, or one with other names."""
    assert site.database is not None  # noqa: S101 - there is a folder only with one
    due: list[Room] = []
    for match in await ended_matches(site.database):
        room = await site.lobby.past.room(match)
        if not isinstance(room, Room):
            # Who sat in it is not known, or its end has not been shown yet.
            continue
        line = index.get(match)
        is_there = await asyncio.to_thread(folder.path_of(match).exists)
        if line is None or not is_there or line.names != await _names(site, room):
            due.append(room)
    return due


async def _kept(site: Installation, folder: RecordFolder, room: Room) -> IndexLine:
    names = await _names(site, room)
    data = await site.lobby.files.record(room)
    if not await asyncio.to_thread(folder.holds, room.match, data):
        await asyncio.to_thread(folder.keep, room.match, data)
    return IndexLine(
        match=room.match,
        ended_ms=room.ended_ms or 0,
        scenario=room.scenario,
        rated=room.rated,
        names=names,
        bots=tuple(seat.side for seat in room.seats if seat.is_of_bot),
        bytes=len(data),
        sha256=hashlib.sha256(data).hexdigest(),
    )


async def _names(site: Installation, room: Room) -> dict[Side, str]:
    names = await site.lobby.accounts.shown_names(tuple(seat.account for seat in room.seats))
    return {seat.side: seat.bot or names.get(seat.account, SOMEONE) for seat in room.seats}
