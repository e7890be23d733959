"""Whoever comes back is told a last command that lies before the last one that was taken."""

import pytest
from msgspec.structs import replace

from sunglare_protocol.messages.replies import Resumed
from sunglare_server.host.lobby import Lobby
from sunglare_server.host.parcel import Parcel
from sunglare_server.net import match_talk, returning
from sunglare_server.net.returning import Claim

_resumed = returning.resumed


def _too_low(lobby: Lobby, command: int, claim: Claim, have: int) -> tuple[Resumed, list[Parcel]]:
    resumed, missed = _resumed(lobby, command, claim, have)
    return replace(resumed, last_id=max(0, resumed.last_id - 1)), missed


def plant(patch: pytest.MonkeyPatch) -> None:
    """Plant it."""
    patch.setattr(match_talk, "resumed", _too_low)
