"""Capital and sub-capital weapons: who may fire them at what, and what they need to hit.

Source: Alpha Strike, "Capital and Sub-Capital Weapons"; capital weapons of our rule book §1, §2
and §3, with the bases of artillery fire of its page on blips, §1.1.

Every attack rolls two dice against one number, the gunner's skill plus the modifiers.
"""

from fractions import Fraction
from typing import NamedTuple, assert_never, final

import msgspec

from sunglare_protocol.surface import Arm, Pressure
from sunglare_protocol.words.armament import WeaponKind
from sunglare_protocol.words.capital import CapitalClass, Carrier, FireMode, RadarZone
from sunglare_protocol.words.pieces import BaseSize
from sunglare_protocol.words.specials import Special, Specials
from sunglare_rules.ground.attacks import BRACKET_MODIFIERS, Bracket, hits

MISSILES = frozenset({CapitalClass.MSL, CapitalClass.SDS_CM})
"""The classes that meet point defence, and the only ones that fire from ground to ground."""

SHIP_CLASSES = frozenset({CapitalClass.CAP, CapitalClass.SCAP, CapitalClass.MSL})
"""The classes that ships carry; ground units carry the others."""

CLASS_OF_KIND = {
    WeaponKind.CAP: CapitalClass.CAP,
    WeaponKind.SCAP: CapitalClass.SCAP,
    WeaponKind.MSL: CapitalClass.MSL,
}
"""The classes of the ships' weapons that are capital or sub-capital ones."""

CLASS_OF_ARM = {
    Arm.SDS_C: CapitalClass.SDS_C,
    Arm.SDS_SC: CapitalClass.SDS_SC,
    Arm.SDS_CM: CapitalClass.SDS_CM,
}
"""The classes of the ground units' weapons that fire into space."""

AGAINST_SMALL = {
    CapitalClass.CAP: 5,
    CapitalClass.SDS_C: 5,
    CapitalClass.SCAP: 3,
    CapitalClass.SDS_SC: 3,
    CapitalClass.MSL: 0,
    CapitalClass.SDS_CM: 0,
}
"""What each class adds against a Small target in the air."""

FOOTPRINTS = frozenset({Special.LG, Special.VLG, Special.SLG})
"""The specials of which any one makes a target no longer Small."""

FOOTPRINT_OF_SIZE: dict[BaseSize, Special | None] = {
    BaseSize.SMALL: None,
    BaseSize.MEDIUM: Special.LG,
    BaseSize.LARGE: Special.VLG,
}
"""OWN: the footprint that the size class of a piece in space stands for."""

IN_ATMOSPHERE = 2
"""What an atmosphere adds, unless the pressure is one of `NO_DRAG`."""

NO_DRAG = frozenset({Pressure.VACUUM, Pressure.TRACE, Pressure.THIN})
"""The pressures at which an atmosphere adds nothing, where pressure counts at all."""

DIRECT_BASE = 4
"""OWN: the modifier of direct artillery, the one that leaves +0 in the Central Zone."""

INDIRECT_BASE = 7
"""OWN: the modifier of indirect artillery, the one that leaves +3 in every other zone."""

FROM_ABOVE = -4
"""What fire from the air at the ground takes off the base."""

DESIGNATED = -2
"""What a friendly TAG on the point takes off."""

MOVABLE = 2
"""What a missile from the ground adds if its carrier is of a kind that moves, moved or not."""

DEFENDED_ONCE = 1
"""What a single point of defence adds against a missile."""

DEFENDED_FOR_SURE = 2
"""With so many points of defence, or more, a missile never arrives."""

GUNNERY = 4
"""The gunnery of ships and ground units, unless their data say otherwise."""

HIGHEST_ROLL = 12
"""What two dice can show at most."""

_FACES = range(1, 7)


