"""Runs of a ship to an edge of the map, no louder than that is worth, and enemies about."""

from typing import NamedTuple

from sunglare_client.advice import Advice
from sunglare_client.bots.movement.steering import (
    CRASH,
    CRASH_LATER,
    courses,
    distance,
)
from sunglare_protocol.geometry import Board, Compass, Square
from sunglare_protocol.orders import Order, Thrust, Turn
from sunglare_protocol.orders.agents import OFF_MAP, Stand
from sunglare_protocol.views import ContactView, OwnView, View
from sunglare_protocol.words.ladder import Fate, Fix
from sunglare_rules.advice.legal.plans import Course
from sunglare_rules.cloak.cloak import passive_chance
from sunglare_rules.turn.movement import Flight, MoveEnding, drifted, edge_crossed, ending

LOUD = 10.0
"""What it costs a cloaked ship to be heard for sure with enemies about, in turns of delay."""

TURNED_AWAY = 0.5
"""What it costs for every 45 degrees that a ship faces away from its edge, in turns of delay."""

FAR = 15.0
"""Squares beyond which an enemy that hears a ship can do it no harm."""

EDGES = (Compass.N, Compass.E, Compass.S, Compass.W)

FRESH_TURNS = 2
"""An enemy seen so many turns ago may still be about."""


class Run(NamedTuple):
    """The run of a ship to an edge: how many turns it will take from a flight on."""

    board: Board
    edge: Compass

    def left(self, square: Square) -> int:
        """Return how many squares lie between a square and the outside, along the run."""
        area = self.board.area
        gaps = {
            Compass.N: square.y - area.north,
            Compass.S: area.south - square.y,
            Compass.W: square.x - area.west,
            Compass.E: area.east - square.x,
        }
        return gaps[self.edge] + 1

    def speed(self, flight: Flight) -> int:
        """Return how many squares a turn the flight makes towards the edge."""
        step = self.edge.step
        return flight.vector.dx * step.dx + flight.vector.dy * step.dy

    def turns(self, flight: Flight) -> float:
        """Return how many more turns the flight takes if nothing changes."""
        if self.is_home(flight.square):
            return 0.0
        speed = self.speed(flight)
        return self.left(flight.square) / speed if speed > 0 else 40.0 - speed

    def is_home(self, square: Square) -> bool:
        """Return whether a move that ends there leaves over the right edge."""
        leaves = ending(self.board, square) is MoveEnding.ESCAPES
        return leaves and edge_crossed(self.board, square) is self.edge


def run_course(view: View, advice: Advice, ship: OwnView, run: Run) -> tuple[Order, ...]:
    """Return the orders that bring a ship to its edge soon, without much noise near enemies."""

    def cost(course: Course) -> float:
        noise = 0.0
        if ship.cloaked:
            flight = course.flight
            noise = LOUD * loudness(ship, course) * menace(view, flight.square)
        turned = TURNED_AWAY * course.flight.facing.apart(run.edge)
        return run.turns(course.flight) + noise + turned + _peril(run, course.flight)

    best = min(courses(advice, ship), key=cost, default=None)
    return () if best is None else best.orders


def way_out(view: View, advice: Advice, ship: OwnView) -> tuple[Order, ...]:
    """Return the orders that take a ship off the map over the edge that it reaches soonest."""
    flight = Flight(ship.square, ship.vector, ship.facing)
    runs = [Run(view.board, edge) for edge in EDGES]
    nearest = min(runs, key=lambda run: run.left(ship.square) - 2 * run.speed(flight))
    bound = Stand(ship=ship.id, bound_for=OFF_MAP)
    return (*run_course(view, advice, ship, nearest), bound)


def loudness(ship: OwnView, course: Course) -> float:
    """Return the chance that a quiet enemy hears the ship after this course."""
    used = sum(len(order.to) for order in course.orders if isinstance(order, Thrust))
    used += sum(abs(order.steps) for order in course.orders if isinstance(order, Turn))
    return float(passive_chance(used)) if ship.cloaked else 0.0


def menace(view: View, square: Square) -> float:
    """Return how near known enemies are to a square: 1 on top of it, 0 for none about."""
    about = [distance(square, enemy.square) for enemy in enemies(view)]
    return max((max(0.0, 1 - away / FAR) for away in about), default=0.2)


def enemies(view: View) -> list[ContactView]:
    """Return the foreign pieces that are held, or were seen lately."""
    return [
        contact
        for contact in view.contacts
        if contact.fate is Fate.IN_PLAY
        and (contact.fix is not Fix.MEMORY or contact.turn >= view.stage.turn - FRESH_TURNS)
    ]


def _peril(run: Run, flight: Flight) -> float:
    """Return what it costs to crash, or to leave over a wrong edge, now or by drifting on."""
    if run.is_home(flight.square):
        return 0.0
    if ending(run.board, flight.square) is not MoveEnding.FLIES:
        return CRASH
    ahead = drifted(run.board, flight.square, flight.vector)
    cost = 0.0
    for square, price in zip((ahead, ahead.moved(flight.vector)), CRASH_LATER, strict=False):
        if run.is_home(square):
            return cost
        if ending(run.board, square) is not MoveEnding.FLIES:
            return cost + price
    return cost
