"""Missions: what a group's try results in, and whom the event that may follow concerns.

Source: search of our rule book §2, "Missions", OWN; Freedom in the Galaxy 10.2b for the events.
"""

from collections.abc import Iterator
from typing import assert_never

from sunglare_protocol.ids import Side
from sunglare_protocol.surface import Site
from sunglare_protocol.words.search import MissionKind
from sunglare_protocol.words.victory import ObjectiveKind
from sunglare_rules.search.agents import Agent, Scene, ground_of, mission_groups, stacked_at
from sunglare_rules.search.missions import (
    SABOTAGE_DAMAGE,
    SIDES,
    MissionEvent,
    die_needed,
    mission_event,
    sabotaged,
    succeeds,
)
from sunglare_rules.search.search import SEARCH_LEAST, event_group
from sunglare_server.match.data.scenario import Objective
from sunglare_server.match.dice import Dice, Purpose
from sunglare_server.match.events.agents import (
    AgentFreed,
    Delivered,
    ItemTaken,
    MissionTried,
    UnitSabotaged,
    UnitsSpied,
)
from sunglare_server.match.events.ground import HiddenExposed, PieceIdentified, UnitDestroyed
from sunglare_server.match.events.space import Event
from sunglare_server.match.ids import PieceId
from sunglare_server.match.kinds import MissionPlan
from sunglare_server.match.resolve.agents_scene import scene_of, units_at
from sunglare_server.match.resolve.ground import witnesses
from sunglare_server.match.resolve.searches import SearchPlan, value_of
from sunglare_server.match.truth.truth import Truth

_TARGET, _GROUP = 1, 1
"""The indexes, under their purposes, of the die for a target and of that for a group."""

SABOTAGE = "sabotage"
"""The cause that the owner learns of a unit destroyed by sabotage."""


def tried(
    truth: Truth, plan: MissionPlan, goals: tuple[Objective, ...], dice: Dice
) -> list[Event]:
    """Return the try of a mission and its effect; nothing if the group has no agent left there.

    `goals` are the side's objectives, by which it is known what may be delivered where.
    """
    group, site = _group(truth, plan)
    if not group or site is None:
        return []
    speaker = PieceId(group[0].name)
    die = dice.roll(SIDES, truth.turn, Purpose.MISSION, speaker, 0)
    event_die = dice.roll(SIDES, truth.turn, Purpose.EVENT, speaker, 0)
    effects = list(_effects(truth, plan, site, speaker, goals, dice))
    success = bool(effects) and succeeds(plan.kind, group, die)
    is_hot = any(agent.detected for agent in group)
    attempt = MissionTried(
        plan=plan,
        site=site,
        die=None if plan.kind is MissionKind.DELIVER else die,
        needed=die_needed(plan.kind, group),
        success=success,
        event_die=event_die,
        event=mission_event(event_die, is_hot),
    )
    return [attempt, *(effects if success else ())]


def hunts(truth: Truth, attempt: MissionTried, dice: Dice) -> tuple[SearchPlan, ...]:
    """Return the searches that the event calls for: one group of those there, for every enemy.

    Only sides with a search value of 1 or more search; their standing orders say who strikes.
    """
    plan, scene = attempt.plan, scene_of(truth)
    groups = mission_groups(scene, plan.side, ground_of(attempt.site))
    if attempt.event is not MissionEvent.SEARCH or not groups:
        return ()
    die = dice.roll(len(groups), truth.turn, Purpose.EVENT, plan.members[0], _GROUP)
    wanted = event_group(groups, die)
    return tuple(_hunts(truth, scene, attempt, wanted))


def alive(truth: Truth, attempt: MissionTried) -> tuple[PieceId, ...]:
    """Return who is left of a group that tried a mission."""
    return tuple(member for member in attempt.plan.members if truth.agents[member].is_free)


def _hunts(truth: Truth, scene: Scene, attempt: MissionTried, wanted: int) -> Iterator[SearchPlan]:
    plan = attempt.plan
    for side in truth.others(plan.side):
        hunt = SearchPlan(
            side=side,
            owner=plan.side,
            site=attempt.site,
            strike=truth.search.strike_of(side),
            mission=wanted,
            speaker=plan.members[0],
        )
        if value_of(truth, scene, hunt) >= SEARCH_LEAST:
            yield hunt


def site_of(truth: Truth, plan: MissionPlan) -> Site | None:
    """Return the environs where a mission is tried, None if the group has no agent left."""
    alive = (truth.agents[member] for member in plan.members if truth.agents[member].is_free)
    return next((agent.site for agent in alive), None)


