"""Ways of a ship over several turns, to a square or to a landing, as the orders of each turn.

Source: none of its own; movement and landing of our rule book, turn §5.
"""

from typing import NamedTuple

from msgspec.structs import replace

from sunglare_protocol.geometry import Board, Place, Square
from sunglare_protocol.ids import OwnId
from sunglare_protocol.orders import Cloak, Deploy, Land, Lift, Order, Power, Thrust, Turn
from sunglare_protocol.refusals import Code, Rejected
from sunglare_protocol.views import OwnView, View
from sunglare_rules.advice.check.check import check
from sunglare_rules.advice.check.landing import land_problem
from sunglare_rules.advice.legal.plans import Course
from sunglare_rules.advice.plans.passage import ANY_SPEED, Agility, Arrival, Maneuver, passage
from sunglare_rules.advice.refusing import refused
from sunglare_rules.advice.seen.lookup import own_ship
from sunglare_rules.advice.seen.plotting import deployed, landing_of, orders_of, thrust_points
from sunglare_rules.sensors.sectors import sector, standing_square, touches_body, well_squares
from sunglare_rules.turn.movement import (
    AT_REST,
    LANDING_SPEED_MOST,
    LIFT_OFF_THRUST,
    PLANET_LANDING_THRUST,
    Flight,
    MoveEnding,
    drifted,
    ending,
    lift_off,
)

NO_WAY = "No route was found that keeps the ship on the map and out of all bodies."
"""The detail of a refusal where a place cannot be reached."""


class Waypoint(NamedTuple):
    """A square to fly to; with `stop` the ship comes to rest there."""

    square: Square
    stop: bool = False


Goal = Waypoint | Land
"""Where a route leads: to a square, or to the landing that an order names."""


class Route(NamedTuple):
    """The way of a ship to its goal: a leg for each turn from `turn` on, none if it is there.

    Each leg has the orders of one PLOT and the flight that they lead to.
    """

    ship: OwnId
    goal: Goal
    turn: int
    legs: tuple[Course, ...] = ()

    def leg(self, turn: int) -> tuple[Order, ...]:
        """Return the orders of a turn; none where the route has no leg for it."""
        index = turn - self.turn
        return self.legs[index].orders if 0 <= index < len(self.legs) else ()


def route(view: View, own: OwnId, goal: Goal, plan: tuple[Order, ...] = ()) -> Route | Rejected:
    """Return the way of an own ship to a goal from this PLOT on, or why there is none.

    It begins as the plan deploys and switches the ship; what else the plan has for its flight is
    passed over. A landed ship lifts off first. Shadows, enemies and what they see do not count.
    """
    ship = own_ship(view, own)
    if isinstance(ship, Rejected):
        return ship
    mine = tuple(order for order in orders_of(ship, plan) if isinstance(order, _KEPT))
    here = deployed(ship, mine)
    first: Order = Turn(ship=own, steps=0) if here.landed is None else Lift(ship=own)
    problem = check(view, (*mine, first)) or _problem_at(view, here, goal, mine)
    if problem is not None:
        return problem
    if is_there(view.board, here, goal):
        return Route(own, goal, view.stage.turn)
    agility = Agility(thrust_points(ship, mine), ship.crew.pilot)
    legs = _flown(view.board, here, agility, goal)
    if legs is None:
        return refused(Code.ORDER_PLACE, "", NO_WAY)
    return Route(own, goal, view.stage.turn, legs)


def gone_on(view: View, gone: Route) -> Route | Rejected:
    """Return what is left of a route in the open PLOT, without legs if the ship is there.

    A ship that is where the route has it goes on; one that is not gets another way to the goal.
    """
    index = view.stage.turn - gone.turn
    ship = own_ship(view, gone.ship)
    if isinstance(ship, Rejected):
        return ship
    if is_there(view.board, ship, gone.goal):
        return Route(gone.ship, gone.goal, view.stage.turn)
    left = gone.legs[index:]
    if index and left and _is_at(ship, gone.legs[index - 1].flight) and _can_fly(view, ship, left):
        return Route(gone.ship, gone.goal, view.stage.turn, left)
    return route(view, gone.ship, gone.goal)


def leg_ahead(view: View, gone: Route) -> tuple[Order, ...]:
    """Return the orders of a route in the next turn's PLOT, once a ship has moved in this one.

    None if the route ends before, or if the ship is not where the route has it.
    """
    index = view.stage.turn - gone.turn
    ship = own_ship(view, gone.ship)
    if isinstance(ship, Rejected) or not 0 <= index < len(gone.legs):
        return ()
    return gone.leg(view.stage.turn + 1) if _is_at(ship, gone.legs[index].flight) else ()


