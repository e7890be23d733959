"""Whether a shot is allowed.

Source: Full Thrust fire with the arcs of X-Wing 2.0; fire of our rule book, turn §6.
"""

from sunglare_protocol.armament import WeaponKind
from sunglare_protocol.ladder import Fix
from sunglare_protocol.orders import Bombard, Fire, Order
from sunglare_protocol.pieces import PieceKind
from sunglare_protocol.refusals import Code, Rejected
from sunglare_protocol.views import ContactView, OwnView, View, WeaponView
from sunglare_rules.advice.bearing import Bearing, bear
from sunglare_rules.advice.lookup import not_targetable, own_target, own_weapon
from sunglare_rules.advice.refusing import refused
from sunglare_rules.nova import may_fire_nova
from sunglare_rules.weapons import is_homing


def fire_problem(
    view: View, ship: OwnView, order: Fire, orders: tuple[Order, ...] = ()
) -> Rejected | None:
    """Return why the ship cannot fire this shot, or None; the open window is not looked at.

    `orders` are all that are given at once: a nova gun fires alone.
    """
    weapon = _ready_weapon(ship, order)
    if isinstance(weapon, Rejected):
        return weapon
    if weapon.kind is WeaponKind.NOVA:
        return _nova_problem(ship, order, orders)
    aimed = aim(view, ship, order)
    return aimed if isinstance(aimed, Rejected) else None


def aim(view: View, ship: OwnView, order: Fire) -> Bearing | Rejected:
    """Return how the weapon of the order bears on its target, or why it may not be fired.

    Everything is judged on the view: what only hidden facts forbid reads like a miss later.
    """
    weapon = _ready_weapon(ship, order)
    if isinstance(weapon, Rejected):
        return weapon
    target = own_target(view, order.at)
    if isinstance(target, Rejected):
        return target
    return _state_problem(view, weapon, target) or bear(view, ship, weapon, target)


def _ready_weapon(ship: OwnView, order: Fire) -> WeaponView | Rejected:
    """Return the working weapon of the order, or why it does not fire whatever the target."""
    weapon = own_weapon(ship, order.weapon)
    if isinstance(weapon, Rejected):
        return weapon
    if order.point is not None:
        return refused(Code.ORDER_PIECE, ".point", "A ship fires at points by `bombard`.")
    if weapon.kind is WeaponKind.SALVO and ship.kind is not PieceKind.MISSILE:
        return refused(Code.ORDER_WEAPON, ".weapon", "A launcher is used in PLOT, by `launch`.")
    if order.system is not None and weapon.kind is not WeaponKind.NEEDLE:
        return refused(Code.ORDER_SYSTEM, ".system")
    if not ship.powered:
        return refused(Code.ORDER_POWER, ".ship")
    if ship.landed is not None:
        return refused(Code.ORDER_LANDED, ".ship")
    return weapon


def _state_problem(view: View, weapon: WeaponView, target: ContactView) -> Rejected | None:
    if is_homing(weapon.kind) and target.fix is not Fix.TRACKED:
        return not_targetable(view, target, (Fix.TRACKED,))
    return None


def _nova_problem(ship: OwnView, order: Fire, orders: tuple[Order, ...]) -> Rejected | None:
    if order.at is not None:
        return refused(Code.ORDER_NOVA, ".at", "It takes no target: it fires along the facing.")
    shots = [each for each in orders if isinstance(each, Fire | Bombard) and each.ship == ship.id]
    if may_fire_nova(ship.thrust_spent, len([each for each in shots if each != order])):
        return None
    detail = "The ship must have spent no thrust and fire nothing else."
    return refused(Code.ORDER_NOVA, "", detail)