def _group(truth: Truth, plan: MissionPlan) -> tuple[list[Agent], Site | None]:
    site = site_of(truth, plan)
    agents = (truth.agents[member] for member in plan.members)
    names = [
        agent.id for agent in agents if agent.is_free and agent.site == site and not agent.stacked
    ]
    return [agent for agent in scene_of(truth).agents if agent.name in names], site


def _effects(
    truth: Truth,
    plan: MissionPlan,
    site: Site,
    speaker: PieceId,
    goals: tuple[Objective, ...],
    dice: Dice,
) -> Iterator[Event]:
    """Yield what success does; nothing where there is nothing to do it to."""
    match plan.kind:
        case MissionKind.SPY:
            yield from _spying(truth, plan.side, site)
        case MissionKind.SABOTAGE:
            yield from _sabotage(truth, plan, site, speaker, dice)
        case MissionKind.STEAL:
            yield from _theft(truth, plan, site, speaker)
        case MissionKind.DELIVER:
            yield from _deliveries(truth, plan, site, goals)
        case MissionKind.FREE:
            yield from _freed(truth, plan, site)
        case _:
            assert_never(plan.kind)


def _spied(truth: Truth, side: Side, site: Site) -> UnitsSpied:
    scene, ground = scene_of(truth), ground_of(site)
    units = tuple(
        unit.id
        for unit in truth.ground.values()
        if unit.side != side and unit.in_play and unit.site == site
    )
    leaders = tuple(
        PieceId(agent.name)
        for other in truth.others(side)
        for agent in stacked_at(scene, other, ground)
    )
    return UnitsSpied(side=side, site=site, units=units, leaders=leaders)


def _spying(truth: Truth, side: Side, site: Site) -> Iterator[Event]:
    # What spies know of a token is known at once; its owner does not learn of it.
    spied = _spied(truth, side, site)
    yield spied
    for piece in spied.units:
        hold = truth.surface.tokens_of(side).get(piece)
        if hold is not None and not hold.identified:
            yield PieceIdentified(piece=piece, side=side, is_told=False)


def _sabotage(
    truth: Truth, plan: MissionPlan, site: Site, speaker: PieceId, dice: Dice
) -> Iterator[Event]:
    units = [unit.id for other in truth.others(plan.side) for unit in units_at(truth, other, site)]
    die = 1
    if units:
        die = dice.roll(len(units), truth.turn, Purpose.MISSION, speaker, _TARGET)
    hit = sabotaged(plan.target, units, die)
    if hit is None:
        return
    unit = truth.ground[PieceId(hit)]
    if plan.silence:
        yield UnitSabotaged(piece=unit.id, side=plan.side, silent_turn=truth.turn + 1)
        return
    yield UnitSabotaged(piece=unit.id, side=plan.side, damage=SABOTAGE_DAMAGE)
    if unit.damage + SABOTAGE_DAMAGE >= unit.type.toughness:
        yield UnitDestroyed(piece=unit.id, killers=(plan.side,), cause=SABOTAGE)
    elif unit.hidden:
        yield from _exposed(truth, unit.id)


def _exposed(truth: Truth, piece: PieceId) -> Iterator[HiddenExposed]:
    # Whatever damages a hidden unit exposes it to those who have it in sight.
    for side in witnesses(truth, piece):
        hold = truth.surface.tokens_of(side).get(piece)
        if hold is None or not hold.identified:
            yield HiddenExposed(piece=piece, side=side)


def _theft(truth: Truth, plan: MissionPlan, site: Site, speaker: PieceId) -> Iterator[ItemTaken]:
    for item in truth.search.items.values():
        if item.site == site and plan.name in (None, item.name):
            yield ItemTaken(item=item.name, carrier=speaker)
            return


def _deliveries(
    truth: Truth, plan: MissionPlan, site: Site, goals: tuple[Objective, ...]
) -> Iterator[Delivered]:
    items = truth.search.items.values()
    brought = [item.name for item in items if item.carrier in plan.members]
    brought += [truth.agents[member].name for member in plan.members]
    for goal in goals:
        name = goal.piece
        if (
            goal.kind is not ObjectiveKind.DELIVER
            or goal.at != site
            or name is None
            or name not in brought
        ):
            continue
        is_meant = plan.name in (None, name)
        if is_meant and (plan.side, name) not in truth.search.delivered:
            yield Delivered(side=plan.side, name=name, site=site)


def _freed(truth: Truth, plan: MissionPlan, site: Site) -> Iterator[AgentFreed]:
    for agent in truth.agents_of(plan.side):
        is_meant = plan.name in (None, agent.name, agent.own)
        if agent.in_play and agent.captor is not None and agent.site == site and is_meant:
            yield AgentFreed(piece=agent.id)
            return
