"""Agents as lists: alerts, agents found, what spies know, items, standing orders, as words."""

from sunglare_client.text.printable import printable
from sunglare_protocol.orders import Order
from sunglare_protocol.orders.agents import (
    OFF_MAP,
    AgentOrder,
    GoAboard,
    Mission,
    Search,
    Stand,
    StepOut,
    Walk,
)
from sunglare_protocol.views import View
from sunglare_protocol.views.agents import FoundView, ItemView, SpyView
from sunglare_protocol.words.ladder import Fate
from sunglare_protocol.words.search import FightPolicy

SIDE = "side"
"""The word for the whole side, which alone says who strikes."""


def draw_alerts(view: View) -> list[str]:
    """Return a row for each alert, each memory of agents found and troops spied on."""
    rows = [
        f"ALERT: agents of {each.side} near {place_words(each.planet, each.environs)}"
        for each in view.alerts
    ]
    rows += [_found_row(each) for each in view.found]
    rows += [row for each in view.spied for row in _spied_rows(each)]
    return [printable(row) for row in rows]


def draw_items(view: View) -> list[str]:
    """Return a row for each item that an own objective names."""
    return [printable(_item_row(each)) for each in view.items]


def draw_standing(view: View, plan: tuple[Order, ...] = ()) -> list[str]:
    """Return the standing orders that are not the default, and what is planned for them."""
    rows = []
    for agent in view.agents:
        stance = agent.stance
        words = [] if stance.fight is FightPolicy.FLEE else [stance.fight.value]
        words += [f"wounds {' '.join(stance.wounds)}"] if stance.wounds else []
        words += [f"hides by {stance.hides_by}"] if stance.hides_by is not None else []
        if words and agent.fate is Fate.IN_PLAY:
            rows.append(f"  {agent.id} stands to {', '.join(words)}")
    rows += [
        f"  {ship.id} is bound {_bound(ship.bound_for)}" for ship in view.own if ship.bound_for
    ]
    own = str(view.audience)
    rows += [f"  plan: {text}" for text in _of_the_side(plan, own)]
    return [printable(row) for row in rows]


def place_words(planet: str, environs: int | None) -> str:
    """Return a place that agents can be near: an environs, or the orbit of a planet."""
    return f"the orbit of {planet}" if environs is None else f"{planet} {environs}"


def agents_order_text(order: AgentOrder) -> str:
    """Return an order for agents as the command that writes it."""
    match order:
        case Walk():
            return f"walk {order.ship} {order.environs}"
        case GoAboard():
            return f"board {order.ship} {order.into}"
        case StepOut():
            return f"leave {order.ship}{'' if order.environs is None else f' {order.environs}'}"
        case Mission():
            return _mission_text(order)
        case Stand():
            whose = SIDE if order.strike is not None else order.ship
            return f"stand {whose}{_stand_words(order)}"
        case Search():
            leader = f" leader {order.leader}" if order.leader is not None else ""
            return f"search {order.ship}{leader} strike {order.strike.value}"


def _bound(goal: str) -> str:
    return "off the map" if goal == OFF_MAP else f"for {goal}"


def _of_the_side(plan: tuple[Order, ...], side: str) -> list[str]:
    stands = [order for order in plan if isinstance(order, Stand)]
    return [agents_order_text(order) for order in stands if order.ship == side]


def _mission_text(order: Mission) -> str:
    words = [f"mission {order.ship} {order.kind.value}"]
    words += [order.at] if order.at is not None else []
    words += [order.name.replace(" ", "")] if order.name is not None else []
    words += ["silence"] if order.silence else []
    words += ["with", *order.others] if order.others else []
    return " ".join(words)


def _stand_words(order: Stand) -> str:
    words = []
    if order.bound_for is not None:
        words.append(f" bound {order.bound_for.replace(' ', '')}")
    if order.fight is not None:
        words.append(f" fight {order.fight.value}")
    if order.wounds is not None:
        words.append(" ".join((" wounds", *order.wounds)))
    if order.hides_by is not None:
        words.append(f" hides {order.hides_by}")
    if order.strike is not None:
        words.append(f" strike {order.strike.value}")
    return ",".join(words)


def _found_row(found: FoundView) -> str:
    agents = ", ".join(
        f"{each.name} (combat {each.combat}, endurance {each.endurance})" for each in found.agents
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
