"""The rooms of other servers, as far as this one has heard of them.

Theory of operation. Where several servers share a store, each keeps the rooms that it owns by its
lease, and follows the others, so that lists and limits are of all of them. It knows no more of
those than the room: a caller who asks for one is sent to its owner.
"""

from collections.abc import Container
from typing import final

from sunglare_protocol.ids import MatchId
from sunglare_protocol.messages.replies import RoomState
from sunglare_server.ports.rooms import Room
from sunglare_server.rooms.room_loader import RoomReader
from sunglare_server.rooms.room_store import RoomRepository


@final
class PeerRooms:
    """The rooms of other servers; `own` are the matches of this one."""

    def __init__(self, own: Container[MatchId], repository: RoomRepository) -> None:
        """Know of none."""
        self._own = own
        self._repository = repository
        self._reader = RoomReader()
        self._known: dict[MatchId, Room] = {}

    def hear(self, match: MatchId, blob: bytes | None) -> None:
        """Hear how a room stands; None for one that is gone or over."""
        room = None if blob is None else self._reader.read(match, blob)
        if room is None or room.state is RoomState.OVER:
            self._known.pop(match, None)
        else:
            self._known[match] = room

    @property
    def rooms(self) -> tuple[Room, ...]:
        """Return the rooms that go on and are not this server's."""
        return tuple([room for match, room in self._known.items() if match not in self._own])

    async def has(self, match: MatchId) -> bool:
        """Return whether a match goes on and is not this server's; `StoreError` if unknown."""
        if match in self._own:
            return False
        if match in self._known:
            return True
        # One that has begun this moment has not been heard of.
        room = await self.look(match)
        return room is not None and room.state is not RoomState.OVER

    async def look(self, match: MatchId) -> Room | None:
        """Return the stored room of a match, any server's, over or not; None if there is none."""
        return self._read(match, await self._repository.look(match))

    async def take(self, match: MatchId) -> Room | None:
        """Return the stored room of a match that this server has claimed, as `look` does."""
        return self._read(match, await self._repository.take(match))

    def _read(self, match: MatchId, blob: bytes | None) -> Room | None:
        return None if blob is None else self._reader.read(match, blob)
