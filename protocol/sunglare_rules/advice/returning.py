"""Return fire of cloaked ships: at whom a held weapon would fire now.

Source: Full Thrust cloak detection of 2001, active sweeps; cloak hunting of our rule book §3,
"Return fire". From the view of the cloaked ship's side alone.
"""

from collections.abc import Callable

from sunglare_protocol.ids import Handle
from sunglare_protocol.orders import Fire, Hold
from sunglare_protocol.refusals import Rejected
from sunglare_protocol.views import View
from sunglare_rules.advice.check_fire import aim
from sunglare_rules.advice.lookup import own_ship, targets


def return_shot(view: View, order: Hold, tie: Callable[[Handle], bytes]) -> Fire | None:
    """Return the shot at the nearest ship that swept this turn and that the weapon bears on.

    OWN: the nearest by true distance; `tie` orders those that are equally near.
    """
    ship = own_ship(view, order.ship)
    if isinstance(ship, Rejected):
        return None
    near = [
        (ship.square.distance_squared(each.square), tie(each.handle), shot)
        for each in targets(view)
        if each.handle is not None
        for shot in (Fire(ship=order.ship, weapon=order.weapon, at=each.handle),)
        if not isinstance(aim(view, ship, shot), Rejected)
    ]
    return min(near, key=lambda each: each[:2])[2] if near else None
