"""Grants on a surface: owners learn what they do, each side what it sees.

Source: blips of our rule book §4; of the surface nothing is public but the occupation of
environs, turn §8.
"""

from typing import NamedTuple, assert_never

import msgspec

from sunglare_protocol.ids import OwnId, Side, audience_of
from sunglare_protocol.notices import REMOTE_LOST, Notice, OwnDestroyed, TruthGone, TruthShot
from sunglare_protocol.notices.agents import OwnKilled
from sunglare_protocol.notices.ground import (
    ImpactSeen,
    Occupation,
    OwnEmerged,
    OwnGroundHit,
    OwnHalted,
    OwnIdentified,
    OwnOverflown,
    OwnUncovered,
    TokenEnd,
    TruthToken,
)
from sunglare_protocol.surface import Build, Cell, Site
from sunglare_protocol.words.ladder import Fate
from sunglare_rules.blips.spotting import footprint_inches
from sunglare_rules.ground.builds import build_of, build_of_ship, footprint_of
from sunglare_server.match.events.ground import (
    AgentStationed,
    AttackerRevealed,
    GroundEvent,
    GroundShotFired,
    HiddenExposed,
    MapClosed,
    MapOpened,
    MapOverflown,
    OccupationCounted,
    PieceIdentified,
    SensorSown,
    TakenAlong,
    TokenEnded,
    TokenGained,
    TokenProbed,
    UnitDamaged,
    UnitDestroyed,
    UnitLoaded,
    UnitMoved,
    UnitStationed,
    UnitUncovered,
    UnitUnloaded,
    WeaponsHeated,
)
from sunglare_server.match.facts.ground import (
    GroundShotReported,
    MapHidden,
    MapShown,
    TokenMoved,
    TokenNamed,
    TokenShown,
    TokenTaken,
)
from sunglare_server.match.facts.space import Fact, Grant, OwnTold
from sunglare_server.match.ids import PieceId
from sunglare_server.match.learn.audiences import to_all, to_omni
from sunglare_server.match.learn.probes import of_token_probe
from sunglare_server.match.truth.ground import GroundTruth
from sunglare_server.match.truth.truth import Truth

ABOARD = "with its ship"
"""The cause of loss for those who were aboard a destroyed ship."""


def of_ground(  # noqa: C901 - an arm for every kind of event
    event: GroundEvent, before: Truth, after: Truth
) -> list[Grant]:
    """Return who learns what of an event of the surface, which turned `before` into `after`."""
    match event:
        case UnitMoved() | UnitUncovered():
            return _of_move(event, after)
        case TokenGained() | TokenEnded() | PieceIdentified() | HiddenExposed():
            return _of_token(event, before, after)
        case TokenProbed():
            return of_token_probe(event, before)
        case MapOverflown():
            return [_of_overflight(event, after)]
        case MapOpened(side=side) | MapClosed(side=side):
            is_open = isinstance(event, MapOpened)
            fact = MapShown(site=event.site) if is_open else MapHidden(site=event.site)
            return [_to_side(side, "viewer", fact)]
        case GroundShotFired() | AttackerRevealed() | UnitDestroyed() | TakenAlong():
            return _of_fire(event, before)
        case OccupationCounted():
            return to_all(before, _occupation(event))
        case (
            UnitStationed()
            | AgentStationed()
            | UnitLoaded()
            | UnitUnloaded()
            | SensorSown()
            | UnitDamaged()
            | WeaponsHeated()
        ):
            return []
        case _:
            assert_never(event)


def _occupation(event: OccupationCounted) -> Occupation:
    return Occupation(
        site=event.site, sides=event.sides, turns=event.turns, ends_after=event.ends_after
    )


def _to_side(side: Side, role: str, fact: Fact) -> Grant:
    return Grant(audience_of(side), role, fact)


def _own_of(truth: Truth, piece: PieceId) -> OwnId:
    return truth.ground[piece].own if piece in truth.ground else truth.ships[piece].own


