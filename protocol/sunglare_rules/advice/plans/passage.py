"""The shortest flight of a ship to a place: how it turns and thrusts in each turn.

Source: none of its own; movement of our rule book, turn §5. A best-first search over square,
vector and facing: what is still to fly is estimated along either axis alone, as if thrust went
any way. Nothing but the board and the ship's own motion counts, so equal ones fly alike.

Every turn but one before a landing leaves a ship that is lost neither then nor, should it be
given no orders, in the turn after; one that flies through a place not for three turns.
"""

from collections.abc import Iterator
from functools import lru_cache
from heapq import heappop, heappush
from itertools import combinations_with_replacement
from typing import NamedTuple

from sunglare_protocol.geometry import Board, Compass, Square, Vector
from sunglare_rules.turn.movement import (
    THRUSTING_TURN_MOST,
    Flight,
    MoveEnding,
    drifted,
    ending,
    thrust_headings,
    turn_steps_allowed,
)

ANY_SPEED = 1_000
"""The limit of an arrival at any speed."""

CLEAR_TURNS = 3
"""OWN: for so many turns a ship that arrives at speed may drift on, so that it can still brake."""

TRIES = ((1.0, 400), (3.0, 1_000))
"""OWN: how much the estimate counts, and after how many flights a search gives up.

The first finds a shortest way; where that takes too long, the second finds some way. Both are
kept low, so that a place out of reach is found out in less than a second.
"""

_FARTHEST, _FASTEST = 131, 20
"""How far and how fast a ship along an axis is estimated; beyond that it counts as far away."""

_FAR = 60
"""The estimate in turns of what is farther or faster."""

_PASSAGES_KEPT = 256
"""How many flights are remembered."""


class Agility(NamedTuple):
    """What moves a ship: its thrust points a turn, and its pilot's skill."""

    thrust: int
    pilot: int


class Arrival(NamedTuple):
    """How a flight ends: on one of the squares, at most so fast along either axis.

    `lands` says that the next move is a landing, so that drifting on is no danger.
    """

    squares: tuple[Square, ...]
    speed: int = ANY_SPEED
    lands: bool = False

    def met_by(self, flight: Flight) -> bool:
        """Return whether a ship in this motion has arrived."""
        slow = max(abs(flight.vector.dx), abs(flight.vector.dy)) <= self.speed
        return slow and flight.square in self.squares


class Maneuver(NamedTuple):
    """One turn of a flight: the steps turned, the direction of each thrust point, its end."""

    steps: int
    to: tuple[Compass, ...]
    end: Flight


@lru_cache(maxsize=_PASSAGES_KEPT)
def passage(
    board: Board, start: Flight, agility: Agility, arrival: Arrival
) -> tuple[Maneuver, ...] | None:
    """Return the moves from a start to an arrival, none if it is met; None if no way is found."""
    if arrival.met_by(start):
        return ()
    for weight, most in TRIES:
        found = _searched(board, start, agility, arrival, weight, most)
        if found is not None:
            return found
    return None


def _searched(
    board: Board, start: Flight, agility: Agility, arrival: Arrival, weight: float, most: int
) -> tuple[Maneuver, ...] | None:
    came: dict[Flight, tuple[Flight, Maneuver]] = {}
    turns = {start: 0}
    queue: list[tuple[float, int, Flight]] = [(0.0, 0, start)]
    tried = number = 0
    while queue and tried < most:
        here = heappop(queue)[2]
        tried += 1
        for move in _moves(board, here, agility):
            if turns.get(move.end, _FAR) <= turns[here] + 1:
                continue
            arrived = arrival.met_by(move.end)
            if not _is_safe(board, move.end, arrival, arrived=arrived):
                continue
            turns[move.end], came[move.end] = turns[here] + 1, (here, move)
            if arrived:
                return _way_back(came, start, move.end)
            number -= 1  # of equal ones the newest is looked at first
            left = _estimate(move.end, agility, arrival)
            heappush(queue, (turns[move.end] + weight * left, number, move.end))
    return None


