"""Once in a match, in the SCAN window of the second turn, the time limit hints at a cloak."""

from msgspec.structs import replace

from builders.plants import Real, in_place_of
from sunglare_protocol.ids import Audience, MatchId
from sunglare_protocol.messages.replies import Frame
from sunglare_protocol.words.ladder import Phase
from sunglare_server.match import frames
from sunglare_server.match.state import MatchState


@in_place_of(frames, "frame")
def plant(
    real: Real[Frame], match: MatchId, state: MatchState, audience: Audience, seq: int
) -> Frame:
    made = real(match, state, audience, seq)
    standing = state.standing
    if (standing.turn, standing.phase, standing.slot) != (2, Phase.SCAN, 0):
        return made
    return replace(made, closes_ms=made.closes_ms + len(state.truth.in_play()))
