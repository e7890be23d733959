"""The way down of a cloaked lander: soon, and no louder than its way is worth.

Theory of operation. The side that lands first in the other's harbour has won the race, and a ship
that burns hard is soonest there; but enemies hear it under its cloak, and shoot at it where their
guns reach. So ways to the ground are flown in thought, some turns ahead, the best few kept after
each move. A way costs the turns that it takes, and for each of them how likely the ship is heard,
more where guns can be near. The turns that are left after the last move thought of are reckoned
along each axis, as if the ship could burn any way it likes.
"""

from collections.abc import Iterator
from functools import lru_cache
from heapq import nsmallest
from typing import NamedTuple

from sunglare_client.advice import Advice
from sunglare_client.bots.ground.flotilla import Beachhead
from sunglare_client.bots.movement.formation import squares_of
from sunglare_client.bots.movement.steering import (
    CRASH,
    DEPLOY_SPEED,
    bearing,
    courses,
    used_in,
)
from sunglare_protocol.geometry import Board, Compass, Square, Vector
from sunglare_protocol.orders import Deploy, Order
from sunglare_protocol.views import OwnView, View
from sunglare_rules.cloak.cloak import passive_chance
from sunglare_rules.sensors.sectors import sector, touches_body
from sunglare_rules.turn.movement import (
    LANDING_SPEED_MOST,
    Flight,
    MoveEnding,
    ending,
    flown,
    turn_steps_allowed,
)

MOVES = 8
"""So many moves are flown in thought."""

KEPT = 40
"""So many ways are kept after each of them."""

LOUD = 1.0
"""What it costs, in turns, to be heard for sure where guns are near."""

LOUD_AFAR = 0.4
"""The same where none is."""

GUNS_REACH = 10
"""Guns are taken to be within so many squares of the place to land."""

STARTS = 4
"""From so many squares of the zone its start is weighed."""

BURN = 2
"""So many points along an axis the turns left are reckoned with."""

FAR = 40
"""Beyond as many squares and turns nothing is reckoned."""


class WayDown(NamedTuple):
    """A way flown in thought: its cost so far and the turns left, its flight, its first orders."""

    cost: float
    left: float
    flight: Flight
    first: tuple[Order, ...]


class Descent(NamedTuple):
    """The landing that a ship is on its way to."""

    board: Board
    head: Beachhead
    thrust: int
    pilot: int
    is_cloaked: bool

    def is_over(self, flight: Flight) -> bool:
        """Return whether a ship that flies so may land in its next move."""
        is_slow = max(map(abs, flight.vector)) <= LANDING_SPEED_MOST
        planet, place = self.head.planet, self.head.environs.sector
        is_there = touches_body(planet, flight.square) and flight.square != planet.at
        return is_slow and is_there and sector(planet.at, flight.square) is place

    def start(self, orders: tuple[Order, ...], flight: Flight, used: int) -> WayDown:
        """Return the way that begins with these orders."""
        return WayDown(self.toll(flight.square, used), self.left(flight), flight, orders)

    def toll(self, square: Square, used: int) -> float:
        """Return what a move to a square costs that uses so much thrust: a turn, and its noise."""
        if not self.is_cloaked:
            return 1.0
        near = square.distance_squared(self.head.above(0)) <= GUNS_REACH**2
        return 1.0 + float(passive_chance(used)) * (LOUD if near else LOUD_AFAR)

    def left(self, flight: Flight) -> float:
        """Return how many more turns a flight takes, as if it could burn any way it likes."""
        if ending(self.board, flight.square) is not MoveEnding.FLIES:
            return CRASH
        if self.is_over(flight):
            return 0.0
        gap = flight.square.to(self.head.above(0))
        turns = [
            _turns(abs(way), speed if way >= 0 else -speed)
            for way, speed in zip(gap, flight.vector, strict=True)
        ]
        return max(turns) + min(turns) / FAR + 0.1

    def after(self, flight: Flight) -> Iterator[tuple[Flight, int]]:
        """Yield the flights that one more move may lead to, with the thrust that it uses."""
        for burn in range(self.thrust + 1):
            steps = turn_steps_allowed(burn > 0, self.pilot, powered=True)
            for turn in range(-steps, steps + 1):
                heading = flight.facing.turned(turn)
                yield flown(self.board, flight, turn, (heading,) * burn), burn + abs(turn)


def way_down(advice: Advice, ship: OwnView, head: Beachhead) -> tuple[Order, ...]:
    """Return the course on which a ship soonest can land, as quietly as that is worth."""
    aim = Descent(advice.view.board, head, ship.thrust, ship.crew.pilot, ship.cloaked)
    starts = [aim.start(one.orders, one.flight, used_in(one)) for one in courses(advice, ship)]
    best = _best_way(aim, starts)
    return () if best is None else best.first


def start_of(view: View, ship: OwnView, head: Beachhead) -> tuple[Order, ...]:
    """Return the deployment from which a ship soonest can land."""
    aim = Descent(view.board, head, ship.thrust, ship.crew.pilot, ship.cloak)
    spot = head.above(0)
    squares = nsmallest(
        STARTS, squares_of(view.zone), key=lambda at: (at.distance_squared(spot), at)
    )
    starts = []
    for at in squares:
        step = bearing(at, spot).step
        vector = Vector(DEPLOY_SPEED * step.dx, DEPLOY_SPEED * step.dy)
        for facing in Compass:
            there = Deploy(ship=ship.id, at=at, vector=vector, facing=facing, cloaked=ship.cloak)
            flight = flown(view.board, Flight(at, vector, facing), 0, ())
            starts.append(aim.start((there,), flight, 0))
    best = _best_way(aim, starts)
    return () if best is None else best.first


def _best_way(aim: Descent, starts: list[WayDown]) -> WayDown | None:
    """Return the way that costs least with what is left of it; None if all end in a crash."""
    ways = _best(starts)
    best = min(ways, key=_total, default=None)
    for _ in range(MOVES):
        if best is None or best.left == 0:
            break
        further: dict[Flight, WayDown] = {}
        for way in ways:
            for flight, used in aim.after(way.flight):
                cost = way.cost + aim.toll(flight.square, used)
                known = further.get(flight)
                if known is None or cost < known.cost:
                    further[flight] = WayDown(cost, aim.left(flight), flight, way.first)
        ways = _best(list(further.values()))
        best = min(ways, key=_total, default=best)
    return best


def _total(way: WayDown) -> float:
    return way.cost + way.left


def _best(ways: list[WayDown]) -> list[WayDown]:
    return [way for way in nsmallest(KEPT, ways, key=_total) if way.left < CRASH]


@lru_cache(maxsize=4096)
def _turns(gap: int, speed: int) -> int:
    """Return how many moves bring a ship over `gap` squares along an axis, slow at their end.

    `speed` is that towards the place.
    """
    reached = {(gap, speed)}
    for turns in range(FAR):
        if any(left == 0 and abs(now) <= LANDING_SPEED_MOST for left, now in reached):
            return turns
        reached = {
            (left - now - burn, now + burn)
            for left, now in reached
            for burn in range(-BURN, BURN + 1)
            if abs(left) <= FAR and abs(now) <= FAR // 4
        }
    return FAR
