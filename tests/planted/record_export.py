"""The file of a side's own frames says how long the journal of the match is."""

import pytest

from sunglare_protocol.ids import Side
from sunglare_server.host.lobby import Lobby
from sunglare_server.host.rooms import Room

_frames_file = Lobby.frames_file


async def _with_length(self: Lobby, room: Room, side: Side) -> bytes:
    runner = self.matches.runners[room.match]
    staged = sum(len(each.orders) for each in runner.state.staged.values())
    return await _frames_file(self, room, side) + bytes([staged])


def plant(patch: pytest.MonkeyPatch) -> None:
    """Plant it."""
    patch.setattr(Lobby, "frames_file", _with_length)