class _Likeness(NamedTuple):
    """A side's knowledge of a piece of the surface it identified: what its miniature shows."""

    side: Side
    type: str
    build: Build
    footprint: int


def _likeness_of(truth: Truth, piece: PieceId) -> _Likeness:
    side = truth.side_of(piece)
    if piece in truth.ground:
        unit = truth.ground[piece].type
        build = build_of(unit.kind, unit.specials)
        return _Likeness(side, unit.type, build, footprint_inches(unit.specials))
    ship = truth.ships[piece]
    size = ship.type.size
    footprint = footprint_inches((*footprint_of(size), *ship.type.specials))
    return _Likeness(side, ship.type.type_shown, build_of_ship(size), footprint)


def _stands(truth: Truth, piece: PieceId) -> tuple[Site, Cell]:
    """Return the site and cell of a piece on the surface."""
    place = truth.stands(piece)
    if place is None:
        raise ValueError(f"{piece} stands on no surface map")
    return place


def _of_move(event: UnitMoved | UnitUncovered, after: Truth) -> list[Grant]:
    """Return the new cell for those who hold the unit.

    A fault, and what it becomes that steps out of hiding, are for its owner alone.
    """
    unit = after.ground[event.piece]
    if isinstance(event, UnitUncovered):
        emerged = OwnEmerged(ship=unit.own, identified=event.identified)
        return [_to_side(unit.side, "owner", OwnTold(notice=emerged))]
    told: list[Grant] = []
    if event.cells:
        moved = TokenMoved(piece=unit.id, cell=unit.cell)
        told += [
            _to_side(side, "holder", moved)
            for side in after.sides
            if unit.id in after.surface.tokens_of(side)
        ]
    if event.fault is not None:
        halted = OwnHalted(ship=unit.own, why=event.fault, cell=unit.cell)
        told.append(_to_side(unit.side, "owner", OwnTold(notice=halted)))
    return told


def _of_token(
    event: TokenGained | TokenEnded | PieceIdentified | HiddenExposed, before: Truth, after: Truth
) -> list[Grant]:
    piece, side = event.piece, event.side
    owner, own = after.side_of(piece), _own_of(after, piece)
    match event:
        case TokenGained(identified=identified):
            seen = _to_side(side, "viewer", _shown(after, piece, identified=identified))
            return [seen, _omni(side, owner, own, "identified" if identified else "seen")]
        case TokenEnded(how=how):
            # What lifts off is identified at that moment.
            gone = TokenTaken(piece=piece, how=how)
            if how is TokenEnd.LIFTED:
                gone = TokenTaken(piece=piece, how=how, **_likeness_of(after, piece)._asdict())
            return [_to_side(side, "holder", gone), _omni(side, owner, own, how.value)]
        case PieceIdentified(is_told=is_told):
            named = TokenNamed(piece=piece, **_likeness_of(after, piece)._asdict())
            notice = OwnTold(notice=OwnIdentified(ship=own))
            return [
                _to_side(side, "holder", named),
                *([_to_side(owner, "owner", notice)] if is_told else []),
                _omni(side, owner, own, "identified"),
            ]
        case HiddenExposed():
            uncovered = OwnTold(notice=OwnUncovered(ship=own))
            return [
                *_named(before, after, side, piece),
                _to_side(owner, "owner", uncovered),
                _omni(side, owner, own, "exposed"),
            ]
        case _:
            assert_never(event)


def _of_overflight(event: MapOverflown, truth: Truth) -> Grant:
    """Return for the owner whose fighter is above, and all of its pieces that it sees."""
    ships = tuple(_own_of(truth, piece) for piece in event.pieces)
    notice = OwnOverflown(side=event.side, site=event.site, ships=ships)
    return _to_side(event.owner, "owner", OwnTold(notice=notice))


