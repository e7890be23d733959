"""The cards that `look` and `why` give: what is known of a thing, and by which rule.

Source: none of its own; every line names the rule it stands on. A handle or label that the
viewer does not hold is refused like any other word.
"""

from sunglare_protocol.answers import Card
from sunglare_protocol.refusals import Code, Rejected
from sunglare_protocol.views import ContactView, OwnView, View
from sunglare_rules.advice.contact_card import contact_facts, contact_reasons
from sunglare_rules.advice.lookup import ships_in_play
from sunglare_rules.advice.own_card import own_facts, own_reasons
from sunglare_rules.advice.record_card import record_reasons
from sunglare_rules.advice.refusing import refused

LAST = "last"
"""What `why` may be about besides ships: the newest entries of the public record."""


def why(view: View, about: str | None) -> Card | Rejected:
    """Return why the viewer knows what it knows, or why an own ship may be noticed.

    `about` is an own id, a contact's handle or label, or `last` (the same as nothing).
    """
    if about is None or about == LAST:
        return Card(title="The public record, newest first", lines=record_reasons(view))
    thing = _thing(view, about)
    if isinstance(thing, Rejected):
        return thing
    if isinstance(thing, OwnView):
        return Card(title=_own_title(thing), lines=own_reasons(view, thing))
    return Card(title=thing.label, lines=contact_reasons(thing))


def look(view: View, about: str | None) -> Card | Rejected:
    """Return what the viewer knows of an own ship or a contact; of the match if not told what."""
    if about is None:
        return Card(title="The match", lines=_match_lines(view))
    thing = _thing(view, about)
    if isinstance(thing, Rejected):
        return thing
    if isinstance(thing, OwnView):
        return Card(title=_own_title(thing), lines=own_facts(view, thing))
    return Card(title=thing.label, lines=contact_facts(view, thing))


def _thing(view: View, about: str) -> OwnView | ContactView | Rejected:
    for ship in view.own:
        if ship.id == about:
            return ship
    for contact in view.contacts:
        if about in (contact.handle, contact.label):
            return contact
    choices = (*(ship.id for ship in view.own), *(each.label for each in view.contacts))
    return refused(Code.ASK_ABOUT, choices=choices)


def _own_title(ship: OwnView) -> str:
    return f"{ship.id} {ship.name}".rstrip()


def _match_lines(view: View) -> tuple[str, ...]:
    stage = view.stage
    own = ", ".join(ship.id for ship in ships_in_play(view)) or "none"
    held = ", ".join(f"{each.label} ({each.fix.value})" for each in view.contacts) or "nothing"
    return (
        f"Turn {stage.turn} of {stage.turns}, {stage.phase.value}.",
        f"Own ships in play: {own}.",
        f"Held or remembered: {held}.",
        f"Points that follow from what you know: {view.points}.",
    )
