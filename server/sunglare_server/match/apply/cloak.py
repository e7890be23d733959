"""`apply_hunts`: how one event of the hunt for cloaked ships changes the truth.

Source: cloak of our rule book §5 and cloak hunting §3.
"""

from typing import assert_never

import msgspec

from sunglare_protocol.words.ladder import Fix
from sunglare_server.match.apply.changing import (
    cloaked,
    given_away,
    knowing,
    with_hold,
    with_hunt,
    with_ship,
)
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
from sunglare_server.match.events.space import ShipDestroyed
from sunglare_server.match.truth.truth import Hold, Hunt, ShipTruth, Truth

_replace = msgspec.structs.replace


def cloak_applied(truth: Truth, event: CloakEvent) -> Truth:
    """Return the truth after an event of the hunt."""
    match event:
        case PassiveRolled() | SweepRolled() | JamEnded():
            return truth
        case CloakSwitched():
            return _cloak_switched(truth, event)
        case UncloakingSeen(side=side, piece=piece):
            return with_hold(truth, side, piece, Hold(fix=Fix.CONTACT, quiet=True))
        case SweepDeclared(piece=piece):
            return _replace(given_away(truth, piece), active=(*truth.active, piece))
        case HuntStepped() | HuntEnded() | CloakedFired():
            return _hunted(truth, event)
        case SpaceJammed(until=until):
            return _replace(truth, jam_end=until)
        case _:
            assert_never(event)


def killed(truth: Truth, ship: ShipTruth, event: ShipDestroyed) -> Truth:
    """Return the truth after the end of a ship for those who hunted it."""
    # Of a cloaked ship's end only those hear that fired at it; others hunt on in vain.
    if not ship.cloaked:
        return truth
    for side in event.killers:
        truth = with_hunt(truth, side, ship.quarry, None)
    return truth


def _cloak_switched(truth: Truth, event: CloakSwitched) -> Truth:
    truth = with_ship(truth, cloaked(truth.ships[event.piece], on=event.on))
    if event.on:
        for side in truth.holders(event.piece, *Fix):
            truth = with_hold(truth, side, event.piece, None)
    return truth


def _hunted(truth: Truth, event: HuntStepped | HuntEnded | CloakedFired) -> Truth:
    match event:
        case HuntStepped(side=side, quarry=quarry):
            hunt = Hunt(piece=event.piece, trackers=event.trackers, fix=event.fix)
            hunting = with_hunt(truth, side, quarry, hunt)
            solved = event.fix is Fix.SOLUTION
            return knowing(hunting, (side,), event.piece) if solved else hunting
        case HuntEnded(side=side, quarry=quarry):
            return with_hunt(truth, side, quarry, None)
        case CloakedFired(side=side, piece=piece):
            quarry = truth.ships[piece].quarry
            hunt = truth.hunts_of(side).get(quarry) or Hunt(piece=piece)
            return with_hunt(truth, side, quarry, _replace(hunt, fix=Fix.DETECTED))
        case _:
            assert_never(event)
