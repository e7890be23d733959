"""The conditions of a landing in one sentence: each with how the ship stands to it, yes or no.

Source: none of the five, all OWN; movement of our rule book, turn §5.
"""

from typing import NamedTuple, final

from sunglare_protocol.geometry import Asteroid, Planet
from sunglare_protocol.orders import Order, Thrust, Turn
from sunglare_protocol.views import OwnView
from sunglare_rules.advice.seen.plotting import first_of, powered_in_movement, thrust_points
from sunglare_rules.sensors.sectors import sector
from sunglare_rules.turn.movement import (
    Flight,
    LandingProblem,
    asteroid_landing_problems,
    planet_landing_problems,
)


@final
class _Term(NamedTuple):
    """A condition, how the ship stands to it, and whether that will do."""

    needed: str
    stands: str
    holds: bool


def takes_whole_move(orders: tuple[Order, ...]) -> bool:
    """Return whether a ship's orders leave its whole move to a landing: no turn, no thrust."""
    return first_of(Turn, orders) is None and first_of(Thrust, orders) is None


def planet_terms(
    planet: Planet, ship: OwnView, environs: int | None, orders: tuple[Order, ...]
) -> str:
    """Return what a landing on a planet takes; `ship` is deployed, `orders` are its own alone."""
    thrust = thrust_points(ship, orders)
    problems = planet_landing_problems(planet, _flight(ship), thrust, environs)
    sites = (LandingProblem.NO_SUCH_ENVIRONS, LandingProblem.OTHER_SECTOR)
    return _sentence(
        _Term(
            f"a start that touches {planet.name}",
            _at(ship),
            LandingProblem.NOT_TOUCHING not in problems,
        ),
        _Term(
            "at most one square each way", _moves(ship), LandingProblem.TOO_FAST not in problems
        ),
        _Term(
            "a point of thrust",
            f"{thrust}" if powered_in_movement(ship, orders) else "power off",
            LandingProblem.NO_THRUST not in problems,
        ),
        _Term(
            f"an environs of the sector where it starts{_sector(planet, ship)}",
            _lies(planet, environs),
            not any(problem in sites for problem in problems),
        ),
        _whole_move(orders),
    )


def asteroid_terms(asteroid: Asteroid, ship: OwnView, orders: tuple[Order, ...]) -> str:
    """Return what a landing on an asteroid takes; `ship` is deployed, `orders` its own alone."""
    problems = asteroid_landing_problems(asteroid, _flight(ship))
    return _sentence(
        _Term(
            f"a start in its square {asteroid.at.x},{asteroid.at.y}",
            _at(ship),
            LandingProblem.NOT_THERE not in problems,
        ),
        _Term("a ship at rest", _moves(ship), LandingProblem.TOO_FAST not in problems),
        _whole_move(orders),
    )


def _sentence(*terms: _Term) -> str:
    *others, last = (
        f"{term.needed} ({term.stands}: {'yes' if term.holds else 'no'})" for term in terms
    )
    return f"It takes {', '.join(others)} and {last}."


def _flight(ship: OwnView) -> Flight:
    return Flight(ship.square, ship.vector, ship.facing)


def _at(ship: OwnView) -> str:
    return f"at {ship.square.x},{ship.square.y}"


def _moves(ship: OwnView) -> str:
    return f"vector {ship.vector.dx:+d},{ship.vector.dy:+d}"


def _sector(planet: Planet, ship: OwnView) -> str:
    return "" if ship.square == planet.at else f", {sector(planet.at, ship.square).value}"


def _lies(planet: Planet, environs: int | None) -> str:
    place = planet.environs_numbered(environs)
    if place is not None:
        return f"{place.number} lies in {place.sector.value}"
    return "none named" if environs is None else f"there is no {environs}"


def _whole_move(orders: tuple[Order, ...]) -> _Term:
    holds = takes_whole_move(orders)
    return _Term("the whole move", "no turn or thrust" if holds else "it turns or thrusts", holds)
