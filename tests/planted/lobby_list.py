"""The line of a match in the list shows as its turn how many ships are left."""

import pytest
from msgspec.structs import replace

from builders.runners import runners_of
from sunglare_protocol.messages.replies import MatchLine
from sunglare_server.api import responses as answers
from sunglare_server.lobby.match_service import MatchService
from sunglare_server.ports.rooms import Room


def plant(patch: pytest.MonkeyPatch) -> None:
    """Plant it."""
    line_of = answers._line_of

    async def telling(
        service: MatchService, room: Room, account: str, names: dict[str, str]
    ) -> MatchLine:
        found = await line_of(service, room, account, names)
        runner = runners_of(service._matches).get(room.match)
        left = 0 if runner is None else len(runner.state.truth.in_play())
        return replace(found, turn=left)

    patch.setattr(answers, "_line_of", telling)
