"""Typing aids that work out turns and thrust: those that give a vector change.

Whether the server takes such orders is not decided here; `sunglare_rules.advice` does that.
"""

from functools import cache

from sunglare_protocol.geometry import Compass, Vector
from sunglare_protocol.orders import Order
from sunglare_protocol.views import OwnView
from sunglare_rules.advice.seen.plotting import deployed, facing_after_turn, orders_of
from sunglare_rules.turn.movement import (
    thrust_headings,
    turn_steps_allowed,
)

THRUST_ORDER_MOST = 16
"""Points that one thrust order can name."""


def steps_between(facing: Compass, wanted: Compass) -> int:
    """Return the steps of 45 degrees from one facing to the other, the shorter way round."""
    clockwise = (wanted.index - facing.index) % 8
    return clockwise if clockwise <= 4 else clockwise - 8


def facing_planned(ship: OwnView, plan: tuple[Order, ...]) -> Compass:
    """Return where the ship faces when the thrust of the plan begins."""
    mine = orders_of(ship, plan)
    return facing_after_turn(deployed(ship, mine), mine)


@cache
def thrust_for(facing: Compass, change: Vector) -> tuple[Compass, ...] | None:
    """Return the fewest thrust points that change a vector so with this facing.

    None if no thrust ahead or 45 degrees off does it.
    """
    left, ahead, right = headings = thrust_headings(facing)
    steps = tuple(heading.step for heading in headings)
    for points in range(THRUST_ORDER_MOST + 1):
        for port in range(points + 1):
            for starboard in range(points - port + 1):
                straight = points - port - starboard
                if _sum(steps, (port, straight, starboard)) == change:
                    return (*(ahead,) * straight, *(left,) * port, *(right,) * starboard)
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
    return tuple(
        facing for facing in facings_for(change) if abs(steps_between(start, facing)) <= most
    )


def _sum(steps: tuple[Vector, ...], counts: tuple[int, int, int]) -> tuple[int, int]:
    """Return the change that so many points in each of three directions add up to."""
    (left, ahead, right), (port, straight, starboard) = steps, counts
    return (
        port * left.dx + straight * ahead.dx + starboard * right.dx,
        port * left.dy + straight * ahead.dy + starboard * right.dy,
    )
