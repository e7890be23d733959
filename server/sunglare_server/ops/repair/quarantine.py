"""Matches in quarantine: those that go on and can't, and the three ways out that an operator has.

Theory of operation. A match is in quarantine if a bug has stopped it on its last good state, or if
its records or its room can't be used. Other matches are not affected. The operator adjourns it:
one that a bug has stopped is loaded again and ended by a record like any other. Where that can't
be, the end is noted next to the records, which stay as they are, behind two more that need no
rules where the old ones follow from one another. Or the operator deletes it, or has its records
written to a file as they lie, for the search for the fault.
"""

import base64
from typing import final

import msgspec
from msgspec.structs import replace

from sunglare_protocol.ids import MatchId
from sunglare_protocol.messages.replies import RoomState
from sunglare_server.base.clock import Clock
from sunglare_server.lobby.lobby import Lobby
from sunglare_server.match.record import RecordError
from sunglare_server.ports.journal import Journal
from sunglare_server.ports.rooms import Room
from sunglare_server.runtime.incompatible_matches import ended_unfolded
from sunglare_server.runtime.match_handle import MatchHandle
from sunglare_server.sqlite.database import Database
from sunglare_server.sqlite.storage import Erase

NO_ROOM = "its room is missing or damaged"
"""Why a match is in quarantine of which nothing is known but its records."""

_RECORDS = "SELECT n, blob, sum FROM record WHERE match = ? ORDER BY n"


class RawRecord(msgspec.Struct, frozen=True, kw_only=True):
    """A record as it lies in the database, in base64, with the hash that was stored with it."""

    n: int
    record: str
    sum: str | None


@final
class Quarantine:
    """The matches of a server that are in quarantine."""

    def __init__(self, lobby: Lobby, journal: Journal, clock: Clock, erase: Erase | None) -> None:
        """Look after those of `lobby`, whose records are in `journal`; `erase` deletes one."""
        self._lobby = lobby
        self._matches = lobby.matches
        self._past = lobby.past
        self._registry, self._peers = lobby.registry, lobby.peer_rooms
        self._journal = journal
        self._clock = clock
        self._erase = erase

    async def roomless(self) -> tuple[MatchId, ...]:
        """Return the matches that go on by their records, and have no room that can be used."""
        if self._peers.rooms:
            # Each worker knows its own rooms alone.
            return ()
        there = await self._journal.matches()
        lost = [match for match in there if match not in self._lobby.rooms]
        return tuple([m for m in lost if not isinstance(await self._past.room(m), Room)])

    async def loaded_anew(self, room: Room) -> MatchHandle | None:
        """Return a match that is loaded from its records once more; None if it can't be."""
        await self._matches.put_away(room.match)
        handle = await self._matches.handle_of(room)
        return None if handle is None or handle.is_faulty else handle

    async def end(self, room: Room) -> bool:
        """Note that a match is over which can't be folded; return whether its records say so."""
        await self._matches.put_away(room.match)
        now_ms = self._clock.now_ms()
        is_written = await ended_unfolded(room.match, self._journal, now_ms)
        ended_ms = now_ms if room.ended_ms is None else room.ended_ms
        await self._registry.keep(replace(room, state=RoomState.OVER, ended_ms=ended_ms))
        await self._matches.ownership.drop(room.match)
        return is_written

    async def delete(self, match: MatchId) -> bool:
        """Delete everything of a match that is over; return False if it is being watched."""
        if self._erase is None or not self._lobby.forget(match):
            return False
        await self._erase(match)
        return True

    async def raw_records(
        self, match: MatchId, database: Database | None
    ) -> tuple[RawRecord, ...]:
        """Return the records of a match as they lie, damaged or not."""
        if database is not None:
            rows = await database.query(_RECORDS, (match,))
            return tuple([_raw(n, blob, stored) for n, blob, stored in rows])
        try:
            blobs = await self._journal.read(match)
        except RecordError:
            return ()
        return tuple([_raw(n, blob, None) for n, blob in enumerate(blobs, 1)])


def _raw(number: int, blob: bytes, stored: bytes | None) -> RawRecord:
    return RawRecord(n=number, record=_text(blob), sum=None if stored is None else _text(stored))


def _text(data: object) -> str:
    found = data if isinstance(data, bytes) else str(data).encode()
    return base64.b64encode(found).decode()
