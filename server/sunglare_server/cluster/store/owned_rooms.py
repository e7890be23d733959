"""The shelf of a worker: its own rooms in the store that it shares, each by the revision it has.

A room is written in place of the one that this worker has read or written last, and of no other.
So an owner that has lost its lease without knowing changes nothing any more.
"""

import asyncio
from typing import final

import msgspec

from sunglare_protocol.ids import MatchId
from sunglare_server.cluster.store.store import NatsStore
from sunglare_server.ports.store import StoreError, TakenError


@final
class _Shelved(msgspec.Struct):
    """A room as this worker knows it to stand: its revision, and what was last to be written."""

    revision: int
    tried: bytes = b""


@final
class OwnedRooms:
    """Keeps rooms by their revisions; two changes of one room are written one after the other."""

    def __init__(self, store: NatsStore) -> None:
        """Keep them in `store`."""
        self._store = store
        self._known: dict[MatchId, _Shelved] = {}
        self._locks: dict[MatchId, asyncio.Lock] = {}

    async def look(self, match: MatchId) -> bytes | None:
        """Return the room of a match, whosoever it is; None if there is none."""
        return await self._store.room(match)

    async def take(self, match: MatchId) -> bytes | None:
        """Return the room of a match that this worker has claimed; None if there is none."""
        found = await self._store.room_at_revision(match)
        if found is None:
            return None
        self._known[match] = _Shelved(found.revision)
        return found.blob

    async def put(self, match: MatchId, blob: bytes) -> None:
        """Keep a room; raise `StoreError` if another worker has written it meanwhile."""
        async with self._locks.setdefault(match, asyncio.Lock()):
            known = self._known.setdefault(match, _Shelved(0))
            before, known.tried = known.tried, blob
            try:
                known.revision = await self._store.put_room_if(match, blob, known.revision)
            except TakenError:
                known.revision = await self._settled(match, blob, before)

    def forget(self, match: MatchId) -> None:
        """Keep a room no more."""
        self._known.pop(match, None)
        self._locks.pop(match, None)

    async def _settled(self, match: MatchId, blob: bytes, before: bytes) -> int:
        """Return the revision of a room after a write whose predecessor's outcome was unknown."""
        found = await self._store.room_at_revision(match)
        if found is None or found.blob not in (blob, before):
            raise StoreError("another worker keeps this room now")
        if found.blob == blob:
            return found.revision
        return await self._store.put_room_if(match, blob, found.revision)
