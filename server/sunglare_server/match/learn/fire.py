"""Grants on shots, damage and destroyed ships.

Source: fire of our rule book §6, "What a shot tells" and "Destroyed".
"""

from sunglare_protocol.ids import audience_of
from sunglare_protocol.notices import (
    REMOTE_LOST,
    NovaSeen,
    OwnDestroyed,
    OwnDrained,
    OwnHit,
    OwnSystemLost,
    ShotSeen,
    TruthGone,
    TruthShot,
)
from sunglare_protocol.words.armament import WeaponKind
from sunglare_protocol.words.ladder import Fix
from sunglare_rules.fire.nova import nova_blind_until
from sunglare_server.match.events.space import (
    LeechDrained,
    ShipDestroyed,
    ShooterExposed,
    ShotFired,
    SystemLost,
)
from sunglare_server.match.facts.space import (
    Grant,
    Located,
    OwnTold,
    Recognised,
    SeenDestroyed,
    ShotReported,
)
from sunglare_server.match.ids import PieceId
from sunglare_server.match.learn.audiences import to_all, to_omni, to_owner, to_public, to_sides
from sunglare_server.match.truth.truth import ShipTruth, Truth


def of_shot(event: ShotFired, before: Truth) -> list[Grant]:
    """Return the shot for shooter (own dice, damage) and target (weapon kind, damage taken).

    The sweep of a nova gun is reported to its side only as far as the side holds the targets.
    """
    shooter, target = before.ships[event.piece], before.ships[event.target]
    report = ShotReported(
        ship=shooter.own,
        weapon=event.weapon,
        target=_known_as(target),
        damage=event.damage,
        dice=event.dice,
        stopped=event.stopped or None,
        arc=event.arc,
    )
    hit = OwnHit(
        ship=target.own,
        weapon=event.kind,
        damage=event.damage,
        stopped=event.stopped,
        spent=event.spent,
    )
    shot = TruthShot(
        side=shooter.side,
        ship=shooter.own,
        weapon=event.weapon,
        owner=target.side,
        target=target.own,
        damage=event.damage,
        dice=event.dice,
        arc=event.arc,
    )
    told = [
        Grant(audience_of(target.side), "target", OwnTold(notice=hit)),
        to_omni(shot),
    ]
    if event.kind is not WeaponKind.NOVA or before.holds_well(shooter.side, target):
        told.append(Grant(audience_of(shooter.side), "shooter", report))
    return told


def of_nova(before: Truth) -> list[Grant]:
    """Return for all how long a nova spoils passive detection; never where it was fired.

    It is announced once a turn: how many guns were fired is never learned.
    """
    if any(nova.turn == before.turn for nova in before.novas):
        return []
    return to_all(before, NovaSeen(until=nova_blind_until(before.turn)))


def of_exposure(event: ShooterExposed, before: Truth) -> list[Grant]:
    """Return the shooter's square for all, and side and type for the witnesses."""
    ship = before.ships[event.piece]
    piece = _known_as(ship)
    known = Recognised(piece=piece, square=ship.square, side=ship.side, type=ship.type.type_shown)
    others = [side for side in before.others(ship.side) if side not in event.witnesses]
    return [
        *to_all(before, ShotSeen(square=ship.square)),
        *to_sides(event.witnesses, "witness", known),
        *to_sides(others, "others", Located(piece=piece, square=ship.square)),
    ]


def of_leeches(event: LeechDrained, before: Truth) -> list[Grant]:
    """Return what leeches do after their turn, for the owner of the ship alone."""
    ship = before.ships[event.piece]
    return [to_owner(ship, OwnDrained(ship=ship.own, damage=event.damage))]


def of_system(event: SystemLost, before: Truth) -> list[Grant]:
    """Return a lost system for the owner alone."""
    ship = before.ships[event.piece]
    return [to_owner(ship, OwnSystemLost(ship=ship.own, system=event.system))]


def of_destruction(event: ShipDestroyed, before: Truth) -> list[Grant]:
    """Return a destroyed ship for owner, killers and holders; not for a coasting track (OWN).

    Of a cloaked one the killers alone learn.
    """
    ship = before.ships[event.piece]
    # Of a remote sensor its owner only hears that it is silent.
    cause = REMOTE_LOST if ship.is_remote else event.cause
    seen = SeenDestroyed(piece=_known_as(ship))
    holders = before.holders(ship.id, Fix.CONTACT, Fix.TRACKED)
    # Who held a landed ship as a token sees the token end.
    killers = [
        side
        for side in event.killers
        if side not in (*holders, ship.side) and ship.id not in before.surface.tokens_of(side)
    ]
    is_public = (ship.cloaked and killers) or any(
        not (hold.quiet or hold.overhead)
        for hold in (before.holds[side][ship.id] for side in holders)
    )
    return [
        to_owner(ship, OwnDestroyed(ship=ship.own, cause=cause)),
        *to_sides(holders, "holder", seen),
        *to_sides(killers, "killer", seen),
        *(to_public(before, seen) if is_public else ()),
        to_omni(TruthGone(side=ship.side, piece=ship.own, cause=event.cause)),
    ]


def _known_as(ship: ShipTruth) -> PieceId:
    """Return the id under which others hold a ship: of a cloaked one that of its hunt."""
    return ship.quarry if ship.cloaked else ship.id
