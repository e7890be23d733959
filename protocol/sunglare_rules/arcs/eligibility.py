"""Weapons that may fire at what a side knows of a ship, and the range at which they then count.

Source: Full Thrust cloak detection of 2001, dumb weapons at a detected ship and fire control
solutions; cloak hunting of our rule book §3, "Effective range", and the chapter on fire.
"""

import enum
import math
from typing import assert_never

from sunglare_protocol.geometry import BOX_EDGE
from sunglare_protocol.words.armament import WeaponKind
from sunglare_protocol.words.cloak import CloakVariant
from sunglare_rules.turn.scale import MU_PER_BOX, within_mu

LONG_RANGE_FACTOR = 2
"""A merely detected ship counts as this many times as far away ..."""

LONG_RANGE_EXTRA_MU = 12
"""... or as this many mu farther, whichever is more."""


class Guidance(enum.Enum):
    """How a weapon finds its target: aimed straight, homing, or at a place with all that is there.

    Homing is whatever is guided or steered, fighters among it.
    """

    DUMB = "dumb"
    HOMING = "homing"
    AREA = "area"


class Knowledge(enum.Enum):
    """What a side knows of a foreign ship, as far as weapons ask.

    The first three are those of a cloaked ship, the others the rungs of any other one.
    """

    UNDETECTED = "undetected"
    DETECTED = "detected"
    SOLUTION = "solution"
    CONTACT = "contact"
    TRACKED = "tracked"
    COASTING = "coasting"
    MEMORY = "memory"


class RangeRule(enum.Enum):
    """How a weapon counts the range to a ship: not at all, as it is, or longer."""

    NONE = "none"
    TRUE = "true"
    LONG = "long"


LISTED_DUMB = (
    "beam",
    "torpedo",
    "needle",
    "submunition",
    "k_gun",
    "mkp",
    "scattergun",
    "stinger",
    "lance",
    "leech",
    "spicule",
    "pulser",
)
"""The dumb weapons that the source lists, by their words in data files."""

UNLISTED_DUMB = (
    "railgun",
    "graser",
    "plasma_cannon",
    "emp",
    "gravitic",
    "aa_megabattery",
    "rocket",
    "cap",
    "scap",
)
"""OWN: direct fire that is not guided and that the source does not list is dumb as well."""

HOMING = (
    "fighter",
    "gunboat",
    "salvo_missile",
    "heavy_missile",
    "antimatter_missile",
    "boarding_torpedo",
    "drone",
    "msl",
)
"""The weapons that steer. The source names fighters only; its principle decides on the others."""

AREA = ("nova_gun", "wave_gun", "plasma_bolt", "mine", "spinal_mount")
"""OWN: the weapons that are aimed at a place and hit whatever is there."""

CLASS_BY_WORD: dict[str, Guidance] = {
    **dict.fromkeys((*LISTED_DUMB, *UNLISTED_DUMB), Guidance.DUMB),
    **dict.fromkeys(HOMING, Guidance.HOMING),
    **dict.fromkeys(AREA, Guidance.AREA),
}
"""The class of each weapon by its word in data files."""

_AIMED: dict[Knowledge, tuple[RangeRule, RangeRule]] = {
    Knowledge.UNDETECTED: (RangeRule.NONE, RangeRule.NONE),
    Knowledge.DETECTED: (RangeRule.LONG, RangeRule.NONE),
    Knowledge.SOLUTION: (RangeRule.TRUE, RangeRule.TRUE),
    Knowledge.CONTACT: (RangeRule.TRUE, RangeRule.NONE),
    Knowledge.TRACKED: (RangeRule.TRUE, RangeRule.TRUE),
    Knowledge.COASTING: (RangeRule.NONE, RangeRule.NONE),
    Knowledge.MEMORY: (RangeRule.NONE, RangeRule.NONE),
}
"""The range rule of dumb, then of homing weapons. OWN: the last four rows, for other ships."""


def class_of(kind: WeaponKind) -> Guidance:
    """Return how a weapon of that kind finds its target."""
    return CLASS_BY_WORD[kind.value]


def range_rule(state: Knowledge, weapon_class: Guidance) -> RangeRule:
    """Return how such a weapon counts the range to a ship of which its side knows that much.

    OWN: an area weapon asks for no knowledge; it cannot be aimed at a ship, but touches one
    that it covers at the true range.
    """
    dumb, homing = _AIMED[state]
    match weapon_class:
        case Guidance.DUMB:
            return dumb
        case Guidance.HOMING:
            return homing
        case Guidance.AREA:
            return RangeRule.TRUE
        case _:
            assert_never(weapon_class)


def counts_within_mu(rule: RangeRule, distance_squared: int, mu: int) -> bool:
    """Return whether the range counts as at most `mu`; the distance is squared and in squares."""
    match rule:
        case RangeRule.NONE:
            return False
        case RangeRule.TRUE:
            return within_mu(distance_squared, mu)
        case RangeRule.LONG:
            return _long_within_mu(distance_squared, mu)
        case _:
            assert_never(rule)


def counted_distance_squared(rule: RangeRule, distance_squared: int) -> int | None:
    """Return the distance as the rule counts it, squared and in squares; None if not at all.

    The long range is rounded to whole squared squares in such a way that it lies within the
    same limits of whole mu; so bands and dice follow from it without further rounding.
    """
    match rule:
        case RangeRule.NONE:
            return None
        case RangeRule.TRUE:
            return distance_squared
        case RangeRule.LONG:
            return (BOX_EDGE * _long_mu(distance_squared)) ** 2 // MU_PER_BOX**2
        case _:
            assert_never(rule)


def may_fire_cloaked(variant: CloakVariant, weapon_class: Guidance, target_active: bool) -> bool:
    """Return whether a cloaked ship may fire such a weapon at a ship.

    `target_active`: the target swept this turn, whatever it found. OWN: only dumb weapons are
    fired from a cloak, and they count the true range: a cloak hides, it does not blunt.
    """
    if variant is CloakVariant.JAM:
        return False
    return target_active and weapon_class is Guidance.DUMB


def may_answer(weapon_class: Guidance) -> bool:
    """Return whether such a weapon may be held for a cloaked ship that fires. OWN: only dumb."""
    return weapon_class is Guidance.DUMB


def _long_within_mu(distance_squared: int, mu: int) -> bool:
    # Neither the doubled nor the lengthened range may pass the limit; so no root is taken.
    if mu < LONG_RANGE_EXTRA_MU:
        return False
    return within_mu(LONG_RANGE_FACTOR**2 * distance_squared, mu) and within_mu(
        distance_squared, mu - LONG_RANGE_EXTRA_MU
    )


def _long_mu(distance_squared: int) -> int:
    """Return the least limit in whole mu within which the long range lies."""
    doubled = _mu_reached(LONG_RANGE_FACTOR**2 * distance_squared)
    return max(doubled, _mu_reached(distance_squared) + LONG_RANGE_EXTRA_MU)


def _mu_reached(distance_squared: int) -> int:
    """Return the least limit in whole mu that a distance is within."""
    squared_mu = -(-(MU_PER_BOX**2) * distance_squared // BOX_EDGE**2)
    return math.isqrt(squared_mu - 1) + 1 if squared_mu else 0
