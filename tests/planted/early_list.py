"""The list shows where a match stands before the frames that show it are out."""

from builders.plants import in_place_of
from sunglare_protocol.ids import Side
from sunglare_server.match.clock.phases import Standing
from sunglare_server.runtime.match_handle import MatchHandle


@in_place_of(MatchHandle, "shown")
def plant(_real: object, handle: MatchHandle, _side: Side) -> Standing:
    return handle._runner.state.standing
