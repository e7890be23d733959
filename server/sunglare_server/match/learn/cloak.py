"""Grants on cloaks, sweeps, passive rolls and trackers.

Source: Full Thrust cloak detection of 2001; cloak hunting of our rule book §4. Only `omni` learns
dice, thresholds and the number of hidden ships.
"""

from typing import assert_never

from sunglare_protocol.ids import Side, audience_of
from sunglare_protocol.notices import (
    TruthHeld,
)
from sunglare_protocol.notices.cloak import (
    JamOver,
    JamSet,
    OwnFound,
    SweepSeen,
    TruthCloak,
    TruthHunt,
)
from sunglare_protocol.words.cloak import TrackerMode
from sunglare_protocol.words.ladder import Fix
from sunglare_rules.cloak.trackers import Trackers
from sunglare_server.match.data.options import MatchOptions
from sunglare_server.match.events.cloak import (
    CloakedFired,
    CloakEvent,
    CloakSwitched,
    HuntEnded,
    HuntStepped,
    JamEnded,
    PassiveRolled,
    SpaceJammed,
    SweepDeclared,
    SweepRolled,
    UncloakingSeen,
)
from sunglare_server.match.facts.space import (
    Counted,
    Found,
    Grant,
    Lost,
    OwnCounted,
    OwnTrailLost,
    Sighted,
    TrailLost,
    Vanished,
)
from sunglare_server.match.ids import PieceId
from sunglare_server.match.learn.audiences import (
    exposed,
    gave_away,
    to_all,
    to_omni,
    to_owner,
    to_public,
    to_sides,
)
from sunglare_server.match.truth.truth import ShipTruth, Truth

SWEEP_SIGNATURE = "sweep"
"""What a contact on a ship is named by that swept."""

UNCLOAKING_SIGNATURE = "uncloaking"
"""What a contact on a ship is named by that showed itself near by."""


def of_cloak_event(
    event: CloakEvent, before: Truth, after: Truth, options: MatchOptions
) -> list[Grant]:
    """Return who learns what of an event of the hunt."""
    mode = TrackerMode(options.tracker_mode)
    match event:
        case PassiveRolled() | SweepRolled():
            return of_roll(event, before)
        case HuntStepped():
            return of_step(event, before, mode)
        case HuntEnded():
            return of_hunt_end(event, before)
        case SpaceJammed() | JamEnded():
            return of_jam(event, before)
        case CloakedFired():
            return of_cloaked_fire(event, before, mode)
        case CloakSwitched() | UncloakingSeen() | SweepDeclared():
            return _of_showing(event, before, after)
        case _:
            assert_never(event)


def _of_showing(
    event: CloakSwitched | UncloakingSeen | SweepDeclared, before: Truth, after: Truth
) -> list[Grant]:
    match event:
        case CloakSwitched():
            return of_cloak(event, before)
        case UncloakingSeen():
            return of_uncloaking(event, before)
        case SweepDeclared():
            return of_sweep(event, before, after)
        case _:
            assert_never(event)


def of_cloak(event: CloakSwitched, before: Truth) -> list[Grant]:
    """Return a ship's cloaking for those who held it: they keep a marker where they saw it last.

    The owner knows that it dies to all; the public learns the end of a track.
    """
    ship = before.ships[event.piece]
    truth = to_omni(TruthCloak(side=ship.side, ship=ship.own, on=event.on))
    holders = before.holders(ship.id, *Fix) if event.on else ()
    told = to_sides(holders, "holder", Vanished(piece=ship.id))
    told += [exposed(ship, side, None) for side in holders]
    tracked = event.on and before.holders(ship.id, Fix.TRACKED, Fix.COASTING)
    return [*told, *(to_public(before, Lost(piece=ship.id)) if tracked else ()), truth]


def of_uncloaking(event: UncloakingSeen, before: Truth) -> list[Grant]:
    """Return a contact for the side that saw a ship uncloak; its owner does not learn it."""
    ship = before.ships[event.piece]
    names = (UNCLOAKING_SIGNATURE,)
    seen = Sighted(piece=ship.id, square=ship.square, signatures=names)
    held = _held(event.side, ship, Fix.CONTACT.value, names)
    return [Grant(audience_of(event.side), "watcher", seen), to_omni(held)]


def of_sweep(event: SweepDeclared, before: Truth, after: Truth) -> list[Grant]:
    """Return a sweeping ship's square for all, and a contact on it for all other sides."""
    square = after.ships[event.piece].square
    told = to_all(after, SweepSeen(square=square))
    return [*told, *gave_away(event.piece, SWEEP_SIGNATURE, before, after)]


