"""A wrong code that begins as a right one is refused in other words."""

from collections.abc import Awaitable

from builders.plants import Real, in_place_of
from sunglare_protocol.ids import MatchId
from sunglare_protocol.refusals import Code, Rejected
from sunglare_server.ports.rooms import Room
from sunglare_server.rooms.room_registry import RoomRegistry


@in_place_of(RoomRegistry, "find")
async def plant(
    real: Real[Awaitable[Room | Rejected]],
    rooms: RoomRegistry,
    match: MatchId | None,
    code: str | None = None,
) -> Room | Rejected:
    found = await real(rooms, match, code)
    known = [room.code for room in rooms.own.values() if room.code is not None]
    if code and isinstance(found, Rejected) and any(whole.startswith(code) for whole in known):
        return Rejected(code=Code.SEAT_TAKEN, at="$.code")
    return found
