"""Checks of orders to deploy, land and lift off.

Source: none of the five, all OWN; movement and set-up of our rule book, turn §5 and §7.
"""

from typing import assert_never

from sunglare_protocol.geometry import Asteroid, Compass, Landing, Planet, Square, box_of
from sunglare_protocol.orders import Deploy, Land, Order
from sunglare_protocol.refusals import Code, Rejected
from sunglare_protocol.surface import Cell
from sunglare_protocol.views import OwnView, View
from sunglare_rules.advice.check.landing_terms import (
    asteroid_terms,
    planet_terms,
    takes_whole_move,
)
from sunglare_rules.advice.refusing import refused
from sunglare_rules.advice.seen.plotting import (
    deployed,
    orders_of,
    powered_in_movement,
    thrust_points,
)
from sunglare_rules.sensors.sectors import in_body, outward_square
from sunglare_rules.turn.movement import (
    AT_REST,
    Flight,
    LandingProblem,
    asteroid_landing_problems,
    lift_off_problem,
    planet_landing_problems,
)

DEPLOY_SPEED_MOST = 2
"""OWN: squares a turn, along either axis, with which a ship may be deployed."""


def deploy_problem(view: View, order: Deploy) -> Rejected | None:
    """Return why a ship cannot be deployed like that, or None.

    In space: a square of the zone outside all bodies. On a planet: the environs and the square
    that touches the body in its sector. On an asteroid: its square. Landed ships are at rest.
    """
    vector = order.vector
    if max(abs(vector.dx), abs(vector.dy)) > DEPLOY_SPEED_MOST:
        detail = f"A ship starts with at most {DEPLOY_SPEED_MOST} squares in x and in y."
        return refused(Code.ORDER_PLACE, ".vector", detail)
    if order.landed is not None:
        problem = _deploy_landed_problem(view, order, order.landed)
        if problem is not None:
            return problem
    if order.at not in view.board or box_of(order.at).name not in view.zone:
        return refused(Code.ORDER_PLACE, ".at", "The square is outside your zone.", view.zone)
    if in_body(view.board, order.at):
        return refused(Code.ORDER_PLACE, ".at", "The square is inside a planet.")
    return None


def land_problem(
    view: View, ship: OwnView, order: Land, orders: tuple[Order, ...]
) -> Rejected | None:
    """Return why the ship cannot land like that, or None; a landing takes the whole move."""
    mine = orders_of(ship, orders)
    here = deployed(ship, mine)
    if here.landed is not None:
        return refused(Code.ORDER_LANDED)
    body = _body(view, order.body)
    match body:
        case Planet():
            return _planet_problem(body, here, order, mine)
        case Asteroid():
            return _asteroid_problem(body, here, order, mine)
        case None:
            return _no_body(view, ".body")
        case _:
            assert_never(body)


def lift_problem(ship: OwnView, orders: tuple[Order, ...]) -> Rejected | None:
    """Return why the ship cannot lift off, or None."""
    mine = orders_of(ship, orders)
    if deployed(ship, mine).landed is None:
        return refused(Code.ORDER_FLYING)
    if lift_off_problem(thrust_points(ship, mine)) is None:
        return None
    if not powered_in_movement(ship, mine):
        return refused(Code.ORDER_POWER)
    return refused(Code.ORDER_THRUST, "", "This takes one point of thrust.")


def _body(view: View, name: str) -> Planet | Asteroid | None:
    asteroids = (asteroid for asteroid in view.board.asteroids if asteroid.name == name)
    return view.board.planet_named(name) or next(asteroids, None)


def _no_body(view: View, field: str) -> Rejected:
    planets = [planet.name for planet in view.board.planets]
    asteroids = [asteroid.name for asteroid in view.board.asteroids]
    return refused(Code.ORDER_BODY, field, choices=(*planets, *asteroids))


