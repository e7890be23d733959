"""What the bots share: courses for a ship, deployments, and the best shots."""

from collections.abc import Callable
from math import dist
from random import Random
from typing import NamedTuple

from sunglare_client.advice import Advice
from sunglare_client.bots.ordnance import named, spares_own
from sunglare_protocol.geometry import Area, Board, Compass, Square, Vector, box_named
from sunglare_protocol.ids import OwnId
from sunglare_protocol.orders import Deploy, Fire, Order, Thrust, Turn
from sunglare_protocol.views import OwnView, View
from sunglare_rules.advice.plotting import after_plot
from sunglare_rules.movement import Ending, Flight, drifted, ending
from sunglare_rules.sectors import sector

SPEED_MOST = 3
"""A ship that flies faster than this along an axis cannot stop before the edge of a small map."""

DEPLOY_SPEED = 2
"""The speed along each axis with which a ship may be deployed."""

CRASH = 1000.0
"""What it costs a course to end in a body or off the map."""

CRASH_NEXT = 60.0
"""What it costs if drifting on for one more turn would end like that."""

CRASH_LATER = 15.0
"""What it costs if drifting on for two more turns would."""

TOO_FAST = 4.0
"""What it costs for every square a turn above `SPEED_MOST`."""


class Course(NamedTuple):
    """Orders for the movement of one ship, and the flight they lead to."""

    orders: tuple[Order, ...]
    flight: Flight


def courses(advice: Advice, ship: OwnView) -> list[Course]:
    """Return the courses that turn and thrust alone make possible, drifting among them."""
    view = advice.view
    return [
        Course(plan, after_plot(view, ship, plan))
        for plan in advice.plots(ship)
        if all(isinstance(order, Turn | Thrust) for order in plan)
    ]


def best_course(
    advice: Advice, ship: OwnView, cost: Callable[[Flight], float]
) -> tuple[Order, ...]:
    """Return the orders of the safe course with the lowest cost, of the shortest if some tie."""
    board = advice.view.board
    found = courses(advice, ship)
    if not found:
        return ()
    best = min(found, key=lambda course: danger(board, course.flight) + cost(course.flight))
    return best.orders


def danger(board: Board, flight: Flight) -> float:
    """Return a cost for flights that crash, leave the map, or soon will."""
    if ending(board, flight.square) is not Ending.FLIES:
        return CRASH
    cost = TOO_FAST * sum(max(0, abs(speed) - SPEED_MOST) for speed in flight.vector)
    square = drifted(board, flight.square, flight.vector)
    if ending(board, square) is not Ending.FLIES:
        return cost + CRASH_NEXT
    if ending(board, square.moved(flight.vector)) is not Ending.FLIES:
        cost += CRASH_LATER
    return cost


def deployment(
    view: View, ship: OwnView, rng: Random, towards: Square, fast: bool = True
) -> Deploy:
    """Return a deployment on a random square of the zone, flying and facing `towards` a square."""
    boxes = [box_named(name) for name in view.zone]
    around = rng.choice(boxes).centre
    at = Square(around.x + rng.randint(-2, 2), around.y + rng.randint(-2, 2))
    to = at.to(towards)
    speed = DEPLOY_SPEED if fast else 1
    vector = Vector(_limited(to.dx, speed), _limited(to.dy, speed))
    return Deploy(ship=ship.id, at=at, vector=vector, facing=bearing(at, towards))


def bearing(here: Square, there: Square) -> Compass:
    """Return the compass point in which `there` lies, north if it is the same square."""
    return Compass.N if here == there else sector(here, there)


def distance(a: Square, b: Square) -> float:
    """Return the distance between the centres of two squares, in squares."""
    return dist(a, b)


def lies_in(area: Area, square: Square) -> bool:
    """Return whether a square lies in an area."""
    return area.west <= square.x <= area.east and area.north <= square.y <= area.south


def best_shots(advice: Advice, least_hundredths: int = 1) -> tuple[Fire, ...]:
    """Return for every weapon its shot with the highest mean damage, if that is enough.

    A ship with a nova gun fires that alone, or all the rest, whichever does more.
    """
    best: dict[tuple[OwnId, str], tuple[int, Fire]] = {}
    for shot in advice.shots():
        odds = advice.odds(shot) if spares_own(advice, shot) else None
        mean = 0 if odds is None else odds.mean_hundredths
        key = (shot.ship, shot.weapon)
        if mean >= least_hundredths and mean > best.get(key, (0, shot))[0]:
            best[key] = (mean, shot)
    found = tuple(best.values())
    return tuple(
        named(advice, shot)
        for _, shot in found
        if (shot.at is None) is _nova_is_better(found, shot.ship)
    )


def _nova_is_better(found: tuple[tuple[int, Fire], ...], ship: OwnId) -> bool:
    mine = [(mean, each) for mean, each in found if each.ship == ship]
    nova = sum(mean for mean, each in mine if each.at is None)
    return nova > sum(mean for mean, each in mine if each.at is not None)


def _limited(value: int, most: int) -> int:
    return max(-most, min(most, value))
