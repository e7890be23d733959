"""The decisions of PLOT about ships: courses, set-ups, switches, turrets and launches."""

from collections.abc import Iterator

from sunglare_client.advice import Advice
from sunglare_client.bots.movement.hunting import (
    broadside_on,
    closing,
    moved,
    power,
    turrets_aimed,
)
from sunglare_client.bots.movement.steering import (
    CRASH,
    CRASH_LATER,
    DEPLOY_SPEED,
    bearing,
    danger,
    distance,
    flight_costs,
)
from sunglare_client.choosing.decision import (
    Candidate,
    Decision,
    DecisionKind,
    Goal,
    Outlook,
    thinned,
)
from sunglare_protocol.geometry import Board, Square, Vector, box_named
from sunglare_protocol.orders import Cloak, Deploy, Land, Lift, Order, Power, Sensors, Thrust
from sunglare_protocol.views import OwnView, View
from sunglare_rules.advice.legal.plans import Course
from sunglare_rules.turn.movement import Flight, drifted

FAR = 40.0
"""Distances are given in shares of as many squares, the side of a map of eight boxes."""

DANGEROUS = CRASH_LATER[0]
"""The danger of a course is given in shares of that of a crash in the next turn."""

MOST_THRUST = 6
"""Thrust is given in shares of as many points."""

NEAR = 20.0
"""How far from its goal a course ends is given in shares of as many squares."""

MUCH_DAMAGE = 4.0
"""Damage is given in shares of as many hull boxes."""


def courses(outlook: Outlook, ship: OwnView, most: int) -> Decision:
    """Return how a ship may move: in turn 1 its set-ups, after that courses and landings.

    Each flight comes once, by the shortest of its courses, from the safest on that bring it
    closest to its goal; those that crash or leave the map, or will if it then drifts for a turn,
    are left out where others are left. Too many are thinned out evenly.
    """
    view = outlook.advice.view
    if view.stage.turn == 1 and view.zone:
        found = [Candidate((order,), {}) for order in _deployments(outlook, ship)]
        return Decision(DecisionKind.COURSE, ship, tuple(thinned(found, most)))
    bodies = [Candidate((order,), {}) for order in _bodies(outlook.advice, ship)][:most]
    goal = outlook.goal(ship)
    flown = thinned(_sorted(outlook, ship, goal), most - len(bodies))
    moves = [Candidate(course.orders, _promise(view, ship, goal, course)) for course in flown]
    return Decision(DecisionKind.COURSE, ship, (*moves, *bodies))


def switches(outlook: Outlook, ship: OwnView) -> Decision:
    """Return what a ship may switch in PLOT: sensors, plant, jammer, cloak, and both first."""
    runs = ship.powered or ship.starting
    sensors = Sensors(ship=ship.id, out=not ship.popped_out)
    plant = Power(ship=ship.id, on=not runs)
    jammer = Power(ship=ship.id, on=runs, ecm=not ship.ecm)
    cloak = Cloak(ship=ship.id, on=not ship.cloaked)
    plans: list[tuple[Order, ...]] = [(sensors,), (plant,), (sensors, plant), (jammer,), (cloak,)]
    found = (
        Candidate(plan, _switched(plan)) for plan in plans if outlook.advice.check(plan) is None
    )
    return Decision(DecisionKind.SWITCHES, ship, tuple(found))


def turrets(outlook: Outlook, ship: OwnView) -> Decision:
    """Return how a ship may turn its turrets: so that most bears on its quarry if it drifts."""
    quarry = outlook.goal(ship).quarry if ship.turrets else None
    if quarry is None:
        return Decision(DecisionKind.TURRETS, ship, ())
    adrift = moved(ship, outlook.advice.flight(ship))
    orders = turrets_aimed(outlook.advice, adrift, quarry)
    found = (Candidate(orders, {}),) if orders and outlook.advice.check(orders) is None else ()
    return Decision(DecisionKind.TURRETS, ship, found)


def ordnance(outlook: Outlook, ship: OwnView, most: int) -> Decision:
    """Return what a ship may launch, and where a volley may be sent, the first ones of all."""
    found = [Candidate((order,), {}) for order in outlook.advice.ordnance(ship)]
    return Decision(DecisionKind.ORDNANCE, ship, tuple(found[:most]))


