"""Checks of a shot, and of holding a weapon for an answer.

Source: Full Thrust fire with the arcs of X-Wing 2.0, and cloak detection of 2001; fire of our
rule book, turn §6, and cloak hunting §3, "Effective range", "Return fire" and "Answers".
"""

from sunglare_protocol.orders import Bombard, Fire, Hold, Order
from sunglare_protocol.refusals import Code, Rejected
from sunglare_protocol.views import ContactView, OwnView, View, WeaponView
from sunglare_protocol.words.armament import WeaponKind
from sunglare_protocol.words.cloak import CloakVariant
from sunglare_protocol.words.ladder import Fix
from sunglare_protocol.words.pieces import PieceKind
from sunglare_rules.advice.refusing import refused
from sunglare_rules.advice.seen.bearing import Bearing, bear
from sunglare_rules.advice.seen.lookup import own_target, own_weapon, swept_now, targets
from sunglare_rules.arcs.eligibility import (
    Knowledge,
    RangeRule,
    class_of,
    may_answer,
    may_fire_cloaked,
    range_rule,
)
from sunglare_rules.fire.nova import may_fire_nova

KNOWLEDGE = {
    Fix.SOLUTION: Knowledge.SOLUTION,
    Fix.TRACKED: Knowledge.TRACKED,
    Fix.DETECTED: Knowledge.DETECTED,
    Fix.CONTACT: Knowledge.CONTACT,
    Fix.COASTING: Knowledge.COASTING,
    Fix.MEMORY: Knowledge.MEMORY,
}
"""What each rung is to weapons."""

CLOAKED_FIXES = (Fix.DETECTED, Fix.SOLUTION)
"""The rungs of a cloaked ship that was found this turn."""


def fire_problem(
    view: View, ship: OwnView, order: Fire, orders: tuple[Order, ...] = ()
) -> Rejected | None:
    """Return why the ship cannot fire this shot, or None; the open window is not looked at.

    `orders` are all that are given at once: a nova gun fires alone, what is held is not fired.
    """
    for given in orders:
        if isinstance(given, Hold) and (given.ship, given.weapon) == (order.ship, order.weapon):
            return refused(Code.ORDER_TWICE)
    weapon = _ready_weapon(ship, order)
    if isinstance(weapon, Rejected):
        return weapon
    if weapon.kind is WeaponKind.NOVA:
        return _nova_problem(ship, order, orders)
    aimed = aim(view, ship, order)
    return aimed if isinstance(aimed, Rejected) else None


def hold_problem(view: View, ship: OwnView, order: Hold) -> Rejected | None:
    """Return why the ship cannot hold this weapon for a cloaked ship that fires, or None.

    It need not bear on anything: no other side learns that it was held.
    """
    weapon = _ready_weapon(ship, Fire(ship=order.ship, weapon=order.weapon))
    if isinstance(weapon, Rejected):
        return weapon
    if ship.cloaked:
        detail = "A cloaked ship cannot hold a weapon; it fires only at ships that swept."
        return refused(Code.ORDER_CLOAK, ".ship", detail)
    if not view.cloak_rules.cloaks:
        return refused(Code.ORDER_CLOAK, ".ship", "This match has no cloaks.")
    if view.cloak_rules.variant is CloakVariant.JAM:
        detail = "No cloaked ship fires in this match, so there is nothing to hold for."
        return refused(Code.ORDER_CLOAK, ".ship", detail)
    dumb = [
        fitted for fitted in ship.weapons if fitted.works and may_answer(class_of(fitted.kind))
    ]
    if weapon in dumb:
        return None
    detail = "Only dumb weapons can be held."
    return refused(Code.ORDER_WEAPON, ".weapon", detail, tuple(choice.id for choice in dumb))


def shot_range_rule(weapon: WeaponView, contact: ContactView) -> RangeRule:
    """Return how the weapon counts the range to what is known of the contact."""
    return range_rule(KNOWLEDGE[contact.fix], class_of(weapon.kind))


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
    rule = shot_range_rule(weapon, target)
    problem = _weapon_problem(view, ship, weapon, target) or _system_problem(order, target)
    return problem or bear(view, ship, weapon, target, rule)


