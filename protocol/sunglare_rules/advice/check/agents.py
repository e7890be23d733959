"""Checks of orders for agents, missions, standing orders and searches.

Source: search of our rule book §2. From the viewer's own pieces and alerts alone; steps are
tried one after the other, after the ships and units have moved.
"""

from typing import assert_never

from sunglare_protocol.ids import OwnId, Side
from sunglare_protocol.orders import Order
from sunglare_protocol.orders.agents import (
    NOWHERE,
    OFF_MAP,
    AgentOrder,
    GoAboard,
    Mission,
    Search,
    Stand,
    StepOrder,
    StepOut,
    Walk,
)
from sunglare_protocol.refusals import Code, Rejected
from sunglare_protocol.surface import Site
from sunglare_protocol.views import View
from sunglare_protocol.views.ground import AgentView
from sunglare_protocol.words.ladder import Fate
from sunglare_protocol.words.search import MissionKind, StepFault
from sunglare_protocol.words.victory import ObjectiveKind
from sunglare_rules.advice.refusing import refused
from sunglare_rules.advice.seen.agents import (
    free_agents,
    military,
    scene_after,
    scene_now,
    step_problem,
    walked,
)
from sunglare_rules.advice.seen.lookup import own_ship
from sunglare_rules.search.agents import Agent, OnGround, stacked_at, unstacked_at
from sunglare_rules.search.missions import mission_problem
from sunglare_rules.search.search import SearchProblem, leader_of, search_problem, search_value
from sunglare_rules.search.steps import STEPS_MOST

AGENTS_KINDS: tuple[type[Order], ...] = (Walk, GoAboard, StepOut, Mission, Stand, Search)
"""The kinds of order that have to do with agents."""


def takes_of_agents(view: View, kind: type[Order]) -> bool:
    """Return whether a viewer with such pieces may give orders of this kind at all.

    Agents step and go on missions; a side with neither agents nor ground units has no searches.
    """
    return bool(view.agents) or (kind in (Stand, Search) and bool(view.ground))


def agents_problem(
    view: View, order: AgentOrder, before: tuple[Order, ...], orders: tuple[Order, ...]
) -> Rejected | None:
    """Return why this order is not allowed with those `before` it in the set, or None."""
    match order:
        case Walk() | GoAboard() | StepOut():
            return _step_problem(view, order, before, orders)
        case Mission():
            found = group_of(view, order, before, orders)
            return found if isinstance(found, Rejected) else None
        case Stand():
            return _stand_problem(view, order, before)
        case Search():
            site = searched_site(view, order, before)
            return site if isinstance(site, Rejected) else None
        case _:
            assert_never(order)


def own_agent(view: View, own: OwnId, field: str = ".ship") -> AgentView | Rejected:
    """Return the own free agent of that id, or a refusal that lists the right ones."""
    agents = free_agents(view)
    for agent in agents:
        if agent.id == own:
            return agent
    return refused(Code.ORDER_UNIT, field, choices=tuple(agent.id for agent in agents))


def _step_problem(
    view: View, order: StepOrder, before: tuple[Order, ...], orders: tuple[Order, ...]
) -> Rejected | None:
    agent = own_agent(view, order.ship)
    if isinstance(agent, Rejected):
        return agent
    made = sum(isinstance(earlier, StepOrder) and earlier.ship == order.ship for earlier in before)
    if made >= STEPS_MOST:
        return refused(Code.ORDER_STEP, "", f"An agent makes at most {STEPS_MOST} steps a turn.")
    scene = walked(view, scene_after(view, orders), before)
    problem = step_problem(view, scene, order)
    if problem is None:
        return None
    field, detail = STEP_WORDS[problem]
    return refused(Code.ORDER_STEP, field, detail)


STEP_WORDS: dict[StepFault, tuple[str, str]] = {
    StepFault.NOT_ON_GROUND: (".ship", "The agent is aboard a ship."),
    StepFault.NOT_ADJACENT: (".environs", "An agent walks only to an adjacent environs."),
    StepFault.STACKED: (".ship", "The agent is with troops and must leave them first."),
    StepFault.NOT_STACKED: (".ship", "The agent is not with troops."),
    StepFault.NO_TROOPS: (".into", "No such troops are in the agent's environs."),
    StepFault.NO_SUCH_VESSEL: (".into", "You have no such ship or unit."),
    StepFault.NOT_THERE: ("", "The ship will not be there."),
    StepFault.NOT_ABOARD: (".ship", "The agent is not aboard a ship."),
    StepFault.NO_SHUTTLE: ("", "The ship has no shuttle."),
    StepFault.CLOAKED: ("", "The ship is cloaked."),
    StepFault.NO_SUCH_ENVIRONS: (".environs", "Name an environs of the planet below."),
}
"""For each problem of a step the field of the order that it is about, and a sentence."""


