"""What typing aids work out: the thrust that gives a vector change, the way to shadow a ship.

Whether the server takes such orders is not decided here; `sunglare_rules.advice` does that.
"""

from typing import NamedTuple

from sunglare_protocol.geometry import Compass, Square, Vector
from sunglare_protocol.orders import Order
from sunglare_protocol.views import ContactView, OwnView, View
from sunglare_rules.advice.seen.plotting import after_plot, deployed, facing_after_turn, orders_of
from sunglare_rules.turn.movement import (
    Flight,
    drifted,
    flown,
    thrust_headings,
    turn_steps_allowed,
)

THRUST_ORDER_MOST = 16
"""Points that one thrust order can name."""


class Intercept(NamedTuple):
    """How to end a move on the square of another piece, turned as it is.

    `end` is how the other piece is then expected to stand; `matched` says that the vectors
    will agree as well.
    """

    steps: int
    change: Vector
    end: Flight
    matched: bool


def steps_between(facing: Compass, wanted: Compass) -> int:
    """Return the steps of 45 degrees from one facing to the other, the shorter way round."""
    clockwise = (wanted.index - facing.index) % 8
    return clockwise if clockwise <= 4 else clockwise - 8


def facing_planned(ship: OwnView, plan: tuple[Order, ...]) -> Compass:
    """Return where the ship faces when the thrust of the plan begins."""
    mine = orders_of(ship, plan)
    return facing_after_turn(deployed(ship, mine), mine)


def thrust_for(facing: Compass, change: Vector) -> tuple[Compass, ...] | None:
    """Return the fewest thrust points that change a vector so with this facing.

    None if no thrust ahead or 45 degrees beside does it.
    """
    left, ahead, right = thrust_headings(facing)
    for points in range(THRUST_ORDER_MOST + 1):
        for port in range(points + 1):
            for starboard in range(points - port + 1):
                straight = points - port - starboard
                to = (*(ahead,) * straight, *(left,) * port, *(right,) * starboard)
                if _sum(to) == change:
                    return to
    return None


def facings_for(change: Vector) -> tuple[Compass, ...]:
    """Return every facing with which thrust can change a vector so."""
    return tuple(facing for facing in Compass if thrust_for(facing, change) is not None)


def facings_in_reach(
    ship: OwnView, plan: tuple[Order, ...], change: Vector
) -> tuple[Compass, ...]:
    """Return the facings that allow the change and to which the ship may turn as it thrusts."""
    start = deployed(ship, orders_of(ship, plan)).facing
    most = turn_steps_allowed(True, ship.crew.pilot, ship.powered or ship.starting)
    return tuple(each for each in facings_for(change) if abs(steps_between(start, each)) <= most)


def intercept(
    view: View, ship: OwnView, other: OwnView | ContactView, plan: tuple[Order, ...]
) -> Intercept | None:
    """Return how `ship` ends its move where `other` does, or None if its flight is not known.

    An own ship is taken to fly its plan, a foreign piece to drift.
    """
    theirs = _expected(view, other, plan)
    if theirs is None:
        return None
    start = deployed(ship, orders_of(ship, plan))
    return Intercept(
        steps=steps_between(start.facing, theirs.facing),
        change=drifted(view.board, start.square, start.vector).to(theirs.square),
        end=theirs,
        matched=start.square.to(theirs.square) == theirs.vector,
    )


def _expected(view: View, other: OwnView | ContactView, plan: tuple[Order, ...]) -> Flight | None:
    if isinstance(other, OwnView):
        return after_plot(view, other, plan)
    if other.vector is None or other.facing is None or other.landed is not None:
        return None
    return flown(view.board, Flight(other.square, other.vector, other.facing), 0, ())


def _sum(to: tuple[Compass, ...]) -> Vector:
    end = Square(0, 0)
    for heading in to:
        end = end.moved(heading.step)
    return Square(0, 0).to(end)
