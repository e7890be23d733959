"""`absorb_agents`: how a fact of agents changes what an audience knows.

Source: search of our rule book §3: agents found are remembered as they were.
"""

from typing import assert_never

import msgspec

from sunglare_protocol.notices.agents import AlertSeen, ItemMoved, ShipAlertSeen, SpyResult
from sunglare_server.match.facts.agents import (
    AgentFact,
    AgentsFound,
    Alerted,
    ItemKnown,
    ShipAlerted,
    TroopsSpied,
)
from sunglare_server.match.intel.agents import FoundAgents, KnownAlert, KnownItem, SpiedTroops
from sunglare_server.match.intel.space import Intel

FOUND_KEPT = 12
"""OWN: how many memories of found agents, and of what spies saw, an audience keeps each."""

_replace = msgspec.structs.replace


def absorb_agents(intel: Intel, fact: AgentFact) -> Intel:
    """Return `intel` after its audience has learned `fact`."""
    match fact:
        case Alerted():
            return _alerted(intel, fact)
        case ShipAlerted():
            return _ship_alerted(intel, fact)
        case AgentsFound(side=side, site=site, agents=agents):
            memory = FoundAgents(side=side, site=site, turn=intel.turn, agents=agents)
            found = (*intel.search.found, memory)[-FOUND_KEPT:]
            return _replace(intel, search=_replace(intel.search, found=found))
        case TroopsSpied(site=site, units=units, leaders=leaders):
            seen = SpiedTroops(site=site, turn=intel.turn, units=units, leaders=leaders)
            older = tuple(report for report in intel.search.spied if report.site != site)
            search = _replace(intel.search, spied=(*older, seen)[-FOUND_KEPT:])
            notice = SpyResult(site=site, units=len(units))
            return _replace(intel, search=search, told=(*intel.told, notice))
        case ItemKnown(notice=notice):
            return _replace(_with_item(intel, notice), told=(*intel.told, notice))
        case _:
            assert_never(fact)


def _alerted(intel: Intel, fact: Alerted) -> Intel:
    alert = KnownAlert(side=fact.side, planet=fact.planet, environs=fact.environs)
    kept = [other for other in intel.search.alerts if other != alert]
    if not fact.over:
        kept.append(alert)
    kept.sort(key=_alert_order)
    seen = AlertSeen(side=fact.side, planet=fact.planet, environs=fact.environs, over=fact.over)
    search = _replace(intel.search, alerts=tuple(kept))
    return _replace(intel, search=search, told=(*intel.told, seen))


def _alert_order(alert: KnownAlert) -> tuple[str, str, int]:
    return alert.side, alert.planet, alert.environs or 0


def _ship_alerted(intel: Intel, fact: ShipAlerted) -> Intel:
    held = _replace(intel.held[fact.piece], alert=not fact.over)
    seen = ShipAlertSeen(label=held.label, over=fact.over)
    return _replace(intel, held={**intel.held, fact.piece: held}, told=(*intel.told, seen))


def _with_item(intel: Intel, notice: ItemMoved) -> Intel:
    goals = {item.name: item.goal for item in intel.search.items}
    now = KnownItem(
        name=notice.name,
        goal=goals.get(notice.name),
        site=notice.site,
        carrier=notice.carrier,
        delivered=notice.delivered,
    )
    rest = tuple(item for item in intel.search.items if item.name != notice.name)
    items = tuple(sorted((*rest, now), key=lambda item: item.name))
    return _replace(intel, search=_replace(intel.search, items=items))
