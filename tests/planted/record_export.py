"""The file of a side's own frames says how long the journal of the match is."""

from collections.abc import Awaitable

from builders.plants import Real, in_place_of
from builders.runners import runners_of
from sunglare_protocol.ids import Side
from sunglare_server.archive.files import Files
from sunglare_server.ports.rooms import Room
from sunglare_server.runtime.registry import Matches


@in_place_of(Files, "frames")
async def plant(real: Real[Awaitable[bytes]], self: Files, room: Room, side: Side) -> bytes:
    assert isinstance(self.matches, Matches)
    frames = await real(self, room, side)
    runner = runners_of(self.matches).get(room.match)
    if runner is None:
        return frames
    return frames + bytes([sum(len(given.orders) for given in runner.state.staged.values())])
