"""Runs of a ship off the map over an edge, and the enemies that are known to be about."""

from sunglare_client.advice import Advice
from sunglare_client.bots.cloak.quiet_ways import EDGES, Exit
from sunglare_client.bots.movement.steering import CRASH, CRASH_LATER, courses
from sunglare_protocol.geometry import Board
from sunglare_protocol.orders import Order
from sunglare_protocol.orders.agents import OFF_MAP, Stand
from sunglare_protocol.views import ContactView, OwnView, View
from sunglare_protocol.words.ladder import Fate, Fix
from sunglare_rules.advice.legal.plans import Course
from sunglare_rules.turn.movement import Flight, MoveEnding, drifted, ending

TURNED_AWAY = 0.5
"""What it costs for every 45 degrees that a ship faces away from its edge, in turns of delay."""

STANDS = 40.0
"""How many turns a ship is taken to need that does not fly towards its edge, and more."""

FRESH_TURNS = 2
"""An enemy seen so many turns ago may still be about."""


def run_course(advice: Advice, ship: OwnView, way: Exit) -> tuple[Order, ...]:
    """Return the orders that bring a ship off the map over an edge soon."""
    board = advice.view.board

    def cost(course: Course) -> float:
        flight = course.flight
        turned = TURNED_AWAY * flight.facing.apart(way.edge)
        return _turns(board, way, flight) + turned + _peril(board, way, flight)

    best = min(courses(advice, ship), key=cost, default=None)
    return () if best is None else best.orders


def way_out(advice: Advice, ship: OwnView) -> tuple[Order, ...]:
    """Return the orders that take a ship off the map over the edge that it reaches soonest."""
    board, flight = advice.view.board, Flight(ship.square, ship.vector, ship.facing)
    nearest = min(
        map(Exit, EDGES), key=lambda way: way.left(board, ship.square) - 2 * way.speed(flight)
    )
    bound = Stand(ship=ship.id, bound_for=OFF_MAP)
    return (*run_course(advice, ship, nearest), bound)


def enemies(view: View) -> list[ContactView]:
    """Return the foreign pieces that are held, or were seen lately."""
    return [
        contact
        for contact in view.contacts
        if contact.fate is Fate.IN_PLAY
        and (contact.fix is not Fix.MEMORY or contact.turn >= view.stage.turn - FRESH_TURNS)
    ]


def _turns(board: Board, way: Exit, flight: Flight) -> float:
    """Return how many more turns a flight takes if nothing changes."""
    if way.is_met(board, flight):
        return 0.0
    speed = way.speed(flight)
    return way.left(board, flight.square) / speed if speed > 0 else STANDS - speed


def _peril(board: Board, way: Exit, flight: Flight) -> float:
    """Return what it costs to crash, or to leave over a wrong edge, now or by drifting on."""
    if way.is_met(board, flight):
        return 0.0
    if ending(board, flight.square) is not MoveEnding.FLIES:
        return CRASH
    ahead = drifted(board, flight.square, flight.vector)
    cost = 0.0
    for square, price in zip((ahead, ahead.moved(flight.vector)), CRASH_LATER, strict=False):
        if way.is_crossed(board, square):
            return cost
        if ending(board, square) is not MoveEnding.FLIES:
            return cost + price
    return cost
