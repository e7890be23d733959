"""Other worlds in which a hidden piece is elsewhere, or turned, or landed."""

from collections.abc import Callable
from random import Random

import msgspec

from second_reading.parts import Window
from second_reading.scans import ScanMade, scans_of, signal_of
from sunglare_arena.invariants import unspread
from sunglare_protocol.geometry import Landing, Place, Vector
from sunglare_protocol.ids import PUBLIC, Audience, audience_of
from sunglare_protocol.words.ladder import Fix
from sunglare_rules.sensors.questions import valid
from sunglare_rules.sensors.sectors import in_body, outward_square
from sunglare_server.match.ids import PieceId
from sunglare_server.match.state import MatchState
from sunglare_server.match.truth.truth import ShipTruth, Truth
from two_worlds.parts import UNNOTICED, World, of_one, pick, squares_near, stand

_replace = msgspec.structs.replace


@of_one(lambda world: world.loose())
def move_untracked(ship: ShipTruth, rng: Random, world: World) -> ShipTruth | None:
    """Move an unheld ship to a square that gives the same answers."""
    return _moved(ship, rng, world)


@of_one(lambda world: [ship for ship in world.loose() if ship.is_remote])
def move_remote(ship: ShipTruth, rng: Random, world: World) -> ShipTruth | None:
    """Move an unheld remote sensor."""
    return _moved(ship, rng, world)


@of_one(lambda world: world.coasting)
def move_coasting(ship: ShipTruth, rng: Random, world: World) -> ShipTruth | None:
    """Move a ship that the audience holds as a coasting track."""
    return _moved(ship, rng, world)


def _moved(ship: ShipTruth, rng: Random, world: World) -> ShipTruth | None:
    board, far = world.truth.board, rng.choice((2, 5, 12))
    squares = squares_near(rng, board, ship.square, far)
    alike = [other for other in squares if stand(board, other) == stand(board, ship.square)]
    return _replace(ship, square=rng.choice(alike or squares)) if squares else None


def turn_untracked(world: World, rng: Random) -> MatchState | None:
    """Turn a ship that is at most a contact, and change its vector."""
    ships = world.loose(Fix.CONTACT, Fix.COASTING)
    found = {contact.piece for contact in world.coming_contacts}
    noticed = [ship for ship in ships if ship.id in found]
    # What a contact tells too much shows only in the turn in which it is made.
    if not noticed and rng.random() >= UNNOTICED:
        return None
    ship = pick(rng, noticed or ships)
    if ship is None:
        return None
    vector = ship.vector.plus(Vector(rng.randint(-1, 1), rng.randint(-1, 1)))
    facing = ship.facing.turned(rng.randint(1, 7))
    return world.with_ship(_replace(ship, vector=vector, facing=facing))


def absent_for_blocked(world: World, rng: Random) -> MatchState | None:
    """Put an unheld ship into a scan where a planet hides it."""
    return _into_scan(world, rng, _blocked_places)


def absent_for_weak(world: World, rng: Random) -> MatchState | None:
    """Put an unheld ship into the valid part of a scan, where its signal is -1 or less."""
    return _into_scan(world, rng, _weak_places)


def absent_for_landed(world: World, rng: Random) -> MatchState | None:
    """Put an unheld ship on the ground of a planet that a scan covers."""
    return _into_scan(world, rng, _landed_places)


_Places = Callable[[Truth, ScanMade, ShipTruth], list[Place]]


def _into_scan(world: World, rng: Random, places: _Places) -> MatchState | None:
    made = world.coming_scans
    rng.shuffle(made)
    for scan in made:
        others = [other for other in world.loose() if other.side != scan.scanner.side]
        ship = pick(rng, others)
        if ship is None or scan.area.__contains__(ship.square):
            continue
        place = pick(rng, places(world.truth, scan, ship))
        if place is not None:
            moved = world.with_ship(_put(ship, place))
            # Where those aboard would have been detected there is no such world.
            return None if any(unspread(moved)) else moved
    return None


def _put(ship: ShipTruth, place: Place) -> ShipTruth:
    if place.landing is None:
        return _replace(ship, square=place.square, landing=None)
    rest = Vector(0, 0)
    return _replace(
        ship, square=place.square, landing=place.landing, vector=rest, popped_out=False
    )


def _blocked_places(truth: Truth, scan: ScanMade, _ship: ShipTruth) -> list[Place]:
    return [
        Place(square)
        for square in scan.area.squares()
        if not in_body(truth.board, square)
        and not valid(truth.board, scan.scanner.place, Place(square))
    ]


def _weak_places(truth: Truth, scan: ScanMade, ship: ShipTruth) -> list[Place]:
    board, weak = truth.board, []
    for square in scan.area.squares():
        if in_body(board, square) or not valid(board, scan.scanner.place, Place(square)):
            continue
        there = _replace(ship, square=square)
        signal, _ = signal_of(truth, scan.order.type, scan.effective, there, scan.holds)
        if signal is not None and signal < 0:
            weak.append((-signal, Place(square)))
    nearest = min((short for short, _ in weak), default=0)
    return [place for short, place in weak if short == nearest]


def _landed_places(truth: Truth, scan: ScanMade, _ship: ShipTruth) -> list[Place]:
    return [
        Place(square, Landing(body=planet.name, sector=area.sector, environs=area.number))
        for planet in truth.board.planets
        for area in planet.environs
        for square in (outward_square(planet, area.sector),)
        if scan.area.__contains__(square)
    ]


def silences_differ(window: Window, other: Window, audience: Audience) -> bool:
    """Return whether a scan of the audience was silent on a ship for different reasons."""
    return _silences(window, audience) != _silences(other, audience)


def _silences(window: Window, audience: Audience) -> list[tuple[PieceId, bool, bool, bool]]:
    return [
        (look.piece, look.inside, look.in_sight, look.signal is None)
        for made in scans_of(window)
        if audience_of(made.scanner.side) == audience or audience == PUBLIC
        for look in sorted(made.looks)
        if not look.names
    ]
