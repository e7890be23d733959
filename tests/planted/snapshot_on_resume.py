"""The snapshot for a client that comes back counts on from what `omni` was sent."""

import pytest
from msgspec.structs import replace

from sunglare_protocol.ids import OMNI, Audience, MatchId
from sunglare_protocol.messages.replies import Frame
from sunglare_server.match import frames
from sunglare_server.match.frames import Posted
from sunglare_server.match.state import MatchState

_keyframe = frames.keyframe


def _with_truth(
    match: MatchId, state: MatchState, audience: Audience, head: str
) -> tuple[Posted, ...]:
    told = len(state.intel[OMNI].record)
    return tuple(
        replace(post, bank_ms=told) if isinstance(post, Frame) else post
        for post in _keyframe(match, state, audience, head)
    )


def plant(patch: pytest.MonkeyPatch) -> None:
    """Plant it."""
    patch.setattr(frames, "keyframe", _with_truth)
    patch.setattr("sunglare_server.runtime.feed.keyframe", _with_truth)
