"""Weapons that roll a fixed number of beam dice by range, whatever their class.

Source: Full Thrust submunition packs and fighters, and those weapons of its Fleet Books for
which our rule book has a profile of its own; fire of our rule book §6. Distances are squared and
in squares.
"""

from typing import Literal

from sunglare_protocol.words.armament import WeaponKind
from sunglare_rules.turn.scale import within_mu

PackKind = Literal[
    WeaponKind.SUBMUNITION,
    WeaponKind.SPICULE,
    WeaponKind.SCATTERGUN,
    WeaponKind.LANCE,
    WeaponKind.FIGHTER,
]
"""The weapons of this module."""

PACK_BANDS: dict[PackKind, tuple[tuple[int, int], ...]] = {
    WeaponKind.SUBMUNITION: ((6, 3), (12, 2), (18, 1)),
    WeaponKind.SPICULE: ((6, 1),),
    WeaponKind.SCATTERGUN: ((6, 3),),
    WeaponKind.LANCE: ((12, 4),),
    WeaponKind.FIGHTER: ((6, 3),),
}
"""The bands as (reach in mu, dice), nearest first. OWN: all but those of the submunition pack."""


def pack_dice(kind: PackKind, distance_squared: int) -> int:
    """Return how many beam dice the weapon rolls at that distance, 0 if it is too far."""
    for reach, dice in PACK_BANDS[kind]:
        if within_mu(distance_squared, reach):
            return dice
    return 0


def pack_reach_mu(kind: PackKind) -> int:
    """Return how far the weapon reaches, in mu."""
    return PACK_BANDS[kind][-1][0]
