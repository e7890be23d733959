"""Grants on capital fire: batteries, designated points, missiles and impacts.

Source: capital weapons of our rule book §3; fire §6, "What a shot tells"; blips §4.
"""

from typing import assert_never

from sunglare_protocol.ids import audience_of
from sunglare_protocol.notices import ShotSeen, TruthShot
from sunglare_protocol.notices.capital import (
    BlastSeen,
    OwnBlasted,
    OwnDesignated,
    OwnMissileSent,
    OwnNoticed,
    OwnShelled,
    TruthBlast,
    TruthDesignated,
    TruthMissile,
)
from sunglare_server.match.events.capital import (
    BatteryExposed,
    BatteryFired,
    CapitalEvent,
    FighterOverflew,
    MissileSent,
    PointDesignated,
    PointStruck,
)
from sunglare_server.match.facts.capital import BlastReported, Overflown
from sunglare_server.match.facts.space import (
    Grant,
    Located,
    OwnTold,
    Recognised,
    ShotReported,
)
from sunglare_server.match.kinds import Noticed
from sunglare_server.match.learn.audiences import (
    followed,
    had_coasted,
    owner_of,
    to_all,
    to_omni,
    to_sides,
)
from sunglare_server.match.truth.truth import Truth


def of_capital(event: CapitalEvent, before: Truth) -> list[Grant]:
    """Return who learns what of an event of capital fire that befalls `before`."""
    match event:
        case FighterOverflew():
            return _of_fighter(event, before)
        case BatteryFired():
            return _of_battery(event, before)
        case BatteryExposed():
            return _of_exposure(event, before)
        case PointDesignated():
            return _of_designation(event, before)
        case MissileSent():
            return _of_missile(event, before)
        case PointStruck():
            return _of_impact(event, before)
        case _:
            assert_never(event)


def _of_fighter(event: FighterOverflew, before: Truth) -> list[Grant]:
    """Return the fighter for the side below; its owner does not learn that it is seen."""
    ship = before.ships[event.piece]
    seen = Overflown(piece=ship.id, square=ship.square, side=ship.side, type=ship.type.type_shown)
    told = to_sides((event.side,), "viewer", seen)
    if had_coasted(before, event.side, ship.id):
        told += to_sides((event.side,), "viewer", followed(ship.id, ship))
    return told


def _of_battery(event: BatteryFired, before: Truth) -> list[Grant]:
    """Return the shot for the battery's side and for the owner of the ship."""
    unit, target = before.ground[event.piece], before.ships[event.target]
    stopped = int(event.stopped)
    report = ShotReported(
        ship=unit.own,
        weapon=event.weapon,
        target=event.target,
        damage=event.damage,
        dice=event.dice,
        stopped=stopped or None,
    )
    hit = OwnShelled(
        ship=target.own,
        weapon=event.kind,
        damage=event.damage,
        spent=event.spent,
        stopped=stopped,
    )
    shot = TruthShot(
        side=unit.side,
        ship=unit.own,
        weapon=event.weapon,
        owner=target.side,
        target=target.own,
        damage=event.damage,
        dice=event.dice,
    )
    return [
        *to_sides((unit.side,), "shooter", report),
        Grant(audience_of(target.side), "target", OwnTold(notice=hit)),
        to_omni(shot),
    ]


def _of_exposure(event: BatteryExposed, before: Truth) -> list[Grant]:
    """Return the battery's square for all, and side and type for the witnesses."""
    unit = before.ground[event.piece]
    known = Recognised(piece=unit.id, square=event.square, side=unit.side, type=unit.type.type)
    others = [side for side in before.others(unit.side) if side not in event.witnesses]
    return [
        *to_all(before, ShotSeen(square=event.square)),
        *to_sides(event.witnesses, "witness", known),
        *to_sides(others, "others", Located(piece=unit.id, square=event.square)),
    ]


def _of_designation(event: PointDesignated, before: Truth) -> list[Grant]:
    """Return the beam for its owner, and to those near it a bearing."""
    unit = before.ground[event.piece]
    own = OwnDesignated(ship=unit.own, site=event.site, cell=event.cell)
    truth = TruthDesignated(side=unit.side, ship=unit.own, at=event.site, cell=event.cell)
    return [
        Grant(audience_of(unit.side), "owner", OwnTold(notice=own)),
        *_bearings(before, event.noticed),
        to_omni(truth),
    ]


def _of_missile(event: MissileSent, before: Truth) -> list[Grant]:
    """Return the flight for its owner, and to those who see it leave a bearing."""
    flight = event.flight
    own = OwnMissileSent(
        ship=flight.own,
        weapon=flight.weapon,
        at=flight.at,
        cell=flight.cell,
        lands=flight.lands,
    )
    truth = TruthMissile(
        side=flight.side,
        ship=flight.own,
        weapon=flight.weapon,
        at=flight.at,
        cell=flight.cell,
        lands=flight.lands,
    )
    return [
        Grant(audience_of(flight.side), "owner", OwnTold(notice=own)),
        *_bearings(before, event.noticed),
        to_omni(truth),
    ]


def _bearings(before: Truth, noticed: tuple[Noticed, ...]) -> list[Grant]:
    told = []
    for piece, bearing in noticed:
        side, own = owner_of(before, piece)
        notice = OwnNoticed(ship=own, bearing=bearing)
        told.append(Grant(audience_of(side), "near", OwnTold(notice=notice)))
    return told


def _of_impact(event: PointStruck, before: Truth) -> list[Grant]:
    """Return the impact for who fired, who sees it, and the damage for who took it."""
    held = before.surface.tokens_of(event.side)
    report = BlastReported(
        ship=event.own,
        weapon=event.weapon,
        site=event.site,
        dice=event.dice,
        harmed=tuple(harmed for harmed in event.harmed if harmed.piece in held),
        point=event.impact,
    )
    truth = TruthBlast(
        side=event.side,
        ship=event.own,
        weapon=event.weapon,
        site=event.site,
        dice=event.dice,
        point=event.impact,
    )
    told = [Grant(audience_of(event.side), "shooter", report), to_omni(truth)]
    if event.impact is None:
        return told
    seen = OwnTold(notice=BlastSeen(site=event.site, point=event.impact))
    told += to_sides(event.heard, "witness", seen)
    for piece, damage in event.harmed:
        side, victim = owner_of(before, piece)
        hit = OwnBlasted(ship=victim, damage=damage, site=event.site, point=event.impact)
        told.append(Grant(audience_of(side), "target", OwnTold(notice=hit)))
    return told
