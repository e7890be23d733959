"""Short names of arcs and bases that the tests of the arcs share."""

from sunglare_protocol.words.pieces import Arc, BaseSize, Relation
from sunglare_rules.arcs.arcs import Base, arc_band, base_range
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


def arcs_holding(observer: Base, other: Base) -> dict[Arc, int]:
    """Return every arc of the observer that `other` is in, with the attack band through it."""
    bands = {arc: arc_band(observer, other, arc) for arc in Arc}
    return {arc: band for arc, band in bands.items() if band is not None}


def wholly_beneath(observer: Base, other: Base) -> bool:
    """Return whether all of `other` lies beneath the observer: it touches and is in no arc."""
    return base_range(observer, other) == 0 and not arcs_holding(observer, other)
