"""Steering: courses for a ship, deployments, and the best shots."""

from collections.abc import Callable
from heapq import nsmallest
from math import inf, sqrt
from random import Random

from sunglare_client.advice import Advice
from sunglare_client.bots.fire.ordnance import named
from sunglare_client.bots.movement.formation import squares_of
from sunglare_client.bots.movement.measures import drifted_on
from sunglare_protocol.geometry import Area, Board, Compass, Square, Vector, box_named
from sunglare_protocol.orders import Deploy, Fire, Order, Thrust, Turn
from sunglare_protocol.views import OwnView, View
from sunglare_rules.advice.legal.plans import Course
from sunglare_rules.advice.plans.fire import best_of, spares_own
from sunglare_rules.sensors.sectors import sector
from sunglare_rules.turn.movement import AT_REST, Flight, MoveEnding, ending, thrust_used

SPEED_MOST = 3
"""A ship that flies faster than this along an axis cannot stop before the edge of a small map."""

DEPLOY_SPEED = 2
"""The speed along each axis with which a ship may be deployed."""

CRASH = 1000.0
"""What it costs a course to end in a body or off the map."""

CRASH_LATER = (60.0, 15.0, 6.0)
"""What it costs if drifting on for one more turn would end like that, or for two, or three."""

TOO_FAST = 4.0
"""What it costs for every square a turn above `SPEED_MOST`, or above the ship's thrust."""

PARKED_IN = 5
"""A ship that wants to rest somewhere looks as many turns ahead."""

DEPLOYMENTS = 6
"""A deployment is drawn from as many that are about equally good."""

PER_MISS = 8.0
"""What it costs to drift past the spot by one square."""


def courses(advice: Advice, ship: OwnView) -> list[Course]:
    """Return the courses that turn and thrust alone make possible, drifting among them.

    Those of fewest orders come first, and of these the ones that spend the least thrust. Where
    the ship is draws the order of equals, so that a bot that takes the first of several equally
    good ones prefers no direction.
    """
    found = list(advice.courses(ship))
    drawn = Random(f"{advice.view.stage.window} {ship.id} {ship.square} {ship.vector}")
    drawn.shuffle(found)
    return sorted(found, key=lambda course: (len(course.orders), spent_in(course)))


def spent_in(course: Course) -> int:
    """Return the points of thrust that a course spends."""
    return sum(len(order.to) for order in course.orders if isinstance(order, Thrust))


def used_in(course: Course) -> int:
    """Return the thrust that a course uses, by which it is heard: points spent, steps turned."""
    steps = sum(abs(order.steps) for order in course.orders if isinstance(order, Turn))
    return thrust_used(spent_in(course), steps)


def best_course(
    advice: Advice, ship: OwnView, cost: Callable[[Flight], float]
) -> tuple[Order, ...]:
    """Return the orders of the safe course with the lowest cost, of the shortest if some tie."""
    found = courses(advice, ship)
    if not found:
        return ()
    costs = flight_costs(advice.view.board, ship, found, cost)
    return min(found, key=lambda course: costs[course.flight]).orders


def flight_costs(
    board: Board, ship: OwnView, found: list[Course], cost: Callable[[Flight], float]
) -> dict[Flight, float]:
    """Return what each flight costs with its danger; many courses lead to the same flight."""
    return {
        flight: danger(board, flight, ship.thrust) + cost(flight)
        for flight in dict.fromkeys([course.flight for course in found])
    }


def danger(board: Board, flight: Flight, thrust: int = SPEED_MOST) -> float:
    """Return a cost for flights that crash, leave the map, or soon will.

    With little thrust a ship needs longer to stop, so that it should fly more slowly.
    """
    if ending(board, flight.square) is not MoveEnding.FLIES:
        return CRASH
    most = max(1, min(SPEED_MOST, thrust))
    dx, dy = flight.vector
    cost = TOO_FAST * (max(0, abs(dx) - most) + max(0, abs(dy) - most))
    square, vector = flight.square, flight.vector
    for crash in CRASH_LATER:
        square, vector = drifted_on(board, square, vector)
        if ending(board, square) is not MoveEnding.FLIES:
            return cost + crash
    return cost


