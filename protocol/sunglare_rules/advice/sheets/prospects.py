"""The fire of a ship from the ends of its courses, at pieces that its side holds and that drift.

Source: fire of our rule book, turn §6; movement, turn §5. That targets only drift is OWN: where
they fly is a secret of their side.
"""

from collections.abc import Callable

import msgspec

from sunglare_protocol.geometry import Square
from sunglare_protocol.ids import Handle
from sunglare_protocol.orders import Rotate
from sunglare_protocol.views import ContactView, OwnView, TurretView, View
from sunglare_protocol.words.ladder import Fate
from sunglare_rules.advice.odds.broadside import Broadside
from sunglare_rules.advice.seen.plotting import orders_of
from sunglare_rules.advice.sheets.beside import Plan
from sunglare_rules.arcs.turrets import RotationError, rotated
from sunglare_rules.turn.movement import Flight, drifted


def fire_from(view: View, ship: OwnView, plan: Plan) -> Callable[[Flight], dict[Handle, int]]:
    """Return a function from the end of a flight to the mean damage (x 100) on each piece held.

    The plan rotates turrets first; pieces that would take none are left out.
    """
    turned = _rotated(ship, plan)
    aims = [
        (contact.handle, at, Broadside(view, turned, contact))
        for contact in view.contacts
        if contact.handle is not None and contact.fate is Fate.IN_PLAY
        if (at := _adrift(view, contact)) in view.board
    ]

    def told(flight: Flight) -> dict[Handle, int]:
        means = (
            (handle, broadside.hundredths(flight.square, flight.facing, at))
            for handle, at, broadside in aims
        )
        return {handle: mean for handle, mean in means if mean}

    return told


def _adrift(view: View, contact: ContactView) -> Square:
    if contact.landed is not None or contact.vector is None:
        return contact.square
    return drifted(view.board, contact.square, contact.vector)


def _rotated(ship: OwnView, plan: Plan) -> OwnView:
    wanted = {one.turret: one for one in orders_of(ship, plan) if isinstance(one, Rotate)}
    turrets = [_turned(turret, wanted.get(turret.id)) for turret in ship.turrets]
    return msgspec.structs.replace(ship, turrets=tuple(turrets))


def _turned(turret: TurretView, order: Rotate | None) -> TurretView:
    if order is None:
        return turret
    try:
        arcs = rotated(turret.kind, turret.arcs, order.to)
    except RotationError:  # orders of a question are not checked
        return turret
    return msgspec.structs.replace(turret, arcs=arcs)
