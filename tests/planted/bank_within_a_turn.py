"""The banks that all are shown move within a turn, so each window shows who thought long."""

from msgspec.structs import replace

from builders.plants import Real, in_place_of
from sunglare_protocol.ids import Audience, MatchId
from sunglare_protocol.messages.replies import Frame
from sunglare_server.match import frames
from sunglare_server.match.clock.seats import shown_banks
from sunglare_server.match.state import MatchState


@in_place_of(frames, "frame")
def plant(
    real: Real[Frame], match: MatchId, state: MatchState, audience: Audience, seq: int
) -> Frame:
    made = real(match, state, audience, seq)
    return replace(made, banks=shown_banks(state.clocks)) if made.banks else made
