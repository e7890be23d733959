"""The nova gun: who may fire it, its three sweeps, whom they hit and how hard."""

from fractions import Fraction
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from builders.rolls import shown
from sunglare_protocol.geometry import Area, Compass, Square, Vector
from sunglare_rules.fire.nova import (
    blinds_passive,
    may_fire_nova,
    sweep_damage,
    sweep_mean,
    sweep_number,
    swept,
    touches,
)

GUN = Square(65, 65)
MAP = Area(0, 0, 129, 129)
NEAR = Area(33, 33, 97, 97)
"""The squares that a sweep may take in, and a few more; MAP has more than twice as far."""
STRAIGHT = (Compass.N, Compass.E, Compass.S, Compass.W)
DIAGONAL = (Compass.NE, Compass.SE, Compass.SW, Compass.NW)


def ahead(facing: Compass, steps: int, aside: int = 0) -> Square:
    """Return the square so many steps ahead, then so many aside (clockwise) of that."""
    step, side = facing.step, facing.turned(2).step
    return GUN.moved(Vector(step.dx * steps + side.dx * aside, step.dy * steps + side.dy * aside))


@pytest.mark.parametrize(
    ("thrust", "others", "allowed"), [(0, 0, True), (1, 0, False), (0, 1, False), (2, 3, False)]
)
def test_a_nova_gun_fires_alone_and_without_thrust(
    thrust: int, others: int, allowed: bool
) -> None:
    assert may_fire_nova(thrust, others) == allowed


def test_it_sweeps_in_the_turn_of_the_shot_and_the_next_two() -> None:
    sweeps = [sweep_number(7, turn) for turn in range(5, 12)]
    assert sweeps == [None, None, 0, 1, 2, None, None]


def test_it_spoils_passive_detection_in_the_two_turns_that_follow() -> None:
    assert [turn for turn in range(5, 12) if blinds_passive(7, turn)] == [8, 9]


@pytest.mark.parametrize("facing", STRAIGHT, ids=lambda facing: facing.value)
@pytest.mark.parametrize(
    ("sweep", "first", "last"), [(0, 3, 10), (1, 11, 20), (2, 21, 30)], ids=["1st", "2nd", "3rd"]
)
def test_along_rows_and_columns_a_sweep_takes_in_its_range(
    facing: Compass, sweep: int, first: int, last: int
) -> None:
    hit = [steps for steps in range(-40, 40) if touches(GUN, facing, sweep, ahead(facing, steps))]
    assert hit == list(range(first, last + 1))


@pytest.mark.parametrize("facing", DIAGONAL, ids=lambda facing: facing.value)
@pytest.mark.parametrize(
    ("sweep", "first", "last"), [(0, 2, 7), (1, 8, 14), (2, 15, 21)], ids=["1st", "2nd", "3rd"]
)
def test_along_diagonals_the_range_is_the_straight_distance(
    facing: Compass, sweep: int, first: int, last: int
) -> None:
    # 2 steps are 8 squared, 7 are 98, 14 are 392, 21 are 882.
    hit = [steps for steps in range(-40, 40) if touches(GUN, facing, sweep, ahead(facing, steps))]
    assert hit == list(range(first, last + 1))


@pytest.mark.parametrize("facing", STRAIGHT, ids=lambda facing: facing.value)
@pytest.mark.parametrize(("sweep", "steps", "across"), [(0, 6, 0), (1, 15, 0), (2, 25, 1)])
def test_only_the_third_sweep_is_wider_than_a_square(
    facing: Compass, sweep: int, steps: int, across: int
) -> None:
    hit = [
        aside for aside in range(-3, 4) if touches(GUN, facing, sweep, ahead(facing, steps, aside))
    ]
    assert hit == list(range(-across, across + 1))


@pytest.mark.parametrize(
    ("away", "hit"),
    [
        ((18, -18), True),
        ((19, -18), True),
        ((18, -19), True),
        ((19, -17), False),
        ((17, -19), False),
        ((20, -18), False),
    ],
)
def test_one_square_across_a_diagonal_is_the_next_line_of_squares_on_either_side(
    away: tuple[int, int], hit: bool
) -> None:
    # One more column is 0.7 squares from the line, one step across it 1.4 squares.
    assert touches(GUN, Compass.NE, 2, GUN.moved(Vector(*away))) == hit


def test_the_far_corners_of_the_third_sweep_lie_beyond_its_range() -> None:
    # 30 ahead and 1 aside are 901 squared; 20 ahead and 1 aside are 401.
    assert not touches(GUN, Compass.N, 2, ahead(Compass.N, 30, 1))
    assert touches(GUN, Compass.N, 2, ahead(Compass.N, 20, 1))


@pytest.mark.parametrize("facing", list(Compass), ids=lambda facing: facing.value)
def test_the_sweeps_share_no_square_and_spare_the_gun(facing: Compass) -> None:
    squares = [set(swept(GUN, facing, sweep, NEAR)) for sweep in range(3)]
    assert all(one.isdisjoint(other) for one, other in combinations(squares, 2))
    assert all(GUN.distance_squared(square) >= 7 for sweep in squares for square in sweep)


@pytest.mark.parametrize(
    ("facing", "counts"),
    [
        # In the third: 21 to 30 ahead, and 20 to 29 ahead on either side.
        pytest.param(Compass.N, (8, 10, 30), id="N"),
        pytest.param(Compass.E, (8, 10, 30), id="E"),
        # In the third: 15 to 21 steps, and on either side 7 squares from 421 to 841 squared.
        pytest.param(Compass.SW, (6, 7, 21), id="SW"),
    ],
)
def test_so_many_squares_are_swept(facing: Compass, counts: tuple[int, ...]) -> None:
    assert tuple(len(swept(GUN, facing, sweep, MAP)) for sweep in range(3)) == counts


@given(st.sampled_from(Compass), st.integers(0, 2), st.integers(-31, 31), st.integers(-31, 31))
def test_a_sweep_is_the_same_in_every_quarter(
    facing: Compass, sweep: int, dx: int, dy: int
) -> None:
    here = touches(GUN, facing, sweep, GUN.moved(Vector(dx, dy)))
    assert touches(GUN, facing.turned(2), sweep, GUN.moved(Vector(-dy, dx))) == here


def test_a_sweep_ends_with_the_map() -> None:
    corner = Area(0, 0, 9, 9)
    assert swept(Square(4, 9), Compass.N, 0, corner) == tuple(Square(4, y) for y in range(7))
    assert swept(Square(4, 9), Compass.N, 1, corner) == ()


@pytest.mark.parametrize(("sweep", "dice"), [(0, 6), (1, 4), (2, 2)])
def test_a_sweep_does_six_then_four_then_two_dice(sweep: int, dice: int) -> None:
    faces = (3, 1, 6, 6, 2, 5, 4)
    shot = sweep_damage(sweep, shown(faces))
    assert (shot.dice, shot.damage) == (faces[:dice], sum(faces[:dice]))
    low, high = (sweep_damage(sweep, shown([face] * 6)).damage for face in (1, 6))
    assert sweep_mean(sweep) == Fraction(low + high, 2) == Fraction(7 * dice, 2)
