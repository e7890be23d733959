"""The parts that audiences play in an event, and the grants that follow from a part."""

from collections.abc import Iterable
from functools import lru_cache

from sunglare_protocol.ids import OMNI, PUBLIC, Audience, OwnId, Side, audience_of
from sunglare_protocol.notices import Notice, OwnTrackLost, PublicNotice
from sunglare_protocol.words.ladder import Fix
from sunglare_server.match.facts.space import (
    Announced,
    Exposed,
    Fact,
    Followed,
    Grant,
    OwnTold,
    Sighted,
    TruthTold,
)
from sunglare_server.match.ids import PieceId
from sunglare_server.match.truth.truth import ShipTruth, Truth

_ROSTERS_KEPT = 64
"""How many rosters of sides are remembered with their audiences."""


def audiences(truth: Truth) -> tuple[Audience, ...]:
    """Return every audience of a match: the sides, `public` and `omni`."""
    return _audiences(truth.sides)


@lru_cache(maxsize=_ROSTERS_KEPT)
def _audiences(sides: tuple[Side, ...]) -> tuple[Audience, ...]:
    return (*map(audience_of, sides), PUBLIC, OMNI)


def to_all(truth: Truth, notice: PublicNotice) -> list[Grant]:
    """Return the grants of something public: one fact for all audiences."""
    announced = Announced(notice=notice)
    return [Grant(audience, "all", announced) for audience in audiences(truth)]


def to_sides(sides: Iterable[Side], role: str, fact: Fact) -> list[Grant]:
    """Return the grants of one fact to several sides in one role."""
    return [Grant(audience_of(side), role, fact) for side in sides]


def to_public(truth: Truth, fact: Fact) -> tuple[Grant, ...]:
    """Return the public's grant of what owner and holder both learn: in two-sided matches."""
    return (Grant(PUBLIC, "public", fact),) if len(truth.sides) == 2 else ()


def owner_of(truth: Truth, piece: PieceId) -> tuple[Side, OwnId]:
    """Return whose a piece of any kind is, and how its owner calls it."""
    if piece in truth.agents:
        return truth.agents[piece].side, truth.agents[piece].own
    if piece in truth.ground:
        return truth.ground[piece].side, truth.ground[piece].own
    return truth.ships[piece].side, truth.ships[piece].own


def names_of(truth: Truth, agents: Iterable[PieceId]) -> tuple[str, ...]:
    """Return what agents are called, by name, for the order of a foreign roster is hidden."""
    return tuple(sorted(truth.agents[piece].name for piece in agents))


def to_owner(ship: ShipTruth, notice: Notice) -> Grant:
    """Return the grant of something about `ship` for its owner."""
    return Grant(audience_of(ship.side), "owner", OwnTold(notice=notice))


def to_omni(notice: Notice) -> Grant:
    """Return the grant of something for the truth feed."""
    return Grant(OMNI, "omni", TruthTold(notice=notice))


def exposed(ship: ShipTruth, side: Side, fix: Fix | None) -> Grant:
    """Return the grant for the owner of `ship` that `side` holds it so."""
    return Grant(audience_of(ship.side), "owner", Exposed(ship=ship.own, side=side, fix=fix))


def track_over(ship: ShipTruth, side: Side) -> tuple[Grant, ...]:
    """Return the grants for the owner that `side` no longer tracks `ship`."""
    lost = OwnTrackLost(ship=ship.own, side=side)
    return (exposed(ship, side, None), to_owner(ship, lost))


def followed(piece: PieceId, ship: ShipTruth) -> Followed:
    """Return where a live track is now."""
    return Followed(piece=piece, square=ship.square, vector=ship.vector, facing=ship.facing)


def gave_away(piece: PieceId, signature: str, before: Truth, after: Truth) -> list[Grant]:
    """Return a contact for all other sides on a ship that gave itself away, and its owner's part.

    A track that had coasted is live again.
    """
    ship = after.ships[piece]
    others = after.others(ship.side)
    fact = Sighted(piece=ship.id, square=ship.square, signatures=(signature,))
    told = [*to_sides(others, "others", fact), *to_public(after, fact)]
    for side in others:
        if had_coasted(before, side, ship.id):
            again = followed(ship.id, ship)
            told += (Grant(audience_of(side), "others", again), *to_public(after, again))
        told.append(exposed(ship, side, after.holds[side][ship.id].fix))
    return told


def had_coasted(before: Truth, side: Side, piece: PieceId) -> bool:
    """Return whether `side` held `piece` as a coasting track."""
    hold = before.holds[side].get(piece)
    return hold is not None and hold.fix is Fix.COASTING
