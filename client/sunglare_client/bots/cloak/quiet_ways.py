"""Ways of a cloaked ship to where it is to rest, or over an edge, no louder than they must be.

Theory of operation. What a ship uses in a turn, points of thrust and steps of turning, is what
listeners hear it by: none or one never, two one time in six, and so on. A way is a row of moves, a
turn each; the caller says what each costs, by the square where it ends and by what it uses. The
search goes on turn by turn from the states that promise most, by what they have cost so far and
the turns that they need at least. A state is a flight: square, vector and facing.
"""

from collections.abc import Callable
from functools import lru_cache
from heapq import nsmallest
from itertools import combinations_with_replacement
from math import inf, sqrt
from typing import NamedTuple

from sunglare_client.bots.movement.measures import drifted_on
from sunglare_protocol.geometry import Board, Compass, Square, Vector
from sunglare_protocol.ids import OwnId
from sunglare_protocol.orders import Order, Thrust, Turn
from sunglare_protocol.views import OwnView
from sunglare_rules.turn.movement import (
    AT_REST,
    THRUSTING_TURN_MOST,
    Flight,
    MoveEnding,
    edge_crossed,
    ending,
    thrust_headings,
    thrust_used,
    turn_steps_allowed,
)

PER_TURN = 0.5
"""What a turn under way costs, in points of damage."""

PACE = 1.5
"""The thrust a turn by which it is reckoned how many turns a way still needs."""

KEPT = 50
"""From so many states of each turn the search goes on."""

TURNS_MOST = 16
"""So many turns ahead a way is looked for."""

_TABLES_KEPT = 64
"""The moves of so many kinds of ship, by facing, are kept made."""

_TIMES_KEPT = 4096
"""The turns to rest of so many gaps and speeds are kept reckoned."""

EDGES = (Compass.N, Compass.E, Compass.S, Compass.W)

Price = Callable[[Square, int], float]
"""What it costs to end a turn on a square, having used so much thrust for it."""


class Move(NamedTuple):
    """What a ship does in a turn: the steps it turns, then its thrust point by point.

    `facing` is where it faces then, `way` how far the thrust carries it, `used` the sum of points
    and steps.
    """

    facing: Compass
    steps: int
    burn: tuple[Compass, ...]
    way: Vector
    used: int

    def orders(self, ship: OwnId) -> tuple[Order, ...]:
        """Return the orders for it."""
        turn = (Turn(ship=ship, steps=self.steps),) if self.steps else ()
        return (*turn, *((Thrust(ship=ship, to=self.burn),) if self.burn else ()))


class Rest(NamedTuple):
    """The goal to come to rest on a square."""

    square: Square

    def is_met(self, board: Board, flight: Flight) -> bool:  # noqa: ARG002 - as of an exit
        """Return whether a flight has met it."""
        return flight.square == self.square and flight.vector == AT_REST

    def turns(self, board: Board, flight: Flight) -> float:  # noqa: ARG002 - as of an exit
        """Return about how many turns a flight needs to meet it."""
        way = flight.square.to(self.square)
        return max(_to_rest(way.dx, flight.vector.dx), _to_rest(way.dy, flight.vector.dy))


class Exit(NamedTuple):
    """The goal to leave the map over an edge, one of `EDGES`."""

    edge: Compass

    def is_met(self, board: Board, flight: Flight) -> bool:
        """Return whether a flight has met it."""
        return self.is_crossed(board, flight.square)

    def is_crossed(self, board: Board, square: Square) -> bool:
        """Return whether a move that ends there leaves over the edge."""
        leaves = ending(board, square) is MoveEnding.ESCAPES
        return leaves and edge_crossed(board, square) is self.edge

    def left(self, board: Board, square: Square) -> int:
        """Return how many squares a ship has to go from a square until it is outside."""
        step, area = self.edge.step, board.area
        corner = Square(
            area.east if step.dx > 0 else area.west, area.south if step.dy > 0 else area.north
        )
        gap = square.to(corner)
        return gap.dx * step.dx + gap.dy * step.dy + 1

    def speed(self, flight: Flight) -> int:
        """Return how many squares a turn a flight makes towards the edge."""
        step = self.edge.step
        return flight.vector.dx * step.dx + flight.vector.dy * step.dy

    def turns(self, board: Board, flight: Flight) -> float:
        """Return about how many turns a flight needs to meet it."""
        left, speed = max(0, self.left(board, flight.square)), self.speed(flight)
        return (sqrt(max(0, speed) ** 2 + 2 * PACE * left) - speed) / PACE


