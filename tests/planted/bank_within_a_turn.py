"""The banks that all are shown move within a turn, so each window tells who thought long."""

import pytest
from msgspec.structs import replace

from sunglare_protocol.ids import Audience, MatchId
from sunglare_protocol.messages.replies import Frame
from sunglare_server.match import frames
from sunglare_server.match.clock.seats import shown_banks
from sunglare_server.match.state import MatchState

_frame = frames.frame


def _at_once(match: MatchId, state: MatchState, audience: Audience, seq: int) -> Frame:
    made = _frame(match, state, audience, seq)
    return replace(made, banks=shown_banks(state.clocks)) if made.banks else made


def plant(patch: pytest.MonkeyPatch) -> None:
    """Plant it."""
    patch.setattr(frames, "frame", _at_once)
