"""Rules of ship weapons: dice by distance, screens, torpedoes, reach and exact odds."""

import itertools
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from builders.rolls import shown
from sunglare_protocol.words.armament import WeaponKind
from sunglare_rules.fire.weapons import (
    BeamDie,
    beam_damage,
    beam_dice,
    beam_die,
    beam_mean,
    reach_mu,
    torpedo_damage,
    torpedo_mean,
    torpedo_needs,
)
from sunglare_rules.turn.scale import within_mu

POINTS = {
    0: {1: 0, 2: 0, 3: 0, 4: 1, 5: 1, 6: 2},
    1: {1: 0, 2: 0, 3: 0, 4: 0, 5: 1, 6: 2},
    2: {1: 0, 2: 0, 3: 0, 4: 0, 5: 1, 6: 1},
}

FACES = st.integers(1, 6)
SCREENS = st.integers(0, 2)
CLASSES = st.integers(1, 5)
DISTANCES = st.integers(0, 1000)


@pytest.mark.parametrize("screens", [0, 1, 2])
@pytest.mark.parametrize("face", range(1, 7))
def test_a_beam_die_scores_by_its_face_and_the_screens(face: int, screens: int) -> None:
    assert beam_die(face, screens) == BeamDie(POINTS[screens][face], face == 6)


@pytest.mark.parametrize(
    ("weapon_class", "distance_squared", "dice"),
    [
        pytest.param(1, 0, 1, id="class 1 in the same square"),
        pytest.param(1, 25, 1, id="class 1 at exactly 12 mu"),
        pytest.param(1, 26, 0, id="class 1 beyond 12 mu"),
        pytest.param(2, 25, 2, id="class 2 at exactly 12 mu"),
        pytest.param(2, 26, 1, id="class 2 beyond 12 mu"),
        pytest.param(2, 100, 1, id="class 2 at exactly 24 mu"),
        pytest.param(2, 101, 0, id="class 2 beyond 24 mu"),
        pytest.param(3, 25, 3, id="class 3 at exactly 12 mu"),
        pytest.param(3, 26, 2, id="class 3 beyond 12 mu"),
        pytest.param(3, 101, 1, id="class 3 beyond 24 mu"),
        pytest.param(3, 225, 1, id="class 3 at exactly 36 mu"),
        pytest.param(3, 226, 0, id="class 3 beyond 36 mu"),
        pytest.param(4, 226, 1, id="class 4 beyond 36 mu"),
        pytest.param(4, 401, 0, id="class 4 beyond 48 mu"),
    ],
)
def test_a_beam_loses_one_die_for_every_twelve_mu(
    weapon_class: int, distance_squared: int, dice: int
) -> None:
    assert beam_dice(weapon_class, distance_squared) == dice


@pytest.mark.parametrize(
    ("dice", "screens", "faces", "damage", "rolled"),
    [
        pytest.param(0, 0, [], 0, (), id="no dice"),
        pytest.param(3, 0, [3, 4, 5], 2, (3, 4, 5), id="4 and 5 score one"),
        pytest.param(3, 1, [3, 4, 5], 1, (3, 4, 5), id="one screen stops a 4"),
        pytest.param(2, 2, [4, 5], 1, (4, 5), id="two screens stop a 4"),
        pytest.param(1, 0, [6, 1], 2, (6, 1), id="a 6 scores two and rolls again"),
        pytest.param(1, 0, [6, 6, 4], 5, (6, 6, 4), id="a second 6 rolls again too"),
        pytest.param(2, 0, [6, 2, 5], 3, (6, 2, 5), id="dice rolled again come last"),
        pytest.param(1, 1, [6, 4], 2, (6, 4), id="the further die meets the screen"),
        pytest.param(1, 2, [6, 6, 5], 3, (6, 6, 5), id="a 6 rolls again through two screens"),
    ],
)
def test_a_battery_adds_up_its_dice(
    dice: int, screens: int, faces: list[int], damage: int, rolled: tuple[int, ...]
) -> None:
    assert beam_damage(dice, screens, shown(faces)) == (damage, rolled)


@given(st.integers(0, 6), SCREENS, st.lists(FACES, max_size=12))
def test_each_six_owes_one_more_die(dice: int, screens: int, faces: list[int]) -> None:
    damage, rolled = beam_damage(dice, screens, shown(faces))
    assert len(rolled) == dice + rolled.count(6)
    assert rolled == tuple(shown(faces)(index) for index in range(len(rolled)))
    assert damage == sum(POINTS[screens][face] for face in rolled)


@given(st.integers(0, 6), st.lists(FACES, max_size=12))
def test_more_screens_never_help_the_shooter(dice: int, faces: list[int]) -> None:
    roll = shown(faces)
    bare, one, two = (beam_damage(dice, screens, roll)[0] for screens in range(3))
    assert bare >= one >= two


@given(CLASSES, DISTANCES, DISTANCES)
def test_nearer_is_never_fewer_dice(weapon_class: int, one: int, other: int) -> None:
    near, far = sorted((one, other))
    assert beam_dice(weapon_class, near) >= beam_dice(weapon_class, far)


