"""The rooms of the store, as a server takes them up: a damaged one stops its own match alone."""

from typing import NamedTuple, final

import structlog
from msgspec.structs import replace

from sunglare_protocol.ids import MatchId
from sunglare_protocol.replies import RoomState
from sunglare_server.host.journal import Journal
from sunglare_server.host.library import Library
from sunglare_server.host.rooms import Room, RoomError, unpacked_room
from sunglare_server.host.store import Store


@final
class Found(NamedTuple):
    """The rooms that can be used, and the matches that have records and no such room."""

    rooms: tuple[Room, ...]
    damaged: tuple[MatchId, ...]


async def stored_rooms(store: Store, journal: Journal, library: Library, now_ms: int) -> Found:
    """Return what there is; a damaged room is told of in the log, and stays as it is stored.

    So does one that waits for a scenario that is not, or not for these sides, in the `library`.
    The hosts of those that wait have been gone since `now_ms`, in ms of the server's clock.
    Raise `StoreError` or `JournalError` if the medium refuses.
    """
    rooms, damaged = list[Room](), list[MatchId]()
    for match, blob in await store.rooms():
        try:
            room = unpacked_room(blob, match)
        except RoomError as error:
            structlog.get_logger().error("a room could not be read", match=match, why=error.why)
            # The id beside it may be what was damaged.
            named = (match, *(() if error.of is None else (error.of,)))
            damaged += [each for each in named if await journal.last(each)]
        else:
            room = await _as_it_is(room, journal, now_ms)
            if room.state is not RoomState.LOBBY or _can_start(room, library):
                rooms.append(room)
    return Found(tuple(rooms), tuple(damaged))


def _can_start(room: Room, library: Library) -> bool:
    found = library.scenarios.get(room.scenario)
    if found is not None and found.sides == room.sides:
        return True
    log = structlog.get_logger().bind(match=room.match, scenario=room.scenario)
    log.warning("a room waits for a scenario that is not there any more")
    return False


async def _as_it_is(room: Room, journal: Journal, now_ms: int) -> Room:
    if room.state is not RoomState.LOBBY:
        return room
    if await journal.last(room.match):
        # It had started when the server ended, before the room said so.
        return replace(room, state=RoomState.RUNNING)
    return replace(room, gone_ms=now_ms)
