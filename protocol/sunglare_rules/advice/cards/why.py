"""The cards that `look` and `why` give: what is known of a thing, and by which rule.

Source: none of its own; every line names the rule it stands on. A handle or label that the
viewer does not hold is refused like any other word.
"""

from sunglare_protocol.messages.answers import Card
from sunglare_protocol.refusals import Code, Rejected
from sunglare_protocol.views import ContactView, OwnView, View
from sunglare_rules.advice.cards.agents import agent_facts, agent_reasons
from sunglare_rules.advice.cards.bodies import Body, body_facts, body_named, body_reasons
from sunglare_rules.advice.cards.contacts import contact_facts, contact_reasons
from sunglare_rules.advice.cards.ground import (
    token_facts,
    token_reasons,
    unit_facts,
    unit_reasons,
)
from sunglare_rules.advice.cards.own import own_facts, own_reasons
from sunglare_rules.advice.cards.record import ENTRIES_MOST, record_reasons
from sunglare_rules.advice.cards.tallies import agents_reasons, known_points, points_reasons
from sunglare_rules.advice.refusing import refused
from sunglare_rules.advice.seen.lookup import ships_in_play

WORDS = ("last", "record", "points", "agents")
"""The subjects of `why` other than pieces: the newest entries of the turn's public record, all of
them, the points with the objectives, and what is known of agents and by spies.
"""


def why(view: View, about: str | None) -> Card | Rejected:
    """Return why the viewer knows what it knows, or why an own ship may be noticed.

    `about` is an own id, a contact's or token's handle or label, the name of a body, or one of
    the words above; `last` is the same as nothing.
    """
    match about:
        case None | "last":
            lines = record_reasons(view, ENTRIES_MOST)
            return Card(title="The public record, newest first", lines=lines)
        case "record":
            return Card(title="The whole public record", lines=record_reasons(view))
        case "points":
            return Card(title="The points", lines=points_reasons(view))
        case "agents":
            return Card(title="Agents and spies", lines=agents_reasons(view))
        case _:
            return _card(view, about, reasons=True)


def look(view: View, about: str | None) -> Card | Rejected:
    """Return what the viewer knows of a piece or a body; without one, of the match."""
    if about is None:
        return Card(title="The match", lines=_match_lines(view))
    return _card(view, about, reasons=False)


def _card(view: View, about: str, *, reasons: bool) -> Card | Rejected:
    """Return the card on one thing: why it is known or may be noticed, or what is known of it."""
    on_ground = _ground_card(view, about, reasons=reasons)
    if on_ground is not None:
        return on_ground
    thing = _thing(view, about)
    if isinstance(thing, Rejected):
        body = body_named(view.board, about)
        return thing if body is None else _body_card(view, body, reasons=reasons)
    if isinstance(thing, OwnView):
        lines = own_reasons(view, thing) if reasons else own_facts(view, thing)
        return Card(title=_own_title(thing), lines=lines)
    lines = contact_reasons(thing) if reasons else contact_facts(view, thing)
    return Card(title=thing.label, lines=lines)


def _thing(view: View, about: str) -> OwnView | ContactView | Rejected:
    for ship in view.own:
        if ship.id == about:
            return ship
    for contact in view.contacts:
        if about in (contact.handle, contact.label):
            return contact
    choices = (
        *(ship.id for ship in view.own),
        *(unit.id for unit in view.ground),
        *(agent.id for agent in view.agents),
        *(contact.label for contact in view.contacts),
        *(token.label for surface in view.surfaces for token in surface.tokens),
    )
    return refused(Code.ASK_ABOUT, choices=choices)


def _body_card(view: View, body: Body, *, reasons: bool) -> Card:
    lines = body_reasons(body) if reasons else body_facts(view, body)
    return Card(title=body.name, lines=lines)


def _ground_card(view: View, about: str, *, reasons: bool) -> Card | None:
    """Return the card on an own unit or agent or a token, or None if it is none of them."""
    for unit in view.ground:
        if unit.id == about:
            lines = unit_reasons(unit) if reasons else unit_facts(view, unit)
            return Card(title=f"{unit.id} {unit.name}", lines=lines)
    for agent in view.agents:
        if agent.id == about:
            lines = agent_reasons(view, agent) if reasons else agent_facts(view, agent)
            return Card(title=f"{agent.id} {agent.name}", lines=lines)
    for surface in view.surfaces:
        for token in surface.tokens:
            if about in (token.handle, token.label):
                lines = token_reasons(token) if reasons else token_facts(token, surface.site)
                return Card(title=token.label, lines=lines)
    return None


def _own_title(ship: OwnView) -> str:
    return f"{ship.id} {ship.name}".rstrip()


def _match_lines(view: View) -> tuple[str, ...]:
    stage = view.stage
    own = ", ".join(ship.id for ship in ships_in_play(view)) or "none"
    held = (
        ", ".join(f"{contact.label} ({contact.fix.value})" for contact in view.contacts)
        or "nothing"
    )
    return (
        f"Turn {stage.turn} of {stage.turns}, {stage.phase.value}.",
        f"Own ships in play: {own}.",
        f"Held or remembered: {held}.",
        f"Points that follow from what you know: {known_points(view)}.",
        *_alert_lines(view),
    )


def _alert_lines(view: View) -> tuple[str, ...]:
    places = [
        f"agents of {alert.side} near {_near(alert.planet, alert.environs)}"
        for alert in view.alerts
    ]
    return (f"Alerts: {', '.join(places)}.",) if places else ()


def _near(planet: str, environs: int | None) -> str:
    return f"the orbit of {planet}" if environs is None else f"{planet} {environs}"