def of_roll(event: SweepRolled | PassiveRolled, before: Truth) -> list[Grant]:
    """Return the dice of a search and what they found for `omni` alone."""
    ship = before.ships[event.piece]
    found = sorted((before.ships[piece].side, before.ships[piece].own) for piece in event.found)
    is_sweep = isinstance(event, SweepRolled)
    return [
        to_omni(
            TruthHunt(
                side=ship.side,
                ship=ship.own,
                sweep=is_sweep,
                dice=event.dice if isinstance(event, SweepRolled) else (event.die,),
                found=tuple(found),
            )
        )
    ]


def of_step(event: HuntStepped, before: Truth, mode: TrackerMode) -> list[Grant]:
    """Return the trackers for hunter and owner, and where the ship is if it was found."""
    ship = before.ships[event.piece]
    counted = Counted(
        piece=event.quarry,
        trackers=event.trackers,
        solution_window=event.solution_window,
        solution_dice=event.solution_dice,
        mode=mode,
    )
    owner = OwnCounted(
        piece=_key(event.side, event.quarry),
        ship=ship.own,
        fix=event.fix or Fix.MEMORY,
        trackers=event.trackers,
        solution_window=event.solution_window,
        solution_dice=event.solution_dice,
        mode=mode,
    )
    told = [
        Grant(audience_of(event.side), "hunter", counted),
        Grant(audience_of(ship.side), "owner", owner),
    ]
    if event.fix is None:
        return told
    return [*_found(before, event.side, ship, event.fix), *told]


def of_hunt_end(event: HuntEnded, before: Truth) -> list[Grant]:
    """Return the end of a hunt for hunter and owner."""
    ship = before.ships[event.piece]
    over = OwnTrailLost(piece=_key(event.side, event.quarry), ship=ship.own)
    return [
        Grant(audience_of(event.side), "hunter", TrailLost(piece=event.quarry)),
        Grant(audience_of(ship.side), "owner", over),
    ]


def of_cloaked_fire(event: CloakedFired, before: Truth, mode: TrackerMode) -> list[Grant]:
    """Return a cloaked ship that fired as detected, for the side that it fired at."""
    ship = before.ships[event.piece]
    hunt = before.hunts_of(event.side).get(ship.quarry)
    told = _found(before, event.side, ship, Fix.DETECTED)
    empty = OwnCounted(
        piece=_key(event.side, ship.quarry),
        ship=ship.own,
        fix=Fix.DETECTED,
        trackers=Trackers() if hunt is None else hunt.trackers,
        solution_window=False,
        solution_dice=False,
        mode=mode,
    )
    return [*told, Grant(audience_of(ship.side), "owner", empty)]


def of_jam(event: SpaceJammed | JamEnded, before: Truth) -> list[Grant]:
    """Return the beginning or the end of a jam for all audiences; never its dice."""
    if isinstance(event, SpaceJammed):
        return to_all(before, JamSet(until=event.until))
    return to_all(before, JamOver())


def _found(truth: Truth, side: Side, ship: ShipTruth, fix: Fix) -> list[Grant]:
    is_solved = fix is Fix.SOLUTION
    plain = Found(piece=ship.quarry, fix=fix, square=ship.square, vector=ship.vector)
    motion = Found(
        piece=ship.quarry,
        fix=fix,
        square=ship.square,
        vector=ship.vector,
        facing=ship.facing if is_solved else None,
        size=ship.echo if is_solved else None,
    )
    known = Found(
        piece=ship.quarry,
        fix=fix,
        square=ship.square,
        vector=ship.vector,
        facing=ship.facing,
        size=ship.echo,
        side=ship.side,
        type=ship.type.type_shown,
    )
    return [
        Grant(audience_of(side), "hunter", known if is_solved else plain),
        *to_public(truth, motion),
        to_owner(ship, OwnFound(ship=ship.own, fix=fix)),
        to_omni(_held(side, ship, fix.value)),
    ]


def _held(side: Side, ship: ShipTruth, fix: str, names: tuple[str, ...] = ()) -> TruthHeld:
    return TruthHeld(
        side=side,
        owner=ship.side,
        piece=ship.own,
        fix=fix,
        square=ship.square,
        signatures=names,
    )


def _key(side: Side, quarry: PieceId) -> PieceId:
    """Return the key under which the owner keeps a hunt apart from others; it is never sent."""
    return PieceId(f"{side}>{quarry}")
