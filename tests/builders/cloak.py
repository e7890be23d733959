"""Matches with a cloaked gunship of A's and a ship of B's that sweeps, up to ENGAGE."""

from msgspec.structs import replace

from builders.hunts import GUNSHIP, hider
from builders.ordnance import S1, Battle
from builders.truths import FRIGATE, A, B, seed_of, ship
from sunglare_protocol.geometry import Compass
from sunglare_protocol.ids import Handle, Side
from sunglare_protocol.orders import Fire
from sunglare_protocol.words.ladder import Fix
from sunglare_server.match.data.options import MatchOptions
from sunglare_server.match.data.scenario import ShipClass
from sunglare_server.match.truth.truth import ShipTruth

TOUGH = replace(FRIGATE, hull=200)


def raider(at: tuple[int, int], *, cloaked: bool = True) -> ShipTruth:
    if cloaked:
        return hider(A, 1, at, kind=GUNSHIP)
    return ship(A, 1, at, GUNSHIP)


def found_at(fight: Battle, side: Side = B) -> Handle:
    """Return the handle by which a side, B as a rule, holds the one cloaked ship it has found."""
    held = fight.view(side).contacts
    [contact] = [one for one in held if one.trackers or one.fix is Fix.DETECTED]
    assert contact.handle is not None
    return contact.handle


def swept_fight(options: MatchOptions | None = None, distance: int = 4) -> Battle:
    """Return a match in ENGAGE in which B's one ship has swept and found A's cloaked gunship."""
    fight = Battle(raider((10, 20)), ship(B, at=(10, 20 - distance), kind=TOUGH), options=options)
    return fight.fighting(detect={B: "sweep S1"})


def fired(fight: Battle) -> tuple[Fire, ...]:
    """Return a shot of A's cloaked ship at the one ship that swept."""
    return (Fire(ship=S1, weapon="B3", at=fight.at(A, fight.own(B, S1).square)),)


def missed_fight(distance: int = 4, kind: ShipClass = TOUGH) -> Battle:
    """Return a match in ENGAGE in which B's one ship has swept and not found A's gunship."""
    strict = MatchOptions(clock="test", sweep_six="strict")
    for seed in range(200):
        fight = Battle(
            raider((10, 20)),
            replace(ship(B, at=(10, 20 - distance), kind=kind), facing=Compass.S),
            options=strict,
            seed=seed_of(seed),
        )
        if not fight.fighting(detect={B: "sweep S1"}).own(A, S1).hunted:
            return fight
    raise AssertionError("no sweep failed")
