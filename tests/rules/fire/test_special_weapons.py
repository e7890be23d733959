"""Profiles of every kind of weapon: reach, dice, damage, exact means, what fires only once."""

from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from builders.rolls import shown
from sunglare_protocol.words.armament import SystemAim, WeaponKind
from sunglare_rules.fire.packs import PackKind, pack_dice
from sunglare_rules.fire.shots import Extra, Shot
from sunglare_rules.fire.special_weapons import leech_damage, needle_takes
from sunglare_rules.fire.weapons import (
    CAPITAL,
    beam_damage,
    beam_dice,
    has_class,
    is_one_shot,
    mean_damage,
    reach_mu,
    roll_weapon,
    torpedo_needs,
)
from sunglare_rules.turn.scale import within_mu

FACES = st.integers(1, 6)
SCREENS = st.integers(0, 2)
CLASSES = st.integers(1, 5)
DISTANCES = st.integers(0, 400)


# Reach.


@pytest.mark.parametrize(
    ("kind", "weapon_class", "reach"),
    [
        (WeaponKind.BEAM, 5, 60),
        (WeaponKind.STINGER, 1, 12),
        (WeaponKind.STINGER, 3, 36),
        (WeaponKind.PULSER, 2, 24),
        (WeaponKind.TORPEDO, 1, 30),
        (WeaponKind.KGUN, 1, 30),
        (WeaponKind.KGUN, 5, 30),
        (WeaponKind.NEEDLE, 1, 12),
        (WeaponKind.SUBMUNITION, 1, 18),
        (WeaponKind.MKP, 1, 12),
        (WeaponKind.SPICULE, 1, 6),
        (WeaponKind.SCATTERGUN, 1, 6),
        (WeaponKind.LANCE, 1, 12),
        (WeaponKind.LEECH, 1, 12),
    ],
    ids=lambda value: value.value if isinstance(value, WeaponKind) else str(value),
)
def test_a_weapon_reaches_its_limit_and_no_farther(
    kind: WeaponKind, weapon_class: int, reach: int
) -> None:
    assert reach_mu(kind, weapon_class) == reach


AIMED = [kind for kind in WeaponKind if kind not in (WeaponKind.NOVA, *CAPITAL)]
"""A nova gun is aimed at nothing; capital weapons hit by what their gunners need."""


@given(st.sampled_from(AIMED), CLASSES, DISTANCES, SCREENS)
def test_a_weapon_rolls_dice_exactly_within_its_reach(
    kind: WeaponKind, weapon_class: int, squared: int, screens: int
) -> None:
    shot = roll_weapon(kind, weapon_class, squared, screens, shown([]))
    assert bool(shot.dice) == within_mu(squared, reach_mu(kind, weapon_class))
    assert bool(mean_damage(kind, weapon_class, squared, screens)) == bool(shot.dice)


@given(st.sampled_from(WeaponKind), CLASSES, DISTANCES, DISTANCES, SCREENS)
def test_nearer_is_never_worse(
    kind: WeaponKind, weapon_class: int, one: int, other: int, screens: int
) -> None:
    near, far = sorted((one, other))
    assert mean_damage(kind, weapon_class, near, screens) >= mean_damage(
        kind, weapon_class, far, screens
    )


# Weapons on the beam table.


@given(
    st.sampled_from([WeaponKind.STINGER, WeaponKind.PULSER]),
    CLASSES,
    DISTANCES,
    SCREENS,
    st.lists(FACES, max_size=12),
)
def test_stingers_and_pulsers_fire_as_a_beam_of_their_class(
    kind: WeaponKind, weapon_class: int, squared: int, screens: int, faces: list[int]
) -> None:
    roll = shown(faces)
    as_beam = roll_weapon(WeaponKind.BEAM, weapon_class, squared, screens, roll)
    assert roll_weapon(kind, weapon_class, squared, screens, roll) == as_beam
    assert as_beam[:2] == beam_damage(beam_dice(weapon_class, squared), screens, roll)
    mean = mean_damage(kind, weapon_class, squared, screens)
    assert mean == mean_damage(WeaponKind.BEAM, weapon_class, squared, screens)


