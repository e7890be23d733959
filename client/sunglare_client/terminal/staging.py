"""The plan of a window before it is sent: orders added, replaced and taken back."""

from sunglare_client.command import Clear, Give, Plan
from sunglare_protocol.orders import Bombard, Fire, Hold, Launch, Listen, Order, Rotate, Sweep
from sunglare_protocol.orders.agents import StepOrder


def added(plan: Plan, give: Give) -> Plan:
    """Return the plan with the new orders, each in the place of the one it contradicts."""
    new = {_subject(order) for order in give.orders}
    # An agent's steps follow one another; none replaces the one before.
    kept = (order for order in plan if isinstance(order, StepOrder) or _subject(order) not in new)
    return (*kept, *give.orders)


def cleared(plan: Plan, clear: Clear) -> Plan:
    """Return the plan without a ship's orders of the kinds named, or without all of its orders."""
    return tuple(
        order
        for order in plan
        if order.ship != clear.ship or (clear.kinds and not isinstance(order, clear.kinds))
    )


def _subject(order: Order) -> tuple[type[Order], str, str]:
    """Return what there may be one of: an order of a kind for a ship, a turret, a weapon.

    Firing and holding a weapon are of one kind, at a piece or at a point; and so are listening
    and sweeping.
    """
    match order:
        case Rotate(turret=turret):
            return Rotate, order.ship, turret
        case Fire(weapon=weapon) | Hold(weapon=weapon) | Bombard(weapon=weapon):
            return Fire, order.ship, weapon
        case Launch(weapon=weapon, what=what):
            return Launch, order.ship, weapon or what.value
        case Listen() | Sweep():
            return Listen, order.ship, ""
        case _:
            return type(order), order.ship, ""
