"""The file of a side's own frames says how long the journal of the match is."""

from collections.abc import Awaitable

from builders.plants import Real, in_place_of
from sunglare_protocol.ids import Side
from sunglare_server.archive.files import Files
from sunglare_server.ports.rooms import Room
from sunglare_server.runtime.runner import Runner


@in_place_of(Files, "frames")
async def plant(real: Real[Awaitable[bytes]], self: Files, room: Room, side: Side) -> bytes:
    runner = self.matches.runners[room.match]
    assert isinstance(runner, Runner)
    staged = sum(len(given.orders) for given in runner.state.staged.values())
    return await real(self, room, side) + bytes([staged])
