"""`apply_people`: how one event of agents or searches changes the truth."""

from typing import assert_never

import msgspec

from sunglare_protocol.ids import Side
from sunglare_protocol.words.ladder import Fate
from sunglare_server.match.events.agents import (
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
    PeopleEvent,
    PersonFreed,
    PersonKilled,
    PersonStepped,
    PersonStranded,
    PersonWounded,
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
from sunglare_server.match.truth.agents import CharacterTruth, ItemTruth
from sunglare_server.match.truth.truth import Truth

_replace = msgspec.structs.replace


def apply_people(truth: Truth, event: PeopleEvent) -> Truth:
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
            | PersonStepped()
            | PersonStranded()
            | PersonWounded()
            | PersonKilled()
            | PersonFreed()
        ):
            return _with_person(truth, _changed(truth.people[event.piece], event))
        case _:
            return _of_agents(truth, event)


_Personal = (
    StanceTaken | PersonStepped | PersonStranded | PersonWounded | PersonKilled | PersonFreed
)


def _changed(person: CharacterTruth, event: _Personal) -> CharacterTruth:
    match event:
        case StanceTaken(stance=stance):
            return _replace(person, stance=stance)
        case PersonStepped(site=site, stacked=stacked, aboard=aboard):
            return _replace(person, site=site, stacked=stacked, aboard=aboard)
        case PersonStranded():
            return _replace(person, stacked=None)
        case PersonWounded(wounds=wounds):
            return _replace(person, wounds=wounds)
        case PersonKilled():
            return _replace(person, fate=Fate.DESTROYED)
        case PersonFreed():
            return _replace(person, captor=None)
        case _:
            assert_never(event)


def _with_person(truth: Truth, person: CharacterTruth) -> Truth:
    return _replace(truth, people={**truth.people, person.id: person})


def _flagged(truth: Truth, event: FlagSet | FlagCleared | FlagForgotten) -> Truth:
    person = truth.people.get(event.piece)
    if person is not None:
        return _with_person(truth, _person_flag(person, event))
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


def _person_flag(
    person: CharacterTruth, event: FlagSet | FlagCleared | FlagForgotten
) -> CharacterTruth:
    match event:
        case FlagSet():
            return _replace(person, detected=True, shaken=None)
        case FlagCleared(planet=planet):
            return _replace(person, detected=False, shaken=planet)
        case FlagForgotten():
            return _replace(person, shaken=None)
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
    agents = truth.agents
    match event:
        case StrikeChosen(side=side, strike=strike):
            agents = _replace(agents, strikes={**agents.strikes, side: strike})
        case AlertRaised(alert=alert):
            agents = _replace(agents, alerts=(*agents.alerts, alert))
        case AlertEnded(alert=alert):
            left = tuple(each for each in agents.alerts if each != alert)
            agents = _replace(agents, alerts=left)
        case ShipAlertRaised() | ShipAlertEnded():
            agents = _replace(agents, near_ships=_near_ships(truth, event))
        case ItemTaken() | ItemDropped():
            agents = _replace(agents, items=_items(agents.items, event))
        case Delivered(side=side, name=name, site=site):
            items = dict(agents.items)
            items |= {each: ItemTruth(name=each, site=site) for each in items if each == name}
            done = (*agents.delivered, (side, name))
            agents = _replace(agents, delivered=done, items=items)
        case _:
            assert_never(event)
    return _replace(truth, agents=agents)


def _near_ships(
    truth: Truth, event: ShipAlertRaised | ShipAlertEnded
) -> dict[Side, tuple[PieceId, ...]]:
    known = truth.agents.near_ships
    rest = tuple(each for each in known.get(event.side, ()) if each != event.piece)
    if isinstance(event, ShipAlertRaised):
        rest = (*rest, event.piece)
    return {**known, event.side: rest}


def _grouped(truth: Truth, event: MissionPlanned | MissionsEnded) -> Truth:
    people = dict(truth.people)
    if isinstance(event, MissionPlanned):
        plans = (*truth.agents.plans, event.plan)
        for each in event.plan.members:
            people[each] = _replace(people[each], group=event.plan.number)
    else:
        plans = ()
        for each, person in truth.people.items():
            if person.group is not None:
                people[each] = _replace(person, group=None)
    return _replace(truth, people=people, agents=_replace(truth.agents, plans=plans))


def _items(items: dict[str, ItemTruth], event: ItemTaken | ItemDropped) -> dict[str, ItemTruth]:
    match event:
        case ItemTaken(item=name, carrier=carrier):
            return {**items, name: ItemTruth(name=name, carrier=carrier)}
        case ItemDropped(item=name, site=site):
            return {**items, name: ItemTruth(name=name, site=site)}
        case _:
            assert_never(event)
