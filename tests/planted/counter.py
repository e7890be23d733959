"""A field of the frame counts the ships in play, as a bank of time."""

import pytest
from msgspec.structs import replace

from sunglare_protocol.ids import Audience, MatchId
from sunglare_protocol.messages.replies import Frame
from sunglare_server.match import frames
from sunglare_server.match.state import MatchState

_frame = frames.frame


def _counting(match: MatchId, state: MatchState, audience: Audience, seq: int) -> Frame:
    made = _frame(match, state, audience, seq)
    return replace(made, bank_ms=len(state.truth.in_play()))


def plant(patch: pytest.MonkeyPatch) -> None:
    """Plant it."""
    patch.setattr(frames, "frame", _counting)
