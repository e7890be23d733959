"""Answers: at which of the cloaked ships that fired in this ENGAGE a held weapon fires.

Source: Full Thrust cloak detection of 2001, "any cloaked vessel not detected that fires is marked
as detected"; cloak hunting of our rule book §3, "Answers to a cloaked ship that fires".
"""

from collections.abc import Callable, Mapping
from typing import TypeVar

from sunglare_protocol.geometry import Square
from sunglare_protocol.ids import Handle
from sunglare_protocol.orders import Hold
from sunglare_protocol.refusals import Rejected
from sunglare_protocol.views import ContactView, View
from sunglare_protocol.words.ladder import Fix
from sunglare_rules.advice.check.fire import shot_range_rule
from sunglare_rules.advice.seen.bearing import bear
from sunglare_rules.advice.seen.lookup import own_ship, own_weapon

Piece = TypeVar("Piece", bound=str)
"""The id by which the caller names a ship that fired."""


def answered(
    view: View,
    order: Hold,
    shooters: Mapping[Piece, Handle | Square],
    tie: Callable[[Piece], bytes],
) -> Piece | None:
    """Return the nearest of the cloaked ships that fired which the held weapon can hit, or None.

    `shooters` are those that the side may answer: by the handle of one that it has found this
    turn, by the square of one that its own fire gives away, which counts as detected. OWN: the
    nearest by true distance; `tie` orders those that are equally near.
    """
    ship = own_ship(view, order.ship)
    weapon = ship if isinstance(ship, Rejected) else own_weapon(ship, order.weapon)
    if isinstance(ship, Rejected) or isinstance(weapon, Rejected):
        return None
    near = [
        (ship.square.distance_squared(contact.square), tie(piece), piece)
        for piece, known in shooters.items()
        for contact in (_contact(view, known),)
        if contact is not None
        for rule in (shot_range_rule(weapon, contact),)
        if not isinstance(bear(view, ship, weapon, contact, rule), Rejected)
    ]
    return min(near)[2] if near else None


def _contact(view: View, known: Handle | Square) -> ContactView | None:
    if isinstance(known, Square):
        return ContactView(label="", fix=Fix.DETECTED, square=known, turn=view.stage.turn)
    return next((contact for contact in view.contacts if contact.handle == known), None)
