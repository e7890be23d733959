"""A room that is read back from the store has forgotten what its match is played on from."""

import pytest
from msgspec.structs import replace

from sunglare_protocol.ids import MatchId
from sunglare_server.ports.rooms import Room, unpacked_room
from sunglare_server.rooms import room_loader


def _unpacked(blob: bytes, match: MatchId) -> Room:
    return replace(unpacked_room(blob, match), past=None)


def plant(patch: pytest.MonkeyPatch) -> None:
    """Plant it."""
    patch.setattr(room_loader, "unpacked_room", _unpacked)
