"""The intent of a player: the orders of the open window, and what reaches beyond it.

A plan is made of both: the orders given, and those that follow from the policy. So a policy never
stands in the way of an order.
"""

from typing import NamedTuple

from sunglare_client.command import Clear, Give, Plan
from sunglare_client.link.resume_info import ResumeInfo
from sunglare_client.terminal.staging import added, cleared
from sunglare_protocol.ids import OwnId
from sunglare_protocol.orders import Deploy, Order
from sunglare_protocol.refusals import Rejected
from sunglare_protocol.views import View
from sunglare_protocol.words.ladder import Phase
from sunglare_rules.advice.plans.policy import FLIGHT, USUAL, Policy, following
from sunglare_rules.advice.plans.routes import Route, gone_on

ENDS_ROUTE = (*FLIGHT, Deploy)
"""The orders for a ship that end its route."""


class Intent(NamedTuple):
    """The orders `given` in the open window, and the policy; `spared` ships follow none of it."""

    given: Plan = ()
    policy: Policy = USUAL
    spared: tuple[OwnId, ...] = ()

    def plan(self, view: View) -> Plan:
        """Return the orders as they are sent: those given, and those that follow."""
        return (*self.given, *following(view, self.policy, self.given, self.spared))

    def giving(self, give: Give) -> "Intent":
        """Return the intent with new orders; one for the flight of a ship ends its route."""
        policy = self.policy
        for order in give.orders:
            policy = policy.without(order.ship) if isinstance(order, ENDS_ROUTE) else policy
        return Intent(added(self.given, give), policy, self.spared)

    def clearing(self, clear: Clear, phase: Phase) -> "Intent":
        """Return the intent without orders of a piece; without any it follows no policy.

        Its route ends only where ships are ordered to fly.
        """
        flies = not clear.kinds or any(kind in ENDS_ROUTE for kind in clear.kinds)
        ends = flies and phase is Phase.PLOT
        policy = self.policy.without(clear.ship) if ends else self.policy
        spared = self.spared if clear.kinds else (*self.spared, clear.ship)
        return Intent(cleared(self.given, clear), policy, spared)

    def going(self, route: Route) -> "Intent":
        """Return the intent with a route, in the place of its ship's orders for the flight."""
        given = tuple(order for order in self.given if not _flies(order, route.ship))
        spared = tuple(ship for ship in self.spared if ship != route.ship)
        return Intent(given, self.policy.on_route(route), spared)

    def holding(self, on: bool) -> "Intent":
        """Return the intent with the policy to hold what is free, or without it."""
        return self._replace(policy=self.policy._replace(holds=on))


def _flies(order: Order, ship: OwnId) -> bool:
    return order.ship == ship and isinstance(order, FLIGHT)


def resumed(view: View, policy: Policy, held: ResumeInfo) -> Intent:
    """Return the intent of which the server holds these orders."""
    # What was given is needed to know what followed from it.
    begun = following(view, policy)
    given = tuple(order for order in held.orders if order not in begun)
    extra = following(view, policy, given)
    spared = {order.ship: None for order in extra if order not in held.orders}
    return Intent(given, policy, tuple(spared))


class Onward(NamedTuple):
    """A policy as it goes on in a new window, and the outcome of the routes that end there."""

    policy: Policy
    arrived: tuple[Route, ...] = ()
    lost: tuple[tuple[Route, Rejected], ...] = ()


def onward(view: View, policy: Policy) -> Onward:
    """Return how a policy goes on in the window of a view: in PLOT each route by what is left."""
    if view.stage.phase is not Phase.PLOT:
        return Onward(policy)
    going: list[Route] = []
    arrived: list[Route] = []
    lost: list[tuple[Route, Rejected]] = []
    for route in policy.routes:
        left = gone_on(view, route)
        if isinstance(left, Rejected):
            lost.append((route, left))
        elif left.legs:
            going.append(left)
        else:
            arrived.append(route)
    return Onward(policy._replace(routes=tuple(going)), tuple(arrived), tuple(lost))
