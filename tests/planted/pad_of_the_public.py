"""The padding of the public frames is longer by one block while many ships are in play."""

from msgspec.structs import replace

from builders.plants import Real, in_place_of
from sunglare_protocol.codec import PAD_STEP
from sunglare_protocol.ids import PUBLIC, Audience, MatchId
from sunglare_protocol.messages.replies import Frame
from sunglare_server.match import frames
from sunglare_server.match.state import MatchState

MANY = 12
"""How many ships are many."""


@in_place_of(frames, "frame")
def plant(
    real: Real[Frame], match: MatchId, state: MatchState, audience: Audience, seq: int
) -> Frame:
    made = real(match, state, audience, seq)
    if audience != PUBLIC or not made.pad or len(state.truth.in_play()) <= MANY:
        return made
    return replace(made, pad=made.pad + "." * PAD_STEP)
