"""What a side was sent is given out over HTTP before the end of its match, to anybody."""

import pytest

from sunglare_protocol.ids import MatchId
from sunglare_protocol.refusals import Rejected
from sunglare_server.net.http import PlainTalk


async def _before_the_end(talk: PlainTalk, match: MatchId) -> bytes | None:
    room = await talk._lobby.find(match)
    if isinstance(room, Rejected):
        return None
    return await talk._lobby.files.frames(room, room.sides[0])


def plant(patch: pytest.MonkeyPatch) -> None:
    """Plant it."""
    patch.setattr(PlainTalk, "_record", _before_the_end)
