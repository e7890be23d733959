"""A field of the frame counts the ships in play, as a bank of time."""

from msgspec.structs import replace

from builders.plants import Real, in_place_of
from sunglare_protocol.ids import Audience, MatchId
from sunglare_protocol.messages.replies import Frame
from sunglare_server.match import frames
from sunglare_server.match.state import MatchState


@in_place_of(frames, "frame")
def plant(
    real: Real[Frame], match: MatchId, state: MatchState, audience: Audience, seq: int
) -> Frame:
    made = real(match, state, audience, seq)
    return replace(made, bank_ms=len(state.truth.in_play()))
