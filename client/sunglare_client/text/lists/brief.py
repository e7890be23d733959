"""Pieces in few words, for a narrow panel: a row or two for each, its state always as a word."""

from sunglare_client.text.places import place_text, vector_text
from sunglare_client.text.printable import printable
from sunglare_protocol.ids import Side
from sunglare_protocol.views import ContactView, HuntView, OwnView, View
from sunglare_protocol.views.ground import AgentView, GroundView
from sunglare_protocol.word import spoken
from sunglare_protocol.words.ladder import Fate, Fix

NO_CONTACTS = "no contacts: nothing of the others is held or remembered"
NO_SHIPS = "no ships of yours are on this map"


def own_brief(view: View) -> list[str]:
    """Return rows for every own ship, ground unit and agent."""
    others = [side for side in view.stage.sides if side != Side(view.audience)]
    hunter = others[0] if len(others) == 1 else "a side"
    rows = [row for ship in view.own for row in _ship(ship, hunter)]
    rows += [row for unit in view.ground for row in _unit(unit)]
    rows += [row for agent in view.agents for row in _agent(agent)]
    return [printable(row) for row in rows] or [NO_SHIPS]


def contacts_brief(view: View) -> list[str]:
    """Return rows for every foreign piece held or remembered, in space and on the ground."""
    rows = [row for contact in view.contacts for row in _contact(contact)]
    for surface in view.surfaces:
        for token in surface.tokens:
            what = "blip" if token.type is None else token.type
            whose = "" if token.side is None else f" of {token.side}"
            state = "" if token.fate is Fate.IN_PLAY else f" {_fate(token.fate)}"
            place = f"{surface.site.name} {token.cell.name}"
            rows.append(f"{token.label} {what}{whose}{state} {place} turn {token.turn}")
    return [printable(row) for row in rows] or [NO_CONTACTS]


def _ship(ship: OwnView, hunter: str) -> list[str]:
    if ship.fate is not Fate.IN_PLAY:
        return [f"{ship.id} {ship.name} {_fate(ship.fate)}"]
    if ship.volley is not None:
        aim = place_text(ship.volley.aim)
        return [f"{ship.id} {ship.volley.missiles} missiles {place_text(ship.square)} to {aim}"]
    hull = f"{ship.hull - ship.damage}/{ship.hull}"
    power = "on" if ship.powered else "STARTING" if ship.starting else "OFF"
    states = [
        *(["LANDED"] if ship.landed is not None else []),
        *(["CLOAKED"] if ship.cloaked else []),
        *(["CLOAK LOST"] if ship.cloak and not ship.cloak_works else []),
        *(["DETECTED"] if ship.detected else []),
        *(f"known to {one.side} {one.fix.value.upper()}" for one in ship.exposed),
        *(_hunt(one, hunter) for one in ship.hunted),
    ]
    return [
        f"{ship.id} {ship.name} hull {hull} thrust {ship.thrust} power {power}",
        f"   {place_text(ship.square)} {vector_text(ship.vector)} face {ship.facing.value}",
        *([f"   {', '.join(states)}"] if states else []),
    ]


def _hunt(hunt: HuntView, hunter: str) -> str:
    """Return how a side holds a ship that it hunts, or that it has not found it this turn."""
    if hunt.fix is Fix.MEMORY:
        return f"hunted by {hunter}, not found"
    return f"known to {hunter} {hunt.fix.value.upper()}"


def _unit(unit: GroundView) -> list[str]:
    if unit.fate is not Fate.IN_PLAY:
        return [f"{unit.id} {unit.name} {_fate(unit.fate)}"]
    place = "nowhere" if unit.site is None else unit.site.name
    place = f"aboard {unit.aboard}" if unit.aboard is not None else place
    cell = "" if unit.cell is None else f" {unit.cell.name}"
    state = " HIDDEN" if unit.hidden else ""
    return [f"{unit.id} {unit.name} damage {unit.damage}/{unit.toughness} {place}{cell}{state}"]


def _agent(agent: AgentView) -> list[str]:
    if agent.fate is not Fate.IN_PLAY:
        return [f"{agent.id} {agent.name} {_fate(agent.fate)}"]
    place = "nowhere" if agent.site is None else agent.site.name
    place = f"aboard {agent.aboard}" if agent.aboard is not None else place
    state = " DETECTED" if agent.detected else ""
    held = "" if agent.captor is None else f" PRISONER of {agent.captor}"
    return [f"{agent.id} {agent.name} {place}{state}{held}"]


def _contact(contact: ContactView) -> list[str]:
    what = contact.type or ("" if contact.size is None else f"{contact.size.value} echo")
    state = "" if contact.fate is Fate.IN_PLAY else f" {_fate(contact.fate)}"
    first = f"{contact.label} {contact.fix.value.upper()}{state} {place_text(contact.square)}"
    more = [
        *([what] if what else []),
        *([f"of {contact.side}"] if contact.side is not None else []),
        *([vector_text(contact.vector)] if contact.vector is not None else []),
        *([f"face {contact.facing.value}"] if contact.facing is not None else []),
        *(["LANDED"] if contact.landed is not None else []),
        f"turn {contact.turn}",
    ]
    return [first, f"   {' '.join(more)}"]


def _fate(fate: Fate) -> str:
    return spoken(fate).upper()
