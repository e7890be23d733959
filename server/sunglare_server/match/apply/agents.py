"""`apply_agents`: how one event of agents or searches changes the truth."""

from typing import assert_never

import msgspec

from sunglare_protocol.ids import Side
from sunglare_protocol.words.ladder import Fate
from sunglare_server.match.events.agents import (
    AgentEvent,
    AgentFreed,
    AgentKilled,
    AgentStepped,
    AgentStranded,
    AgentWounded,
    AlertEnded,
    AlertRaised,
    BoundFor,
    Delivered,
    FightFought,
    FlagCleared,
    FlagForgotten,
    FlagSet,
    ItemDropped,
    ItemTaken,
    MissionPlanned,
    MissionsEnded,
    MissionTried,
    SearchTried,
    ShipAlertEnded,
    ShipAlertRaised,
    StanceTaken,
    StepFailed,
    StrikeChosen,
    UnitSabotaged,
    UnitsSpied,
)
from sunglare_server.match.ids import PieceId
from sunglare_server.match.truth.agents import AgentTruth, ItemTruth
from sunglare_server.match.truth.truth import Truth

_replace = msgspec.structs.replace


def apply_agents(truth: Truth, event: AgentEvent) -> Truth:
    """Return the truth after `event`."""
    match event:
        case StepFailed() | SearchTried() | FightFought() | MissionTried() | UnitsSpied():
            return truth
        case FlagSet() | FlagCleared() | FlagForgotten():
            return _flagged(truth, event)
        case BoundFor(piece=piece, planet=planet):
            ship = _replace(truth.ships[piece], bound_for=planet)
            return _replace(truth, ships={**truth.ships, piece: ship})
        case UnitSabotaged():
            return _sabotaged(truth, event)
        case MissionPlanned() | MissionsEnded():
            return _grouped(truth, event)
        case (
            StanceTaken()
            | AgentStepped()
            | AgentStranded()
            | AgentWounded()
            | AgentKilled()
            | AgentFreed()
        ):
            return _with_agent(truth, _changed(truth.agents[event.piece], event))
        case _:
            return _of_agents(truth, event)


_Personal = StanceTaken | AgentStepped | AgentStranded | AgentWounded | AgentKilled | AgentFreed


def _changed(agent: AgentTruth, event: _Personal) -> AgentTruth:
    match event:
        case StanceTaken(stance=stance):
            return _replace(agent, stance=stance)
        case AgentStepped(site=site, stacked=stacked, aboard=aboard):
            return _replace(agent, site=site, stacked=stacked, aboard=aboard)
        case AgentStranded():
            return _replace(agent, stacked=None)
        case AgentWounded(wounds=wounds):
            return _replace(agent, wounds=wounds)
        case AgentKilled():
            return _replace(agent, fate=Fate.DESTROYED)
        case AgentFreed():
            return _replace(agent, captor=None)
        case _:
            assert_never(event)


def _with_agent(truth: Truth, agent: AgentTruth) -> Truth:
    return _replace(truth, agents={**truth.agents, agent.id: agent})


def _flagged(truth: Truth, event: FlagSet | FlagCleared | FlagForgotten) -> Truth:
    agent = truth.agents.get(event.piece)
    if agent is not None:
        return _with_agent(truth, _agent_flag(agent, event))
    ship = truth.ships[event.piece]
    match event:
        case FlagSet():
            ship = _replace(ship, detected=True, shaken=None)
        case FlagCleared(planet=planet):
            ship = _replace(ship, detected=False, shaken=planet)
        case FlagForgotten():
            ship = _replace(ship, shaken=None)
        case _:
            assert_never(event)
    return _replace(truth, ships={**truth.ships, ship.id: ship})


def _agent_flag(agent: AgentTruth, event: FlagSet | FlagCleared | FlagForgotten) -> AgentTruth:
    match event:
        case FlagSet():
            return _replace(agent, detected=True, shaken=None)
        case FlagCleared(planet=planet):
            return _replace(agent, detected=False, shaken=planet)
        case FlagForgotten():
            return _replace(agent, shaken=None)
        case _:
            assert_never(event)


def _sabotaged(truth: Truth, event: UnitSabotaged) -> Truth:
    unit = truth.ground[event.piece]
    silent = unit.silent_turn if event.silent_turn is None else event.silent_turn
    hit = _replace(unit, damage=unit.damage + event.damage, silent_turn=silent)
    return _replace(truth, ground={**truth.ground, unit.id: hit})


_OfAgents = (
    StrikeChosen
    | AlertRaised
    | AlertEnded
    | ShipAlertRaised
    | ShipAlertEnded
    | ItemTaken
    | ItemDropped
    | Delivered
)


def _of_agents(truth: Truth, event: _OfAgents) -> Truth:
    search = truth.search
    match event:
        case StrikeChosen(side=side, strike=strike):
            search = _replace(search, strikes={**search.strikes, side: strike})
        case AlertRaised(alert=alert):
            search = _replace(search, alerts=(*search.alerts, alert))
        case AlertEnded(alert=alert):
            left = tuple(other for other in search.alerts if other != alert)
            search = _replace(search, alerts=left)
        case ShipAlertRaised() | ShipAlertEnded():
            search = _replace(search, near_ships=_near_ships(truth, event))
        case ItemTaken() | ItemDropped():
            search = _replace(search, items=_items(search.items, event))
        case Delivered(side=side, name=name, site=site):
            items = dict(search.items)
            items |= {item: ItemTruth(name=item, site=site) for item in items if item == name}
            done = (*search.delivered, (side, name))
            search = _replace(search, delivered=done, items=items)
        case _:
            assert_never(event)
    return _replace(truth, search=search)


def _near_ships(
    truth: Truth, event: ShipAlertRaised | ShipAlertEnded
) -> dict[Side, tuple[PieceId, ...]]:
    known = truth.search.near_ships
    rest = tuple(piece for piece in known.get(event.side, ()) if piece != event.piece)
    if isinstance(event, ShipAlertRaised):
        rest = (*rest, event.piece)
    return {**known, event.side: rest}


def _grouped(truth: Truth, event: MissionPlanned | MissionsEnded) -> Truth:
    agents = dict(truth.agents)
    if isinstance(event, MissionPlanned):
        plans = (*truth.search.plans, event.plan)
        for member in event.plan.members:
            agents[member] = _replace(agents[member], group=event.plan.number)
    else:
        plans = ()
        for piece, agent in truth.agents.items():
            if agent.group is not None:
                agents[piece] = _replace(agent, group=None)
    return _replace(truth, agents=agents, search=_replace(truth.search, plans=plans))


def _items(items: dict[str, ItemTruth], event: ItemTaken | ItemDropped) -> dict[str, ItemTruth]:
    match event:
        case ItemTaken(item=name, carrier=carrier):
            return {**items, name: ItemTruth(name=name, carrier=carrier)}
        case ItemDropped(item=name, site=site):
            return {**items, name: ItemTruth(name=name, site=site)}
        case _:
            assert_never(event)
