"""Agents as lists: alerts, agents found, what spies know, items, standing orders, as words."""

from sunglare_client.text.places import place_words
from sunglare_client.text.printable import printable
from sunglare_protocol.orders.agents import OFF_MAP
from sunglare_protocol.views import View
from sunglare_protocol.views.agents import FoundView, ItemView, SpyView
from sunglare_protocol.words.ladder import Fate
from sunglare_protocol.words.search import FightPolicy
from sunglare_rules.advice.seen.lookup import ships_in_play


def draw_alerts(view: View) -> list[str]:
    """Return a row for each alert, each memory of agents found and troops spied on."""
    rows = [
        f"ALERT: agents of {alert.side} near {place_words(alert.planet, alert.environs)}"
        for alert in view.alerts
    ]
    rows += [_found_row(found) for found in view.found]
    rows += [row for report in view.spied for row in _spied_rows(report)]
    return [printable(row) for row in rows]


def draw_items(view: View) -> list[str]:
    """Return a row for each item that an own objective names."""
    return [printable(_item_row(item)) for item in view.items]


def standing_rows(view: View) -> list[str]:
    """Return a row for each standing order that is not the default."""
    rows = []
    for agent in view.agents:
        stance = agent.stance
        words = [] if stance.fight is FightPolicy.FLEE else [stance.fight.value]
        words += [f"wounds {' '.join(stance.wounds)}"] if stance.wounds else []
        words += [f"hides by {stance.hides_by}"] if stance.hides_by is not None else []
        if words and agent.fate is Fate.IN_PLAY:
            rows.append(f"  {agent.id} stands to {', '.join(words)}")
    rows += [
        f"  {ship.id} is bound {_bound(ship.bound_for)}"
        for ship in ships_in_play(view)
        if ship.bound_for
    ]
    return rows


def _bound(goal: str) -> str:
    return "off the map" if goal == OFF_MAP else f"for {goal}"


def _found_row(found: FoundView) -> str:
    agents = ", ".join(
        f"{agent.name} (combat {agent.combat}, endurance {agent.endurance})"
        for agent in found.agents
    )
    place = found.site.name
    return f"FOUND in turn {found.turn} at {place}: {agents} of {found.side}"


def _spied_rows(spied: SpyView) -> list[str]:
    place = spied.site.name
    leaders = f", led by {', '.join(spied.leaders)}" if spied.leaders else ""
    rows = [f"SPIED on {place} in turn {spied.turn}: {len(spied.units)} units{leaders}"]
    for unit in spied.units:
        hidden = "  HIDDEN" if unit.hidden else ""
        rows.append(
            f"  {unit.cell.name}  side {unit.side}, {unit.type} ({unit.variant})"
            f"  damage {unit.damage}/{unit.toughness}{hidden}"
        )
    return rows


def _item_row(item: ItemView) -> str:
    where = "lost"
    if item.delivered:
        where = "DELIVERED"
    elif item.carrier is not None:
        where = f"with {item.carrier}"
    elif item.site is not None:
        where = f"at {item.site.name}"
    goal = "" if item.goal is None else f", to {item.goal.name}"
    return f"item {item.name}: {where}{goal}"
