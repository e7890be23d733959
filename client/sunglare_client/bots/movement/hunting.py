"""Pursuit: whom to go for, how to close in, and whom to shoot at."""

from collections.abc import Callable, Iterator
from math import fsum
from typing import NamedTuple

import msgspec

from sunglare_client.abilities import Ability
from sunglare_client.advice import Advice
from sunglare_client.bots.fire.nova import DODGES, ends_of, swept_mean
from sunglare_client.bots.movement.steering import (
    bearing,
    courses,
    distance,
    flight_costs,
    spent_in,
)
from sunglare_protocol.geometry import Board, Compass, Square
from sunglare_protocol.orders import Order, Rotate
from sunglare_protocol.views import ContactView, OwnView, TurretView, View
from sunglare_protocol.words.ladder import Fate, Fix
from sunglare_protocol.words.pieces import Arc, PieceKind
from sunglare_rules.advice.legal.plans import Course
from sunglare_rules.advice.odds.broadside import Broadside
from sunglare_rules.arcs.arcs import STANDARD_ARCS
from sunglare_rules.arcs.turrets import RotationError, rotated
from sunglare_rules.turn.movement import AT_REST, Flight, drifted

FRESH_TURNS = 1
"""A sighting of as many turns ago is still worth flying to."""

CLOSE = 3.0
"""Squares from its quarry at which a hunter likes to be."""

FIGHTER_CLOSE = 1.0
"""Squares from its quarry at which fighters like to be."""

WEIGHED = 12
"""Of so many of the cheapest courses the firepower is reckoned, which takes a while."""

PER_DAMAGE = 1.5
"""So many squares of distance a hunter gives for a point of mean damage."""

OUT_OF_REACH = 18
"""Squares beyond which no weapon is worth reckoning with."""


class Quarry(NamedTuple):
    """An enemy ship worth flying to: what is known of it, and where it will be if it drifts."""

    contact: ContactView
    after_move: Square
    later: Square


def quarries(view: View) -> tuple[Quarry, ...]:
    """Return the enemies that are held or were lately seen, where they will be on the map."""
    fresh = (
        contact
        for contact in view.contacts
        if contact.fate is Fate.IN_PLAY
        and (contact.fix is Fix.TRACKED or contact.turn >= view.stage.turn - FRESH_TURNS)
    )
    found = (_quarry(view.board, contact) for contact in fresh)
    return tuple(quarry for quarry in found if quarry.after_move in view.board)


def nearest(ship: OwnView, enemies: tuple[Quarry, ...]) -> Quarry | None:
    """Return the enemy that will be nearest to where the ship is; None if there is none."""
    return min(
        enemies, key=lambda enemy: ship.square.distance_squared(enemy.after_move), default=None
    )


def closing(board: Board, ship: OwnView, first: Square, then: Square) -> Callable[[Flight], float]:
    """Return a cost of flights: they should be close to a square now and to another next turn.

    Facing away from the first one costs as well.
    """
    close = FIGHTER_CLOSE if ship.kind is PieceKind.FIGHTER else CLOSE

    def cost(flight: Flight) -> float:
        ahead = drifted(board, flight.square, flight.vector)
        now, next_turn = distance(flight.square, first), distance(ahead, then)
        turned = flight.facing.apart(bearing(flight.square, first))
        return abs(now - close) + abs(next_turn - close) + turned

    return cost


def attack(advice: Advice, ship: OwnView, quarry: Quarry) -> tuple[Order, ...]:
    """Return the course that brings most firepower to bear on a quarry, turrets rotated for it."""
    cost = closing(advice.view.board, ship, quarry.after_move, quarry.later)
    return bearing_on(advice, ship, quarry, cost)


def bearing_on(
    advice: Advice, ship: OwnView, quarry: Quarry, cost: Callable[[Flight], float]
) -> tuple[Order, ...]:
    """Return what `attack` does, where another cost says which flights are good."""
    view = advice.view
    found = courses(advice, ship)
    if not found:
        return turrets_aimed(advice, ship, quarry)
    costs = flight_costs(view.board, ship, found, cost)
    ends = [(square, 1 / len(DODGES)) for square in ends_of(quarry.after_move)]
    swept = {
        course: mean
        for course in found
        if (mean := swept_mean(ship, course.flight, spent_in(course), ends))
    }
    cheapest = sorted(found, key=lambda course: costs[course.flight])[:WEIGHED]
    broadside = broadside_on(view, ship, quarry)

    def worth(course: Course) -> float:
        guns = power(broadside, course.flight.square, course.flight.facing, quarry)
        return max(guns, swept.get(course, 0.0))

    best = min(
        (*cheapest, *swept),
        key=lambda course: costs[course.flight] - PER_DAMAGE * worth(course),
    )
    return (*best.orders, *turrets_aimed(advice, moved(ship, best.flight), quarry))


def firepower(view: View, ship: OwnView, quarry: Quarry) -> float:
    """Return the mean damage of all the ship's weapons on the quarry, over where it may end."""
    return power(broadside_on(view, ship, quarry), ship.square, ship.facing, quarry)


def broadside_on(view: View, ship: OwnView, quarry: Quarry) -> Broadside:
    """Return what the ship's weapons would do to a quarry that is a live track."""
    return Broadside(view, ship, msgspec.structs.replace(quarry.contact, fix=Fix.TRACKED))


def power(broadside: Broadside, here: Square, facing: Compass, quarry: Quarry) -> float:
    """Return the mean damage of a ship that stands there and faces so, as `firepower` has it."""
    near = [
        at for at in ends_of(quarry.after_move) if at.distance_squared(here) <= OUT_OF_REACH**2
    ]
    return fsum([broadside.hundredths(here, facing, at) / 100 for at in near]) / len(DODGES)


def turrets_aimed(advice: Advice, ship: OwnView, quarry: Quarry) -> tuple[Rotate, ...]:
    """Return for every turret the rotation that brings more firepower to bear, if one does."""
    view, orders = advice.view, list[Rotate]()
    for turret in ship.turrets if advice.may(Ability.TURRETS) else ():
        powers = {
            to: firepower(view, _with_turret(ship, turret, arcs), quarry)
            for to, arcs in _positions(turret)
        }
        best = max(powers, key=powers.__getitem__, default=None)
        if best is not None and powers[best] > firepower(view, ship, quarry):
            orders.append(Rotate(ship=ship.id, turret=turret.id, to=best))
    return tuple(orders)


def moved(ship: OwnView, flight: Flight) -> OwnView:
    """Return the ship as it will be after a flight."""
    return msgspec.structs.replace(
        ship, square=flight.square, vector=flight.vector, facing=flight.facing
    )


def _quarry(board: Board, contact: ContactView) -> Quarry:
    vector = contact.vector or AT_REST
    first = drifted(board, contact.square, vector)
    return Quarry(contact, first, drifted(board, first, contact.square.to(first)))


def _positions(turret: TurretView) -> Iterator[tuple[Arc, tuple[Arc, ...]]]:
    """Yield where a turret may be rotated to, with the arcs it then points at."""
    for to in STANDARD_ARCS:
        try:
            yield to, rotated(turret.kind, turret.arcs, to)
        except RotationError:
            continue


def _with_turret(ship: OwnView, turret: TurretView, arcs: tuple[Arc, ...]) -> OwnView:
    turned = msgspec.structs.replace(turret, arcs=arcs)
    turrets = tuple(turned if fitted.id == turret.id else fitted for fitted in ship.turrets)
    return msgspec.structs.replace(ship, turrets=turrets)
