"""Ship weapons: beams and torpedoes, and every kind by its reach, shot and mean.

Source: Full Thrust weapon profiles; fire of our rule book §6 and cloak hunting §1, "Beams" and
"Pulse torpedo". Distances are squared and in squares, between the centres.
"""

from fractions import Fraction
from typing import NamedTuple, assert_never

from sunglare_protocol.words.armament import WeaponKind
from sunglare_rules.fire.missiles import ATTACK_MU, volley_damage, volley_mean
from sunglare_rules.fire.nova import SWEEPS
from sunglare_rules.fire.packs import pack_dice, pack_reach_mu
from sunglare_rules.fire.shots import Roll, Shot
from sunglare_rules.fire.special_weapons import (
    ONE_DIE_REACH_MU,
    kgun_mean,
    kgun_shot,
    one_die_mean,
    one_die_shot,
)
from sunglare_rules.ground.attacks import BRACKET_INCHES, Bracket
from sunglare_rules.turn.scale import within_mu

BEAM_BAND_MU = 12
"""A beam battery loses one die for every further band of this depth."""

TORPEDO_BANDS = ((6, 2), (12, 3), (18, 4), (24, 5), (30, 6))
"""OWN: the torpedo's bands as (reach in mu, lowest die that hits); editions differ on them."""

BEAM_POINTS = (
    (0, 0, 0, 1, 1, 2),
    (0, 0, 0, 0, 1, 2),
    (0, 0, 0, 0, 1, 1),
)
"""Damage points of a beam die: by screens 0 to 2, then by the faces 1 to 6."""

BEAM_AGAIN = 6
"""The face of a beam die that rolls again.

OWN: at every screen level. The rule puts "roll again" on the face, and its clause on screens 2
changes what that face scores, not what else it does. The further die meets the same screens, for
nothing exempts it.
"""

ONE_SHOT = (
    WeaponKind.SUBMUNITION,
    WeaponKind.MKP,
    WeaponKind.SCATTERGUN,
    WeaponKind.LANCE,
    WeaponKind.LEECH,
)
"""The kinds that fire once in a match. OWN: the last three."""

CAPITAL = (WeaponKind.CAP, WeaponKind.SCAP, WeaponKind.MSL)
"""The capital weapons of ships: two dice against one number, and damage by the bracket."""

ARCLESS = (WeaponKind.FIGHTER, WeaponKind.SALVO, WeaponKind.NOVA, WeaponKind.MSL)
"""The kinds without an arc of their own: a nova gun fires along the facing, the rest all around.

OWN: capital missiles among them, for they steer; the other capital weapons are guns.
"""

HOMING = (WeaponKind.FIGHTER, WeaponKind.SALVO, WeaponKind.MSL)
"""The kinds that steer, and so need a live track of their target. OWN: the last one."""

SECRET = (WeaponKind.SALVO, WeaponKind.NOVA, WeaponKind.MSL)
"""The kinds that reveal nothing about the firing ship."""

CLASSED = (WeaponKind.BEAM, WeaponKind.STINGER, WeaponKind.PULSER, WeaponKind.KGUN)
"""The kinds whose class makes a difference."""

_FACES = range(1, 7)


class BeamDie(NamedTuple):
    """What one beam die does: its damage points, and whether it rolls again."""

    points: int
    again: bool


def beam_dice(weapon_class: int, distance_squared: int) -> int:
    """Return how many dice a beam battery of that class rolls at that distance, 0 if too far."""
    # A battery keeps one die for each of its bands that still takes in the target.
    return sum(
        within_mu(distance_squared, BEAM_BAND_MU * bands) for bands in range(1, weapon_class + 1)
    )


def beam_die(die: int, screens: int) -> BeamDie:
    """Return what a beam die showing `die` (1 to 6) does against 0 to 2 screens."""
    return BeamDie(BEAM_POINTS[screens][die - 1], die == BEAM_AGAIN)


def beam_damage(dice: int, screens: int, roll: Roll) -> tuple[int, tuple[int, ...]]:
    """Return the damage points of that many beam dice, and every die in the order rolled.

    The dice of the battery come first (index 0 to dice - 1), then one more for each that rolls
    again, as long as any does.
    """
    damage = 0
    rolled: list[int] = []
    owed = dice
    while len(rolled) < owed:
        die = roll(len(rolled))
        result = beam_die(die, screens)
        rolled.append(die)
        damage += result.points
        owed += result.again
    return damage, tuple(rolled)


def beam_mean(dice: int, screens: int) -> Fraction:
    """Return the exact mean damage of that many beam dice, dice rolled again included."""
    results = [beam_die(face, screens) for face in _FACES]
    points = sum(result.points for result in results)
    ending = sum(not result.again for result in results)
    # With m the mean of a die: 6m = points + (faces that roll again) * m.
    return dice * Fraction(points, ending)


def torpedo_needs(distance_squared: int) -> int | None:
    """Return the lowest die with which a torpedo hits at that distance; None if it is too far."""
    for reach, needed in TORPEDO_BANDS:
        if within_mu(distance_squared, reach):
            return needed
    return None


def torpedo_damage(needed: int, roll: Roll) -> tuple[int, tuple[int, ...]]:
    """Return a torpedo's damage points, and the dice rolled: the shot, then damage if it hit.

    Screens do nothing against it.
    """
    shot = roll(0)
    if shot < needed:
        return 0, (shot,)
    damage = roll(1)
    return damage, (shot, damage)


