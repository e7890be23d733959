"""Movement of ships: gravity, drift, turn, thrust, the ends of a flight, landing and lift-off.

Source: Intercept sensors part 2, scan 3 (the drift with the help of gravity); movement of our
rule book, sensors §5 and turn §5, all OWN. Only the square where a move ends is entered.
"""

import enum
from functools import lru_cache
from typing import NamedTuple

from sunglare_protocol.geometry import (
    Asteroid,
    Board,
    Compass,
    Landing,
    Planet,
    Square,
    Vector,
)
from sunglare_rules.sensors.sectors import in_body, outward_square, sector, touches_body, wells_of

AT_REST = Vector(0, 0)
"""The vector of a ship that is landed, lifts off, or hangs still."""

THRUSTING_TURN_MOST = 1
"""OWN: steps of 45 degrees that a thrusting ship may turn."""

COLD_TURN_MOST = 1
"""OWN: steps of 45 degrees that a ship without power may turn."""

LANDING_SPEED_MOST = 1
"""OWN: squares a turn, along either axis, at which a ship may still land on a planet."""

THRUST_MOST = 12
"""OWN: no drive gives more thrust points a turn."""

PLANET_LANDING_THRUST = 1
"""OWN: thrust points that a landing on a planet costs; one on an asteroid is free."""

LIFT_OFF_THRUST = 1
"""OWN: thrust points that a lift-off costs."""

_PULLS_KEPT = 1 << 12
"""How many squares are remembered with the pull of the planets there."""

_ENDINGS_KEPT = 1 << 14
"""How many squares are remembered with the ending of a move there: whole boards."""


class Flight(NamedTuple):
    """The motion of a piece in space: its square, the vector of its last move, its facing."""

    square: Square
    vector: Vector
    facing: Compass


class MoveEnding(enum.Enum):
    """The fate of a piece where its move ends."""

    FLIES = "flies"
    ESCAPES = "escapes"
    CRASHES = "crashes"


class LandingProblem(enum.Enum):
    """Why a ship cannot land or lift off."""

    NOT_TOUCHING = "not_touching"
    NOT_THERE = "not_there"
    TOO_FAST = "too_fast"
    NO_THRUST = "no_thrust"
    NO_SUCH_ENVIRONS = "no_such_environs"
    OTHER_SECTOR = "other_sector"


@lru_cache(maxsize=_PULLS_KEPT)
def gravity(board: Board, square: Square) -> Vector:
    """Return the pull on a piece that starts its move on `square`.

    Each planet in whose well it is pulls it one square along the compass line of its near
    sector towards the planet; the pulls add up. Outside all wells it is (0, 0).
    """
    pull = AT_REST
    for planet in wells_of(board, square):
        pull = pull.plus(sector(planet.at, square).opposite.step)
    return pull


def drifted(board: Board, square: Square, vector: Vector) -> Square:
    """Return where a piece without thrust ends: its square plus vector plus gravity."""
    pull = gravity(board, square)
    return Square(square.x + vector.dx + pull.dx, square.y + vector.dy + pull.dy)


def turn_steps_allowed(thrusting: bool, pilot: int, powered: bool) -> int:
    """Return the most steps of 45 degrees that a ship may turn, to either side, this turn."""
    if not powered:
        return COLD_TURN_MOST
    return THRUSTING_TURN_MOST if thrusting else 1 + pilot


def thrust_headings(facing: Compass) -> tuple[Compass, Compass, Compass]:
    """Return the directions of thrust with this facing: ahead, one step left and one right."""
    return _HEADINGS[facing]


_HEADINGS = {facing: (facing.turned(-1), facing, facing.turned(1)) for facing in Compass}