@pytest.mark.parametrize(
    ("kind", "squared", "dice"),
    [
        (WeaponKind.SUBMUNITION, 0, 3),
        (WeaponKind.SUBMUNITION, 6, 3),
        (WeaponKind.SUBMUNITION, 7, 2),
        (WeaponKind.SUBMUNITION, 25, 2),
        (WeaponKind.SUBMUNITION, 26, 1),
        (WeaponKind.SUBMUNITION, 56, 1),
        (WeaponKind.SUBMUNITION, 57, 0),
        (WeaponKind.SPICULE, 6, 1),
        (WeaponKind.SPICULE, 7, 0),
        (WeaponKind.SCATTERGUN, 6, 3),
        (WeaponKind.SCATTERGUN, 7, 0),
        (WeaponKind.LANCE, 6, 4),
        (WeaponKind.LANCE, 25, 4),
        (WeaponKind.LANCE, 26, 0),
    ],
    ids=lambda value: value.value if isinstance(value, WeaponKind) else str(value),
)
@pytest.mark.parametrize("screens", [0, 1, 2])
def test_packs_roll_their_beam_dice_by_range(
    kind: PackKind, squared: int, dice: int, screens: int
) -> None:
    assert pack_dice(kind, squared) == dice
    # No class makes a difference, and screens stop what they stop of a beam.
    for weapon_class in (1, 3):
        shot = roll_weapon(kind, weapon_class, squared, screens, shown([5] * dice))
        assert shot == Shot(dice, (5,) * dice)
        fours = roll_weapon(kind, weapon_class, squared, screens, shown([4] * dice))
        assert fours.damage == (0 if screens else dice)
        mean = mean_damage(kind, weapon_class, squared, screens)
        assert mean == dice * Fraction(4 - screens, 5)


def test_a_six_of_a_pack_rolls_again() -> None:
    shot = roll_weapon(WeaponKind.SPICULE, 1, 0, 0, shown([6, 6, 4]))
    assert shot == Shot(5, (6, 6, 4))


# Weapons of one die.


@pytest.mark.parametrize(
    ("kind", "points"),
    [
        pytest.param(WeaponKind.NEEDLE, (0, 0, 0, 1, 1, 1), id="needle: 4 or more does 1"),
        pytest.param(WeaponKind.MKP, (0, 0, 0, 4, 4, 8), id="MKP: 4 or more 4 points, 6 twice"),
        pytest.param(WeaponKind.LEECH, (0, 0, 0, 2, 2, 2), id="leech: 4 or more does 2"),
    ],
)
@pytest.mark.parametrize("screens", [0, 1, 2])
@pytest.mark.parametrize("squared", [0, 25])
def test_one_die_is_hit_and_damage_whatever_the_screens(
    kind: WeaponKind, points: tuple[int, ...], screens: int, squared: int
) -> None:
    for face, damage in enumerate(points, 1):
        shot = roll_weapon(kind, 1, squared, screens, shown([face, 6, 6]))
        assert (shot.damage, shot.dice) == (damage, (face,))


@pytest.mark.parametrize(
    ("kind", "extras"),
    [
        (WeaponKind.NEEDLE, {6: Extra.SYSTEM}),
        (WeaponKind.LEECH, dict.fromkeys((4, 5, 6), Extra.LEECHES)),
        (WeaponKind.MKP, {}),
        (WeaponKind.TORPEDO, {}),
        (WeaponKind.KGUN, {}),
        (WeaponKind.BEAM, {}),
        (WeaponKind.LANCE, {}),
    ],
    ids=lambda value: value.value if isinstance(value, WeaponKind) else "",
)
@pytest.mark.parametrize("face", range(1, 7))
def test_only_needles_and_leeches_do_more_than_damage(
    kind: WeaponKind, extras: dict[int, Extra], face: int
) -> None:
    assert roll_weapon(kind, 1, 4, 0, shown([face])).extra is extras.get(face)


# K-guns.


@pytest.mark.parametrize(
    ("weapon_class", "second", "damage"),
    [(1, 1, 2), (1, 2, 1), (2, 2, 4), (2, 3, 2), (3, 3, 6), (3, 4, 3), (5, 5, 10), (5, 6, 5)],
)
def test_a_kgun_does_its_class_and_doubles_it_on_a_die_up_to_the_class(
    weapon_class: int, second: int, damage: int
) -> None:
    shot = roll_weapon(WeaponKind.KGUN, weapon_class, 6, 2, shown([2, second]))
    assert shot == Shot(damage, (2, second))


def test_a_six_never_doubles_even_above_class_five() -> None:
    assert roll_weapon(WeaponKind.KGUN, 6, 6, 0, shown([2, 6])).damage == 6


@given(DISTANCES, FACES, FACES, CLASSES)
def test_a_kgun_hits_where_a_torpedo_would(
    squared: int, first: int, second: int, weapon_class: int
) -> None:
    needed = torpedo_needs(squared)
    shot = roll_weapon(WeaponKind.KGUN, weapon_class, squared, 0, shown([first, second]))
    if needed is None:
        assert shot == Shot(0, ())
    elif first < needed:
        assert shot == Shot(0, (first,))
    else:
        assert shot.damage in (weapon_class, 2 * weapon_class)


