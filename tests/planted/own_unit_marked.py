"""The name of an own ground unit tells its owner that an enemy has identified its token."""

from msgspec.structs import replace

from builders.plants import Real, in_place_of
from sunglare_protocol.ids import Side
from sunglare_server.match.ids import piece_id
from sunglare_server.match.intel.ground import OwnUnit
from sunglare_server.match.own import ground as own_ground
from sunglare_server.match.truth.truth import Truth


@in_place_of(own_ground, "own_units")
def plant(real: Real[tuple[OwnUnit, ...]], truth: Truth, side: Side) -> tuple[OwnUnit, ...]:
    def mark(unit: OwnUnit) -> OwnUnit:
        holds = [truth.surface.tokens_of(other) for other in truth.others(side)]
        known = [
            by_piece[piece_id(side, unit.id)]
            for by_piece in holds
            if piece_id(side, unit.id) in by_piece
        ]
        return replace(unit, name=unit.name + "!") if any(k.identified for k in known) else unit

    return tuple(mark(unit) for unit in real(truth, side))
