"""Odds of own searches and missions, and the agents whom a step would get detected.

Source: Freedom in the Galaxy 10.1 and 10.2; search of our rule book §2. From the view alone.
"""

from fractions import Fraction

from sunglare_protocol.ids import OwnId
from sunglare_protocol.messages.answers import AgentPreview, MissionOdds, SearchOdds
from sunglare_protocol.orders import Order
from sunglare_protocol.orders.agents import Mission, Search, StepOrder
from sunglare_protocol.refusals import Rejected
from sunglare_protocol.views import View
from sunglare_rules.advice.check.agents import (
    agents_problem,
    group_of,
    own_value,
    searched_site,
)
from sunglare_rules.advice.seen.agents import scene_after, walked
from sunglare_rules.search.agents import Scene
from sunglare_rules.search.missions import success_chance
from sunglare_rules.search.search import ROWS, chance


def search_odds(view: View, order: Search) -> SearchOdds | Rejected:
    """Return the own search value and what it may reach, or why the search cannot be made."""
    site = searched_site(view, order, ())
    if isinstance(site, Rejected):
        return site
    value = own_value(view, site, order.leader)
    return SearchOdds(
        site=site,
        value=value,
        most=_hundredths(chance(1, value)),
        least=_hundredths(chance(ROWS, value)),
    )


def mission_odds(
    view: View, order: Mission, orders: tuple[Order, ...] = ()
) -> MissionOdds | Rejected:
    """Return the chance of a mission after `orders`, or why the group cannot go on it."""
    group = group_of(view, order, orders, (*orders, order))
    if isinstance(group, Rejected):
        return group
    chances = _hundredths(success_chance(order.kind, group))
    return MissionOdds(ship=order.ship, kind=order.kind, hundredths=chances)


def step_preview(
    view: View, order: StepOrder, orders: tuple[Order, ...] = ()
) -> AgentPreview | Rejected:
    """Return who will be detected after one step behind `orders`, or why it cannot be made."""
    problem = agents_problem(view, order, orders, (*orders, order))
    if problem is not None:
        return problem
    before = walked(view, scene_after(view, orders), orders)
    after = walked(view, before, (order,))
    detected = _detected(after)
    return AgentPreview(
        ship=order.ship,
        detected=detected,
        anew=tuple(piece for piece in detected if piece not in _detected(before)),
    )


def _detected(scene: Scene) -> tuple[OwnId, ...]:
    agents = [agent.name for agent in scene.agents if agent.detected]
    ships = [vessel.name for vessel in scene.vessels if vessel.detected]
    return tuple(OwnId(name) for name in (*agents, *ships))


def _hundredths(value: Fraction) -> int:
    return round(100 * value)