def _of_fire(
    event: GroundShotFired | AttackerRevealed | UnitDestroyed | TakenAlong, before: Truth
) -> list[Grant]:
    match event:
        case GroundShotFired():
            return _of_shot(event, before)
        case AttackerRevealed():
            # The side may not have held the attacker before.
            return _named(before, before, event.side, event.piece)
        case UnitDestroyed() | TakenAlong():
            return _of_loss(event, before)
        case _:
            assert_never(event)


def _named(before: Truth, after: Truth, side: Side, piece: PieceId) -> list[Grant]:
    hold = before.surface.tokens_of(side).get(piece)
    if hold is None:
        return [_to_side(side, "viewer", _shown(after, piece, identified=True))]
    if hold.identified:
        return []
    named = TokenNamed(piece=piece, **_likeness_of(after, piece)._asdict())
    return [_to_side(side, "holder", named)]


def _shown(truth: Truth, piece: PieceId, *, identified: bool) -> TokenShown:
    site, cell = _stands(truth, piece)
    shown = TokenShown(piece=piece, site=site, cell=cell)
    if not identified:
        return shown
    return msgspec.structs.replace(shown, **_likeness_of(truth, piece)._asdict())


def _omni(side: Side, owner: Side, own: OwnId, how: str) -> Grant:
    return to_omni(TruthToken(side=side, owner=owner, piece=own, how=how))


def _of_shot(event: GroundShotFired, before: Truth) -> list[Grant]:
    """Return the shot for the one who fired, its target, and those who see the impact."""
    shooter = before.ground[event.piece]
    owner, own = before.side_of(event.target), _own_of(before, event.target)
    site, cell = _stands(before, event.target)
    report = GroundShotReported(
        ship=shooter.own,
        weapon=event.weapon,
        target=event.target,
        damage=event.damage,
        dice=event.dice,
    )
    hit = OwnGroundHit(ship=own, weapon=event.kind, damage=event.damage, site=site, cell=cell)
    shot = TruthShot(
        side=shooter.side,
        ship=shooter.own,
        weapon=event.weapon,
        owner=owner,
        target=own,
        damage=event.damage,
        dice=event.dice,
    )
    impact = OwnTold(notice=ImpactSeen(site=site, cell=cell))
    heard = event.heard if event.indirect else ()
    return [
        _to_side(shooter.side, "shooter", report),
        _to_side(owner, "target", OwnTold(notice=hit)),
        *(_to_side(side, "witness", impact) for side in heard),
        to_omni(shot),
    ]


def _of_loss(event: UnitDestroyed | TakenAlong, before: Truth) -> list[Grant]:
    """Return a destroyed unit for its owner; holders learn of it when their token ends."""
    if isinstance(event, TakenAlong):
        return _of_passenger(event, before)
    unit = before.ground[event.piece]
    notice = OwnDestroyed(ship=unit.own, cause=_told_cause(unit, event.cause))
    return [
        _to_side(unit.side, "owner", OwnTold(notice=notice)),
        to_omni(TruthGone(side=unit.side, piece=unit.own, cause=event.cause)),
    ]


def _told_cause(unit: GroundTruth, cause: str) -> str:
    # Of a remote sensor its owner only hears that it is silent.
    return REMOTE_LOST if unit.is_remote else cause


def _of_passenger(event: TakenAlong, before: Truth) -> list[Grant]:
    """Return who was lost with a ship, for their owner; its killer learns nothing."""
    if event.fate is not Fate.DESTROYED:
        return []
    unit = before.ground.get(event.piece)
    if unit is not None:
        side, own = unit.side, unit.own
        notice: Notice = OwnDestroyed(ship=own, cause=_told_cause(unit, ABOARD))
    else:
        agent = before.agents[event.piece]
        side, own, notice = agent.side, agent.own, OwnKilled(ship=agent.own)
    return [
        _to_side(side, "owner", OwnTold(notice=notice)),
        to_omni(TruthGone(side=side, piece=own, cause=ABOARD)),
    ]
