"""The padding of a frame is longer by one block for every third ship in play."""

import pytest
from msgspec.structs import replace

from sunglare_protocol.ids import Audience, MatchId
from sunglare_protocol.messages.replies import Frame
from sunglare_server.match import frames
from sunglare_server.match.state import MatchState

_frame = frames.frame


def _longer(match: MatchId, state: MatchState, audience: Audience, seq: int) -> Frame:
    made = _frame(match, state, audience, seq)
    if not made.pad:
        return made
    return replace(made, pad=made.pad + type(made.pad)(256 * (len(state.truth.in_play()) // 3)))


def plant(patch: pytest.MonkeyPatch) -> None:
    """Plant it."""
    patch.setattr(frames, "frame", _longer)
