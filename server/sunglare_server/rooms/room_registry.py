"""The registry of rooms: those of this server, those of other servers, and those that are over.

Theory of operation. The rooms of matches that wait or run are in memory, in `own`, and stand in
the store through the repository, which refuses a room that another server has written meanwhile.
`keep` changes both, memory first: a reader never sees a room older than one that was acted on. A
room that is over leaves memory once it is stored, and is found in the store from then on.
"""

from collections.abc import Callable
from typing import final

from msgspec.structs import replace

from sunglare_protocol.ids import MatchId
from sunglare_protocol.messages.replies import RoomState
from sunglare_protocol.refusals import Code, Rejected
from sunglare_server.base.clock import Clock
from sunglare_server.ports.journal import Journal
from sunglare_server.ports.rooms import Room, packed_room
from sunglare_server.ports.store import Store
from sunglare_server.rooms.access import has_code
from sunglare_server.rooms.finished_rooms import PastRooms
from sunglare_server.rooms.peer_rooms import PeerRooms
from sunglare_server.rooms.quotas import RoomLimits
from sunglare_server.rooms.room_store import RoomRepository, StoreRoomRepository

ServedCallback = Callable[[MatchId, bool], None]
"""Called with a match that is served here from now on, or no more."""


def _ignore(match: MatchId, is_served: bool) -> None:  # noqa: ARG001 - a server alone has no peers
    return


@final
class RoomRegistry:
    """All rooms that a server knows; the RPC server of a worker sets `on_served`.

    `own` are the rooms of this server by match, `peers` those of other servers, `past` those of
    matches that are over. Methods that change a room raise `StoreError` as the store does.
    """

    def __init__(
        self,
        store: Store,
        journal: Journal,
        clock: Clock,
        limits: RoomLimits,
        is_here: Callable[[str], bool],
        repository: RoomRepository | None = None,
    ) -> None:
        """Begin without rooms; `is_here` says whether an account has a connection.

        Rooms stand in `repository`, by default in `store` itself, as without other servers.
        """
        self.own: dict[MatchId, Room] = {}
        self.past = PastRooms(store, journal)
        self.limits = limits
        self.on_served: ServedCallback = _ignore
        self._store = store
        self._clock = clock
        self._is_here = is_here
        self._repository = repository or StoreRoomRepository(store)
        self.peers = PeerRooms(self.own, self._repository)

    @property
    def ongoing(self) -> tuple[Room, ...]:
        """Return the rooms that go on, here and at other servers."""
        return (*self.own.values(), *self.peers.rooms)

    async def find(self, match: MatchId | None, code: str | None = None) -> Room | Rejected:
        """Return the room with this id or, if none is given, with this code.

        An id is no right: whether its caller may know a private match is asked of
        `sunglare_server.rooms.access`. A code is compared in constant time. Alone it leads to the
        newest of a match and its rematches, which share it, unless that is over.
        """
        if match is not None:
            return self.own.get(match) or await self.past.room(match)
        found = [room for room in self.ongoing if has_code(room, code or "")]
        # Another server may not have heard yet that the match before is over.
        newest = max(found, key=lambda room: room.state is RoomState.LOBBY, default=None)
        at = "$.match" if code is None else "$.code"
        return newest or Rejected(code=Code.MATCH_UNKNOWN, at=at)

    async def find_waiting(self, match: MatchId) -> Room | Rejected:
        """Return the room of a match that has not started; it is the newest when this returns."""
        room = await self.find(match)
        if isinstance(room, Room) and room.state is not RoomState.LOBBY:
            return Rejected(code=Code.MATCH_STARTED)
        return room

    def admit(self, room: Room) -> None:
        """Hold a room that is this server's from now on."""
        self.own[room.match] = replace(room, gone_ms=None) if self._is_here(room.host) else room
        self.limits.note(room, self._clock.now_ms())

    async def keep(self, room: Room) -> None:
        """Put `room` in place of what it was, here and in the store; one that is over, there."""
        self.own[room.match] = room
        self.limits.note(room, self._clock.now_ms())
        if room.ended_ms is None:
            await self.store(room)
            return
        await self.past.keep(room, room.ended_ms)
        self.forget(room.match)

    async def store(self, room: Room) -> None:
        """Put `room` in place of what it was in the store alone, before it is admitted."""
        await self._repository.put(room.match, packed_room(room))

    async def delete(self, match: MatchId) -> None:
        """Delete a room that waits; where the store refuses it stays as it was."""
        await self._store.drop_room(match)
        self.forget(match)

    def forget(self, match: MatchId) -> None:
        """Hold a room no more, which is over, gone, or another server's."""
        self.own.pop(match, None)
        self.limits.drop(match)
        self._repository.forget(match)

    def note_host(self, account: str, is_here: bool) -> None:
        """Note whether an account has a connection in the rooms that it has open."""
        gone_ms = None if is_here else self._clock.now_ms()
        for match, room in self.own.items():
            if room.host == account and room.state is RoomState.LOBBY:
                self.own[match] = replace(room, gone_ms=gone_ms)
