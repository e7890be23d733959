"""Other worlds in which a hidden piece is elsewhere, or turned, or landed."""

from collections.abc import Callable
from random import Random

import msgspec

from second_reading.parts import Window
from second_reading.scans import ScanMade, scans_of, signal_of
from sunglare_protocol.geometry import Landing, Place, Vector
from sunglare_protocol.ids import PUBLIC, Audience, audience_of
from sunglare_protocol.words.ladder import Fix
from sunglare_rules.sensors.questions import valid
from sunglare_rules.sensors.sectors import in_body, outward_square
from sunglare_server.match.ids import PieceId
from sunglare_server.match.state import MatchState
from sunglare_server.match.truth.truth import ShipTruth
from two_worlds.parts import (
    UNNOTICED,
    Orders,
    coming_contacts,
    coming_scans,
    loose,
    pick,
    squares_near,
    stand,
    with_ship,
)

_replace = msgspec.structs.replace


def move_untracked(
    state: MatchState, rng: Random, audience: Audience, _orders: Orders
) -> MatchState | None:
    """Move an unheld ship to a square that gives the same answers."""
    return _moved(state, rng, loose(state.truth, audience))


def move_remote(
    state: MatchState, rng: Random, audience: Audience, _orders: Orders
) -> MatchState | None:
    """Move an unheld remote sensor."""
    return _moved(state, rng, [ship for ship in loose(state.truth, audience) if ship.is_remote])


def move_coasting(
    state: MatchState, rng: Random, audience: Audience, _orders: Orders
) -> MatchState | None:
    """Move a ship that the audience holds as a coasting track."""
    coasting = [
        ship
        for ship in loose(state.truth, audience, Fix.COASTING)
        if state.truth.holders(ship.id, Fix.COASTING)
    ]
    return _moved(state, rng, coasting)


def _moved(state: MatchState, rng: Random, ships: list[ShipTruth]) -> MatchState | None:
    ship = pick(rng, ships)
    if ship is None:
        return None
    board, far = state.truth.board, rng.choice((2, 5, 12))
    squares = list(squares_near(rng, board, ship.square, far))
    alike = [other for other in squares if stand(board, other) == stand(board, ship.square)]
    if not squares:
        return None
    square = rng.choice(alike or squares)
    return with_ship(state, _replace(ship, square=square))


def turn_untracked(
    state: MatchState, rng: Random, audience: Audience, orders: Orders
) -> MatchState | None:
    """Turn a ship that is at most a contact, and change its vector."""
    ships = loose(state.truth, audience, Fix.CONTACT, Fix.COASTING)
    found = {contact.piece for contact in coming_contacts(state, audience, orders)}
    noticed = [ship for ship in ships if ship.id in found]
    # What a contact tells too much shows only in the turn in which it is made.
    if not noticed and rng.random() >= UNNOTICED:
        return None
    ship = pick(rng, noticed or ships)
    if ship is None:
        return None
    vector = ship.vector.plus(Vector(rng.randint(-1, 1), rng.randint(-1, 1)))
    facing = ship.facing.turned(rng.randint(1, 7))
    return with_ship(state, _replace(ship, vector=vector, facing=facing))


def absent_for_blocked(
    state: MatchState, rng: Random, audience: Audience, orders: Orders
) -> MatchState | None:
    """Put an unheld ship into a scan where a planet hides it."""
    return _into_scan(state, rng, audience, orders, _blocked_places)


def absent_for_weak(
    state: MatchState, rng: Random, audience: Audience, orders: Orders
) -> MatchState | None:
    """Put an unheld ship into the valid part of a scan, where its signal is -1 or less."""
    return _into_scan(state, rng, audience, orders, _weak_places)


def absent_for_landed(
    state: MatchState, rng: Random, audience: Audience, orders: Orders
) -> MatchState | None:
    """Put an unheld ship on the ground of a planet that a scan covers."""
    return _into_scan(state, rng, audience, orders, _landed_places)


_Places = Callable[[MatchState, ScanMade, ShipTruth], list[Place]]


def _into_scan(
    state: MatchState, rng: Random, audience: Audience, orders: Orders, places: _Places
) -> MatchState | None:
    made = coming_scans(state, audience, orders)
    rng.shuffle(made)
    for scan in made:
        others = [
            other for other in loose(state.truth, audience) if other.side != scan.scanner.side
        ]
        ship = pick(rng, others)
        if ship is None or scan.area.__contains__(ship.square):
            continue
        found = places(state, scan, ship)
        if found:
            place = rng.choice(found)
            rest = Vector(0, 0) if place.landing is not None else ship.vector
            out = ship.popped_out and place.landing is None
            there = _replace(
                ship, square=place.square, landing=place.landing, vector=rest, popped_out=out
            )
            return with_ship(state, there)
    return None


def _blocked_places(state: MatchState, scan: ScanMade, _ship: ShipTruth) -> list[Place]:
    board = state.truth.board
    return [
        Place(square)
        for square in scan.area.squares()
        if not in_body(board, square) and not valid(board, scan.scanner.place, Place(square))
    ]


def _weak_places(state: MatchState, scan: ScanMade, ship: ShipTruth) -> list[Place]:
    board, weak = state.truth.board, []
    for square in scan.area.squares():
        if in_body(board, square) or not valid(board, scan.scanner.place, Place(square)):
            continue
        there = _replace(ship, square=square)
        signal, _ = signal_of(state.truth, scan.order.type, scan.effective, there, scan.holds)
        if signal is not None and signal < 0:
            weak.append((-signal, Place(square)))
    nearest = min((short for short, _ in weak), default=0)
    return [place for short, place in weak if short == nearest]


def _landed_places(state: MatchState, scan: ScanMade, _ship: ShipTruth) -> list[Place]:
    return [
        Place(outward_square(planet, environs.sector), landing)
        for planet in state.truth.board.planets
        for environs in planet.environs
        if scan.area.__contains__(outward_square(planet, environs.sector))
        for landing in (
            Landing(body=planet.name, sector=environs.sector, environs=environs.number),
        )
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
