"""Routes and policies in words: the way of a ship turn by turn, and what holds from now on."""

from sunglare_client.command import Plan
from sunglare_client.terminal.intents import Onward
from sunglare_client.text.cards import refused
from sunglare_client.text.places import flight_text, square_text
from sunglare_client.verbs.written import order_text
from sunglare_protocol.orders import Order
from sunglare_protocol.views import View
from sunglare_protocol.words.ladder import Phase
from sunglare_rules.advice.check.check import check
from sunglare_rules.advice.legal.plans import Course
from sunglare_rules.advice.plans.policy import Policy
from sunglare_rules.advice.plans.routes import Route, Waypoint, thrust_of

FROM_NOW_ON = "each ENGAGE holds every dumb weapon that does not fire; hold off ends it"
"""What `hold all` means."""

SET_UP = "(sensors go out at set-up; sensors S1 in keeps those of S1 folded)"
"""What is said below the orders that a set-up begins with."""


def goal_text(route: Route) -> str:
    """Return where a route leads, as a piece of a sentence that begins with the ship."""
    if isinstance(route.goal, Waypoint):
        stops = " and stops there" if route.goal.stop else ""
        return f"goes to {square_text(route.goal.square)}{stops}"
    place = route.goal.environs or (route.goal.sector.value if route.goal.sector else "")
    return f"lands on {route.goal.body} {place}".rstrip()


def turns_text(number: int) -> str:
    """Return a number of turns."""
    return "1 turn" if number == 1 else f"{number} turns"


def way_lines(view: View, route: Route) -> list[str]:
    """Return how many turns a route takes, and what each of them costs and leads to."""
    rows = [f"{route.ship} {goal_text(route)}: {turns_text(len(route.legs))}"]
    rates = [ship.thrust for ship in view.own if ship.id == route.ship]
    for turn, leg in enumerate(route.legs, route.turn):
        rows.append(
            f"  turn {turn}: {_leg_text(leg)}, {thrust_of(leg.orders)} of {rates[0]} thrust"
        )
    return rows


def _leg_text(leg: Course) -> str:
    told = "; ".join(order_text(order) for order in leg.orders) or "drifts"
    return f"{told} -> {flight_text(leg.flight)}"


def policy_lines(view: View, policy: Policy, plan: Plan) -> list[str]:
    """Return what holds beyond the open window, and why a route is not followed in this one."""
    rows = [f"from now on: {FROM_NOW_ON}"] if policy.holds else []
    for route in policy.routes:
        plots = view.stage.phase is Phase.PLOT
        left = len(route.legs) - (view.stage.turn - route.turn) - (not plots)
        if left <= 0:
            continue
        rows.append(f"{route.ship} {goal_text(route)}: {turns_text(left)} left")
        leg = route.leg(view.stage.turn) if plots else ()
        if not set(leg) <= set(plan):
            rows.append(f"  but not in this window: {_hindrance(view, leg, plan)}")
    return rows


def _hindrance(view: View, leg: tuple[Order, ...], plan: Plan) -> str:
    problem = check(view, (*plan, *leg))
    return "its orders were taken back" if problem is None else problem.text


def ended_lines(before: Policy, after: Policy) -> list[str]:
    """Return which routes an order has ended."""
    going = {route.ship for route in after.routes}
    ended = (route for route in before.routes if route.ship not in going)
    return [f"{route.ship} {goal_text(route)}: given up" for route in ended]


def onward_lines(onward: Onward) -> list[str]:
    """Return the outcome of the routes that end with a window."""
    there = [f"{route.ship} {goal_text(route)}: it is there" for route in onward.arrived]
    lost = [
        f"{route.ship} {goal_text(route)} no longer: {refused(why)}" for route, why in onward.lost
    ]
    return [*there, *lost]
