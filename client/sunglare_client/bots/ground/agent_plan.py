"""The plan of the agents: one for each task, the rest out of reach of every search.

Theory of operation. An agent at work is noticed three times in ten, and from then on the enemy may
look for it anywhere. So no agent works without need, and none goes along that is not needed:
company is what detection spreads by. Agents without a task stand with own troops that lie hidden.
That is noticed as well, but no search finds agents among troops, and the troops are found only by
units that come near them. Where the only task is to look for the agents of others, no agent works
at all: one that is not noticed cannot be found, and adds to every search.
"""

from collections.abc import Iterator

from sunglare_client.bots.ground.agent_tasks import (
    Task,
    next_number,
    places_after,
    reaches,
    sent,
    site_of,
    tasks,
)
from sunglare_client.bots.ground.garrison import FOOT
from sunglare_protocol.ids import OwnId
from sunglare_protocol.orders import Order
from sunglare_protocol.orders.agents import GoAboard, Mission, StepOut, Walk
from sunglare_protocol.orders.ground import Station
from sunglare_protocol.surface import Site
from sunglare_protocol.views import OwnView, View
from sunglare_protocol.views.ground import AgentView, GroundView
from sunglare_protocol.words.ladder import Fate
from sunglare_protocol.words.search import MissionKind
from sunglare_protocol.words.victory import ObjectiveKind
from sunglare_rules.advice.seen.agents import free_agents, military
from sunglare_rules.search.agents import VesselPlace


def network_orders(
    view: View, moves: tuple[Order, ...], ferry: OwnView | None = None
) -> Iterator[Order]:
    """Yield steps and missions of the own agents; `moves` are the orders of ships and troops.

    A `ferry` is the landed ship in which all leave now, whatever is left to do.
    """
    places = places_after(view, moves)
    left = [agent for agent in free_agents(view) if agent.id in places]
    if ferry is not None:
        for passenger in left:
            yield from boarding(view, passenger, ferry)
        return
    for task in tasks(view):
        agent = _chosen(view, left, task, places)
        if agent is not None:
            left.remove(agent)
            yield from sent_on(view, agent, task, places)
    for agent in left:
        yield from _kept(view, agent, places[agent.id])


def _chosen(
    view: View, left: list[AgentView], task: Task, places: dict[str, VesselPlace]
) -> AgentView | None:
    """Return who goes on a task: the one it takes, else the best of those who can be there."""
    if task.must is not None:
        return next((agent for agent in left if agent.id == task.must), None)

    def fitness(agent: AgentView) -> tuple[bool, bool, int]:
        rating = agent.combat if task.kind is MissionKind.FREE else agent.intelligence
        ashore = agent.aboard is None
        return ashore, reaches(view, places[agent.id], task.site), rating

    return max((agent for agent in left if not agent.npc), key=fitness, default=None)


def sent_on(
    view: View, agent: AgentView, task: Task, places: dict[str, VesselPlace]
) -> Iterator[Order]:
    """Yield the steps of an agent to its task, and the mission once it is there."""
    if agent.stacked is not None:
        yield StepOut(ship=agent.id)
    yield from sent(view, [agent], task.site, places)
    if reaches(view, places[agent.id], task.site):
        yield Mission(ship=agent.id, kind=task.kind, name=task.name)


def _kept(view: View, agent: AgentView, place: VesselPlace) -> Iterator[Order]:
    """Yield what an agent without a task does: it spies where it lands, then joins hidden ones."""
    here = site_of(place)
    if here is None or agent.stacked is not None:
        return
    if agent.aboard is not None:
        yield StepOut(ship=agent.id)
        if not agent.npc:
            yield Mission(ship=agent.id, kind=MissionKind.SPY)
        return
    haven = _haven(view, here)
    if haven is None or haven.site is None:
        return
    if haven.site != here:
        yield Walk(ship=agent.id, environs=next_number(view, here, haven.site))
    yield GoAboard(ship=agent.id, into=haven.id)


def boarding(view: View, agent: AgentView, ferry: OwnView) -> Iterator[Order]:
    """Yield the steps of an agent to a landed ship and aboard, as far as they go."""
    place = None if ferry.landed is None else ferry.landed.site
    if place is None or agent.site is None or agent.site.body != place.body:
        return
    if agent.stacked is not None:
        yield StepOut(ship=agent.id)
    if agent.site != place:
        yield Walk(ship=agent.id, environs=next_number(view, agent.site, place))
    if agent.site == place or agent.stacked is None:
        yield GoAboard(ship=agent.id, into=ferry.id)


def _haven(view: View, here: Site) -> GroundView | None:
    """Return the hidden troops that an agent can join this turn, those at its place first."""
    numbers = view.board.numbers_on(here.body)

    def order(unit: GroundView) -> tuple[bool, OwnId]:
        return unit.site != here, unit.id

    able = [
        unit
        for unit in view.ground
        if unit.fate is Fate.IN_PLAY
        and unit.hidden
        and unit.kind in FOOT
        and unit.site is not None
        and unit.site.body == here.body
        and unit.site.environs in numbers
    ]
    return min(able, key=order, default=None)


def watch_orders(view: View) -> Iterator[Order]:
    """Yield the steps of agents who look for those of others: to where an alert promises most."""
    if view.stage.turn == 1:
        for agent in free_agents(view):
            if agent.site is not None:
                yield Station(ship=agent.id, at=agent.site)
        return
    precious = [goal.piece for goal in view.objectives if goal.kind is ObjectiveKind.SURVIVE]
    for agent in free_agents(view):
        if agent.site is None or agent.name in precious:
            continue
        goal = _hunting_ground(view, agent.site)
        if goal is None or goal == agent.site:
            continue
        if agent.stacked is not None:
            yield StepOut(ship=agent.id)
        yield Walk(ship=agent.id, environs=next_number(view, agent.site, goal))


def _hunting_ground(view: View, here: Site) -> Site | None:
    """Return the alert of an agent's planet at which the own troops search best."""
    sites = [
        Site(alert.planet, alert.environs)
        for alert in view.alerts
        if alert.environs is not None and alert.planet == here.body
    ]
    return max(
        dict.fromkeys(sites),
        key=lambda site: (sum(unit.af for unit in military(view, site)), site == here),
        default=None,
    )