# Means.


@pytest.mark.parametrize(
    ("kind", "weapon_class", "squared"),
    [
        *product([WeaponKind.KGUN], range(1, 6), [6, 25, 56, 100, 156]),
        *product([WeaponKind.TORPEDO], [1], [6, 25, 56, 100, 156]),
        *product([WeaponKind.NEEDLE, WeaponKind.MKP, WeaponKind.LEECH], [1], [0, 25]),
    ],
    ids=lambda value: value.value if isinstance(value, WeaponKind) else str(value),
)
@pytest.mark.parametrize("screens", [0, 2])
def test_a_mean_agrees_with_every_way_the_dice_can_fall(
    kind: WeaponKind, weapon_class: int, squared: int, screens: int
) -> None:
    total = 0
    for faces in product(range(1, 7), repeat=2):
        shot = roll_weapon(kind, weapon_class, squared, screens, shown(faces))
        # Two points in each of the two turns that follow.
        total += shot.damage + (4 if shot.extra is Extra.LEECHES else 0)
    assert mean_damage(kind, weapon_class, squared, screens) == Fraction(total, 36)


@pytest.mark.parametrize(
    ("kind", "mean"),
    [
        (WeaponKind.NEEDLE, Fraction(1, 2)),
        (WeaponKind.MKP, Fraction(8, 3)),
        (WeaponKind.LEECH, Fraction(3)),
        (WeaponKind.SUBMUNITION, Fraction(12, 5)),
        (WeaponKind.SPICULE, Fraction(4, 5)),
        (WeaponKind.SCATTERGUN, Fraction(12, 5)),
        (WeaponKind.LANCE, Fraction(16, 5)),
        (WeaponKind.KGUN, Fraction(35, 36)),
        (WeaponKind.TORPEDO, Fraction(35, 12)),
    ],
    ids=lambda value: value.value if isinstance(value, WeaponKind) else str(value),
)
def test_the_mean_at_point_blank_range_without_screens(kind: WeaponKind, mean: Fraction) -> None:
    assert mean_damage(kind, 1, 0, 0) == mean


# What lasts.


@pytest.mark.parametrize("kind", list(WeaponKind), ids=lambda kind: kind.value)
def test_packs_and_pods_fire_once(kind: WeaponKind) -> None:
    once = {"submunition", "mkp", "scattergun", "lance", "leech"}
    assert is_one_shot(kind) == (kind.value in once)


@pytest.mark.parametrize("kind", list(WeaponKind), ids=lambda kind: kind.value)
def test_a_class_matters_exactly_where_there_are_classes(kind: WeaponKind) -> None:
    means = {mean_damage(kind, weapon_class, 4, 0) for weapon_class in range(1, 6)}
    # The class of a volley is the number of its missiles, which no data file sets.
    assert (has_class(kind) or kind is WeaponKind.SALVO) == (len(means) > 1)


def test_each_leech_does_two_points_a_turn() -> None:
    assert [leech_damage(leeches) for leeches in range(4)] == [0, 2, 4, 6]


# What a needle beam takes.

SYSTEMS = ("B1", "P1", "drive", "screens")
GUNS = ("B1", "P1")


def last(sides: int) -> int:
    """Return the highest face of a die of so many sides."""
    return sides


@pytest.mark.parametrize(
    ("aim", "taken"),
    [
        (SystemAim.DRIVE, "drive"),
        (SystemAim.SCREENS, "screens"),
        (SystemAim.SENSORS, None),
        (SystemAim.CLOAK, None),
        (SystemAim.ECM, None),
        (SystemAim.POINT_DEFENCE, None),
        (SystemAim.WEAPON, "P1"),
        (None, None),
    ],
    ids=lambda value: value.value if isinstance(value, SystemAim) else str(value),
)
def test_a_needle_beam_takes_what_it_was_aimed_at_if_the_target_has_it(
    aim: SystemAim | None, taken: str | None
) -> None:
    assert needle_takes(aim, SYSTEMS, GUNS, last) == taken
    assert needle_takes(aim, SYSTEMS, GUNS, last, is_cloaked=True) is None


@pytest.mark.parametrize(("face", "taken"), [(1, "B1"), (2, "P1")])
def test_which_weapon_a_needle_beam_takes_is_a_die(face: int, taken: str) -> None:
    def pick(sides: int) -> int:
        assert sides == len(GUNS)
        return face

    assert needle_takes(SystemAim.WEAPON, SYSTEMS, GUNS, pick) == taken


def test_an_unarmed_ship_has_no_weapon_to_lose() -> None:
    assert needle_takes(SystemAim.WEAPON, ("drive",), (), last) is None