class Passage(NamedTuple):
    """A way found: its moves, and what they cost together."""

    moves: tuple[Move, ...]
    cost: float


class _Step(NamedTuple):
    """The last move of a way with the moves before it, put together only if the way goes on."""

    before: tuple[Move, ...]
    move: Move
    cost: float

    def passage(self) -> Passage:
        """Return the whole way."""
        return Passage((*self.before, self.move), self.cost)


def quiet_way(
    board: Board, ship: OwnView, goal: Rest | Exit, price: Price, turns: int
) -> Passage | None:
    """Return the cheapest way found that meets a goal in so many turns; None without one."""
    states = {Flight(ship.square, ship.vector, ship.facing): Passage((), 0.0)}
    best: Passage | None = None
    for _ in range(min(turns, TURNS_MOST)):
        reached = _reached(board, ship, states, price, inf if best is None else best.cost)
        met = [way.passage() for flight, way in reached.items() if goal.is_met(board, flight)]
        best = min((*met, *((best,) if best else ())), key=lambda way: way.cost, default=None)
        states = _promising(board, goal, reached, best)
    return best


def _reached(
    board: Board, ship: OwnView, states: dict[Flight, Passage], price: Price, most: float
) -> dict[Flight, _Step]:
    """Return every flight that a move leads to from these states, by its cheapest way.

    What costs more than `most` is left out.
    """
    found: dict[Flight, _Step] = {}
    for state, (moves, cost) in states.items():
        (x, y), (dx, dy) = drifted_on(board, state.square, state.vector)
        for move in _moves(state.facing, ship.thrust, ship.crew.pilot):
            by_x, by_y = move.way
            square = Square(x + by_x, y + by_y)
            paid = cost + PER_TURN + price(square, move.used)
            if paid > most:
                continue
            flight = Flight(square, Vector(dx + by_x, dy + by_y), move.facing)
            known = found.get(flight)
            if known is None or paid < known.cost:
                found[flight] = _Step(moves, move, paid)
    return found


def _promising(
    board: Board, goal: Rest | Exit, reached: dict[Flight, _Step], best: Passage | None
) -> dict[Flight, Passage]:
    """Return the states on the map that may lead to a cheaper way than the best, a few of them."""
    hopes = []
    for number, (flight, way) in enumerate(reached.items()):
        hope = way.cost + PER_TURN * goal.turns(board, flight)
        is_cheaper = best is None or hope < best.cost
        if is_cheaper and ending(board, flight.square) is MoveEnding.FLIES:
            hopes.append((hope, number, flight))
    return {flight: reached[flight].passage() for *_, flight in nsmallest(KEPT, hopes)}


@lru_cache(maxsize=_TABLES_KEPT)
def _moves(facing: Compass, thrust: int, pilot: int) -> tuple[Move, ...]:
    """Return the moves of a ship that faces so, each end of one once, by what uses least."""
    most = turn_steps_allowed(thrusting=False, pilot=pilot, powered=True)
    found = [
        Move(facing.turned(steps), steps, (), AT_REST, abs(steps))
        for steps in range(-most, most + 1)
    ]
    for steps in range(-THRUSTING_TURN_MOST, THRUSTING_TURN_MOST + 1):
        turned = facing.turned(steps)
        headings = thrust_headings(turned)
        for points in range(1, thrust + 1):
            burns = combinations_with_replacement(headings, points)
            used = thrust_used(points, steps)
            found += [Move(turned, steps, burn, _sum(burn), used) for burn in burns]
    cheapest: dict[tuple[int, Vector], Move] = {}
    for move in sorted(found, key=lambda move: move.used):
        cheapest.setdefault((move.steps, move.way), move)
    return tuple(cheapest.values())


def _sum(burn: tuple[Compass, ...]) -> Vector:
    steps = [heading.step for heading in burn]
    return Vector(sum(step.dx for step in steps), sum(step.dy for step in steps))


@lru_cache(maxsize=_TIMES_KEPT)
def _to_rest(gap: int, speed: int) -> float:
    """Return about how many turns it takes to come to rest `gap` squares away, along an axis."""
    stop = speed * (abs(speed) + 1) / (2 * PACE)
    return abs(speed) / PACE + 2 * sqrt(abs(gap - stop) / PACE)
