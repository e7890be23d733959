"""The padding of the public frames is longer by one block while many ships are in play."""

import pytest
from msgspec.structs import replace

from sunglare_protocol.codec import PAD_STEP
from sunglare_protocol.ids import PUBLIC, Audience, MatchId
from sunglare_protocol.messages.replies import Frame
from sunglare_server.match import frames
from sunglare_server.match.state import MatchState

MANY = 12
"""How many ships are many."""

_frame = frames.frame


def _longer(match: MatchId, state: MatchState, audience: Audience, seq: int) -> Frame:
    made = _frame(match, state, audience, seq)
    if audience != PUBLIC or not made.pad or len(state.truth.in_play()) <= MANY:
        return made
    return replace(made, pad=made.pad + "." * PAD_STEP)


def plant(patch: pytest.MonkeyPatch) -> None:
    """Plant it."""
    patch.setattr(frames, "frame", _longer)