def flown(board: Board, flight: Flight, turn: int, thrust: tuple[Compass, ...]) -> Flight:
    """Return the flight after one move: drift, then turn, then thrust.

    `turn` counts steps of 45 degrees clockwise (negative: the other way), `thrust` names one
    direction per point. The new vector is the whole displacement. Nothing is checked.
    """
    end = drifted(board, flight.square, flight.vector)
    for heading in thrust:
        end = end.moved(heading.step)
    facing = flight.facing.turned(turn) if turn else flight.facing
    return Flight(end, flight.square.to(end), facing)


def thrust_used(points: int, steps: int) -> int:
    """Return the thrust a move used: points spent plus steps turned, to either side."""
    return points + abs(steps)


@lru_cache(maxsize=_ENDINGS_KEPT)
def ending(board: Board, square: Square) -> MoveEnding:
    """Return the fate of a piece whose move ends on `square`."""
    if in_body(board, square):
        return MoveEnding.CRASHES
    return MoveEnding.FLIES if square in board else MoveEnding.ESCAPES


def edge_crossed(board: Board, square: Square) -> Compass:
    """Return the edge (N, E, S or W) over which a piece left that ended on `square`.

    OWN: beyond a corner it is the edge farther behind it, north or south if both are equally
    far. Raise `ValueError` for a square on the map.
    """
    area = board.area
    beyond_y = max(area.north - square.y, square.y - area.south, 0)
    beyond_x = max(area.west - square.x, square.x - area.east, 0)
    if beyond_x == beyond_y == 0:
        raise ValueError("the square is on the map")
    if beyond_y >= beyond_x:
        return Compass.N if square.y < area.north else Compass.S
    return Compass.W if square.x < area.west else Compass.E


def planet_landing_problems(
    planet: Planet, flight: Flight, thrust: int, environs: int | None
) -> tuple[LandingProblem, ...]:
    """Return every reason why a ship starting its move as `flight` cannot land on `environs`.

    `thrust` is how many points the ship could spend this turn. An `environs` of None, where none
    is named, is no such environs.
    """
    place = planet.environs_numbered(environs)
    lies_below = (
        place is not None
        and flight.square != planet.at
        and place.sector is sector(planet.at, flight.square)
    )
    found = {
        LandingProblem.NOT_TOUCHING: not touches_body(planet, flight.square),
        LandingProblem.TOO_FAST: (
            max(abs(flight.vector.dx), abs(flight.vector.dy)) > LANDING_SPEED_MOST
        ),
        LandingProblem.NO_THRUST: thrust < PLANET_LANDING_THRUST,
        LandingProblem.NO_SUCH_ENVIRONS: place is None,
        LandingProblem.OTHER_SECTOR: place is not None and not lies_below,
    }
    return tuple(problem for problem, is_found in found.items() if is_found)


def asteroid_landing_problems(asteroid: Asteroid, flight: Flight) -> tuple[LandingProblem, ...]:
    """Return every reason why a ship starting its move as `flight` cannot land on the asteroid.

    It chooses any of the eight sectors of the surface; no thrust is needed.
    """
    found = {
        LandingProblem.NOT_THERE: flight.square != asteroid.at,
        LandingProblem.TOO_FAST: flight.vector != AT_REST,
    }
    return tuple(problem for problem, is_found in found.items() if is_found)


def lift_off_problem(thrust: int) -> LandingProblem | None:
    """Return why a landed ship with `thrust` points to spend cannot lift off, or None."""
    return None if thrust >= LIFT_OFF_THRUST else LandingProblem.NO_THRUST


def lift_off(board: Board, landing: Landing) -> Flight:
    """Return the flight of a ship that has just lifted off, facing outward at rest.

    From a planet it ends on the square that touches the body in the middle of its sector,
    from an asteroid on the asteroid's square. Raise `ValueError` if no body has that name.
    """
    planet = board.planet_named(landing.body)
    if planet is not None:
        return Flight(outward_square(planet, landing.sector), AT_REST, landing.sector)
    for asteroid in board.asteroids:
        if asteroid.name == landing.body:
            return Flight(asteroid.at, AT_REST, landing.sector)
    raise ValueError("no body of that name is on the board")
