"""Ships as lists: own ones, contacts, the pieces of the truth; words, no colour.

The state of a piece is always a word. Names go through `printable`.
"""

from sunglare_client.text.lists.dossiers import dossier_text
from sunglare_client.text.lists.ground import draw_true_ground
from sunglare_client.text.places import place_text, vector_text
from sunglare_client.text.printable import printable
from sunglare_protocol.geometry import Landing
from sunglare_protocol.views import (
    ContactView,
    HuntView,
    OwnView,
    PieceView,
    TrackersView,
    TruthView,
    View,
    VolleyView,
)
from sunglare_protocol.word import spoken
from sunglare_protocol.words.ladder import Fate, Fix
from sunglare_protocol.words.pieces import PieceKind
from sunglare_protocol.words.scans import ScanType
from sunglare_protocol.words.specials import NUMBERED
from sunglare_rules.advice.cards.trails import pips
from sunglare_rules.fire.missiles import MOVEMENTS
from sunglare_rules.fire.weapons import has_arc

NOTHING_HELD = "contacts: none"
"""What stands where no foreign piece is held or remembered."""


def draw_contacts(view: View) -> list[str]:
    """Return a row for each foreign piece held or remembered, with its state as a word."""
    if not view.contacts:
        return [NOTHING_HELD]
    return ["contacts:", *(printable(_contact_row(contact)) for contact in view.contacts)]


def draw_pieces(view: TruthView) -> list[str]:
    """Return a row for each piece of the truth: what it is, where, and which side holds it how."""
    rows = [printable(_piece_row(piece)) for piece in view.pieces]
    return ["pieces:", *rows, *draw_true_ground(view)]


def ship_rows(ship: OwnView) -> list[str]:
    """Return two rows for an own ship, its state and its arms."""
    if ship.fate is not Fate.IN_PLAY:
        return [f"  {ship.id} {ship.name}  {ship.type}  {_fate(ship.fate)}"]
    if ship.volley is not None:
        return [_volley_row(ship, ship.volley)]
    power = "on" if ship.powered else "starting" if ship.starting else "off"
    state = (
        f"  {ship.id} {ship.name}  {ship.type}  hull {ship.hull - ship.damage}/{ship.hull}"
        f"  {place_text(ship.square)}  {vector_text(ship.vector)}  facing {ship.facing.value}"
        f"  {'CLOAKED' if ship.cloaked else _standing(ship.landed)}"
        f"{'  DETECTED' if ship.detected else ''}{_exposed(ship)}"
    )
    means = (
        f"     thrust {ship.thrust}  power {power}  sensors {'out' if ship.popped_out else 'in'}"
        f" {_ratings(ship.sensors)}{'' if ship.hull_sensors_work else ' HULL SENSORS LOST'}"
        f"{_cloak(ship)}"
        f"  {_arms(ship)}{_carried(ship)}{_abilities(ship)}"
    )
    means_of_ship = [] if ship.kind is PieceKind.REMOTE else [means]
    return [state, *means_of_ship, *(f"     {_hunted(hunter)}" for hunter in ship.hunted)]


def _volley_row(ship: OwnView, volley: VolleyView) -> str:
    left = MOVEMENTS - volley.movements
    return (
        f"  {ship.id} {volley.missiles} missiles  {place_text(ship.square)}"
        f"  sent to {place_text(volley.aim)}  {left} movements left{_exposed(ship)}"
    )


def _carried(ship: OwnView) -> str:
    defence = f"; point defence {ship.point_defence}" if ship.point_defence else ""
    return f"{defence}; fighters aboard {ship.flights}" if ship.flights else defence


