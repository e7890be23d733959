"""The cards on a foreign piece: what the viewer knows of it, and why it knows that.

Source: the rules it names; sensors §5, arcs §2 and turn §3 of our rule book.
"""

from typing import assert_never

from sunglare_protocol.views import ContactView, OwnView, View
from sunglare_protocol.word import spoken
from sunglare_protocol.words.dossiers import Dossier
from sunglare_protocol.words.ladder import Fate, Fix
from sunglare_protocol.words.pieces import Arc
from sunglare_rules.advice.cards.memories import memory_reasons
from sunglare_rules.advice.cards.own import place_words
from sunglare_rules.advice.cards.trails import tracker_lines
from sunglare_rules.advice.seen.bearing import contact_base, lies_beneath, own_base
from sunglare_rules.advice.seen.lookup import TARGETABLE, place_of, ships_in_play, targets
from sunglare_rules.arcs.arcs import grid_band, grid_lie
from sunglare_rules.blips.spotting import SENSOR_INCHES
from sunglare_rules.sensors.scans import SENSE_TARGET
from sunglare_rules.sensors.sectors import line_of_sight
from sunglare_rules.sensors.signatures import SIGNATURE_WORDS
from sunglare_rules.turn.scale import BANDS

_WORDS = {signature.value: words for signature, words in SIGNATURE_WORDS.items()}


def contact_facts(view: View, contact: ContactView) -> tuple[str, ...]:
    """Return what the viewer knows of the piece, and how its own ships bear on it, a line each."""
    ships = ships_in_play(view) if contact in targets(view) else ()
    return (
        f"{contact.fix.value.capitalize()}, as of turn {contact.turn}.",
        f"At {place_words(contact.square)}.",
        *_motion_lines(contact),
        *_identity_lines(contact),
        *(("Agents are near it.",) if contact.alert else ()),
        *(() if contact.trackers is None else tracker_lines(contact.trackers)),
        *dossier_lines(contact.dossier),
        *_fate_lines(contact),
        *(_bearing_line(view, ship, contact) for ship in ships if ship.landed is None),
    )


def contact_reasons(contact: ContactView) -> tuple[str, ...]:
    """Return why the viewer knows what it knows of the piece, each line with its rule."""
    if contact.fix is Fix.MEMORY:
        return (
            *_signature_lines(contact),
            *memory_reasons(contact),
            *_tracker_reasons(contact),
            *dossier_reasons(contact.dossier),
        )
    return (
        *_signature_lines(contact),
        _fix_line(contact),
        *_tracker_reasons(contact),
        *_knowledge_lines(contact),
        *_alert_reasons(contact),
    )


def _motion_lines(contact: ContactView) -> tuple[str, ...]:
    known = []
    if contact.vector is not None:
        known.append(f"vector {contact.vector.dx:+d},{contact.vector.dy:+d}")
    if contact.facing is not None:
        known.append(f"facing {contact.facing.value}")
    if contact.size is not None:
        known.append(f"echo {contact.size.value}")
    if contact.landed is not None:
        known.append(f"landed on {contact.landed.body}, sector {contact.landed.sector.value}")
    return (f"Known: {', '.join(known)}.",) if known else ()


def _identity_lines(contact: ContactView) -> tuple[str, ...]:
    if contact.type is None and contact.side is None:
        return ("A blip: neither side nor type is known.",)
    return (f"Side {contact.side or 'unknown'}, type {contact.type or 'unknown'}.",)


def dossier_lines(found: Dossier | None) -> tuple[str, ...]:
    """Return what a data scan has found, in a line, or none without one."""
    if found is None:
        return ()
    ecm = "" if found.ecm is None else f", jammer {'on' if found.ecm else 'off'}"
    modes = ", ".join(found.modes) or "none"
    state = f"{found.variant}, damage {found.damage}, heat {found.heat}"
    return (f"Scanned in turn {found.turn}: {state}, move {found.move} by {modes}{ecm}.",)


def dossier_reasons(found: Dossier | None) -> tuple[str, ...]:
    """Return by which rule the rest of a piece is known, or nothing if it is not."""
    if found is None:
        return ()
    told = f"A data scan of turn {found.turn} told the rest, as it was then."
    return (f"{told} Alpha Strike, concealing unit data (blips §3).",)


def _knowledge_lines(contact: ContactView) -> tuple[str, ...]:
    """Return by which rule the piece is identified and scanned, or how it would be."""
    lines = []
    if contact.side is not None:
        lines.append(
            "It is identified while this hold lasts: seen, sensed, or betrayed by its own shots. "
            "Alpha Strike, blips (blips §3 and §5)."
        )
    elif contact.fix in TARGETABLE:
        lines.append(
            f"To identify it: be within {SENSOR_INCHES} space inches (a probe reaches farther), "
            "or see it, when the last scan of a turn is over. Alpha Strike, blips (blips §3 and "
            "§5)."
        )
    return (*lines, *dossier_reasons(contact.dossier))


