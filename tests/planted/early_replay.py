"""What a side was sent is given out over HTTP before the end of its match, to anybody."""

import pytest

from sunglare_protocol.ids import MatchId
from sunglare_protocol.refusals import Rejected
from sunglare_server.api.session import LocalService


async def _before_the_end(service: LocalService, match: MatchId) -> bytes | None:
    room = await service._lobby.registry.find(match)
    if isinstance(room, Rejected):
        return None
    return await service._lobby.files.frames(room, room.sides[0])


def plant(patch: pytest.MonkeyPatch) -> None:
    """Plant it."""
    patch.setattr(LocalService, "record", _before_the_end)