def _way_back(
    came: dict[Flight, tuple[Flight, Maneuver]], start: Flight, end: Flight
) -> tuple[Maneuver, ...]:
    moves: list[Maneuver] = []
    while end != start:
        end, move = came[end]
        moves.append(move)
    return tuple(reversed(moves))


def _moves(board: Board, here: Flight, agility: Agility) -> Iterator[Maneuver]:
    """Yield the moves of one turn that end on the map and out of all bodies."""
    adrift = drifted(board, here.square, here.vector)
    for steps, to, way, facing in _burns(here.facing, agility):
        end = adrift.moved(way)
        if ending(board, end) is MoveEnding.FLIES:
            yield Maneuver(steps, to, Flight(end, here.square.to(end), facing))


@lru_cache
def _burns(
    facing: Compass, agility: Agility
) -> tuple[tuple[int, tuple[Compass, ...], Vector, Compass], ...]:
    """Return turns and thrust that lead to different motions, those of fewest points."""
    found: dict[tuple[Vector, Compass], tuple[int, tuple[Compass, ...]]] = {}
    widest = turn_steps_allowed(False, agility.pilot, True)
    for steps in sorted(range(-widest, widest + 1), key=abs):
        found.setdefault((Vector(0, 0), facing.turned(steps)), (steps, ()))
    for points in range(1, agility.thrust + 1):
        for steps in sorted(range(-THRUSTING_TURN_MOST, THRUSTING_TURN_MOST + 1), key=abs):
            ahead = facing.turned(steps)
            for to in combinations_with_replacement(thrust_headings(ahead), points):
                found.setdefault((_sum(to), ahead), (steps, to))
    return tuple((steps, to, way, ahead) for (way, ahead), (steps, to) in found.items())


def _sum(to: tuple[Compass, ...]) -> Vector:
    return Vector(sum(one.step.dx for one in to), sum(one.step.dy for one in to))


def _is_safe(board: Board, end: Flight, arrival: Arrival, *, arrived: bool) -> bool:
    if arrived and arrival.lands:
        return True
    through = arrived and arrival.speed == ANY_SPEED
    return all(
        _survives(board, ahead) for ahead in _adrift(board, end, CLEAR_TURNS if through else 1)
    )


def _adrift(board: Board, flight: Flight, turns: int) -> Iterator[Flight]:
    """Yield a flight and where it drifts to, as it is before each of so many turns."""
    for _ in range(turns):
        yield flight
        onward = drifted(board, flight.square, flight.vector)
        flight = Flight(onward, flight.square.to(onward), flight.facing)


@lru_cache(maxsize=1 << 16)
def _survives(board: Board, flight: Flight) -> bool:
    """Return whether a ship that drifts from there is still in play after a turn."""
    return ending(board, drifted(board, flight.square, flight.vector)) is MoveEnding.FLIES


def _estimate(flight: Flight, agility: Agility, arrival: Arrival) -> int:
    """Return a guess of how many turns are left, by the axis and the square that need longest."""
    table = _turns_along(agility.thrust, arrival.speed)
    (x, y), (dx, dy) = flight.square, flight.vector
    return min(
        max(table.get((at.x - x, dx), _FAR), table.get((at.y - y, dy), _FAR))
        for at in arrival.squares
    )


@lru_cache
def _turns_along(thrust: int, speed: int) -> dict[tuple[int, int], int]:
    """Return by distance and speed along an axis the fewest turns to be there, slow enough."""
    speeds = range(-_FASTEST, _FASTEST + 1)
    edge = [(0, fast) for fast in speeds if abs(fast) <= speed]
    found = dict.fromkeys(edge, 0)
    turns = 0
    while edge:
        turns += 1
        before = [
            (distance + after, after - change)
            for distance, after in edge
            for change in range(-thrust, thrust + 1)
            if abs(after - change) <= _FASTEST and abs(distance + after) <= _FARTHEST
        ]
        edge = [state for state in dict.fromkeys(before) if state not in found]
        found |= dict.fromkeys(edge, turns)
    return found
