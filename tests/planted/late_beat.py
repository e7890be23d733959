"""Frames are released a beat later where many ships are to be reckoned with."""

from builders.plants import Real, in_place_of
from sunglare_server.match import step
from sunglare_server.match.clock.phases import Standing
from sunglare_server.match.clock.presets import BEAT_MS
from sunglare_server.match.state import MatchState


@in_place_of(step, "opened")
def plant(
    real: Real[MatchState], state: MatchState, standing: Standing, closed_ms: int
) -> MatchState:
    late_ms = BEAT_MS * (len(state.truth.in_play()) // 3)
    return real(state, standing, closed_ms + late_ms)
