"""The padding of a frame is longer by one block for every third ship in play."""

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
    if not made.pad:
        return made
    return replace(made, pad=made.pad + type(made.pad)(256 * (len(state.truth.in_play()) // 3)))