def parking(board: Board, spot: Square, thrust: int) -> Callable[[Flight], float]:
    """Return a cost of flights for a ship that wants to come to rest on a square.

    Thrust goes ahead, so a ship must fly at the spot, turn its back on where it flies to while
    it drifts, and brake as it gets there.
    """

    def cost(flight: Flight) -> float:
        if flight.square == spot and flight.vector == AT_REST:
            return -1
        speed = max(abs(flight.vector.dx), abs(flight.vector.dy))
        turned = _off_braking(flight)
        square, vector, best = flight.square, flight.vector, inf
        for turns in range(PARKED_IN + 1):
            missed = PER_MISS * distance(square, spot) + turns
            if missed < best:
                best = min(best, missed + 2 * max(0, turned - 1 - turns))
            square, vector = drifted_on(board, square, vector)
        return best + TOO_FAST * max(0, speed - min(2, thrust))

    return cost


def deployment(
    view: View, ship: OwnView, rng: Random, towards: Square, fast: bool = True
) -> Deploy:
    """Return a deployment on a random square of the zone, flying and facing `towards` a square.

    A ship without a drive is put at rest.
    """
    boxes = [box_named(name) for name in view.zone]
    around = rng.choice(boxes).centre
    at = Square(around.x + rng.randint(-2, 2), around.y + rng.randint(-2, 2))
    to = at.to(towards)
    # What has no drive would drift on for ever.
    speed = min(ship.thrust, DEPLOY_SPEED if fast else 1)
    vector = Vector(_limited(to.dx, speed), _limited(to.dy, speed))
    return Deploy(ship=ship.id, at=at, vector=vector, facing=bearing(at, towards))


def parked_deployment(view: View, ship: OwnView, rng: Random, spot: Square) -> Deploy:
    """Return one of the deployments from which the ship soon comes to rest on a square.

    It flies backwards from the start, so that its thrust brakes it.
    """
    cost = parking(view.board, spot, ship.thrust)
    speeds = range(-DEPLOY_SPEED, DEPLOY_SPEED + 1)
    vectors = [Vector(dx, dy) for dx in speeds for dy in speeds]
    facings = [bearing(Square(*vector), Square(0, 0)) for vector in vectors]
    places = squares_of(view.zone)
    starts = [(at, *way) for at in places for way in zip(vectors, facings, strict=True)]
    best = nsmallest(
        DEPLOYMENTS,
        starts,
        key=lambda start: cost(Flight(*drifted_on(view.board, start[0], start[1]), start[2])),
    )
    at, vector, facing = rng.choice(best)
    return Deploy(ship=ship.id, at=at, vector=vector, facing=facing)


def bearing(here: Square, there: Square) -> Compass:
    """Return the compass point in which `there` lies, north if it is the same square."""
    return Compass.N if here == there else sector(here, there)


def distance(a: Square, b: Square) -> float:
    """Return the distance between the centres of two squares, in squares."""
    # A root of an integer is rounded alike on every Python, `dist` is not.
    return sqrt(a.distance_squared(b))


def lies_in(area: Area, square: Square) -> bool:
    """Return whether a square lies in an area."""
    return area.covers(square)


def best_shots(advice: Advice, least_hundredths: int = 1) -> tuple[Fire, ...]:
    """Return for every weapon its shot with the highest mean damage, if that is enough.

    A ship with a nova gun fires that alone, or all the rest, whichever does more.
    """
    weighed = (
        (0 if odds is None else odds.mean_hundredths, shot)
        for shot in advice.shots()
        if spares_own(advice.view, shot)
        for odds in (advice.odds(shot),)
    )
    return tuple(named(advice, shot) for shot in best_of(weighed, least_hundredths))


def _off_braking(flight: Flight) -> int:
    """Return by how many steps a ship faces off the direction in which thrust would brake it."""
    if flight.vector == AT_REST:
        return 0
    return flight.facing.apart(bearing(flight.square.moved(flight.vector), flight.square))


def _limited(value: int, most: int) -> int:
    return max(-most, min(most, value))
