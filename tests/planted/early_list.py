"""The list shows where a match stands before the frames that tell of it are out."""

from builders.plants import in_place_of
from sunglare_protocol.ids import Side
from sunglare_server.match.clock.phases import Standing
from sunglare_server.runtime.match_handle import Front


@in_place_of(Front, "shown")
def plant(_real: object, front: Front, _side: Side) -> Standing:
    return front._runner.state.standing
