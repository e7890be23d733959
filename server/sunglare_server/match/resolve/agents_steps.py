"""The steps of agents and the forming of mission groups: what PLOT brings for them.

Source: search of our rule book §2, "Steps", OWN; turn §4, step 2.
"""

from collections.abc import Iterator
from typing import assert_never

from sunglare_protocol.ids import Handle, Side
from sunglare_protocol.orders.agents import GoAboard, Mission, StepOrder, StepOut, Walk
from sunglare_protocol.surface import Site
from sunglare_protocol.words.search import Cause, StepFault
from sunglare_rules.search import steps
from sunglare_rules.search.agents import Aboard, InOrbit, OnGround, Scene, VesselPlace, planet_of
from sunglare_rules.search.missions import mission_problem
from sunglare_rules.search.steps import Step, step_problem, stepped
from sunglare_server.match.events.agents import (
    AgentEvent,
    AgentStepped,
    MissionPlanned,
    StepFailed,
)
from sunglare_server.match.ids import PieceId, piece_id
from sunglare_server.match.kinds import MissionPlan
from sunglare_server.match.resolve.agents_scene import (
    flags,
    scene_of,
)
from sunglare_server.match.truth.agents import AgentTruth
from sunglare_server.match.truth.truth import Truth


def step(truth: Truth, side: Side, order: StepOrder) -> Iterator[AgentEvent]:
    """Yield one atomic step of an agent with its closure, or why it could not be made."""
    agent = truth.agents[piece_id(side, order.ship)]
    if not agent.is_free:
        return
    scene = scene_of(truth)
    place = scene.place_of(scene.agent(agent.id))
    move = _rule_step(truth, agent, order, place)
    problem = _problem(truth, scene, agent, order, move)
    if problem is not None:
        yield StepFailed(piece=agent.id, why=problem)
        return
    after = stepped(scene, agent.id, move)
    yield _moved(agent, order, after)
    shuttled = isinstance(move, steps.Debark) and isinstance(place, InOrbit)
    yield from flags(scene, after, {agent.id: Cause.SHUTTLE} if shuttled else None)


def planned(
    truth: Truth, side: Side, orders: tuple[Mission, ...], targets: dict[Handle, PieceId]
) -> Iterator[AgentEvent]:
    """Yield the mission groups of a side, in the order given, or why one cannot go.

    `targets` are the pieces behind the tokens that the side holds, by handle.
    """
    if not orders:
        return
    scene = scene_of(truth)
    taken: list[str] = []
    for number, order in enumerate(orders, 1):
        members = tuple(piece_id(side, piece) for piece in (order.ship, *order.others))
        group = [agent for agent in scene.agents if agent.name in members]
        problem = mission_problem(group, taken)
        if problem is not None or len(group) < len(members):
            yield StepFailed(piece=members[0], why=problem or StepFault.NOBODY)
            continue
        taken += members
        yield MissionPlanned(plan=_plan(number, side, order, members, targets))


def _plan(
    number: int,
    side: Side,
    order: Mission,
    members: tuple[PieceId, ...],
    targets: dict[Handle, PieceId],
) -> MissionPlan:
    return MissionPlan(
        number=number,
        side=side,
        kind=order.kind,
        members=members,
        target=None if order.at is None else targets.get(order.at),
        silence=order.silence,
        name=order.name,
    )


def _rule_step(truth: Truth, agent: AgentTruth, order: StepOrder, place: VesselPlace) -> Step:
    match order:
        case Walk(environs=environs):
            return steps.WalkAcross(environs)
        case GoAboard(into=into):
            piece = piece_id(agent.side, into)
            return steps.JoinUnits() if piece in truth.ground else steps.Embark(piece)
        case StepOut(environs=environs):
            if agent.aboard is None:
                return steps.LeaveUnits()
            landed = place.environs if isinstance(place, OnGround) else 0
            return steps.Debark(landed if environs is None else environs)
        case _:
            assert_never(order)


def _problem(
    truth: Truth, scene: Scene, agent: AgentTruth, order: StepOrder, move: Step
) -> StepFault | None:
    if isinstance(order, GoAboard) and isinstance(move, steps.JoinUnits):
        unit = truth.ground[piece_id(agent.side, order.into)]
        is_there = unit.in_play and unit.site is not None and unit.site == agent.site
        if unit.is_remote or not is_there:
            return StepFault.NO_TROOPS
    planet = planet_of(scene.place_of(scene.agent(agent.id)))
    return step_problem(scene, agent.id, move, truth.board.numbers_on(planet))


def _moved(agent: AgentTruth, order: StepOrder, after: Scene) -> AgentStepped:
    now = after.agent(agent.id)
    stacked = None
    if now.stacked and isinstance(order, GoAboard):
        stacked = piece_id(agent.side, order.into)
    if isinstance(now.at, Aboard):
        return AgentStepped(piece=agent.id, site=None, stacked=None, aboard=PieceId(now.at.vessel))
    site = Site(now.at.planet, now.at.environs)
    return AgentStepped(piece=agent.id, site=site, stacked=stacked, aboard=None)
