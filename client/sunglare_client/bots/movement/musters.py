"""Musters: how a fleet waits together, its decoy ahead, until the enemy comes to it.

Ships that rush at an enemy arrive one by one, the fast ones first, and meet the whole fleet. A
fleet that waits has all guns together, and lets its own decoy be met first. It does not wait for
ever: after some part of the match the fleet goes and looks for the enemy.
"""

from collections.abc import Callable
from typing import NamedTuple

from sunglare_client.advice import Advice
from sunglare_client.bots.movement.formation import middle, squares_of
from sunglare_client.bots.movement.hunting import Quarry
from sunglare_client.bots.movement.measures import drifted_on
from sunglare_client.bots.movement.steering import bearing, courses, danger, distance, spent_in
from sunglare_protocol.geometry import Square, box_named
from sunglare_protocol.ids import OwnId
from sunglare_protocol.orders import Deploy, Order
from sunglare_protocol.views import OwnView, View
from sunglare_protocol.words.pieces import PieceKind
from sunglare_protocol.words.victory import ObjectiveKind
from sunglare_rules.turn.movement import AT_REST, Flight

STRIKES_WITHIN = 14.0
"""A fleet waits until an enemy is as near as this to its heaviest ship, in squares."""

WAITS = 5 / 12
"""It waits for this part of the match at most."""

CLOSE = 3.0
"""Squares from the heaviest ship within which the others wait."""

AHEAD = 7.0
"""Squares from it, towards the enemy, at which the decoy is."""

PER_SPEED = 1.5
"""What a square of speed costs a ship that waits, in squares off its place."""

COMPACT = 3
"""A zone of at most so many columns and rows of boxes is one for a fleet, not for pickets."""

SCATTER = 3
"""A ship is deployed up to so many squares off the middle of its zone."""


class Muster(NamedTuple):
    """Where a fleet waits, and where it looks."""

    anchor: OwnView
    towards: Square


def fleet_of(advice: Advice) -> tuple[OwnView, ...]:
    """Return the own ships that fly together: in space, and under no cloak."""
    return tuple(
        ship
        for ship in advice.ships()
        if ship.kind is PieceKind.STARSHIP and ship.landed is None and not ship.cloak
    )


def muster(advice: Advice, foes: tuple[Quarry, ...], peak: Square) -> Muster | None:
    """Return how the fleet waits, or None if it is time to fight, or if its objectives call.

    Without an enemy known it looks to `peak`.
    """
    view = advice.view
    fleet = fleet_of(advice)
    if len(fleet) <= 1 or _is_called(view) or view.stage.turn >= WAITS * view.stage.turns:
        return None
    anchor = max(fleet, key=lambda ship: (ship.hull, ship.id))
    places = [foe.after_move for foe in foes]
    nearest = min(places, key=anchor.square.distance_squared, default=peak)
    if places and distance(anchor.square, nearest) <= STRIKES_WITHIN:
        return None
    return Muster(anchor, nearest)


def is_compact(zone: tuple[str, ...]) -> bool:
    """Return whether a fleet may gather in a zone; a long one is for a line of pickets."""
    boxes = [box_named(name) for name in zone]
    columns, rows = {box.column for box in boxes}, {box.row for box in boxes}
    return max(len(columns), len(rows)) <= COMPACT


def gathered(
    view: View, ship: OwnView, enemy: Square, spread: Callable[[int, int], int]
) -> Deploy:
    """Return a deployment at rest near the middle of the zone, facing the enemy's.

    `spread` draws a number between two others.
    """
    x, y = middle(view.zone)
    at = Square(x + spread(-SCATTER, SCATTER), y + spread(-SCATTER, SCATTER))
    nearest = min(squares_of(view.zone), key=at.distance_squared)
    return Deploy(ship=ship.id, at=nearest, vector=AT_REST, facing=bearing(nearest, enemy))


def waiting_course(advice: Advice, ship: OwnView, where: Muster) -> tuple[Order, ...]:
    """Return the course of a ship that waits by the heaviest, of that ship itself, or of a decoy.

    A decoy spends no more thrust than the heaviest ship could, whose place it takes.
    """
    board, anchor = advice.view.board, where.anchor
    is_decoy = ship.kind is PieceKind.DECOY
    place = _bait_place(where) if is_decoy else anchor.square

    def cost(flight: Flight) -> float:
        later = drifted_on(board, flight.square, flight.vector)[0]
        off = max(0.0, distance(flight.square, place) - CLOSE)
        off += max(0.0, distance(later, place) - CLOSE)
        speed = max(abs(flight.vector.dx), abs(flight.vector.dy))
        turned = flight.facing.apart(bearing(flight.square, where.towards))
        return off + PER_SPEED * speed + turned + danger(board, flight, ship.thrust)

    most = anchor.thrust if is_decoy else ship.thrust
    found = [course for course in courses(advice, ship) if spent_in(course) <= most]
    best = min(found, key=lambda course: cost(course.flight), default=None)
    return () if best is None else best.orders


def lookouts_of(fleet: tuple[OwnView, ...], count: int) -> tuple[OwnId, ...]:
    """Return the ships with the best sensors, which keep watch while the others are silent."""
    able = [ship for ship in fleet if ship.sensors]
    able.sort(key=lambda ship: (sum(ship.sensors.values()), ship.crew.operator), reverse=True)
    return tuple(ship.id for ship in able[:count])


def _is_called(view: View) -> bool:
    """Return whether the objectives ask for more than to hold out: a ship or agent is to leave."""
    return any(objective.kind is ObjectiveKind.ESCAPE for objective in view.objectives)


def _bait_place(where: Muster) -> Square:
    """Return where the decoy is to be: as far ahead as it takes to be met first."""
    here, away = where.anchor.square, distance(where.anchor.square, where.towards)
    if away <= AHEAD:
        return where.towards
    way = here.to(where.towards)
    return Square(here.x + round(way.dx * AHEAD / away), here.y + round(way.dy * AHEAD / away))
