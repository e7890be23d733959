"""Salvo missiles: aiming, movement, life, attack range and damage."""

from fractions import Fraction
from itertools import product

import pytest

from builders.rolls import shown
from sunglare_protocol.geometry import Square, Vector
from sunglare_rules.fire.missiles import (
    lives_on,
    may_aim,
    may_attack,
    nearest_targets,
    volley_damage,
    volley_end,
    volley_mean,
)

HERE = Square(20, 20)


@pytest.mark.parametrize(
    ("dx", "dy", "allowed"),
    [
        (0, 0, True),
        (10, 0, True),
        (0, -10, True),
        (6, 8, True),
        (-8, 6, True),
        (11, 0, False),
        (10, 1, False),
        (7, 8, False),
    ],
)
def test_a_volley_is_aimed_within_24_mu(dx: int, dy: int, allowed: bool) -> None:
    assert may_aim(HERE, HERE.moved(Vector(dx, dy))) == allowed


def test_a_burning_volley_goes_straight_to_its_aim() -> None:
    assert volley_end(HERE, Square(25, 12)) == Square(25, 12)


@pytest.mark.parametrize("drift", [Vector(0, 0), Vector(-3, 4)])
def test_a_cold_volley_drifts_with_the_ships_vector(drift: Vector) -> None:
    assert volley_end(HERE, Square(25, 12), drift) == Square(20 + drift.dx, 20 + drift.dy)


def test_a_volley_lives_through_three_movements() -> None:
    assert [lives_on(moved) for moved in range(5)] == [True, True, True, False, False]


@pytest.mark.parametrize(
    ("dx", "dy", "near"),
    [(0, 0, True), (2, 1, True), (1, 2, True), (2, 2, False), (0, 3, False), (-2, -1, True)],
)
def test_a_volley_attacks_within_6_mu(dx: int, dy: int, near: bool) -> None:
    assert may_attack(HERE, HERE.moved(Vector(dx, dy))) == near


@pytest.mark.parametrize(
    ("away", "nearest"),
    [
        pytest.param([(2, 1), (1, 1), (2, 0)], (1,), id="the nearest"),
        pytest.param([(2, 0), (2, 1), (0, -2)], (0, 2), id="two equally near"),
        pytest.param([(3, 0), (2, 2)], (), id="nobody near enough"),
        pytest.param([], (), id="nobody at all"),
        pytest.param([(9, 9), (0, 0)], (1,), id="in the same square"),
    ],
)
def test_by_itself_a_volley_attacks_the_nearest_in_range(
    away: list[tuple[int, int]], nearest: tuple[int, ...]
) -> None:
    targets = tuple(HERE.moved(Vector(*offset)) for offset in away)
    assert nearest_targets(HERE, targets) == nearest


@pytest.mark.parametrize(
    ("faces", "damage"), [((), 0), ((1,), 1), ((6, 6), 12), ((2, 5, 6, 1, 1, 3), 18)]
)
def test_each_missile_left_does_its_die(faces: tuple[int, ...], damage: int) -> None:
    shot = volley_damage(len(faces), shown([*faces, 6]))
    assert (shot.damage, shot.dice, shot.extra) == (damage, faces, None)


@pytest.mark.parametrize("missiles", range(4))
def test_the_mean_of_a_volley_agrees_with_every_way_it_can_fall(missiles: int) -> None:
    falls = list(product(range(1, 7), repeat=missiles))
    total = sum(volley_damage(missiles, shown(faces)).damage for faces in falls)
    assert volley_mean(missiles) == Fraction(total, len(falls))
