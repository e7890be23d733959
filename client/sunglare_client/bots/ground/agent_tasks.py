"""The tasks of agents: what is left to do, where, and how to get there."""

from collections.abc import Iterator
from typing import NamedTuple

from sunglare_protocol.ids import OwnId
from sunglare_protocol.orders import Order
from sunglare_protocol.orders.agents import GROUP_MOST, Mission, Stand, StepOut, Walk
from sunglare_protocol.surface import Site
from sunglare_protocol.views import View
from sunglare_protocol.views.ground import AgentView
from sunglare_protocol.words.ladder import Fate
from sunglare_protocol.words.search import FightPolicy, MissionKind, Strike
from sunglare_protocol.words.victory import ObjectiveKind
from sunglare_rules.advice.legal.agents import handles_at
from sunglare_rules.advice.seen.agents import free_agents, scene_after
from sunglare_rules.search.agents import InOrbit, OnGround, VesselPlace
from sunglare_rules.search.steps import adjacent

GROUP = 2
"""A larger group hides worse."""

STRONG = 4
"""A group of three whose best has so much combat covers its own retreat."""

SPIED_FOR = 5
"""For so many turns what spies saw is good enough."""


class Task(NamedTuple):
    """Something to do for an objective: where, how, what with, and who must be there."""

    site: Site
    kind: MissionKind
    name: str
    must: OwnId | None = None


def tasks(view: View) -> list[Task]:
    """Return what is left to do for the own objectives, nearest to its end first."""
    found = []
    done = [item.name for item in view.items if item.delivered]
    for goal in view.objectives:
        if goal.kind is ObjectiveKind.DELIVER and goal.at is not None and goal.piece not in done:
            found += [*_item_task(view, str(goal.piece), goal.at)]
            found += [*_agent_task(view, str(goal.piece), goal.at)]
    found.sort(key=lambda task: task.kind is not MissionKind.DELIVER)
    return found


def _item_task(view: View, name: str, goal: Site) -> Iterator[Task]:
    carriers = [agent.id for agent in free_agents(view)]
    for item in view.items:
        if item.name == name and item.carrier in carriers:
            yield Task(goal, MissionKind.DELIVER, name, item.carrier)
        elif item.name == name and item.site is not None:
            yield Task(item.site, MissionKind.STEAL, name)


def _agent_task(view: View, name: str, goal: Site) -> Iterator[Task]:
    for agent in view.agents:
        if agent.name != name or agent.fate is not Fate.IN_PLAY:
            continue
        if agent.captor is not None and agent.site is not None:
            yield Task(agent.site, MissionKind.FREE, agent.id)
        elif agent.captor is None:
            yield Task(goal, MissionKind.DELIVER, name, agent.id)


def places_after(view: View, moves: tuple[Order, ...]) -> dict[str, VesselPlace]:
    """Return where all agents are once the ships have moved, on or over a planet."""
    scene = scene_after(view, moves)
    found = {agent.name: scene.place_of(agent) for agent in scene.agents}
    return {name: place for name, place in found.items() if isinstance(place, OnGround | InOrbit)}


def site_of(place: VesselPlace) -> Site | None:
    """Return the environs that a place is; None aboard, in orbit or in space."""
    return Site(place.planet, place.environs) if isinstance(place, OnGround) else None


def sent(
    view: View, group: list[AgentView], site: Site, places: dict[str, VesselPlace]
) -> Iterator[Order]:
    """Yield the steps that bring a group to a site, as far as two steps go."""
    for agent in group:
        place = places[agent.id]
        if isinstance(place, InOrbit):
            if place.planet == site.body:
                yield StepOut(ship=agent.id, environs=site.environs)
            continue
        if agent.aboard is not None:
            yield StepOut(ship=agent.id)
        here = site_of(place)
        if here is not None and here != site and here.body == site.body:
            yield Walk(ship=agent.id, environs=next_number(view, here, site))


def next_number(view: View, here: Site, site: Site) -> int:
    """Return the environs to walk to: the goal if it is adjacent, else the next on the ring."""
    numbers = view.board.numbers_on(here.body)
    if adjacent(numbers, here.environs, site.environs):
        return site.environs
    return next(number for number in numbers if adjacent(numbers, here.environs, number))


def reaches(view: View, place: VesselPlace, site: Site) -> bool:
    """Return whether an agent gets from a place to a site within this turn's steps."""
    here = site_of(place)
    if here is None:
        return place.planet == site.body if isinstance(place, InOrbit) else False
    if here.body != site.body:
        return False
    numbers = view.board.numbers_on(here.body)
    return here == site or adjacent(numbers, here.environs, site.environs)


def errand(view: View, agent: AgentView, site: Site) -> Mission:
    """Return the mission of an agent with no task: to spy, or to sabotage what is known."""
    since = view.stage.turn - SPIED_FOR
    known = [report for report in view.spied if report.site == site and report.turn > since]
    if not known:
        return Mission(ship=agent.id, kind=MissionKind.SPY)
    target = next(iter(handles_at(view, site)), None)
    return Mission(ship=agent.id, kind=MissionKind.SABOTAGE, at=target)


def standing_orders(view: View) -> Iterator[Order]:
    """Yield the standing orders of turn 1: who strikes, and how groups take being found."""
    if view.stage.turn != 1:
        return
    agents = free_agents(view)
    strike = Strike.PATROL if view.ground or not agents else Strike.AGENTS
    yield Stand(ship=OwnId(str(view.audience)), strike=strike)
    for agent in agents:
        if agent.npc or agent.leadership == 0:
            continue
        tough = max(fellow.combat for fellow in agents) >= STRONG
        fight = FightPolicy.SCREEN if tough and len(agents) > GROUP else FightPolicy.FLEE
        by_endurance = sorted(agents, key=lambda fellow: fellow.wounds - fellow.endurance)
        fellows = tuple(fellow.id for fellow in by_endurance[:GROUP_MOST])
        yield Stand(ship=agent.id, fight=fight, wounds=fellows)