def group_of(
    view: View, order: Mission, before: tuple[Order, ...], orders: tuple[Order, ...]
) -> tuple[Agent, ...] | Rejected:
    """Return the group of a mission as it will stand after all steps, or why it cannot go."""
    group = _members(view, order, orders)
    if isinstance(group, Rejected):
        return group
    taken = [
        name
        for earlier in before
        if isinstance(earlier, Mission)
        for name in (earlier.ship, *earlier.others)
    ]
    problem = mission_problem(group, taken)
    if problem is not None:
        return refused(Code.ORDER_GROUP, ".others", _GROUP_WORDS[problem])
    at = group[0].at
    # A group that may go together stands on the ground.
    target = _target_problem(view, order, group, at) if isinstance(at, OnGround) else None
    return target or group


def _members(
    view: View, order: Mission, orders: tuple[Order, ...]
) -> tuple[Agent, ...] | Rejected:
    names = (order.ship, *order.others)
    if len(dict.fromkeys(names)) < len(names):
        return refused(Code.ORDER_GROUP, ".others", "Name each agent once.")
    for field, name in ((".ship", order.ship), *((".others", piece) for piece in order.others)):
        agent = own_agent(view, name, field)
        if isinstance(agent, Rejected):
            return agent
    scene = walked(view, scene_after(view, orders), orders)
    return tuple(scene.agent(name) for name in names)


_GROUP_WORDS: dict[StepFault, str] = {
    StepFault.NOBODY: "A group needs at least one member.",
    StepFault.NOT_ON_GROUND: "An agent aboard a ship goes on no mission.",
    StepFault.APART: "They are in different environs.",
    StepFault.STACKED: "An agent with troops goes on no mission.",
    StepFault.IN_OTHER_GROUP: "An agent joins one group a turn.",
}
"""A sentence for each reason why agents are no mission group."""


def _target_problem(
    view: View, order: Mission, group: tuple[Agent, ...], at: OnGround
) -> Rejected | None:
    site = Site(at.planet, at.environs)
    match order.kind:
        case MissionKind.SPY:
            return None
        case MissionKind.SABOTAGE:
            return _sabotage_problem(view, order, site)
        case MissionKind.STEAL:
            names = tuple(item.name for item in view.items if item.site == site)
            return _name_problem(order, names)
        case MissionKind.DELIVER:
            return _name_problem(order, _deliverable(view, group, site))
        case MissionKind.FREE:
            return _name_problem(order, _captives(view, site))
        case _:
            assert_never(order.kind)


def _sabotage_problem(view: View, order: Mission, site: Site) -> Rejected | None:
    if order.at is None:
        return None
    held = tuple(
        token.handle
        for surface in view.surfaces
        if surface.site == site
        for token in surface.tokens
        if token.handle is not None
    )
    return None if order.at in held else refused(Code.ORDER_HANDLE, ".at", choices=held)


def _name_problem(order: Mission, names: tuple[str, ...]) -> Rejected | None:
    if (names and order.name is None) or order.name in names:
        return None
    return refused(
        Code.ORDER_GROUP, ".name", "Nothing by this name can be the target there.", names
    )


def _deliverable(view: View, group: tuple[Agent, ...], site: Site) -> tuple[str, ...]:
    members = [agent.name for agent in group]
    names = {agent.id: agent.name for agent in view.agents}
    brought = [item.name for item in view.items if item.carrier in members]
    brought += [names[OwnId(member)] for member in members]
    return tuple(
        goal.piece
        for goal in view.objectives
        if goal.kind is ObjectiveKind.DELIVER and goal.at == site and goal.piece in brought
    )


def _captives(view: View, site: Site) -> tuple[str, ...]:
    return tuple(
        name
        for agent in view.agents
        if agent.captor is not None and agent.site == site and agent.fate is Fate.IN_PLAY
        for name in (agent.id, agent.name)
    )


