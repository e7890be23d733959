"""The file of a side's own frames says how long the journal of the match is."""

import pytest

from sunglare_protocol.ids import Side
from sunglare_server.host.files import Files
from sunglare_server.host.rooms import Room

_frames = Files.frames


async def _with_length(self: Files, room: Room, side: Side) -> bytes:
    runner = self.matches.runners[room.match]
    staged = sum(len(given.orders) for given in runner.state.staged.values())
    return await _frames(self, room, side) + bytes([staged])


def plant(patch: pytest.MonkeyPatch) -> None:
    """Plant it."""
    patch.setattr(Files, "frames", _with_length)
