"""Orders of the turn before, given again as far as they can still stand.

Source: none of its own; whatever comes from here is allowed by `check` with the plan.
"""

from collections.abc import Iterable

from sunglare_protocol.orders import Order, Scan
from sunglare_protocol.views import View
from sunglare_rules.advice.check.scan import place_name
from sunglare_rules.advice.check.standing import Standing
from sunglare_rules.advice.seen.lookup import ships_in_play


def beside(view: View, plan: tuple[Order, ...], orders: Iterable[Order]) -> tuple[Order, ...]:
    """Return those of the orders that can stand with a plan and one another, in their order.

    Each is kept that fits the plan and those kept before it. Of a plan that cannot stand itself
    the part counts that can.
    """
    standing = Standing(view)
    for order in plan:
        standing.add(order)
    return tuple([order for order in orders if standing.add(order)])


def scans_again(view: View, plan: tuple[Order, ...] = ()) -> tuple[Order, ...]:
    """Return the scans of last turn again, as far as they can be made with a plan.

    Each is of the same type, size and place, and asks for the Sense roll. A ship that the plan
    has scan already makes no other one.
    """
    return beside(view, plan, scans_before(view))


def scans_before(view: View) -> tuple[Scan, ...]:
    """Return the scans that the own ships in play made last turn, possible again or not."""
    return tuple(
        Scan(
            ship=ship.id,
            type=ship.habit.type,
            size=ship.habit.size,
            at=place_name(ship.habit.size, ship.habit.at),
            sense=True,
        )
        for ship in ships_in_play(view)
        if ship.habit is not None and ship.habit.turn == view.stage.turn - 1
    )
