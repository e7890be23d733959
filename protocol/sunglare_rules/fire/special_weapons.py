"""Weapons off the beam table: needle beams, K-guns, MKP packs and leech pods.

Source: Full Thrust weapon profiles; fire of our rule book §6, and cloak hunting §1 on needle
beams at cloaked ships. OWN: screens do nothing against any of them, for where the rule book is
silent we take them for bolts and shells like the torpedo. Distances are squared, in squares.
"""

from collections.abc import Callable
from fractions import Fraction
from typing import Literal

from sunglare_protocol.words.armament import SystemAim, WeaponKind
from sunglare_rules.fire.shots import Extra, Roll, Shot
from sunglare_rules.turn.scale import within_mu

OneDieKind = Literal[WeaponKind.NEEDLE, WeaponKind.MKP, WeaponKind.LEECH]
"""The weapons whose one die is both hit and damage."""

ONE_DIE_REACH_MU = 12
"""How far the weapons of one die reach."""

ONE_DIE_POINTS: dict[OneDieKind, tuple[int, ...]] = {
    WeaponKind.NEEDLE: (0, 0, 0, 1, 1, 1),
    WeaponKind.MKP: (0, 0, 0, 4, 4, 8),
    WeaponKind.LEECH: (0, 0, 0, 2, 2, 2),
}
"""Damage points in the turn of the shot, by the faces 1 to 6. OWN: those of the leech pod."""

NEEDLE_DESTROYS = 6
"""The face with which a needle beam destroys the system it was aimed at."""

LEECH_POINTS = 2
"""OWN: what a leech costs the ship it holds, in each later turn."""

LEECH_TURNS = 2
"""OWN: in how many turns after that of the shot a leech goes on."""

KGUN_NEVER = 6
"""The second die of a K-gun that never doubles, whatever the class."""

_FACES = range(1, 7)


def one_die_shot(kind: OneDieKind, distance_squared: int, roll: Roll) -> Shot:
    """Return what the weapon's die does at that distance; without a die if it is too far."""
    if not within_mu(distance_squared, ONE_DIE_REACH_MU):
        return Shot(0, ())
    die = roll(0)
    points = ONE_DIE_POINTS[kind][die - 1]
    return Shot(points, (die,), _extra(kind, die) if points else None)


def one_die_mean(kind: OneDieKind, distance_squared: int) -> Fraction:
    """Return the exact mean damage at that distance, a leech's later turns included."""
    if not within_mu(distance_squared, ONE_DIE_REACH_MU):
        return Fraction(0)
    points = ONE_DIE_POINTS[kind]
    later = LEECH_TURNS * LEECH_POINTS if kind is WeaponKind.LEECH else 0
    return Fraction(sum(first + later for first in points if first), len(points))


def _extra(kind: OneDieKind, die: int) -> Extra | None:
    """Return what a hit with `die` does apart from its damage."""
    if kind is WeaponKind.LEECH:
        return Extra.LEECHES
    return Extra.SYSTEM if kind is WeaponKind.NEEDLE and die == NEEDLE_DESTROYS else None


def kgun_shot(weapon_class: int, needed: int, roll: Roll) -> Shot:
    """Return the shot of a K-gun that hits on `needed` or more.

    A hit does as many points as the class; a second die of at most the class doubles them, a 6
    never.
    """
    shot = roll(0)
    if shot < needed:
        return Shot(0, (shot,))
    second = roll(1)
    return Shot(_kgun_points(weapon_class, second), (shot, second))


def kgun_mean(weapon_class: int, needed: int) -> Fraction:
    """Return the exact mean damage of a K-gun that hits on `needed` or more."""
    hits = sum(face >= needed for face in _FACES)
    points = sum(_kgun_points(weapon_class, face) for face in _FACES)
    return Fraction(hits * points, len(_FACES) ** 2)


def _kgun_points(weapon_class: int, second: int) -> int:
    doubled = second <= weapon_class and second != KGUN_NEVER
    return 2 * weapon_class if doubled else weapon_class


def leech_damage(leeches: int) -> int:
    """Return the damage points that so many leeches, all from earlier turns, do in a turn."""
    return LEECH_POINTS * leeches


def needle_takes(
    aim: SystemAim | None,
    systems: tuple[str, ...],
    weapons: tuple[str, ...],
    pick: Callable[[int], int],
    *,
    is_cloaked: bool = False,
) -> str | None:
    """Return the system that a needle beam's 6 destroys, or None.

    `systems` are the target's working systems and `weapons` those among them that are weapons;
    `pick` rolls a die of so many sides, for aimed at a weapon the beam takes any. What the
    target lacks is not destroyed, and of a cloaked ship nothing can be picked out.
    """
    if aim is None or is_cloaked:
        return None
    if aim is SystemAim.WEAPON:
        return weapons[pick(len(weapons)) - 1] if weapons else None
    return aim.value if aim.value in systems else None
