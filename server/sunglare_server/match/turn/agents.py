"""Resolves a closed window for agents and searches: the resolvers in their order.

Source: turn sequence of our rule book, turn §4; search §2.
"""

from collections.abc import Iterable, Iterator
from typing import TypeVar

from sunglare_protocol.ids import Side, audience_of
from sunglare_protocol.orders import Order
from sunglare_protocol.orders.agents import GoAboard, Mission, Search, Stand, StepOut, Walk
from sunglare_protocol.surface import Site
from sunglare_rules.search.agents import Scene, ground_of
from sunglare_rules.search.detection import Alert
from sunglare_rules.search.missions import MissionEvent
from sunglare_server.match.events.agents import (
    FightFought,
    MissionsEnded,
    MissionTried,
    UnitSabotaged,
)
from sunglare_server.match.events.ground import HiddenExposed, UnitDestroyed
from sunglare_server.match.ids import PieceId
from sunglare_server.match.kinds import MissionPlan
from sunglare_server.match.resolve import agents_steps, detection, missions, searches
from sunglare_server.match.resolve.agents_scene import scene_of, site_of_piece
from sunglare_server.match.resolve.searches import SearchPlan
from sunglare_server.match.turn.flow import Flow
from sunglare_server.match.turn.given import given, pieces_behind

_Kind = TypeVar("_Kind", bound=Order)

_SECRET = (UnitSabotaged, UnitDestroyed, HiddenExposed)
"""What befalls troops in a mission, of which their owner hears the result alone."""


def prepare(flow: Flow) -> None:
    """Give the standing orders, and let detection spread among those whom turn 1 put together."""
    for side in flow.state.standing.sides:
        flow.run(detection.standing_orders(flow.truth, side, _of_kind(flow, side, Stand)))
    if flow.truth.agents:
        flow.run(detection.strays(flow.truth))
        flow.run(detection.closures(flow.truth))


def standing(flow: Flow) -> Scene:
    """Return how agents and ships stand, before anything moves."""
    return scene_of(flow.truth) if flow.truth.agents else Scene()


def move(flow: Flow, start: Scene) -> None:
    """Let the agents follow the ships, which stood as in `start`, and then make their steps.

    The steps are made one at a time, side after side in initiative order, each closed before the
    next; then the mission groups of the turn are formed.
    """
    if not flow.truth.agents:
        return
    flow.run(detection.flights(start, flow.truth))
    flow.run(detection.strays(flow.truth))
    for side in flow.state.standing.initiative:
        for order in flow.state.orders_of(side):
            if isinstance(order, Walk | GoAboard | StepOut):
                flow.run(agents_steps.step(flow.truth, side, order))
    for side in flow.state.standing.initiative:
        targets = pieces_behind(flow.state.intel[audience_of(side)].tokens)
        wanted = _of_kind(flow, side, Mission)
        flow.run(agents_steps.planned(flow.truth, side, wanted, targets))


def track(flow: Flow) -> None:
    """Detect the agent spaceships in orbit that are tracked, or found with a solution."""
    if flow.truth.agents:
        flow.run(detection.trackings(flow.truth))


def tell(flow: Flow) -> None:
    """Raise and end the alerts, as all stand at the end of a window."""
    if flow.truth.agents:
        flow.run(detection.alert_changes(flow.truth))


def seek(flow: Flow) -> None:
    """Make the searches, each with its fight at once, then the missions of those not fought."""
    if not flow.truth.agents:
        return
    flow.run(detection.strays(flow.truth))
    fought = _searched(flow)
    for side in flow.state.standing.initiative:
        for plan in _plans(flow, side):
            if not any(member in fought for member in plan.members):
                goals = flow.state.scenario.sides[side].objectives
                happened = flow.run(missions.tried(flow.truth, plan, goals, flow.dice), _SECRET)
                fought += _followed(flow, happened)
    flow.tell()
    if flow.truth.search.plans:
        flow.run([MissionsEnded()])
    flow.run(detection.strays(flow.truth))


def _searched(flow: Flow) -> list[PieceId]:
    fought: list[PieceId] = []
    for side in flow.state.standing.initiative:
        # By places: the order in which a side gave its orders need not show.
        hunts = [
            hunt for order in _of_kind(flow, side, Search) for hunt in _hunts(flow, side, order)
        ]
        for hunt in sorted(hunts, key=lambda plan: plan.site):
            fought += _hunted(flow, hunt)
    return fought


def _plans(flow: Flow, side: Side) -> list[MissionPlan]:
    """Return the missions of a side by places, and in one place in the order given."""
    plans = [plan for plan in flow.truth.search.plans if plan.side == side]
    return sorted(plans, key=lambda plan: missions.site_of(flow.truth, plan) or Site("", 0))


def _followed(flow: Flow, happened: Iterable[object]) -> list[PieceId]:
    """Let the event of a mission come; return who had to fight for it."""
    attempts = [attempt for attempt in happened if isinstance(attempt, MissionTried)]
    fought: list[PieceId] = []
    for attempt in attempts:
        flow.run(detection.closures(flow.truth))
        if attempt.event is MissionEvent.DETECTED:
            flow.run(detection.exposures(flow.truth, missions.alive(flow.truth, attempt)))
        for hunt in missions.hunts(flow.truth, attempt, flow.dice):
            fought += _hunted(flow, hunt)
    return fought


def _hunted(flow: Flow, hunt: SearchPlan) -> list[PieceId]:
    """Make one search and its fight; return who fought."""
    tried = searches.search(flow.truth, hunt, flow.dice)
    flow.run([tried])
    if not tried.found:
        return []
    fight = flow.run(searches.strike(flow.truth, hunt, tried.group, flow.dice))
    return [
        piece
        for event in fight
        if isinstance(event, FightFought)
        for piece in (*event.found, *event.sent)
    ]


def _hunts(flow: Flow, side: Side, order: Search) -> Iterator[SearchPlan]:
    # As the side saw the alerts when it gave the order: those without agents left are searched for
    # like all others.
    site = site_of_piece(flow.state.truth, side, order.ship)
    if site is None:
        return
    for owner in flow.truth.others(side):
        if Alert(owner, ground_of(site)) in flow.state.truth.search.alerts:
            yield SearchPlan(
                side=side, owner=owner, site=site, strike=order.strike, leader=order.leader
            )


def _of_kind(flow: Flow, side: Side, kind: type[_Kind]) -> tuple[_Kind, ...]:
    return tuple(order for _, order in given(flow.state, (side,), kind))
