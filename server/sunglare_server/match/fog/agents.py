"""Agents as an audience sees them: alerts, memories, items and stances made from intel.

See `view`.
"""

from functools import lru_cache

from sunglare_protocol import views
from sunglare_protocol.words.ladder import Fate
from sunglare_server.match.facts.agents import SpiedUnit
from sunglare_server.match.intel.agents import (
    FoundAgents,
    KnownAlert,
    KnownItem,
    OwnStance,
    SearchIntel,
    SpiedTroops,
)
from sunglare_server.match.intel.ground import OwnAgent

_ALERTS_KEPT = 1024
"""How many audiences' alerts are kept made: few windows change any."""

_MEMORIES_KEPT = 4096
"""How many memories and items are kept made: most are the same from one frame to the next."""


def alerts(search: SearchIntel) -> tuple[views.AlertView, ...]:
    """Return the alerts that stand."""
    return _alerts(search.alerts)


def found(search: SearchIntel) -> tuple[views.FoundView, ...]:
    """Return the memories of agents who were found."""
    return tuple(map(_found, search.found))


def spied(search: SearchIntel) -> tuple[views.SpyView, ...]:
    """Return the memories of troops that were spied on."""
    return tuple(map(_spied, search.spied))


def items(search: SearchIntel, agents: tuple[OwnAgent, ...]) -> tuple[views.ItemView, ...]:
    """Return the items that the audience knows; an agent that is out takes its own along."""
    if not search.items:
        return ()
    gone = [agent.id for agent in agents if agent.fate is not Fate.IN_PLAY]
    return tuple([_item(item, item.carrier in gone) for item in search.items])


def stance(own: OwnStance) -> views.StanceView:
    """Return the standing orders of an own agent."""
    return views.StanceView(fight=own.fight, wounds=own.wounds, hides_by=own.hides_by)


@lru_cache(maxsize=_ALERTS_KEPT)
def _alerts(known: tuple[KnownAlert, ...]) -> tuple[views.AlertView, ...]:
    return tuple(
        views.AlertView(side=alert.side, planet=alert.planet, environs=alert.environs)
        for alert in known
    )


@lru_cache(maxsize=_MEMORIES_KEPT)
def _found(memory: FoundAgents) -> views.FoundView:
    agents = tuple(
        views.FoundAgentView(name=agent.name, combat=agent.combat, endurance=agent.endurance)
        for agent in memory.agents
    )
    return views.FoundView(side=memory.side, site=memory.site, turn=memory.turn, agents=agents)


@lru_cache(maxsize=_MEMORIES_KEPT)
def _spied(memory: SpiedTroops) -> views.SpyView:
    return views.SpyView(
        site=memory.site,
        turn=memory.turn,
        units=tuple(map(_unit, memory.units)),
        leaders=memory.leaders,
    )


def _unit(unit: SpiedUnit) -> views.SpiedUnitView:
    return views.SpiedUnitView(
        side=unit.side,
        type=unit.type,
        variant=unit.variant,
        cell=unit.cell,
        hidden=unit.hidden,
        damage=unit.damage,
        toughness=unit.toughness,
        heat=unit.heat,
        move=unit.move,
        modes=unit.modes,
        ecm=unit.ecm,
    )


@lru_cache(maxsize=_MEMORIES_KEPT)
def _item(item: KnownItem, is_lost: bool) -> views.ItemView:
    return views.ItemView(
        name=item.name,
        goal=item.goal,
        site=item.site,
        carrier=None if is_lost else item.carrier,
        delivered=item.delivered,
    )
