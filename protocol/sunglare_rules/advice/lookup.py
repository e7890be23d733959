"""Finding things in a view by the names that an order or a question uses.

What is unknown, foreign, dead or hidden is not found, all in the same way.
"""

from sunglare_protocol.geometry import Place
from sunglare_protocol.ids import Handle, OwnId
from sunglare_protocol.ladder import Fate, Fix
from sunglare_protocol.refusals import Code, Rejected
from sunglare_protocol.views import ContactView, OwnView, View, WeaponView
from sunglare_rules.advice.refusing import refused

TARGETABLE = (Fix.CONTACT, Fix.TRACKED)
"""OWN: the rungs on which a piece is placed well enough to be fired at."""


def ships_in_play(view: View) -> tuple[OwnView, ...]:
    """Return the viewer's own ships that are still in play, in the view's order."""
    return tuple(ship for ship in view.own if ship.fate is Fate.IN_PLAY)


def own_ship(view: View, ship: OwnId) -> OwnView | Rejected:
    """Return the own ship in play with that id, or a refusal that lists the right ones."""
    ships = ships_in_play(view)
    found = next((each for each in ships if each.id == ship), None)
    if found is None:
        return refused(Code.ORDER_SHIP, ".ship", choices=tuple(each.id for each in ships))
    return found


def own_weapon(ship: OwnView, weapon: str) -> WeaponView | Rejected:
    """Return the ship's working weapon of that name, or a refusal that lists those that work."""
    working = [each for each in ship.weapons if each.works]
    found = next((each for each in working if each.id == weapon), None)
    if found is None:
        choices = tuple(each.id for each in working)
        return refused(Code.ORDER_WEAPON, ".weapon", choices=choices)
    return found


def targets(view: View) -> tuple[ContactView, ...]:
    """Return the contacts and live tracks in play, which are all that may be fired at."""
    return tuple(
        each
        for each in view.contacts
        if each.handle is not None and each.fix in TARGETABLE and each.fate is Fate.IN_PLAY
    )


def own_target(view: View, handle: Handle) -> ContactView | Rejected:
    """Return what the viewer holds by that handle, or why it is nothing to fire at.

    The choices are the handles that may be fired at; a dead handle is like an unknown one.
    """
    living = (each for each in view.contacts if each.fate is Fate.IN_PLAY)
    found = next((each for each in living if each.handle == handle), None)
    choices = tuple(each.handle for each in targets(view) if each.handle is not None)
    if found is None:
        return refused(Code.ORDER_HANDLE, ".at", choices=choices)
    if found.fix not in TARGETABLE:
        detail = f"{found.label} is {found.fix.value}; it takes a contact or a live track."
        return refused(Code.ORDER_STATE, ".at", detail, choices)
    return found


def place_of(piece: OwnView | ContactView) -> Place:
    """Return where the piece is, as lines of sight ask for it."""
    return Place(piece.square, piece.landed)
