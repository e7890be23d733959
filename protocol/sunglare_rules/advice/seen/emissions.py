"""Emissions of an own ship now, as far as its owner's view goes.

Source: Intercept sensors part 2, scan 1 and the question on shadowing; sensors of our rule book
§2 and §5.
"""

from sunglare_protocol.orders import Land, Order, Sensors, Thrust
from sunglare_protocol.views import ContactView, OwnView, View
from sunglare_protocol.words.ladder import Fate, Fix
from sunglare_protocol.words.scans import Signature
from sunglare_rules.advice.seen.lookup import place_of, ships_in_play
from sunglare_rules.advice.seen.plotting import (
    after_plot,
    cloaked_in_movement,
    deployed,
    first_of,
    orders_of,
    powered_in_movement,
)
from sunglare_rules.fire.missiles import burns
from sunglare_rules.sensors.sectors import planet_of
from sunglare_rules.sensors.signatures import Emitter, signatures
from sunglare_rules.sensors.sunlight import Silhouette, is_shadowed_by, sunfactor_on


def own_signatures(view: View, ship: OwnView) -> dict[Signature, int]:
    """Return the signatures of an own ship with their values; on a planet it has none.

    Nor has it any under a cloak.
    """
    if ship.cloaked:
        return {}
    emitter = Emitter(
        echo=ship.echo,
        drive=ship.drive,
        powered=ship.powered,
        popped_out=ship.popped_out,
        thrust_spent=ship.thrust_spent,
        burns=_burns(ship),
        hidden=planet_of(view.board, place_of(ship)) is not None,
    )
    lit = sunfactor_on(view.board, ship.square, shadowed=shadows_larger(view, ship))
    return signatures(emitter, lit)


def signatures_after(view: View, ship: OwnView, orders: tuple[Order, ...]) -> dict[Signature, int]:
    """Return the signatures of an own ship once its orders of this turn are carried out.

    Whom it may shadow then is left open, for others move as well. Of a ship on a body, or that
    lands or lifts off, nothing is said; nor of a volley.
    """
    mine = orders_of(ship, orders)
    grounded = ship.landed is not None or first_of(Land, mine) is not None
    if grounded or ship.volley is not None or cloaked_in_movement(ship, mine):
        return {}
    here, end = deployed(ship, mine), after_plot(view, ship, orders)
    thrust, sensors = first_of(Thrust, mine), first_of(Sensors, mine)
    emitter = Emitter(
        echo=here.echo,
        drive=here.drive,
        powered=powered_in_movement(here, mine),
        popped_out=here.popped_out if sensors is None else sensors.out,
        thrust_spent=0 if thrust is None else len(thrust.to),
    )
    return signatures(emitter, sunfactor_on(view.board, end.square, shadowed=False))


def _burns(ship: OwnView) -> bool:
    if ship.volley is None:
        return ship.thrust_spent > 0
    return burns(ship.volley.movements, cold=ship.volley.cold)


def shadows_larger(view: View, ship: OwnView) -> bool:
    """Return whether the ship hides from the sun behind a larger ship, own or live track."""
    outline = _own_silhouette(ship)
    if outline is None:
        return False
    # No ship is larger than itself, so that it need not be left out.
    own = map(_own_silhouette, ships_in_play(view))
    held = map(_track_silhouette, view.contacts)
    return any(other is not None and is_shadowed_by(outline, other) for other in (*own, *held))


def _own_silhouette(ship: OwnView) -> Silhouette | None:
    if ship.landed is not None or ship.cloaked:
        return None
    return Silhouette(ship.square, ship.vector, ship.facing, ship.echo)


def _track_silhouette(contact: ContactView) -> Silhouette | None:
    if contact.fix is not Fix.TRACKED or contact.fate is not Fate.IN_PLAY:
        return None
    if contact.vector is None or contact.facing is None or contact.size is None:
        return None
    if contact.landed is not None:
        return None
    return Silhouette(contact.square, contact.vector, contact.facing, contact.size)
