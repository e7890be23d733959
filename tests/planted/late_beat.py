"""Frames are released a beat later where many ships are to be reckoned with."""

import pytest

from sunglare_server.match import step
from sunglare_server.match.clock.phases import Standing
from sunglare_server.match.clock.presets import BEAT_MS
from sunglare_server.match.pace import ticking
from sunglare_server.match.state import MatchState

_opened = ticking.opened


def _later(state: MatchState, standing: Standing, closed_ms: int) -> MatchState:
    late_ms = BEAT_MS * (len(state.truth.in_play()) // 3)
    return _opened(state, standing, closed_ms + late_ms)


def plant(patch: pytest.MonkeyPatch) -> None:
    """Plant it."""
    patch.setattr(step, "opened", _later)
