"""Whether a shot is allowed.

Source: Full Thrust fire with the arcs of X-Wing 2.0; fire of our rule book, turn §6.
"""

from sunglare_protocol.orders import Fire
from sunglare_protocol.refusals import Code, Rejected
from sunglare_protocol.views import OwnView, View
from sunglare_rules.advice.bearing import Bearing, bear
from sunglare_rules.advice.lookup import own_target, own_weapon
from sunglare_rules.advice.refusing import refused


def fire_problem(view: View, ship: OwnView, order: Fire) -> Rejected | None:
    """Return why the ship cannot fire this shot, or None; the open window is not looked at."""
    aimed = aim(view, ship, order)
    return aimed if isinstance(aimed, Rejected) else None


def aim(view: View, ship: OwnView, order: Fire) -> Bearing | Rejected:
    """Return how the weapon of the order bears on its target, or why it may not be fired.

    Everything is judged on the view: what only hidden facts forbid reads like a miss later.
    """
    weapon = own_weapon(ship, order.weapon)
    if isinstance(weapon, Rejected):
        return weapon
    if not ship.powered:
        return refused(Code.ORDER_POWER, ".ship")
    if ship.landed is not None:
        return refused(Code.ORDER_LANDED, ".ship")
    target = own_target(view, order.at)
    return target if isinstance(target, Rejected) else bear(view, ship, weapon, target)