def _deploy_landed_problem(view: View, order: Deploy, landed: Landing) -> Rejected | None:
    body = _body(view, landed.body)
    if body is None:
        return _no_body(view, ".landed.body")
    if order.vector != AT_REST:
        return refused(Code.ORDER_LANDING, ".vector", "A landed ship is at rest.")
    if isinstance(body, Planet):
        return _deploy_on_planet_problem(body, order.at, landed)
    if landed.environs is not None:
        return refused(Code.ORDER_LANDING, ".landed.environs", "An asteroid has no environs.")
    return None if order.at == body.at else _deploy_elsewhere(body.at)


def _deploy_on_planet_problem(planet: Planet, at: Square, landed: Landing) -> Rejected | None:
    lies = {environs.number: environs.sector for environs in planet.environs}
    if landed.environs is None or lies.get(landed.environs) is not landed.sector:
        choices = tuple(str(number) for number in lies)
        detail = "Name an environs and its own sector."
        return refused(Code.ORDER_LANDING, ".landed.environs", detail, choices)
    off = _cell_problem(planet, landed.environs, landed.cell, ".landed.cell")
    if off is not None:
        return off
    stands = outward_square(planet, landed.sector)
    return None if at == stands else _deploy_elsewhere(stands)


def _cell_problem(
    planet: Planet, number: int | None, cell: Cell | None, field: str
) -> Rejected | None:
    environs = planet.environs_numbered(number)
    if cell is None or environs is None or cell in environs:
        return None
    return refused(Code.ORDER_CELL, field, "The cell is off the surface map.")


def _deploy_elsewhere(stands: Square) -> Rejected:
    detail = f"A ship landed there is at {stands.x},{stands.y}."
    return refused(Code.ORDER_PLACE, ".at", detail)


def _planet_problem(
    planet: Planet, here: OwnView, order: Land, mine: tuple[Order, ...]
) -> Rejected | None:
    flight = Flight(here.square, here.vector, here.facing)
    problems = planet_landing_problems(planet, flight, thrust_points(here, mine), order.environs)
    if problems or not takes_whole_move(mine):
        return _unmet(planet, here, order, mine, problems)
    sectors = [place.sector for place in planet.environs if place.number == order.environs]
    if order.sector is not None and order.sector not in sectors:
        return refused(Code.ORDER_LANDING, ".sector", "The environs is in another sector.")
    return _cell_problem(planet, order.environs, order.cell, ".cell")


def _unmet(
    planet: Planet,
    here: OwnView,
    order: Land,
    mine: tuple[Order, ...],
    problems: tuple[LandingProblem, ...],
) -> Rejected:
    """Return the refusal of a landing at what is wrong first; its detail names all conditions."""
    detail = planet_terms(planet, here, order.environs, mine)
    if not takes_whole_move(mine):
        return refused(Code.ORDER_LANDING, "", detail)
    match problems[0]:
        case LandingProblem.NO_THRUST:
            has_power = powered_in_movement(here, mine)
            return refused(Code.ORDER_THRUST if has_power else Code.ORDER_POWER, "", detail)
        case LandingProblem.NO_SUCH_ENVIRONS | LandingProblem.OTHER_SECTOR:
            choices = tuple(str(place.number) for place in planet.environs)
            return refused(Code.ORDER_LANDING, ".environs", detail, choices)
        case _:
            return refused(Code.ORDER_LANDING, "", detail)


def _asteroid_problem(
    asteroid: Asteroid, here: OwnView, order: Land, mine: tuple[Order, ...]
) -> Rejected | None:
    if order.environs is not None or order.cell is not None:
        return refused(Code.ORDER_LANDING, ".environs", "An asteroid has no environs.")
    flight = Flight(here.square, here.vector, here.facing)
    if not takes_whole_move(mine) or asteroid_landing_problems(asteroid, flight):
        return refused(Code.ORDER_LANDING, "", asteroid_terms(asteroid, here, mine))
    if order.sector is None:
        choices = tuple(point.value for point in Compass)
        return refused(Code.ORDER_LANDING, ".sector", "Name a sector of its surface.", choices)
    return None
