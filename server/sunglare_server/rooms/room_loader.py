"""The rooms of the store, as a server takes them up: a damaged one stops its own match alone."""

from typing import final

import structlog
from msgspec.structs import replace

from sunglare_protocol.ids import MatchId
from sunglare_protocol.messages.replies import RoomState
from sunglare_server.base.library import Library
from sunglare_server.match.data.scenario import Scenario
from sunglare_server.match.past import opening_of
from sunglare_server.match.record import RecordError
from sunglare_server.ports.journal import Journal
from sunglare_server.ports.rooms import Room, RoomError, unpacked_room
from sunglare_server.ports.store import Store


@final
class RoomReader:
    """Reads stored rooms, and logs each damaged one once."""

    def __init__(self) -> None:
        """Begin with nothing logged."""
        self._told: dict[MatchId, None] = {}

    def read(self, match: MatchId, blob: bytes) -> Room | None:
        """Return a stored room; None if it is damaged."""
        try:
            return unpacked_room(blob, match)
        except RoomError as error:
            if match not in self._told:
                self._told[match] = None
                log = structlog.get_logger()
                log.error("room_unreadable", match=match, why=error.why)
            return None


async def stored_rooms(
    store: Store, reader: RoomReader, journal: Journal, library: Library, now_ms: int
) -> tuple[Room, ...]:
    """Return those of matches that are not over; a damaged one is logged, and stays.

    So does one that waits for a scenario that is not, or not for these sides, in the `library`.
    The hosts of those that wait have been gone since `now_ms`, in ms of the server's clock.
    Raise `StoreError` or `JournalError` if the medium refuses.
    """
    rooms = list[Room]()
    for match, blob in await store.rooms():
        room = reader.read(match, blob)
        if room is not None:
            room = await as_it_is(room, journal, now_ms)
            if room.state is not RoomState.LOBBY or _can_start(room, library):
                rooms.append(room)
    return tuple(rooms)


def _can_start(room: Room, library: Library) -> bool:
    found = library.scenarios.get(room.scenario)
    if found is not None and found.sides == room.sides and _is_as_before(room, found):
        return True
    log = structlog.get_logger().bind(match=room.match, scenario=room.scenario)
    log.warning("room_scenario_missing")
    return False


def _is_as_before(room: Room, scenario: Scenario) -> bool:
    """Return whether a match that is to be played on can be, on this scenario."""
    try:
        return room.past is None or opening_of(room.past).scenario == scenario
    except RecordError:
        return False


async def as_it_is(room: Room, journal: Journal, now_ms: int) -> Room:
    """Return a room as it stands by the journal; the host of one that waits is gone since then."""
    if room.state is not RoomState.LOBBY:
        return room
    if await journal.last(room.match):
        # It had started when the server ended, before the room said so.
        return replace(room, state=RoomState.RUNNING)
    return replace(room, gone_ms=now_ms)
