"""Short names of arcs and bases that the tests of the arcs share."""

from sunglare_protocol.words.pieces import Arc, BaseSize, Relation
from sunglare_rules.arcs.arcs import Base
from sunglare_rules.turn.scale import PlanePoint

SMALL, MEDIUM, LARGE = BaseSize.SMALL, BaseSize.MEDIUM, BaseSize.LARGE
F, B, L, R = Arc.FRONT, Arc.REAR, Arc.LEFT, Arc.RIGHT
FF, FR, BE = Arc.FULL_FRONT, Arc.FULL_REAR, Arc.BULLSEYE
AHEAD, BEHIND, FLANKING, NONE = (
    Relation.IN_FRONT,
    Relation.BEHIND,
    Relation.FLANKING,
    Relation.NONE,
)


def base(size: BaseSize, x: float, y: float, heading: float = 0) -> Base:
    return Base(size, PlanePoint(x, y), heading)