def is_there(board: Board, ship: OwnView, goal: Goal) -> bool:
    """Return whether a ship is at the goal: on the square, at rest if it stops, or down."""
    if isinstance(goal, Waypoint):
        return ship.landed is None and _arrival(board, goal).met_by(_flight(ship))
    down, wanted = ship.landed, landing_of(board, goal)
    if down is None or wanted is None:
        return False
    return (down.body, down.sector, down.environs) == (wanted.body, wanted.sector, wanted.environs)


def thrust_of(orders: tuple[Order, ...]) -> int:
    """Return how many points of thrust the orders of one ship spend in a PLOT."""
    spent = 0
    for order in orders:
        match order:
            case Thrust():
                spent += len(order.to)
            case Lift():
                spent += LIFT_OFF_THRUST
            case Land():
                spent += 0 if order.environs is None else PLANET_LANDING_THRUST
            case _:
                pass
    return spent


_KEPT = (Deploy, Power, Cloak)
"""The orders of a plan that a route begins with."""


def _problem_at(view: View, ship: OwnView, goal: Goal, mine: tuple[Order, ...]) -> Rejected | None:
    """Return why the ship could not do at the goal what it is to do there, or None."""
    if isinstance(goal, Waypoint):
        return _waypoint_problem(view.board, goal)
    squares = _arrival(view.board, goal).squares
    at = ship.square if not squares else squares[0]
    there = replace(ship, square=at, vector=AT_REST, landed=None)
    seen = replace(view, own=tuple(there if own.id == ship.id else own for own in view.own))
    switches = tuple(order for order in mine if not isinstance(order, Deploy))
    return land_problem(seen, there, goal, switches) or check(seen, (*switches, goal))


def _waypoint_problem(board: Board, goal: Waypoint) -> Rejected | None:
    if ending(board, goal.square) is not MoveEnding.FLIES:
        return refused(Code.ORDER_PLACE, "", "The square is inside a body or off the map.")
    onward = drifted(board, goal.square, AT_REST)
    if goal.stop and ending(board, onward) is not MoveEnding.FLIES:
        return refused(
            Code.ORDER_PLACE, "", "Gravity would pull a ship at rest there into a body."
        )
    return None


def _flown(board: Board, ship: OwnView, agility: Agility, goal: Goal) -> tuple[Course, ...] | None:
    legs: list[Course] = []
    start = _flight(ship)
    if ship.landed is not None:
        start = lift_off(board, ship.landed)
        legs.append(Course((Lift(ship=ship.id),), start))
    moves = passage(board, start, agility, _arrival(board, goal))
    if moves is None:
        return None
    legs += [Course(_orders(ship.id, move), move.end) for move in moves]
    if isinstance(goal, Land):
        legs.append(_landed(board, goal, legs[-1].flight if legs else start))
    return tuple(legs)


def _orders(own: OwnId, move: Maneuver) -> tuple[Order, ...]:
    turn = (Turn(ship=own, steps=move.steps),) if move.steps else ()
    thrust = (Thrust(ship=own, to=move.to),) if move.to else ()
    return (*turn, *thrust)


def _landed(board: Board, order: Land, before: Flight) -> Course:
    landing = landing_of(board, order)
    down = standing_square(board, Place(before.square, landing))
    return Course((order,), Flight(down, AT_REST, before.facing))


def _arrival(board: Board, goal: Goal) -> Arrival:
    """Return how a flight to a goal ends; for a body that is not there without any square."""
    if isinstance(goal, Waypoint):
        return Arrival((goal.square,), 0 if goal.stop else ANY_SPEED)
    planet, landing = board.planet_named(goal.body), landing_of(board, goal)
    if landing is None:
        return Arrival(())
    if planet is None:
        rock = next(asteroid for asteroid in board.asteroids if asteroid.name == goal.body)
        return Arrival((rock.at,), 0)
    beside = [
        square
        for square in well_squares(planet)
        if touches_body(planet, square)
        and sector(planet.at, square) is landing.sector
        and ending(board, square) is MoveEnding.FLIES
    ]
    return Arrival(tuple(beside), LANDING_SPEED_MOST, lands=True)


def _flight(ship: OwnView) -> Flight:
    return Flight(ship.square, ship.vector, ship.facing)


def _is_at(ship: OwnView, flight: Flight) -> bool:
    return ship.landed is None and _flight(ship) == flight


def _can_fly(view: View, ship: OwnView, legs: tuple[Course, ...]) -> bool:
    """Return whether the ship still has the thrust and the power for the legs that are left."""
    most = max(thrust_of(leg.orders) for leg in legs)
    return most <= ship.thrust and check(view, legs[0].orders) is None