def _tracker_reasons(contact: ContactView) -> tuple[str, ...]:
    """Return how near the side is to a solution on a hunted ship, by either tracker."""
    if contact.trackers is None:
        return ()
    source = "Cloak detection, count and turns (cloak §3)."
    return tuple(f"{line} {source}" for line in tracker_lines(contact.trackers))


def _alert_reasons(contact: ContactView) -> tuple[str, ...]:
    if not contact.alert:
        return ()
    return (
        (
            "Agents are near it: whoever has a live track of a ship with detected agents aboard "
            "is told so. Freedom in the Galaxy 10.1 (search §1)."
        ),
    )


def _fate_lines(contact: ContactView) -> tuple[str, ...]:
    match contact.fate:
        case Fate.IN_PLAY:
            return ()
        case Fate.DESTROYED:
            return ("It is destroyed.",)
        case Fate.ESCAPED:
            return ("It has left the map.",)
        case _:
            assert_never(contact.fate)


def _bearing_line(view: View, ship: OwnView, contact: ContactView) -> str:
    """Return range, relation and arcs as the own ship measures them, with the rule."""
    source = "X-Wing 2.0, arc and range (arcs §2)."
    if not line_of_sight(view.board, place_of(ship), place_of(contact)):
        return (
            f"From {ship.id}: hidden by a body. Intercept sensors part 2, planet LOS sectors "
            "(sensors §2)."
        )
    if lies_beneath(ship, contact):
        return f"From {ship.id}: beneath its base, range 0 for any weapon. {source}"
    observer, other = own_base(ship), contact_base(contact)
    lie = grid_lie(observer, other)
    if lie.base_range is None:
        return f"From {ship.id}: beyond range {BANDS}. {source}"
    lies = spoken(lie.relation)
    bands = ((arc, grid_band(observer, other, arc)) for arc in Arc)
    held = (f"{spoken(arc)} {band}" for arc, band in bands if band is not None)
    arcs = ", ".join(held)
    return f"From {ship.id}: range {lie.base_range}, {lies}, arcs {arcs or 'none'}. {source}"


def _signature_lines(contact: ContactView) -> tuple[str, ...]:
    """Return what gave the piece away; a name that is no signature is another rule's word."""
    lines = []
    for name in contact.signatures:
        if name in _WORDS:
            lines.append(
                f"{_WORDS[name]} and the strength of a scan came to 0 or more. "
                "Intercept sensors, scan 1 (sensors §5)."
            )
        elif name == "sweep":
            lines.append(
                "Its own sweep showed its square to all sides. Cloak detection, active sweeps "
                "(cloak §4)."
            )
        elif name == "uncloaking":
            lines.append(
                "It uncloaked near one of your ships. Cloak detection, uncloaking (cloak §1)."
            )
        elif name == "radar":
            lines.append(
                "Its own radar showed its square to all sides. Intercept sensors, radar (sensors "
                "§5)."
            )
        else:
            lines.append(f"It gave itself away: {name.replace('_', ' ')} (turn §6).")
    if contact.signal is not None:
        lines.append(
            f"The best signal, strength plus signature, was {contact.signal:+d}; 0 is enough. "
            "Intercept sensors, scan 1 (sensors §5)."
        )
    return tuple(lines)


def _fix_line(contact: ContactView) -> str:
    match contact.fix:
        case Fix.SOLUTION:
            return (
                "A sweep found it, or it was heard now and often enough before: every weapon may "
                "fire at its true range, this turn. Cloak detection, fire control solution "
                "(cloak §3)."
            )
        case Fix.DETECTED:
            return (
                "It was heard, or it fired: dumb weapons may fire as if it were twice as far, or "
                "5 squares farther, this turn. Cloak detection, detected vessels (cloak §3)."
            )
        case Fix.CONTACT:
            return (
                f"A contact is a snapshot of turn {contact.turn}; it ends with the turn and "
                "leaves a memory. Intercept sensors, contacts (turn §3)."
            )
        case Fix.TRACKED:
            return (
                f"Radar, or a Sense roll of {SENSE_TARGET} with skill and signal, made it a "
                "track; it lives while every turn's scans find it. Intercept sensors, tracking "
                "(sensors §5)."
            )
        case Fix.COASTING:
            return (
                f"No scan found it after turn {contact.turn}; one more miss loses the track. It "
                "cannot be fired at meanwhile. Intercept sensors, tracking (sensors §5)."
            )
        case Fix.MEMORY:
            raise ValueError(f"{contact.label} is a memory: memory_reasons speaks of it")
        case _:
            assert_never(contact.fix)
