"""The ends of a ship's courses, where it may be deployed, and where its missiles may be sent.

Source: movement of our rule book, sensors §5 and turn §5; what a ship gives off, sensors §2.
"""

from collections.abc import Callable

from sunglare_protocol.geometry import Compass, Square, box_named
from sunglare_protocol.ids import Handle
from sunglare_protocol.messages.sheets import CourseEnd
from sunglare_protocol.orders import Aim, Deploy, Launch, Order, Thrust, Turn
from sunglare_protocol.views import OwnView, View
from sunglare_protocol.words.ladder import Fate
from sunglare_protocol.words.scans import ScanSize
from sunglare_rules.advice.check.check import takes
from sunglare_rules.advice.check.launch import aim_square_problem
from sunglare_rules.advice.legal.plans import Course, courses
from sunglare_rules.advice.odds.hearing import heard_odds
from sunglare_rules.advice.seen.emissions import signatures_after
from sunglare_rules.advice.seen.plotting import after_plot, first_of, orders_of
from sunglare_rules.advice.sheets.beside import Plan, stands
from sunglare_rules.advice.sheets.prospects import fire_from
from sunglare_rules.sensors.areas import scan_area
from sunglare_rules.turn.movement import Flight, MoveEnding, ending, thrust_used

_FATES = {
    MoveEnding.FLIES: Fate.IN_PLAY,
    MoveEnding.CRASHES: Fate.DESTROYED,
    MoveEnding.ESCAPES: Fate.ESCAPED,
}


def course_ends(view: View, ship: OwnView, plan: Plan) -> tuple[CourseEnd, ...]:
    """Return each square and facing in which the ship can end its move, by the least thrust.

    They go with its other orders of the plan. What takes the least thrust comes first, and among
    that what takes no turn.
    """
    mine = orders_of(ship, plan)
    others = tuple([order for order in mine if not isinstance(order, Turn | Thrust)])
    ends: dict[tuple[Square, Compass], Course] = {}
    for course in courses(view, ship, others):
        ends.setdefault((course.flight.square, course.flight.facing), course)
    fire = fire_from(view, ship, others)
    found = [_end(view, ship, others, course, fire) for course in ends.values()]
    return tuple(sorted(found, key=lambda end: (end.thrust, len(end.orders))))


def heard(view: View, ship: OwnView, plan: Plan, ends: tuple[CourseEnd, ...]) -> tuple[int, ...]:
    """Return how likely a listener hears the cloaked ship at best, by the thrust it uses.

    That is the same after all courses, but after those on which the ship is lost.
    """
    mine = orders_of(ship, plan)
    others = tuple([order for order in mine if not isinstance(order, Turn | Thrust)])
    safe = next((end for end in ends if end.fate is Fate.IN_PLAY), None)
    odds = None if safe is None else heard_odds(view, ship, (*others, *safe.orders))
    return () if odds is None else odds.hundredths


def deploy_squares(view: View, ship: OwnView, plan: Plan) -> tuple[Square, ...]:
    """Return the squares of space where the ship may be deployed, box after box of the zone.

    A deployment takes the place of the ship's course, which begins elsewhere.
    """
    if not takes(view, Deploy):
        return ()
    begun = tuple([one for one in orders_of(ship, plan) if not isinstance(one, Turn | Thrust)])
    boxes = (scan_area(view.board, ScanSize.BOX, box_named(name).centre) for name in view.zone)
    squares = (square for box in boxes for square in box.squares())
    return tuple(
        [square for square in squares if stands(view, begun, Deploy(ship=ship.id, at=square))]
    )


def aim_squares(view: View, ship: OwnView, plan: Plan, orders: Plan) -> tuple[Square, ...]:
    """Return the squares to which missiles may be sent, if `orders` send some anywhere.

    They are the same for all launchers of a ship; missiles start where its move ends.
    """
    if not any(isinstance(order, Aim) or _is_of_missiles(order) for order in orders):
        return ()
    start = ship.square if ship.volley is not None else after_plot(view, ship, plan).square
    squares = view.board.area.squares()
    return tuple([at for at in squares if aim_square_problem(view.board, start, at) is None])


def _is_of_missiles(order: Order) -> bool:
    return isinstance(order, Launch) and order.at is not None


def _end(
    view: View,
    ship: OwnView,
    others: Plan,
    course: Course,
    fire: Callable[[Flight], dict[Handle, int]],
) -> CourseEnd:
    turn, thrust = first_of(Turn, course.orders), first_of(Thrust, course.orders)
    points, steps = 0 if thrust is None else len(thrust.to), 0 if turn is None else turn.steps
    return CourseEnd(
        to=course.flight.square,
        facing=course.flight.facing,
        orders=course.orders,
        thrust=thrust_used(points, steps),
        signatures=signatures_after(view, ship, (*others, *course.orders)),
        fire=fire(course.flight),
        fate=_FATES[ending(view.board, course.flight.square)],
    )