@given(CLASSES, DISTANCES)
def test_a_beam_has_dice_exactly_within_its_reach(weapon_class: int, squared: int) -> None:
    dice = beam_dice(weapon_class, squared)
    assert 0 <= dice <= weapon_class
    assert (dice > 0) == within_mu(squared, reach_mu(WeaponKind.BEAM, weapon_class))


@given(CLASSES, st.integers(0, 600))
def test_one_class_more_is_one_die_more_wherever_it_reaches(
    weapon_class: int, squared: int
) -> None:
    larger = beam_dice(weapon_class + 1, squared)
    assert beam_dice(weapon_class, squared) == max(0, larger - 1)


@pytest.mark.parametrize(
    ("screens", "mean"),
    [
        pytest.param(0, Fraction(4, 5), id="no screens"),
        pytest.param(1, Fraction(3, 5), id="one screen"),
        pytest.param(2, Fraction(2, 5), id="two screens"),
    ],
)
def test_the_mean_of_a_beam_die_agrees_with_every_way_it_can_fall(
    screens: int, mean: Fraction
) -> None:
    # Cut off after some rolls, a die keeps all of its mean but the part behind that many sixes.
    most = 5
    total = 0
    for faces in itertools.product(range(1, 7), repeat=most):
        sixes = len(list(itertools.takewhile(lambda face: face == 6, faces)))
        total += sum(POINTS[screens][face] for face in faces[: sixes + 1])
    assert Fraction(total, 6**most) == mean * (1 - Fraction(1, 6) ** most)
    assert beam_mean(1, screens) == mean


@pytest.mark.parametrize("screens", [0, 1, 2])
def test_a_battery_means_as_much_as_its_dice_together(screens: int) -> None:
    assert [beam_mean(dice, screens) for dice in range(4)] == [
        dice * Fraction(4 - screens, 5) for dice in range(4)
    ]


@pytest.mark.parametrize(
    ("distance_squared", "needed"),
    [
        pytest.param(0, 2, id="same square"),
        pytest.param(6, 2, id="6 mu"),
        pytest.param(7, 3, id="beyond 6 mu"),
        pytest.param(25, 3, id="12 mu"),
        pytest.param(26, 4, id="beyond 12 mu"),
        pytest.param(56, 4, id="18 mu"),
        pytest.param(57, 5, id="beyond 18 mu"),
        pytest.param(100, 5, id="24 mu"),
        pytest.param(101, 6, id="beyond 24 mu"),
        pytest.param(156, 6, id="30 mu"),
        pytest.param(157, None, id="beyond 30 mu"),
    ],
)
def test_a_torpedo_needs_more_the_farther_it_goes(
    distance_squared: int, needed: int | None
) -> None:
    assert torpedo_needs(distance_squared) == needed
    assert within_mu(distance_squared, reach_mu(WeaponKind.TORPEDO, 1)) == (needed is not None)


@pytest.mark.parametrize("needed", range(2, 7))
@pytest.mark.parametrize("shot", range(1, 7))
def test_a_torpedo_rolls_for_damage_only_if_it_hits(shot: int, needed: int) -> None:
    expected = (5, (shot, 5)) if shot >= needed else (0, (shot,))
    assert torpedo_damage(needed, shown([shot, 5])) == expected


@pytest.mark.parametrize(
    ("needed", "mean"),
    [
        pytest.param(2, Fraction(35, 12), id="2 or more"),
        pytest.param(3, Fraction(7, 3), id="3 or more"),
        pytest.param(4, Fraction(7, 4), id="4 or more"),
        pytest.param(5, Fraction(7, 6), id="5 or more"),
        pytest.param(6, Fraction(7, 12), id="6 alone"),
    ],
)
def test_the_mean_of_a_torpedo_agrees_with_every_way_it_can_fall(
    needed: int, mean: Fraction
) -> None:
    falls = itertools.product(range(1, 7), repeat=2)
    total = sum(damage for shot, damage in falls if shot >= needed)
    assert Fraction(total, 36) == mean
    assert torpedo_mean(needed) == mean


@pytest.mark.parametrize(
    ("kind", "weapon_class", "reach"),
    [
        pytest.param(WeaponKind.BEAM, 1, 12, id="beam 1"),
        pytest.param(WeaponKind.BEAM, 2, 24, id="beam 2"),
        pytest.param(WeaponKind.BEAM, 3, 36, id="beam 3"),
        pytest.param(WeaponKind.TORPEDO, 1, 30, id="torpedo"),
        pytest.param(WeaponKind.TORPEDO, 3, 30, id="torpedo of any class"),
    ],
)
def test_a_weapon_reaches_as_far_as_its_kind_and_class(
    kind: WeaponKind, weapon_class: int, reach: int
) -> None:
    assert reach_mu(kind, weapon_class) == reach


@pytest.mark.parametrize("kind", list(WeaponKind))
def test_every_weapon_may_fire_within_its_own_square(kind: WeaponKind) -> None:
    assert within_mu(0, reach_mu(kind, 1))