@final
class CapitalAttack(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """Everything that bears on whether a capital weapon hits.

    `target_specials`, `bracket`, `in_atmosphere` and `point_defence` (the points spent on this
    missile) count in the air only, `zone` and `has_tag` on the ground, `is_mobile` from ground
    to ground. A zone of None lies beyond the well, a bracket of None beyond extreme range.
    """

    weapon: CapitalClass
    mode: FireMode
    carrier: Carrier
    skill: int = GUNNERY
    bracket: Bracket | None = None
    target_specials: Specials = ()
    in_atmosphere: bool = False
    pressure_rules: bool = True
    pressure: Pressure = Pressure.STANDARD
    zone: RadarZone | None = None
    has_tag: bool = False
    is_mobile: bool = False
    point_defence: int = 0


class ToHit(NamedTuple):
    """What an attack needs: the sum of its modifiers, and the number to roll or better.

    With `auto_miss` no roll hits; at the ground it is rolled all the same, for it scatters.
    """

    legal: bool
    mod: int
    tn: int
    auto_miss: bool


ILLEGAL = ToHit(legal=False, mod=0, tn=0, auto_miss=True)
"""The answer for an attack that may not be made."""


def carries(carrier: Carrier, weapon: CapitalClass) -> bool:
    """Return whether a carrier can have that weapon: ships one half of the classes."""
    return (weapon in SHIP_CLASSES) == (carrier is not Carrier.GROUND)


def may_fire(weapon: CapitalClass, carrier: Carrier, mode: FireMode) -> bool:
    """Return whether a carrier may fire its weapon that way.

    Landed ships fire at the surface only, and from the ground only missiles reach the ground.
    """
    if not carries(carrier, weapon):
        return False
    match mode:
        case FireMode.AIR:
            return carrier is not Carrier.LANDED
        case FireMode.AIR_TO_GROUND:
            return carrier is Carrier.AIRBORNE
        case FireMode.SURFACE_TO_SURFACE:
            return carrier is not Carrier.AIRBORNE and weapon in MISSILES
        case _:
            assert_never(mode)


def is_small(specials: Specials) -> bool:
    """Return whether a target with these specials counts as Small."""
    return FOOTPRINTS.isdisjoint(specials)


def specials_of_size(size: BaseSize | None) -> Specials:
    """Return the footprint of a size class. OWN: an unknown size (None) is taken for Small."""
    footprint = None if size is None else FOOTPRINT_OF_SIZE[size]
    return () if footprint is None else (footprint,)


def drag(pressure: Pressure, *, pressure_rules: bool = True) -> int:
    """Return what an atmosphere of that pressure adds; without pressure rules they are alike."""
    return 0 if pressure_rules and pressure in NO_DRAG else IN_ATMOSPHERE


def capital_to_hit(attack: CapitalAttack) -> ToHit:
    """Return what the attack needs to hit, or `ILLEGAL`.

    It is illegal if its carrier may not fire the weapon that way, if a target in the air is out
    of range, or if fire at the ground comes from beyond the planet's well.
    """
    if not may_fire(attack.weapon, attack.carrier, attack.mode):
        return ILLEGAL
    mod = _modifier(attack)
    if mod is None:
        return ILLEGAL
    tn = attack.skill + mod
    return ToHit(True, mod, tn, tn > HIGHEST_ROLL or _is_stopped(attack))


def capital_hits(needed: ToHit, roll: int) -> bool:
    """Return whether two dice with the sum `roll` hit; a 2 never does."""
    return not needed.auto_miss and hits(roll, needed.tn)


def capital_chance(needed: ToHit) -> Fraction:
    """Return the exact chance to hit."""
    ways = sum(capital_hits(needed, first + second) for first in _FACES for second in _FACES)
    return Fraction(ways, len(_FACES) ** 2)


def _modifier(attack: CapitalAttack) -> int | None:
    """Return the sum of the modifiers; None if range or zone forbid the shot."""
    match attack.mode:
        case FireMode.AIR:
            return _air_modifier(attack)
        case FireMode.AIR_TO_GROUND:
            return _bombardment_modifier(attack)
        case FireMode.SURFACE_TO_SURFACE:
            return _surface_modifier(attack)
        case _:
            assert_never(attack.mode)


def _air_modifier(attack: CapitalAttack) -> int | None:
    if attack.bracket is None:
        return None
    mod = BRACKET_MODIFIERS[attack.bracket]
    if attack.in_atmosphere:
        mod += drag(attack.pressure, pressure_rules=attack.pressure_rules)
    if is_small(attack.target_specials):
        mod += AGAINST_SMALL[attack.weapon]
    if attack.weapon in MISSILES and attack.point_defence == 1:
        mod += DEFENDED_ONCE
    return mod


def _bombardment_modifier(attack: CapitalAttack) -> int | None:
    # The text gives the modifier of fire from above as a final one, so no atmosphere is added.
    if attack.zone is None:
        return None
    base = DIRECT_BASE if attack.zone is RadarZone.CENTRAL else INDIRECT_BASE
    return base + FROM_ABOVE + (DESIGNATED if attack.has_tag else 0)


def _surface_modifier(attack: CapitalAttack) -> int:
    # A missile that stays near the ground always flies through the air of the environs.
    mod = INDIRECT_BASE + drag(attack.pressure, pressure_rules=attack.pressure_rules)
    if attack.is_mobile:
        mod += MOVABLE
    return mod + (DESIGNATED if attack.has_tag else 0)


def _is_stopped(attack: CapitalAttack) -> bool:
    """Return whether point defence stops the attack for sure."""
    return (
        attack.mode is FireMode.AIR
        and attack.weapon in MISSILES
        and attack.point_defence >= DEFENDED_FOR_SURE
    )
