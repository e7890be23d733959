"""The room repository of a server: the rooms that are its own and no other server's."""

from typing import Protocol, final

from sunglare_protocol.ids import MatchId
from sunglare_server.ports.store import Store


class RoomRepository(Protocol):
    """Keeps the rooms of one server among those of others; raises `StoreError` as the store does.

    A room that another server has written meanwhile is not written over: that raises as well.
    """

    async def look(self, match: MatchId) -> bytes | None:
        """Return the room of a match, whosoever it is; None if there is none."""
        ...

    async def take(self, match: MatchId) -> bytes | None:
        """Return the room of a match that this server has claimed; None if there is none."""
        ...

    async def put(self, match: MatchId, blob: bytes) -> None:
        """Keep a room that was taken, or that there was not before, in place of what it was."""

    def forget(self, match: MatchId) -> None:
        """Keep a room no more, which is another server's or is gone."""


@final
class StoreRoomRepository:
    """The repository of a server that keeps all rooms there are."""

    def __init__(self, store: Store) -> None:
        """Keep them in `store`."""
        self._store = store

    async def look(self, match: MatchId) -> bytes | None:
        """Return the room of a match; None if there is none."""
        return await self._store.room(match)

    async def take(self, match: MatchId) -> bytes | None:
        """Return the room of a match; None if there is none."""
        return await self._store.room(match)

    async def put(self, match: MatchId, blob: bytes) -> None:
        """Keep a room in place of what it was."""
        await self._store.put_room(match, blob)

    def forget(self, match: MatchId) -> None:
        """Do nothing: no other server has it."""
