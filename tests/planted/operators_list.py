"""The operator's list counts, as listeners of a match, its ships as well."""

import pytest
from msgspec.structs import replace

from sunglare_server.host.rooms import Room
from sunglare_server.ops import overview
from sunglare_server.ops.overview import Installation
from sunglare_server.ops.requests import MatchRow

_row = overview._row


def _counted(site: Installation, room: Room, names: dict[str, str]) -> MatchRow:
    made, runner = _row(site, room, names), site.lobby.matches.runners.get(room.match)
    if runner is None or runner.is_told_over:
        return made
    return replace(made, listeners=made.listeners + len(runner.state.truth.in_play()))


def plant(patch: pytest.MonkeyPatch) -> None:
    """Plant it."""
    patch.setattr(overview, "_row", _counted)