def _deployments(outlook: Outlook, ship: OwnView) -> Iterator[Deploy]:
    """Yield set-ups in the middle of each box of the zone: at rest, and flying at the enemy."""
    for name in outlook.advice.view.zone:
        at = box_named(name).centre
        peak = outlook.belief.peak(at)
        for speed in (0, DEPLOY_SPEED):
            way = _way(at, peak, speed)
            order = Deploy(ship=ship.id, at=at, vector=way, facing=bearing(at, peak))
            if outlook.advice.check((order,)) is None:
                yield order


def _way(here: Square, there: Square, speed: int) -> Vector:
    dx, dy = here.to(there)
    return Vector(max(-speed, min(speed, dx)), max(-speed, min(speed, dy)))


def _bodies(advice: Advice, ship: OwnView) -> Iterator[Land | Lift]:
    """Yield landings and the lift-off of a ship, of an asteroid's sectors the first one alone."""
    board = advice.view.board
    if ship.landed is not None:
        lift = Lift(ship=ship.id)
        if advice.check((lift,)) is None:
            yield lift
        return
    for planet in board.planets:
        for environs in planet.environs:
            land = Land(ship=ship.id, body=planet.name, environs=environs.number)
            if advice.check((land,)) is None:
                yield land
    for rock in board.asteroids:
        land = Land(ship=ship.id, body=rock.name, sector=bearing(rock.at, ship.square))
        if advice.check((land,)) is None:
            yield land


def _sorted(outlook: Outlook, ship: OwnView, goal: Goal) -> list[Course]:
    """Return a course for each flight of a ship, the best one first.

    Drifting is not among them: it is to do nothing.
    """
    board = outlook.advice.view.board
    shortest: dict[Flight, Course] = {}
    for course in outlook.advice.courses(ship):
        shortest.setdefault(course.flight, course)
    found = _least_bad(board, ship, [course for course in shortest.values() if course.orders])
    costs = flight_costs(board, ship, found, closing(board, ship, goal.now, goal.later))
    return sorted(found, key=lambda course: costs[course.flight])


def _least_bad(board: Board, ship: OwnView, found: list[Course]) -> list[Course]:
    """Return the courses that lead to no crash now nor in a turn, or else those not now."""
    dangers = {course.flight: danger(board, course.flight, ship.thrust) for course in found}
    for too_much in (DANGEROUS, CRASH):
        safe = [course for course in found if dangers[course.flight] < too_much]
        if safe:
            return safe
    return []


def _promise(view: View, ship: OwnView, goal: Goal, course: Course) -> dict[str, float]:
    flight = course.flight
    later = drifted(view.board, flight.square, flight.vector)
    numbers = {
        "near": distance(flight.square, goal.now) / NEAR,
        "near_later": distance(later, goal.later) / NEAR,
        "turned": flight.facing.apart(bearing(flight.square, goal.now)) / 4,
        "danger": danger(view.board, flight, ship.thrust) / DANGEROUS,
        "effort": _spent(course) / MOST_THRUST,
    }
    if goal.quarry is not None:
        broadside = broadside_on(view, ship, goal.quarry)
        does = power(broadside, flight.square, flight.facing, goal.quarry)
        numbers["damage"] = does / MUCH_DAMAGE
    return numbers


def _spent(course: Course) -> int:
    return sum(len(order.to) for order in course.orders if isinstance(order, Thrust))


def _switched(plan: tuple[Order, ...]) -> dict[str, float]:
    """Return what a plan switches on, as 1, and off, as -1."""
    found: dict[str, float] = {}
    for order in plan:
        if isinstance(order, Sensors):
            found["sensors"] = 1.0 if order.out else -1.0
        elif isinstance(order, Power) and order.ecm is None:
            found["plant"] = 1.0 if order.on else -1.0
        elif isinstance(order, Power):
            found["on"] = 1.0 if order.ecm else -1.0
        elif isinstance(order, Cloak):
            found["on"] = 1.0 if order.on else -1.0
    return found
