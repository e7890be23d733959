"""Dark drifts, as the Marre-red is flown: a ship burns early, then drifts with its plant off.

Theory of operation. A plant that is off gives away neither heat nor neutrinos, so that enemies who
look for those lose the ship, and then look where it no longer is. But the plant takes a turn to
start. So a ship with a long way before it looks for the burns after which drifting alone brings it
near its goal, the fewer the better. It drifts dark for as long as it can, and starts its plant
when two more movements would leave it no room to brake. Who may not switch off flies the same way.
"""

from collections.abc import Iterator
from math import inf
from typing import NamedTuple

from sunglare_client.abilities import Ability
from sunglare_client.advice import Advice
from sunglare_client.bots.movement.measures import drifted_on
from sunglare_client.bots.movement.steering import best_course, distance
from sunglare_client.bots.seeker import powered_on, switched_off
from sunglare_protocol.geometry import Board, Square
from sunglare_protocol.orders import Order
from sunglare_protocol.views import OwnView
from sunglare_rules.turn.movement import Flight, MoveEnding, ending, flown

FAR = 8.0
"""So many squares from its goal a ship is near, and flies as those do that stay there."""

BRAKES_WITHIN = 4.0
"""A ship that comes within so many squares of its goal wants its plant, to brake."""

STARTS_IN = 2
"""A plant that is off for a movement gives no thrust in the next one either."""

TURNS = 10
"""So many turns of drifting are reckoned with."""

MISSES = 2.5
"""A drift that comes within so many squares of the goal needs no other burn."""

PER_MISS = 2.0
"""What each square costs by which a drift misses that, in turns."""

PER_BURN = 3.0
"""What each further move costs that is not drifted, in turns."""

SPEED_MOST = 3
"""A ship that drifts faster than this along an axis cannot brake in time."""

TOO_FAST = 4.0
"""What a square a turn costs beyond `SPEED_MOST`, in turns."""

BURNS = tuple((turn, burn) for turn in (-1, 0, 1) for burn in range(3) if turn or burn)
"""The moves that are flown in thought after the next one: steps turned, and points of thrust."""


class LongWay(NamedTuple):
    """A long way to a goal on a board."""

    board: Board
    goal: Square

    def is_left_to_drift(self, flight: Flight) -> bool:
        """Return whether a ship may drift on for now, without its plant, and comes near."""
        away = [distance(square, self.goal) for square in self._drifted(flight)]
        has_room = len(away) >= STARTS_IN and min(away[:STARTS_IN]) >= BRAKES_WITHIN
        return has_room and min(away) <= MISSES

    def cost(self, flight: Flight, looks: int, known: dict[tuple[Flight, int], float]) -> float:
        """Return how many turns a flight takes, of which so many more may be burned in."""
        found = known.get((flight, looks))
        if found is None:
            found = self._by_drifting(flight)
            if looks and ending(self.board, flight.square) is MoveEnding.FLIES:
                for turn, burn in BURNS:
                    heading = (flight.facing.turned(turn),) * burn
                    after = flown(self.board, flight, turn, heading)
                    found = min(found, PER_BURN + self.cost(after, looks - 1, known))
            known[flight, looks] = found
        return found

    def _by_drifting(self, flight: Flight) -> float:
        """Return how many turns a flight takes if it drifts; those by which it misses count."""
        costs = (
            turns + PER_MISS * max(0.0, distance(square, self.goal) - MISSES)
            for turns, square in enumerate(self._drifted(flight), 1)
        )
        fast = max(0, max(map(abs, flight.vector)) - SPEED_MOST)
        return min(costs, default=inf) + TOO_FAST * fast

    def _drifted(self, flight: Flight) -> Iterator[Square]:
        """Yield the squares to which a ship drifts, until it crashes or leaves."""
        square, vector = flight.square, flight.vector
        for _ in range(TURNS):
            square, vector = drifted_on(self.board, square, vector)
            if ending(self.board, square) is not MoveEnding.FLIES:
                return
            yield square


def dark_drift(advice: Advice, ship: OwnView, goal: Square) -> tuple[Order, ...] | None:
    """Return the plan of a ship with a long way to its goal; None if it is near."""
    way = LongWay(advice.view.board, goal)
    flight = Flight(ship.square, ship.vector, ship.facing)
    if advice.may(Ability.POWER_OFF) and way.is_left_to_drift(flight):
        return switched_off(ship)
    if not ship.powered:
        return powered_on(ship)
    if distance(ship.square, goal) < FAR:
        return None
    known: dict[tuple[Flight, int], float] = {}
    return best_course(advice, ship, lambda after: way.cost(after, 2, known))