def _contact_row(contact: ContactView) -> str:
    parts = [
        f"  {contact.label:<4} {contact.fix.value.upper():<9}",
        place_text(contact.square),
        *([vector_text(contact.vector)] if contact.vector is not None else []),
        *([f"facing {contact.facing.value}"] if contact.facing is not None else []),
        *([f"{contact.size.value} echo"] if contact.size is not None else []),
        *([f"side {contact.side}"] if contact.side is not None else []),
        *([contact.type] if contact.type is not None else []),
        *([dossier_text(contact.dossier)] if contact.dossier is not None else []),
        *([f"by {', '.join(map(spoken, contact.signatures))}"] if contact.signatures else []),
        *([f"landed {_landing(contact.landed)}"] if contact.landed is not None else []),
        *(["AGENTS NEAR"] if contact.alert else []),
        *([_fate(contact.fate)] if contact.fate is not Fate.IN_PLAY else []),
        f"turn {contact.turn}",
        *([trackers_text(contact.trackers)] if contact.trackers is not None else []),
    ]
    return "  ".join(parts)


def trackers_text(trackers: TrackersView) -> str:
    """Return both trackers of a hunt: the remembered turns, then the dice COUNT/TURNS."""
    pair, alone = trackers.multi, trackers.single
    return (
        f"heard by several {pips(pair)} {pair.count}/{pair.turns}, "
        f"by one {pips(alone)} {alone.count}/{alone.turns}"
    )


def _hunted(hunt: HuntView) -> str:
    state = "not found" if hunt.fix is Fix.MEMORY else hunt.fix.value.upper()
    return f"HUNTED: {state}  {trackers_text(hunt.trackers)}"


def _cloak(ship: OwnView) -> str:
    if not ship.cloak:
        return ""
    return f"  cloak {'on' if ship.cloaked else 'off'}" if ship.cloak_works else "  CLOAK LOST"


def _piece_row(piece: PieceView) -> str:
    flies = "cloaked" if piece.cloaked else _standing(piece.landed)
    state = flies if piece.fate is Fate.IN_PLAY else _fate(piece.fate)
    holders = ", ".join(f"{holding.side} {holding.fix.value.upper()}" for holding in piece.held)
    return (
        f"  {piece.side}.{piece.id} {piece.name}  {piece.type}"
        f"  hull {piece.hull - piece.damage}/{piece.hull}  {place_text(piece.square)}"
        f"  {vector_text(piece.vector)}  facing {piece.facing.value}  {state}"
        f"  power {'on' if piece.powered else 'off'}  held by: {holders or 'nobody'}"
    )


def _fate(fate: Fate) -> str:
    return spoken(fate).upper()


def _standing(landing: Landing | None) -> str:
    return "flying" if landing is None else f"landed {_landing(landing)}"


def _landing(landing: Landing) -> str:
    place = landing.sector.value if landing.environs is None else f"environs {landing.environs}"
    cell = "" if landing.cell is None else f" {landing.cell.name}"
    return f"on {landing.body} {place}{cell}"


def _exposed(ship: OwnView) -> str:
    known = ", ".join(
        f"{exposure.side} as {exposure.fix.value.upper()}" for exposure in ship.exposed
    )
    return f"  KNOWN TO {known}" if known else ""


def _ratings(sensors: dict[ScanType, int]) -> str:
    return " ".join(
        f"{scan_type.value[0].upper()}{sensors.get(scan_type, 0)}" for scan_type in ScanType
    )


def _arms(ship: OwnView) -> str:
    pointing = {turret.id: "/".join(map(spoken, turret.arcs)) for turret in ship.turrets}
    arms = []
    for weapon in ship.weapons:
        arc = spoken(weapon.arc) if weapon.arc is not None else None
        aim = arc or f"{weapon.turret}:{pointing.get(weapon.turret or '', '?')}"
        lost = "" if weapon.works else " SPENT" if weapon.spent else " LOST"
        aimed = f" {aim}" if has_arc(weapon.kind) else ""
        aimed += "" if weapon.needs is None else f" ({spoken(weapon.needs)} only)"
        size = weapon.rank if weapon.damage is None else " " + "/".join(map(str, weapon.damage))
        arms.append(f"{weapon.id} {spoken(weapon.kind)}{size}{aimed}{lost}")
    return "; ".join(arms) or "unarmed"


def _abilities(ship: OwnView) -> str:
    words = [special.value for special in ship.specials if special not in NUMBERED]
    words += [f"RSD {ship.dispensers}"] if ship.dispensers else []
    words += ["ecm off"] if ship.ecm is False else []
    return f"  {' '.join(words)}" if words else ""
