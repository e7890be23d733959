"""Grants on agents: the owner learns all, the others alerts, a searcher what it finds.

Source: search of our rule book §3. Dice, thresholds and hiding values are for `omni` alone.
"""

from typing import assert_never

from sunglare_protocol.ids import Side, audience_of
from sunglare_protocol.notices import Notice
from sunglare_protocol.notices.agents import (
    ItemMoved,
    MissionResult,
    OwnDetected,
    OwnFreed,
    OwnKilled,
    OwnSabotaged,
    OwnShaken,
    OwnStepFailed,
    OwnStranded,
    TruthAgents,
)
from sunglare_rules.search.agents import OnGround
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
from sunglare_server.match.facts.agents import Alerted, ItemKnown, ShipAlerted
from sunglare_server.match.facts.space import Fact, Grant, OwnTold
from sunglare_server.match.learn.audiences import owner_of, to_omni, to_public, to_sides
from sunglare_server.match.learn.searches import of_seeking
from sunglare_server.match.learn.spies import of_spies
from sunglare_server.match.truth.truth import Truth


def of_agents(event: AgentEvent, before: Truth, after: Truth) -> list[Grant]:
    """Return who learns what of an event of agents, which turned `before` into `after`."""
    match event:
        case SearchTried() | FightFought():
            return of_seeking(event, before)
        case UnitsSpied():
            return of_spies(event, before)
        case AlertRaised() | AlertEnded():
            return _of_alert(event, before)
        case ShipAlertRaised() | ShipAlertEnded():
            return _of_ship_alert(event, before)
        case ItemTaken() | ItemDropped() | Delivered():
            return _of_item(event, before)
        case MissionTried():
            return _of_mission(event, before)
        case (
            StanceTaken()
            | BoundFor()
            | StrikeChosen()
            | AgentStepped()
            | FlagForgotten()
            | AgentWounded()
            | MissionPlanned()
            | MissionsEnded()
        ):
            return []
        case _:
            return _of_piece(event, after)


_OfPiece = (
    FlagSet | FlagCleared | StepFailed | AgentStranded | AgentKilled | UnitSabotaged | AgentFreed
)


def _of_piece(event: _OfPiece, truth: Truth) -> list[Grant]:
    """Return what befell an own piece for its owner, and for the truth feed."""
    side, own = owner_of(truth, event.piece)
    match event:
        case FlagSet(cause=cause):
            told: Notice = OwnDetected(ship=own, cause=cause)
            what = f"detected by {cause.value}"
        case FlagCleared(planet=planet):
            told, what = OwnShaken(ship=own, planet=planet), f"shaken off at {planet}"
        case StepFailed(why=why):
            return [_owner(side, OwnStepFailed(ship=own, why=why))]
        case AgentStranded():
            return [_owner(side, OwnStranded(ship=own))]
        case AgentKilled():
            told, what = OwnKilled(ship=own), "killed"
        case UnitSabotaged(damage=damage, silent_turn=silent):
            told = OwnSabotaged(ship=own, damage=damage, silent=silent is not None)
            what = f"sabotaged for {damage}"
        case AgentFreed():
            told, what = OwnFreed(ship=own), "freed"
        case _:
            assert_never(event)
    return [_owner(side, told), to_omni(TruthAgents(side=side, piece=own, what=what))]


def _owner(side: Side, notice: Notice) -> Grant:
    return _fact(side, OwnTold(notice=notice))


def _fact(side: Side, fact: Fact) -> Grant:
    return Grant(audience_of(side), "owner", fact)


def _of_alert(event: AlertRaised | AlertEnded, truth: Truth) -> list[Grant]:
    """Return an alert for all others: neither names nor a number."""
    owner, place = event.alert
    told = Alerted(
        side=owner,
        planet=getattr(place, "planet", ""),
        over=isinstance(event, AlertEnded),
        environs=place.environs if isinstance(place, OnGround) else None,
    )
    return [*to_sides(truth.others(owner), "others", told), *to_public(truth, told)]


def _of_ship_alert(event: ShipAlertRaised | ShipAlertEnded, truth: Truth) -> list[Grant]:
    """Return an alert near a ship for the one that tracks it, while it holds it at all."""
    over = isinstance(event, ShipAlertEnded)
    if event.piece not in truth.holds[event.side]:
        return []
    told = ShipAlerted(piece=event.piece, over=over)
    return [Grant(audience_of(event.side), "tracker", told), *to_public(truth, told)]


def _of_item(event: ItemTaken | ItemDropped | Delivered, truth: Truth) -> list[Grant]:
    """Return where an item is for the side whose agents have it."""
    match event:
        case ItemTaken(item=name, carrier=carrier):
            agent = truth.agents[carrier]
            moved = ItemMoved(name=name, carrier=agent.own)
            return [_fact(agent.side, ItemKnown(notice=moved))]
        case ItemDropped(item=name, site=site):
            carrier_before = truth.search.items[name].carrier
            if carrier_before is None:
                return []
            moved = ItemMoved(name=name, site=site)
            return [_fact(truth.agents[carrier_before].side, ItemKnown(notice=moved))]
        case Delivered(side=side, name=name, site=site):
            moved = ItemMoved(name=name, site=site, delivered=True)
            what = f"{name} delivered"
            return [
                _fact(side, ItemKnown(notice=moved)),
                to_omni(TruthAgents(side=side, what=what)),
            ]
        case _:
            assert_never(event)


def _of_mission(event: MissionTried, truth: Truth) -> list[Grant]:
    """Return for the owner whether the mission succeeded, and nothing to anybody else."""
    plan = event.plan
    own = truth.agents[plan.members[0]].own
    result = MissionResult(ship=own, kind=plan.kind, success=event.success)
    what = (
        f"{plan.kind.value}: {'success' if event.success else 'failure'}, die {event.die} "
        f"against {event.needed}; event die {event.event_die}, {event.event.value}"
    )
    return [
        _owner(plan.side, result),
        to_omni(TruthAgents(side=plan.side, piece=own, what=what)),
    ]
