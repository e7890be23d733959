"""Once in a match, in the SCAN window of the second turn, the time limit hints at a cloak."""

import pytest
from msgspec.structs import replace

from sunglare_protocol.ids import Audience, MatchId
from sunglare_protocol.messages.replies import Frame
from sunglare_protocol.words.ladder import Phase
from sunglare_server.match import frames
from sunglare_server.match.state import MatchState

_frame = frames.frame


def _hinting(match: MatchId, state: MatchState, audience: Audience, seq: int) -> Frame:
    made = _frame(match, state, audience, seq)
    standing = state.standing
    if (standing.turn, standing.phase, standing.slot) != (2, Phase.SCAN, 0):
        return made
    return replace(made, closes_ms=made.closes_ms + len(state.truth.in_play()))


def plant(patch: pytest.MonkeyPatch) -> None:
    """Plant it."""
    patch.setattr(frames, "frame", _hinting)
