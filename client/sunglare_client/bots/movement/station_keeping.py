"""Station keeping: a ship flies to a place in a planet's well and stays, against the pull.

Theory of operation. In a well a ship falls a square faster every turn, so that what is safe now
may be past saving in the next turn but one. A course is therefore worth what the best turns after
it are worth: two more moves are flown in thought, in each way that matters, and the sum of the
distances from the place counts. A move that ends in a body, or off the map, costs so much that
nothing makes it good. What follows a move only adds to its cost: once one is found that costs less
in all than the others do by themselves, those need not be flown on.
"""

from collections.abc import Iterable
from math import inf
from typing import NamedTuple

from sunglare_client.advice import Advice
from sunglare_client.bots.movement.steering import CRASH, bearing, courses, distance
from sunglare_protocol.geometry import Board, Compass, Planet, Square
from sunglare_protocol.orders import Order
from sunglare_protocol.views import OwnView
from sunglare_rules.turn.movement import Flight, MoveEnding, ending, flown

LOOKS_AHEAD = 2
"""So many more moves are flown in thought."""

TURNS = (-1, 0, 1)
"""How a ship turns in moves that are only thought of: what it may do while it thrusts."""

BURNS_MOST = 2
"""So many points of thrust it spends in them at most: more is to arrive with, not to stay."""

TOO_FAST = 3.0
"""What a square a turn costs, along either axis, beyond `SPEED_MOST`."""

SPEED_MOST = 2
"""As fast as this a ship comes in: one that backs in brakes from it in a turn or two."""

TURNED = 0.4
"""What every 45 degrees cost that a ship does not face outward, where its thrust holds it."""


class Hover(NamedTuple):
    """Where a ship wants to be, and how it faces there; `thrust` is what its drive gives."""

    board: Board
    spot: Square
    outward: Compass
    thrust: int

    def cost(self, flight: Flight, looks: int, known: dict[tuple[Flight, int], float]) -> float:
        """Return what a flight costs with the best that can follow it, so many moves ahead."""
        found = known.get((flight, looks))
        if found is None:
            found = self._here(flight)
            if looks and found < CRASH:
                found += self.least(self.after(flight), looks - 1, known)
            known[flight, looks] = found
        return found

    def least(
        self, flights: Iterable[Flight], looks: int, known: dict[tuple[Flight, int], float]
    ) -> float:
        """Return the least cost of flights; all that cost no more are `known` then."""
        least = inf
        for flight in sorted(flights, key=lambda flight: self.cost(flight, 0, known)):
            if known[flight, 0] > least:
                break
            least = min(least, self.cost(flight, looks, known))
        return least

    def _here(self, flight: Flight) -> float:
        if ending(self.board, flight.square) is not MoveEnding.FLIES:
            return CRASH
        dx, dy = flight.vector
        fast = max(0, abs(dx) - SPEED_MOST) + max(0, abs(dy) - SPEED_MOST)
        turned = TURNED * flight.facing.apart(self.outward)
        return distance(flight.square, self.spot) + TOO_FAST * fast + turned

    def after(self, flight: Flight) -> list[Flight]:
        """Return the flights that a move in thought may lead to."""
        burns = range(min(BURNS_MOST, self.thrust) + 1)
        return [
            flown(self.board, flight, turn, (flight.facing.turned(turn),) * burn)
            for turn in TURNS
            for burn in burns
        ]


def hover(advice: Advice, ship: OwnView, planet: Planet, spot: Square) -> tuple[Order, ...]:
    """Return the course that brings a ship to a place over a planet soonest and keeps it there."""
    aim = Hover(advice.view.board, spot, bearing(planet.at, spot), ship.thrust)
    known: dict[tuple[Flight, int], float] = {}
    found = courses(advice, ship)
    least = aim.least(dict.fromkeys(course.flight for course in found), LOOKS_AHEAD, known)
    best = (course for course in found if known.get((course.flight, LOOKS_AHEAD)) == least)
    return next((course.orders for course in best), ())
