"""Orders next to those given so far, each in the place of the one that it would replace.

Source: none of its own; whatever comes from here is allowed by `check`.
"""

from collections.abc import Iterable

from sunglare_protocol.orders import Order, Scan
from sunglare_protocol.orders.agents import StepOrder
from sunglare_protocol.views import View
from sunglare_rules.advice.check.check import check, subject_of
from sunglare_rules.advice.check.ground import is_ground

Plan = tuple[Order, ...]


def without(plan: Plan, order: Order) -> Plan:
    """Return the orders that stay when `order` is given: without one to its piece about the same.

    All steps of an agent stay, as each follows on those before. Of a ship only its own orders
    count, but for a scan, as a side makes few.
    """
    return tuple([other for other in plan if not _is_replaced(other, order)])


def stands(view: View, plan: Plan, order: Order) -> bool:
    """Return whether an order may be given with those of the plan."""
    kept = without(plan, order)
    if not (isinstance(order, Scan) or is_ground(view, order)):
        kept = tuple([other for other in kept if other.ship == order.ship])
    return check(view, (*kept, order)) is None


def standing(view: View, plan: Plan, orders: Iterable[Order]) -> Plan:
    """Return those of the orders that may be given with the plan, each for itself."""
    return tuple([order for order in orders if stands(view, plan, order)])


def _is_replaced(other: Order, order: Order) -> bool:
    if other.ship != order.ship or isinstance(other, StepOrder):
        return False
    return subject_of(other) == subject_of(order)
