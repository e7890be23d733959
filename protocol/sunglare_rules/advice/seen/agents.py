"""Own agents and ships as the rules of agents take them, now or after the orders of a PLOT.

Source: search of our rule book §2, "Entities" and "Steps". From the viewer's own pieces alone.
"""

from collections.abc import Iterable
from typing import assert_never

from sunglare_protocol.ids import Side
from sunglare_protocol.orders import Land, Lift, Order
from sunglare_protocol.orders.agents import (
    NOWHERE,
    OFF_MAP,
    GoAboard,
    Stand,
    StepOrder,
    StepOut,
    Walk,
)
from sunglare_protocol.orders.ground import Move, Station
from sunglare_protocol.surface import GroundKind, Site
from sunglare_protocol.views import OwnView, View
from sunglare_protocol.views.ground import AgentView, GroundView
from sunglare_protocol.words.ladder import Fate
from sunglare_protocol.words.pieces import PieceKind
from sunglare_protocol.words.search import StepFault
from sunglare_rules.advice.seen.lookup import ships_in_play
from sunglare_rules.advice.seen.plotting import (
    after_plot,
    cloaked_in_movement,
    deployed,
    first_of,
    landing_of,
    orders_of,
)
from sunglare_rules.search import detection, steps
from sunglare_rules.search.agents import (
    Aboard,
    Agent,
    InSpace,
    OnGround,
    Scene,
    Vessel,
    VesselPlace,
    ground_of,
    orbit_or_space,
    planet_of,
)
from sunglare_rules.search.steps import Step


def free_agents(view: View) -> tuple[AgentView, ...]:
    """Return the own agents in play who are no prisoners."""
    return tuple(
        agent for agent in view.agents if agent.fate is Fate.IN_PLAY and agent.captor is None
    )


def carriers(view: View) -> tuple[OwnView, ...]:
    """Return the own ships in play that agents can be aboard."""
    return tuple(ship for ship in ships_in_play(view) if ship.kind is PieceKind.STARSHIP)


def military(view: View, site: Site) -> tuple[GroundView, ...]:
    """Return the own military units in an environs; a remote sensor is none."""
    return tuple(
        unit
        for unit in view.ground
        if unit.fate is Fate.IN_PLAY and unit.site == site and unit.kind is not GroundKind.REMOTE
    )


def scene_now(view: View) -> Scene:
    """Return the own agents and ships as they stand."""
    return _scene(view, ())


def scene_after(view: View, orders: tuple[Order, ...]) -> Scene:
    """Return them after the ships and units have moved and before anybody makes a step."""
    scene = _scene(view, orders)
    moves = [
        detection.VesselMove(ship.id, place, _bound(ship, orders))
        for ship in carriers(view)
        if (place := _place_after(view, ship, orders)) != _place_now(view, ship, orders)
    ]
    return detection.vessels_moved(scene, moves)


def walked(view: View, scene: Scene, orders: Iterable[Order]) -> Scene:
    """Return the scene after those of the steps ordered that can be made, one by one."""
    names = [one_agent.name for one_agent in scene.agents]
    for order in orders:
        if not isinstance(order, StepOrder) or order.ship not in names:
            continue
        if step_problem(view, scene, order) is None:
            agent = scene.agent(order.ship)
            scene = steps.stepped(scene, order.ship, rule_step(view, scene, agent, order))
    return scene


def step_problem(view: View, scene: Scene, order: StepOrder) -> StepFault | None:
    """Return why a free own agent of the scene cannot make this step now, if so."""
    agent = scene.agent(order.ship)
    step = rule_step(view, scene, agent, order)
    if isinstance(order, GoAboard) and isinstance(step, steps.JoinUnits):
        unit = next(own for own in view.ground if own.id == order.into)
        stands = unit.site is not None and unit in military(view, unit.site)
        if unit.site is None or not stands or ground_of(unit.site) != agent.at:
            return StepFault.NO_TROOPS
    numbers = view.board.numbers_on(planet_of(scene.place_of(agent)))
    return steps.step_problem(scene, agent.name, step, numbers)