def torpedo_mean(needed: int) -> Fraction:
    """Return the exact mean damage of a torpedo that hits on `needed` or more."""
    hits = sum(face >= needed for face in _FACES)
    return Fraction(hits, len(_FACES)) * Fraction(sum(_FACES), len(_FACES))


def reach_mu(kind: WeaponKind, weapon_class: int) -> int:
    """Return how far a weapon reaches, in mu; the class matters to the likes of beams alone.

    A capital weapon reaches no further than the last bracket at which it does damage.
    """
    match kind:
        case WeaponKind.BEAM | WeaponKind.STINGER | WeaponKind.PULSER:
            return BEAM_BAND_MU * weapon_class
        case WeaponKind.TORPEDO | WeaponKind.KGUN:
            return TORPEDO_BANDS[-1][0]
        case (
            WeaponKind.SUBMUNITION
            | WeaponKind.SPICULE
            | WeaponKind.SCATTERGUN
            | WeaponKind.LANCE
            | WeaponKind.FIGHTER
        ):
            return pack_reach_mu(kind)
        case WeaponKind.NEEDLE | WeaponKind.MKP | WeaponKind.LEECH:
            return ONE_DIE_REACH_MU
        case WeaponKind.SALVO:
            return ATTACK_MU
        case WeaponKind.NOVA:
            return SWEEPS[-1].to_mu
        case WeaponKind.CAP | WeaponKind.SCAP | WeaponKind.MSL:
            return BRACKET_INCHES[Bracket.EXTREME]
        case _:
            assert_never(kind)


def roll_weapon(
    kind: WeaponKind, weapon_class: int, distance_squared: int, screens: int, roll: Roll
) -> Shot:
    """Return what a weapon does at that distance to a target with 0 to 2 screens.

    A shot out of reach rolls no dice. The class of a volley is the number of its missiles that
    came through point defence. A nova gun is aimed at nothing, and a capital weapon hits by what
    its gunner needs, so that their shots are no matter of this function. OWN: stinger nodes and
    pulser batteries fire as a beam battery of their class.
    """
    match kind:
        case WeaponKind.BEAM | WeaponKind.STINGER | WeaponKind.PULSER:
            return Shot(*beam_damage(beam_dice(weapon_class, distance_squared), screens, roll))
        case (
            WeaponKind.SUBMUNITION
            | WeaponKind.SPICULE
            | WeaponKind.SCATTERGUN
            | WeaponKind.LANCE
            | WeaponKind.FIGHTER
        ):
            return Shot(*beam_damage(pack_dice(kind, distance_squared), screens, roll))
        case WeaponKind.NEEDLE | WeaponKind.MKP | WeaponKind.LEECH:
            return one_die_shot(kind, distance_squared, roll)
        case WeaponKind.TORPEDO | WeaponKind.KGUN:
            needed = torpedo_needs(distance_squared)
            if needed is None:
                return Shot(0, ())
            if kind is WeaponKind.KGUN:
                return kgun_shot(weapon_class, needed, roll)
            return Shot(*torpedo_damage(needed, roll))
        case (
            WeaponKind.SALVO | WeaponKind.NOVA | WeaponKind.CAP | WeaponKind.SCAP | WeaponKind.MSL
        ):
            is_volley = kind is WeaponKind.SALVO and within_mu(distance_squared, ATTACK_MU)
            return volley_damage(weapon_class, roll) if is_volley else Shot(0, ())
        case _:
            assert_never(kind)


def mean_damage(
    kind: WeaponKind, weapon_class: int, distance_squared: int, screens: int
) -> Fraction:
    """Return the exact mean damage of a shot, what leeches do in later turns included."""
    match kind:
        case WeaponKind.BEAM | WeaponKind.STINGER | WeaponKind.PULSER:
            return beam_mean(beam_dice(weapon_class, distance_squared), screens)
        case (
            WeaponKind.SUBMUNITION
            | WeaponKind.SPICULE
            | WeaponKind.SCATTERGUN
            | WeaponKind.LANCE
            | WeaponKind.FIGHTER
        ):
            return beam_mean(pack_dice(kind, distance_squared), screens)
        case WeaponKind.NEEDLE | WeaponKind.MKP | WeaponKind.LEECH:
            return one_die_mean(kind, distance_squared)
        case WeaponKind.TORPEDO | WeaponKind.KGUN:
            needed = torpedo_needs(distance_squared)
            if needed is None:
                return Fraction(0)
            if kind is WeaponKind.KGUN:
                return kgun_mean(weapon_class, needed)
            return torpedo_mean(needed)
        case (
            WeaponKind.SALVO | WeaponKind.NOVA | WeaponKind.CAP | WeaponKind.SCAP | WeaponKind.MSL
        ):
            is_volley = kind is WeaponKind.SALVO and within_mu(distance_squared, ATTACK_MU)
            return volley_mean(weapon_class) if is_volley else Fraction(0)
        case _:
            assert_never(kind)


def is_one_shot(kind: WeaponKind) -> bool:
    """Return whether a weapon of that kind is spent once it has fired."""
    return kind in ONE_SHOT


def has_class(kind: WeaponKind) -> bool:
    """Return whether weapons of that kind come in classes that make a difference."""
    return kind in CLASSED


def has_arc(kind: WeaponKind) -> bool:
    """Return whether weapons of that kind fire through an arc, their own or a turret's."""
    return kind not in ARCLESS


def tells_shooter(kind: WeaponKind) -> bool:
    """Return whether a shot of that kind gives away who fired it."""
    return kind not in SECRET
