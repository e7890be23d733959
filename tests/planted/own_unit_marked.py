"""The name of an own ground unit shows its owner that an enemy has identified its token."""

from msgspec.structs import replace

from builders.plants import Real, in_place_of
from sunglare_protocol.ids import Side
from sunglare_server.match.ids import piece_id
from sunglare_server.match.intel.ground import OwnUnit
from sunglare_server.match.intel.space import Intel
from sunglare_server.match.truth.truth import Truth
from sunglare_server.match.turn import flow


@in_place_of(flow, "with_ground")
def plant(real: Real[Intel], intel: Intel, before: Truth, after: Truth, side: Side) -> Intel:
    def mark(unit: OwnUnit) -> OwnUnit:
        piece = piece_id(side, unit.id)
        holds = [after.surface.tokens_of(other).get(piece) for other in after.others(side)]
        is_known = any(hold is not None and hold.identified for hold in holds)
        return replace(unit, name=unit.name.rstrip("!") + "!" * is_known)

    known = real(intel, before, after, side)
    return replace(known, ground=tuple([mark(unit) for unit in known.ground]))