def rule_step(view: View, scene: Scene, agent: Agent, order: StepOrder) -> Step:
    """Return an order as the step that the rules know."""
    match order:
        case Walk(environs=environs):
            return steps.WalkAcross(environs)
        case GoAboard(into=into):
            is_unit = any(unit.id == into for unit in view.ground)
            return steps.JoinUnits() if is_unit else steps.Embark(into)
        case StepOut(environs=environs):
            if not isinstance(agent.at, Aboard):
                return steps.LeaveUnits()
            place = scene.place_of(agent)
            landed = place.environs if isinstance(place, OnGround) else 0
            return steps.Debark(landed if environs is None else environs)
        case _:
            assert_never(order)


def _scene(view: View, orders: tuple[Order, ...]) -> Scene:
    side = Side(view.audience)
    troops = [_site_after(unit, orders) for unit in view.ground if unit.fate is Fate.IN_PLAY]
    return Scene(
        agents=tuple(_agent(agent, side, orders) for agent in free_agents(view)),
        vessels=tuple(_vessel(view, carrier, side, orders) for carrier in carriers(view)),
        troops=tuple(
            (side, ground_of(site)) for site in dict.fromkeys(troops) if site is not None
        ),
    )


def _site_after(unit: GroundView, orders: tuple[Order, ...]) -> Site | None:
    if unit.kind is GroundKind.REMOTE:
        return None
    for order in orders:
        if order.ship == unit.id and isinstance(order, Station):
            return order.at
        if order.ship == unit.id and isinstance(order, Move) and order.load is not None:
            return None
    return unit.site


def _agent(agent: AgentView, side: Side, orders: tuple[Order, ...]) -> Agent:
    site, stacked = agent.site, agent.stacked is not None
    for order in orders:
        if isinstance(order, Station) and order.ship == agent.id:
            site, stacked = order.at, order.stacked is not None
    return Agent(
        name=agent.id,
        owner=side,
        at=Aboard(agent.aboard or "") if site is None else ground_of(site),
        intelligence=agent.intelligence,
        leadership=agent.leadership,
        combat=agent.combat,
        endurance=agent.endurance,
        wounds=agent.wounds,
        npc=agent.npc,
        stacked=stacked,
        mission=agent.group,
        detected=agent.detected,
    )


def _vessel(view: View, ship: OwnView, side: Side, orders: tuple[Order, ...]) -> Vessel:
    return Vessel(
        name=ship.id,
        owner=side,
        at=_place_now(view, ship, orders),
        is_agent_spaceship=ship.agent_spaceship,
        has_shuttle=ship.shuttle,
        cloaked=cloaked_in_movement(ship, orders_of(ship, orders)),
        detected=ship.detected,
    )


def _place_now(view: View, ship: OwnView, orders: tuple[Order, ...]) -> VesselPlace:
    here = deployed(ship, orders_of(ship, orders))
    if here.landed is not None:
        site = here.landed.site
        return InSpace(here.square) if site is None else ground_of(site)
    return orbit_or_space(view.board, here.square)


def _place_after(view: View, ship: OwnView, orders: tuple[Order, ...]) -> VesselPlace:
    mine = orders_of(ship, orders)
    land = first_of(Land, mine)
    landing = None if land is None else landing_of(view.board, land)
    if landing is not None:
        return InSpace(ship.square) if landing.site is None else ground_of(landing.site)
    if deployed(ship, mine).landed is not None and first_of(Lift, mine) is None:
        return _place_now(view, ship, orders)
    return orbit_or_space(view.board, after_plot(view, ship, orders).square)


def _bound(ship: OwnView, orders: tuple[Order, ...]) -> detection.Bound | None:
    goal = ship.bound_for
    stand = first_of(Stand, orders_of(ship, orders))
    if stand is not None and stand.bound_for is not None:
        goal = None if stand.bound_for == NOWHERE else stand.bound_for
    if goal is None:
        return None
    return detection.Bound(planet=None if goal == OFF_MAP else goal)
