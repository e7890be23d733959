"""Pieces and truths made by hand: plain values, without a match."""

import random
from collections.abc import Callable, Iterable
from typing import TypeVar

import msgspec

from sunglare_protocol.geometry import (
    Asteroid,
    Board,
    Compass,
    Environs,
    Planet,
    PlanetSize,
    Square,
    Vector,
)
from sunglare_protocol.ids import SIDES, MatchId, OwnId, Side
from sunglare_protocol.words.armament import WeaponKind
from sunglare_protocol.words.ladder import Fix
from sunglare_protocol.words.pieces import Arc, BaseSize, PieceKind, TurretKind
from sunglare_protocol.words.scans import Drive
from sunglare_server.match.apply.space import apply
from sunglare_server.match.data.scenario import (
    CrewData,
    Ratings,
    ShipClass,
    TurretData,
    Weapon,
)
from sunglare_server.match.dice import Dice
from sunglare_server.match.events.space import (
    Event,
)
from sunglare_server.match.ids import PieceId, piece_id
from sunglare_server.match.truth.truth import Hold, ShipTruth, Truth, TurretTruth

A, B, C, D = SIDES
MATCH = MatchId("a" * 26)
SEED = bytes(range(32))
DICE = Dice(seed=SEED)


def seed_of(number: int) -> bytes:
    """Return a seed of dice for a number."""
    return number.to_bytes(32, "big")


CERES = Planet(
    name="Ceres",
    at=Square(15, 12),
    size=PlanetSize.SMALL,
    environs=(Environs(number=1, sector=Compass.N), Environs(number=2, sector=Compass.SW)),
)
ROCK = Asteroid(name="Rock", at=Square(30, 30))
EMPTY = Board()
BOARD = Board(planets=(CERES,), asteroids=(ROCK,))

_replace = msgspec.structs.replace
_Kind = TypeVar("_Kind")


# Ships.


def ratings(rating: int) -> Ratings:
    """Return the same sensor rating for every type of scan."""
    return Ratings(visual=rating, ir=rating, radar=rating, neutrino=rating, mass=rating)


def beam(name: str, rank: int, arc: Arc = Arc.FULL_FRONT) -> Weapon:
    """Return a mounted beam battery."""
    return Weapon(id=name, kind=WeaponKind.BEAM, rank=rank, arc=arc)


def torpedo(name: str, arc: Arc = Arc.FULL_FRONT) -> Weapon:
    """Return a mounted pulse torpedo."""
    return Weapon(id=name, kind=WeaponKind.TORPEDO, rank=1, arc=arc)


BUOY = ShipClass(
    name="buoy",
    kind=PieceKind.REMOTE,
    size=BaseSize.SMALL,
    hull=1,
    thrust=0,
    points=0,
    drive=Drive.IMPULSE,
    sensors=ratings(0),
    screens=0,
    weapons=(),
    turrets=(),
)
FRIGATE = ShipClass(
    name="frigate",
    kind=PieceKind.STARSHIP,
    size=BaseSize.MEDIUM,
    hull=16,
    thrust=3,
    points=4,
    drive=Drive.IMPULSE,
    sensors=ratings(2),
    screens=0,
    weapons=(beam("B1", 2), torpedo("P1")),
    turrets=(TurretData(id="T1", arcs=(Arc.FRONT,)),),
    remote=BUOY,
)
CORVETTE = _replace(
    FRIGATE, name="corvette", size=BaseSize.SMALL, hull=8, thrust=4, points=2, sensors=ratings(3)
)
CRUISER = _replace(
    FRIGATE,
    name="cruiser",
    size=BaseSize.LARGE,
    hull=28,
    thrust=2,
    points=8,
    screens=1,
    turrets=(TurretData(id="T1", kind=TurretKind.DOUBLE, arcs=(Arc.FRONT, Arc.REAR)),),
)


def armed(*weapons: Weapon, like: ShipClass = FRIGATE) -> ShipClass:
    """Return a class with these weapons, otherwise that of `like`."""
    return _replace(like, weapons=weapons)


def ship(
    side: Side, number: int = 1, at: tuple[int, int] = (10, 10), kind: ShipClass = FRIGATE
) -> ShipTruth:
    """Return a ship of `side` at rest, facing north, power on, sensors folded."""
    own = OwnId(f"S{number}")
    return ShipTruth(
        id=piece_id(side, own),
        side=side,
        own=own,
        name=f"Canary{side}{number}",
        type=kind,
        crew=CrewData(),
        square=Square(*at),
        vector=Vector(0, 0),
        facing=Compass.N,
        turrets=tuple(TurretTruth(id=turret.id, arcs=turret.arcs) for turret in kind.turrets),
    )


A1, A2 = PieceId("A/S1"), PieceId("A/S2")
B1, B2 = PieceId("B/S1"), PieceId("B/S2")
C1, D1 = PieceId("C/S1"), PieceId("D/S1")


# Truths.


def truth_of(*ships: ShipTruth, board: Board = EMPTY, turn: int = 1) -> Truth:
    """Return a truth with these ships, in this order, nobody holding anybody."""
    sides = tuple(side for side in SIDES if any(one.side == side for one in ships))
    return Truth(
        board=board,
        turn=turn,
        sides=sides,
        ships={one_ship.id: one_ship for one_ship in ships},
        holds={side: {} for side in sides},
        identified=dict.fromkeys(sides, ()),
        points=dict.fromkeys(sides, 0),
    )


def holding(truth: Truth, side: Side, piece: PieceId, fix: Fix, misses: int = 0) -> Truth:
    """Return the truth in which `side` holds `piece` as `fix`."""
    hold = Hold(fix=fix, contacted=fix is not Fix.COASTING, misses=misses)
    held = {**truth.holds[side], piece: hold}
    return _replace(truth, holds={**truth.holds, side: held})


def in_other_order(truth: Truth, seed: int) -> Truth:
    """Return the same truth with its ships in another order."""
    ships = list(truth.ships.items())
    random.Random(seed).shuffle(ships)
    return _replace(truth, ships=dict(ships))


def applied(truth: Truth, events: Iterable[Event]) -> Truth:
    """Return the truth after all these events."""
    for event in events:
        truth = apply(truth, event)
    return truth


def with_ship(truth: Truth, piece: PieceId, **changes: object) -> Truth:
    """Return the truth in which that ship is another in these respects."""
    changed = _replace(truth.ships[piece], **changes)
    return _replace(truth, ships={**truth.ships, piece: changed})


def only(events: Iterable[object], kind: type[_Kind]) -> list[_Kind]:
    """Return the events or notices of one kind."""
    return [event for event in events if isinstance(event, kind)]


def dice_where(good: Callable[[Dice], bool]) -> Dice:
    """Return the first dice that roll as a test needs it."""
    for number in range(20_000):
        dice = Dice(seed=seed_of(number))
        if good(dice):
            return dice
    raise ValueError("no dice roll like that")