def guns_on(view: View, ship: OwnView, target: ContactView) -> tuple[WeaponView, ...]:
    """Return the weapons that the ship may fire at what is known of a target, if they bear."""
    ready = (_ready_weapon(ship, Fire(ship=ship.id, weapon=gun.id)) for gun in ship.weapons)
    return tuple(
        [
            gun
            for gun in ready
            if not isinstance(gun, Rejected)
            and gun.kind is not WeaponKind.NOVA
            and _weapon_problem(view, ship, gun, target) is None
        ]
    )


def _ready_weapon(ship: OwnView, order: Fire) -> WeaponView | Rejected:
    """Return the working weapon of the order, or why it does not fire whatever the target."""
    weapon = own_weapon(ship, order.weapon)
    if isinstance(weapon, Rejected):
        return weapon
    if order.point is not None:
        return refused(Code.ORDER_PIECE, ".point", "A ship fires at points with `bombard`.")
    if weapon.kind is WeaponKind.SALVO and ship.kind is not PieceKind.MISSILE:
        return refused(Code.ORDER_WEAPON, ".weapon", "A launcher fires in PLOT, with `launch`.")
    if order.system is not None and weapon.kind is not WeaponKind.NEEDLE:
        return refused(Code.ORDER_SYSTEM, ".system")
    if not ship.powered:
        return refused(Code.ORDER_POWER, ".ship")
    if ship.landed is not None:
        return refused(Code.ORDER_LANDED, ".ship")
    return weapon


def _weapon_problem(
    view: View, ship: OwnView, weapon: WeaponView, target: ContactView
) -> Rejected | None:
    """Return why such a weapon may not be fired at what is known of the target, or None."""
    if ship.cloaked:
        return _cloaked_problem(view, weapon) or _quiet_problem(view, target)
    if shot_range_rule(weapon, target) is not RangeRule.NONE:
        return None
    right = tuple(
        contact.handle
        for contact in targets(view)
        if contact.handle is not None and shot_range_rule(weapon, contact) is not RangeRule.NONE
    )
    detail = f"{target.label} is {target.fix.value}; this takes a live track or a solution."
    return refused(Code.ORDER_STATE, ".at", detail, right)


def _system_problem(order: Fire, target: ContactView) -> Rejected | None:
    """Return why no system of the target can be picked, or None: a cloak shows no systems."""
    if order.system is None or target.fix not in CLOAKED_FIXES:
        return None
    detail = f"{target.label} is cloaked; fire at it without naming a system."
    return refused(Code.ORDER_SYSTEM, ".system", detail)


def _cloaked_problem(view: View, weapon: WeaponView) -> Rejected | None:
    """Return why a cloaked ship may not fire such a weapon, not even at sweepers, or None."""
    variant = view.cloak_rules.variant
    if may_fire_cloaked(variant, class_of(weapon.kind), target_active=True):
        return None
    if variant is CloakVariant.JAM:
        return refused(Code.ORDER_CLOAK, ".ship", "Cloaked ships never fire in this match.")
    return refused(Code.ORDER_CLOAK, ".weapon", "This weapon cannot be fired from a cloak.")


def _quiet_problem(view: View, target: ContactView) -> Rejected | None:
    if swept_now(view, target):
        return None
    return refused(Code.ORDER_CLOAK, ".at", "A cloaked ship fires only at ships that swept.")


def _nova_problem(ship: OwnView, order: Fire, orders: tuple[Order, ...]) -> Rejected | None:
    if ship.cloaked:
        return refused(Code.ORDER_CLOAK, ".weapon", "This weapon cannot be fired from a cloak.")
    if order.at is not None:
        return refused(Code.ORDER_NOVA, ".at", "It fires along the ship's facing; name no target.")
    # What is held may come to be fired.
    shots = [given for given in orders if isinstance(given, Fire | Bombard | Hold)]
    others = len([shot for shot in shots if shot.ship == ship.id and shot != order])
    if may_fire_nova(thrust_spent=ship.thrust_spent, other_shots=others):
        return None
    detail = "The ship must spend no thrust, and fire and hold nothing else."
    return refused(Code.ORDER_NOVA, "", detail)
