"""The line of a match in the list shows as its turn how many ships are left."""

import pytest
from msgspec.structs import replace

from sunglare_protocol.messages.replies import MatchLine
from sunglare_server.api import responses as answers
from sunglare_server.lobby.lobby import Lobby
from sunglare_server.ports.rooms import Room


def plant(patch: pytest.MonkeyPatch) -> None:
    """Plant it."""
    line_of = answers._line_of

    async def telling(lobby: Lobby, room: Room, account: str, names: dict[str, str]) -> MatchLine:
        found = await line_of(lobby, room, account, names)
        runner = lobby.matches.runners.get(room.match)
        left = 0 if runner is None else len(runner.state.truth.in_play())
        return replace(found, turn=left)

    patch.setattr(answers, "_line_of", telling)