def _stand_problem(view: View, order: Stand, before: tuple[Order, ...]) -> Rejected | None:
    if any(isinstance(earlier, Stand) and earlier.ship == order.ship for earlier in before):
        return refused(Code.ORDER_TWICE)
    personal = (order.fight, order.wounds, order.hides_by)
    if order.ship == str(view.audience):
        alone = order.bound_for is None and not any(policy is not None for policy in personal)
        if alone and order.strike is not None:
            return None
        return refused(Code.ORDER_STANDING, ".strike", "For a side only `strike` can be set.")
    if order.strike is not None:
        return refused(Code.ORDER_STANDING, ".strike", "`strike` is set for the whole side.")
    if order.bound_for is None:
        return _stance_problem(view, order)
    if any(policy is not None for policy in personal):
        return refused(Code.ORDER_STANDING, "", "For a ship only its destination can be set.")
    return _bound_problem(view, order, order.bound_for)


def _bound_problem(view: View, order: Stand, goal: str) -> Rejected | None:
    ship = own_ship(view, order.ship)
    if isinstance(ship, Rejected):
        return ship
    goals = (*(planet.name for planet in view.board.planets), OFF_MAP, NOWHERE)
    return None if goal in goals else refused(Code.ORDER_BODY, ".bound_for", choices=goals)


def _stance_problem(view: View, order: Stand) -> Rejected | None:
    agent = own_agent(view, order.ship)
    if isinstance(agent, Rejected):
        return agent
    named = [(".wounds", piece) for piece in order.wounds or ()]
    if order.hides_by is not None and order.hides_by != NOWHERE:
        named.append((".hides_by", order.hides_by))
    agents = tuple(own.id for own in view.agents)
    for field, name in named:
        if name not in agents:
            return refused(Code.ORDER_UNIT, field, choices=agents)
    if order.fight is None and order.wounds is None and order.hides_by is None:
        return refused(Code.ORDER_STANDING, "", "The order sets nothing.")
    return None


def searched_site(view: View, order: Search, before: tuple[Order, ...]) -> Site | Rejected:
    """Return the environs that is searched, or why it cannot be, given the orders before."""
    site = search_site(view, order.ship)
    if site is None:
        return refused(Code.ORDER_UNIT, ".ship", choices=_searchers(view))
    if order.leader is not None:
        leaders = tuple(agent.id for agent in free_agents(view) if _leads(agent, site))
        if order.leader not in leaders:
            detail = "The leader must be an agent with troops there."
            return refused(Code.ORDER_SEARCH, ".leader", detail, leaders)
    again = any(
        isinstance(earlier, Search) and search_site(view, earlier.ship) == site
        for earlier in before
    )
    problem = search_problem(
        has_pieces=True,
        alert_stands=any((alert.planet, alert.environs) == site for alert in view.alerts),
        searched=again,
        value=own_value(view, site, order.leader),
    )
    return site if problem is None else refused(Code.ORDER_SEARCH, ".ship", _SEARCHES[problem])


_SEARCHES: dict[SearchProblem, str] = {
    SearchProblem.NO_PIECES: "You have no ship, unit or agent there.",
    SearchProblem.NO_ALERT: "There is no alert there.",
    SearchProblem.AGAIN: "A side searches an environs once a turn.",
    SearchProblem.NO_VALUE: "Your search value there is below 1.",
}
"""A sentence for each reason why a side cannot search."""


def _leads(agent: AgentView, site: Site) -> bool:
    return agent.stacked is not None and agent.site == site


def search_site(view: View, own: OwnId) -> Site | None:
    """Return the environs where an own unit or agent in play is; None for anything else."""
    scene = scene_now(view)
    for agent in free_agents(view):
        place = scene.place_of(scene.agent(agent.id))
        if agent.id == own and isinstance(place, OnGround):
            return Site(place.planet, place.environs)
    for unit in view.ground:
        if unit.id == own and unit.site is not None and unit in military(view, unit.site):
            return unit.site
    return None


def _searchers(view: View) -> tuple[str, ...]:
    pieces = (*(unit.id for unit in view.ground), *(agent.id for agent in view.agents))
    return tuple(piece for piece in pieces if search_site(view, piece) is not None)


def own_value(view: View, site: Site, leader: OwnId | None = None) -> int:
    """Return the own search value in an environs, under that leader or the best."""
    scene, side = scene_now(view), Side(view.audience)
    ground = OnGround(site.body, site.environs)
    best = leader_of(stacked_at(scene, side, ground), leader)
    return search_value(
        [unit.af for unit in military(view, site)],
        0 if best is None else best.leadership,
        [agent.intelligence for agent in unstacked_at(scene, side, ground)],
    )
