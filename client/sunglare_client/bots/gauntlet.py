"""The gauntlet: what it costs a ship to fly past known guns to its edge, and its cheapest way.

Theory of operation. A run to an edge lasts some four turns, and each of them ends within reach of
some guns or of none. The guns are taken to drift on as they were seen; each does the damage that
its distance allows, whatever its arcs are, since it has the time to turn. The way is looked for
from every flight that the ship can have after this movement, then turn by turn with full thrust
ahead or to either side, until it is over the edge: such tails are few enough to try them all, and
the next PLOT looks anew. The cheapest total wins; a turn more costs a little, so that without guns
the way is the shortest.
"""

from collections.abc import Iterable
from math import fsum
from typing import NamedTuple, final

from sunglare_client.advice import Advice
from sunglare_client.bots.measures import drifted_on
from sunglare_client.bots.prowling import Run
from sunglare_client.bots.steering import courses, distance
from sunglare_protocol.geometry import Compass, Square, Vector
from sunglare_protocol.views import OwnView
from sunglare_rules.advice.legal.plans import Course
from sunglare_rules.turn.movement import Flight, MoveEnding, ending

DAMAGE = ((2.5, 8.0), (5.0, 7.0), (7.5, 5.0), (10.0, 4.0), (12.5, 1.4), (15.0, 0.8))
"""Up to how many squares away a ship of the line does how much damage a turn, on average."""

PER_TURN = 0.5
"""What every turn under way costs, in points of damage."""

LOST = 1000.0
"""What it costs to crash, or to leave over a wrong edge."""

TURNS_MOST = 6
"""So many turns ahead a way is looked for."""


class Gun(NamedTuple):
    """An enemy ship that may fire: where it will be after the coming movement, and its drift.

    `weight` is how much it counts, 1 for one that was seen.
    """

    square: Square
    vector: Vector = Vector(0, 0)
    weight: float = 1.0


class Passage(NamedTuple):
    """The first course of a way to the edge, and the damage that the whole of it may cost."""

    course: Course
    toll: float


@final
class Gauntlet:
    """The guns between a ship and its edge; what was reckoned once is kept for all its ways."""

    def __init__(self, run: Run, thrust: int, guns: Iterable[Gun]) -> None:
        self._run, self._guns = run, tuple(guns)
        self._burns = _burns(run.edge, thrust)
        self._tolls: dict[tuple[int, Square], float] = {}
        self._tails: dict[tuple[int, Square, Vector], float] = {}

    def best_way(self, advice: Advice, ship: OwnView) -> Passage | None:
        """Return the way of a ship that costs least; None if it cannot be steered."""
        found = courses(advice, ship)
        tolls = {flight: self._total(flight) for flight in dict.fromkeys(c.flight for c in found)}
        best = min(found, key=lambda course: tolls[course.flight], default=None)
        return None if best is None else Passage(best, tolls[best.flight])

    def toll(self, square: Square, turn: int = 0) -> float:
        """Return the damage to expect on a square, so many turns after the coming one."""
        known = self._tolls.get((turn, square))
        if known is None:
            known = self._tolls[turn, square] = fsum(
                gun.weight * damage_at(distance(square, _later(gun, turn))) for gun in self._guns
            )
        return known

    def _total(self, flight: Flight) -> float:
        turned = PER_TURN * max(0, flight.facing.apart(self._run.edge) - 1)
        return turned + self._from(0, flight.square, flight.vector)

    def _from(self, turn: int, square: Square, vector: Vector) -> float:
        """Return what it costs to be there with such a vector, and to fly on from there."""
        if ending(self._run.board, square) is not MoveEnding.FLIES:
            return 0.0 if self._run.is_home(square) else LOST
        here = PER_TURN + self.toll(square, turn)
        if turn == TURNS_MOST:
            return here + LOST / 10
        key = (turn, square, vector)
        tail = self._tails.get(key)
        if tail is None:
            tail = self._tails[key] = self._on(turn + 1, square, vector)
        return here + tail

    def _on(self, turn: int, square: Square, vector: Vector) -> float:
        there, drift = drifted_on(self._run.board, square, vector)
        return min(self._from(turn, there.moved(burn), drift.plus(burn)) for burn in self._burns)


def damage_at(away: float) -> float:
    """Return the mean damage that a ship of the line does in a turn at such a distance."""
    return next((damage for reach, damage in DAMAGE if away <= reach), 0.0)


def _later(gun: Gun, turns: int) -> Square:
    return Square(gun.square.x + turns * gun.vector.dx, gun.square.y + turns * gun.vector.dy)


def _burns(edge: Compass, thrust: int) -> tuple[Vector, ...]:
    """Return what full thrust does: ahead, to the left and to the right; and none at all."""
    ways = [edge.turned(side).step for side in (-1, 0, 1)]
    return (*(Vector(thrust * step.dx, thrust * step.dy) for step in ways), Vector(0, 0))
