"""A player's policy for every window from now on, as the ordinary orders of the open one.

Source: none of its own; hull sensors, sensors §5; held weapons, cloak §5. Whatever comes from here
is allowed by `check` with the plan.
"""

from typing import NamedTuple

from sunglare_protocol.ids import OwnId
from sunglare_protocol.orders import Hold, Land, Lift, Order, Sensors, Thrust, Turn
from sunglare_protocol.views import View
from sunglare_protocol.words.cloak import CloakVariant
from sunglare_protocol.words.ladder import Phase
from sunglare_protocol.words.pieces import PieceKind
from sunglare_rules.advice.check.check import check
from sunglare_rules.advice.legal.legal import holds
from sunglare_rules.advice.plans.again import beside
from sunglare_rules.advice.plans.routes import Route, leg_ahead
from sunglare_rules.advice.seen.lookup import ships_in_play
from sunglare_rules.advice.seen.plotting import deployed, orders_of, powered_in_movement

FLIGHT = (Turn, Thrust, Land, Lift)
"""The orders that say where a ship goes; one of them for a ship takes the place of its route."""


class Policy(NamedTuple):
    """What is wanted beyond the open window.

    `sensors`: those on the hull go out at set-up. `holds`: every dumb weapon that is free in
    ENGAGE is held for an answer. `routes` are the ways of ships over several turns, at most one a
    ship.
    """

    sensors: bool = True
    holds: bool = False
    routes: tuple[Route, ...] = ()

    def on_route(self, route: Route) -> "Policy":
        """Return the policy with this route in the place of another one of its ship."""
        return self._replace(routes=(*self.without(route.ship).routes, route))

    def without(self, ship: OwnId) -> "Policy":
        """Return the policy without a route of this ship."""
        return self._replace(routes=tuple(one for one in self.routes if one.ship != ship))


USUAL = Policy()
"""What a player wants who has said nothing: sensors out at set-up."""


def following(
    view: View, policy: Policy, plan: tuple[Order, ...] = (), spared: tuple[OwnId, ...] = ()
) -> tuple[Order, ...]:
    """Return the orders of the open window that follow from a policy and fit a plan.

    The leg of each route, in PLOT, whole or not at all; the sensors of a set-up; the weapons that
    are held. Ships that are `spared` get none of them.
    """
    found: tuple[Order, ...] = ()
    for route in policy.routes:
        leg = route.leg(view.stage.turn)
        mine = [order for order in plan if order.ship == route.ship]
        if not any(isinstance(order, FLIGHT) for order in mine) and route.ship not in spared:
            found += leg if check(view, (*plan, *found, *leg)) is None else ()
    found += sensors_out(view, (*plan, *found)) if policy.sensors else ()
    found += holds_of_free(view, (*plan, *found)) if policy.holds else ()
    return tuple(order for order in found if order.ship not in spared)


def movement_ahead(view: View, policy: Policy, plan: tuple[Order, ...]) -> tuple[Order, ...]:
    """Return the orders of the next movement: the plan of a PLOT, else the legs of routes."""
    if view.stage.phase is Phase.PLOT:
        return plan
    return tuple(order for route in policy.routes for order in leg_ahead(view, route))


def sensors_out(view: View, plan: tuple[Order, ...] = ()) -> tuple[Order, ...]:
    """Return the orders by which hull sensors go out at set-up, in the PLOT of turn 1.

    Of every starship about whose sensors the plan says nothing, but not of one that is or will be
    cloaked, lands, or has its power off.
    """
    stage = view.stage
    if stage.phase is not Phase.PLOT or stage.turn != 1:
        return ()
    told = {order.ship for order in plan if isinstance(order, Sensors)}
    folded = (
        ship
        for ship in ships_in_play(view)
        if ship.kind is PieceKind.STARSHIP
        and ship.id not in told
        and not deployed(ship, orders_of(ship, plan)).popped_out
        and powered_in_movement(ship, orders_of(ship, plan))
    )
    return beside(view, plan, (Sensors(ship=ship.id, out=True) for ship in folded))


def may_hold(view: View) -> bool:
    """Return whether weapons are ever held in this match: for cloaked ships that may fire."""
    rules = view.cloak_rules
    return rules.cloaks and rules.variant is not CloakVariant.JAM


def holds_of_free(view: View, plan: tuple[Order, ...] = ()) -> tuple[Order, ...]:
    """Return an order to hold every dumb weapon that the plan leaves free, in ENGAGE."""
    told = {(order.ship, order.weapon) for order in plan if isinstance(order, Hold)}
    free = (order for order in holds(view) if (order.ship, order.weapon) not in told)
    return beside(view, plan, free) if view.stage.phase is Phase.ENGAGE else ()
