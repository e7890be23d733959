"""The matches of a store that are over: none is in memory, each is found when asked for."""

from typing import NamedTuple, final

from sunglare_protocol.ids import MatchId
from sunglare_protocol.messages.replies import RoomState
from sunglare_protocol.refusals import Code, Rejected
from sunglare_server.ports.journal import Journal
from sunglare_server.ports.match_endings import accounts_of
from sunglare_server.ports.rooms import Room, packed_room
from sunglare_server.ports.store import Ended, Place, Store
from sunglare_server.rooms.room_loader import RoomReader
from sunglare_server.rooms.tickets import ends_ms

_ALL = 2**31
"""More matches than there are."""


@final
class StoredRoom(NamedTuple):
    """The room of a match that is over, and its bytes in the store."""

    room: Room
    blob: bytes


@final
class PastRooms:
    """Finds the rooms of matches that are over; raises `MediumError` if the medium refuses."""

    def __init__(self, store: Store, journal: Journal) -> None:
        """Look into `store`, and for matches without a room of use into `journal`."""
        self.reader = RoomReader()
        self._store = store
        self._journal = journal

    async def keep(self, room: Room, ended_ms: int) -> None:
        """Keep the room of a match that was over at `ended_ms`."""
        ended = Ended(
            ended_ms=ended_ms,
            is_public=room.code is None,
            accounts=accounts_of(room),
            expires_ms=ends_ms(ended_ms),
        )
        await self._store.end_room(room.match, packed_room(room), ended)

    async def room(self, match: MatchId) -> Room | Rejected:
        """Return the room of a match that is over.

        A match that has records and no room of use is there, and nothing more is known of it.
        """
        found = await self.found(match)
        return found if isinstance(found, Rejected) else found.room

    async def found(self, match: MatchId) -> StoredRoom | Rejected:
        """Return the same as it is stored, to be amended."""
        blob = await self._store.room(match)
        room = None if blob is None else self.reader.read(match, blob)
        if blob is not None and room is not None and room.state is RoomState.OVER:
            return StoredRoom(room, blob)
        if await self._journal.last(match):
            return Rejected(code=Code.MATCH_FAULT)
        return Rejected(code=Code.MATCH_UNKNOWN, at="$.match")

    async def amend(self, was: StoredRoom, room: Room) -> StoredRoom | None:
        """Keep the room of a match in place of what it was; None if it is another by now."""
        blob = packed_room(room)
        is_kept = await self._store.amend_room(room.match, blob, was.blob)
        return StoredRoom(room, blob) if is_kept else None

    async def over(
        self, after: Place | None, most: int, account: str | None
    ) -> list[tuple[Place, Room | None]]:
        """Return the first rooms after a place, of all public matches or of those of an account.

        The newest come first; in the place of a damaged room there is none.
        """
        kept = await self._store.over(after, most, account)
        return [(past.place, self.reader.read(past.place.match, past.blob)) for past in kept]

    async def called(self, beginning: str) -> tuple[MatchId, ...]:
        """Return the match with this id, or the first two whose ids begin like it, over or not."""
        found = await self._store.beginning_with(beginning, 2)
        return found[:1] if found[:1] == (beginning,) else found

    async def rooms(self) -> tuple[Room, ...]:
        """Return all rooms, in the order of their ids."""
        found = [await self.room(match) for match in await self._store.beginning_with("", _ALL)]
        return tuple([room for room in found if isinstance(room, Room)])

    async def count(self, beside: tuple[MatchId, ...] = ()) -> int:
        """Return how many matches are over, those named left out."""
        return await self._store.over_count(beside)
