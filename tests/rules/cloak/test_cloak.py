"""Passive detection of cloaked ships: detection value, chances, aft arc, what one die reveals."""

import math
from fractions import Fraction
from itertools import product
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from builders.ties import against_name, by_name
from sunglare_protocol.geometry import Board, Compass, Landing, Place, Planet, PlanetSize, Square
from sunglare_protocol.words.cloak import NoiseBlinds, PassiveReveals
from sunglare_rules.cloak.cloak import (
    Hunter,
    Quarry,
    detection_value,
    fastest_thrust,
    is_blind_aft,
    nearest_first,
    passive_chance,
    passive_finds,
    passive_possible,
)

FACES = range(1, 7)
EMPTY = Board()
HERE = Square(20, 20)
NEAREST, ALL = PassiveReveals.NEAREST, PassiveReveals.ALL


def hunter(
    *, thrust: int = 0, facing: Compass = Compass.N, drive: bool = False, at: Square = HERE
) -> Hunter:
    """Return a hunting ship, drifting and facing north unless told otherwise."""
    return Hunter("hunter", Place(at), facing, thrust, drive)


def quarry(ship: str, dx: int, dy: int, thrust: int) -> Quarry:
    """Return a cloaked ship that far from the hunter."""
    return Quarry(ship, Place(Square(HERE.x + dx, HERE.y + dy)), thrust)


def test_a_ship_that_speeds_up_by_two_and_turns_by_two_has_a_detection_value_of_four() -> None:
    assert detection_value(2 + 2, 0, 0) == 4


@pytest.mark.parametrize(
    ("dv", "chance"),
    [
        pytest.param(-8, Fraction(0), id="far below"),
        pytest.param(0, Fraction(0), id="0"),
        pytest.param(1, Fraction(0), id="1"),
        pytest.param(2, Fraction(1, 6), id="2"),
        pytest.param(3, Fraction(1, 3), id="3"),
        pytest.param(4, Fraction(1, 2), id="4"),
        pytest.param(5, Fraction(2, 3), id="5"),
        pytest.param(6, Fraction(5, 6), id="6"),
        pytest.param(7, Fraction(1), id="7"),
        pytest.param(12, Fraction(1), id="far above"),
    ],
)
def test_the_roll_must_be_less_than_the_detection_value(dv: int, chance: Fraction) -> None:
    assert passive_chance(dv) == chance
    finds = [
        passive_finds(EMPTY, hunter(), roll, [quarry("a", 0, -3, dv)], 0, NEAREST, by_name)
        for roll in FACES
    ]
    assert Fraction(sum(found == ("a",) for found in finds), 6) == chance


@given(scanner=st.integers(0, 8), others=st.lists(st.integers(0, 8)))
def test_a_drifting_cloaked_ship_is_never_found_passively(scanner: int, others: list[int]) -> None:
    fastest = fastest_thrust([scanner, *others])
    assert passive_chance(detection_value(0, scanner, fastest)) == 0


def test_the_fastest_ship_is_the_one_that_used_the_most_thrust() -> None:
    assert fastest_thrust([1, 4, 0, 2]) == 4
    assert fastest_thrust([]) == 0


def test_a_noisy_scanner_pays_twice_and_its_friends_once() -> None:
    fastest = fastest_thrust([2, 0])
    assert detection_value(6, 2, fastest) == 6 - 4
    assert detection_value(6, 0, fastest) == 6 - 2


@given(st.integers(-15, 15), st.integers(-15, 15), st.sampled_from(list(FACES)))
def test_range_plays_no_part(dx: int, dy: int, roll: int) -> None:
    found = passive_finds(EMPTY, hunter(), roll, [quarry("a", dx, dy, 4)], 0, NEAREST, by_name)
    assert (found == ("a",)) == (roll < 4)


@pytest.mark.parametrize("facing", list(Compass))
def test_the_blind_arc_is_the_sixty_degrees_astern(facing: Compass) -> None:
    checked = 0
    for dx, dy in product(range(-12, 13), repeat=2):
        if dx == dy == 0:
            continue
        bearing = math.degrees(math.atan2(dx, -dy))
        off_astern = abs((bearing - 45 * facing.index) % 360 - 180)
        there = Square(HERE.x + dx, HERE.y + dy)
        assert is_blind_aft(HERE, facing, there, True) == (off_astern < 30)
        assert not is_blind_aft(HERE, facing, there, False)
        checked += off_astern < 30
    # A sixth of all directions, so roughly a sixth of the squares.
    assert 90 <= checked <= 118


@pytest.mark.parametrize(
    ("facing", "dx", "dy", "blind"),
    [
        pytest.param(Compass.N, 0, 5, True, id="dead astern"),
        pytest.param(Compass.N, 1, 2, True, id="27 degrees off"),
        pytest.param(Compass.N, 4, 7, True, id="29.7 degrees off"),
        pytest.param(Compass.N, 7, 12, False, id="30.3 degrees off"),
        pytest.param(Compass.N, 2, 3, False, id="within the rear arc of weapons only"),
        pytest.param(Compass.N, 0, -5, False, id="ahead"),
        pytest.param(Compass.N, 5, 0, False, id="abeam"),
        pytest.param(Compass.N, 0, 0, False, id="the same square"),
        pytest.param(Compass.NE, -3, 3, True, id="dead astern of a diagonal course"),
        pytest.param(Compass.NE, -1, 3, True, id="26.6 degrees off a diagonal"),
        pytest.param(Compass.NE, -1, 4, False, id="31 degrees off a diagonal"),
        pytest.param(Compass.NE, 0, 4, False, id="45 degrees off a diagonal"),
    ],
)
def test_a_ship_is_blind_astern_of_its_main_drive(
    facing: Compass, dx: int, dy: int, blind: bool
) -> None:
    assert is_blind_aft(HERE, facing, Square(HERE.x + dx, HERE.y + dy), True) is blind


def test_a_ship_that_only_turned_sees_astern() -> None:
    astern = [quarry("a", 0, 3, 8)]
    turned, thrusting = hunter(thrust=1), hunter(thrust=1, drive=True)
    assert passive_finds(EMPTY, turned, 1, astern, 1, NEAREST, by_name) == ("a",)
    assert passive_finds(EMPTY, thrusting, 1, astern, 1, NEAREST, by_name) == ()


@pytest.mark.parametrize(
    ("cloaked", "active", "any_active", "jammed", "nova", "own_noise", "all_noise"),
    [
        pytest.param(False, False, False, False, False, True, True, id="nothing hinders"),
        pytest.param(True, False, False, False, False, False, False, id="cloaked itself"),
        pytest.param(False, True, True, False, False, False, False, id="swept itself"),
        pytest.param(False, False, True, False, False, True, False, id="another one swept"),
        pytest.param(False, False, False, True, False, False, False, id="jammed"),
        pytest.param(False, False, False, False, True, False, False, id="nova in play"),
    ],
)
def test_what_makes_passive_detection_impossible(
    cloaked: bool,
    active: bool,
    any_active: bool,
    jammed: bool,
    nova: bool,
    own_noise: bool,
    all_noise: bool,
) -> None:
    for noise, possible in ((NoiseBlinds.SELF, own_noise), (NoiseBlinds.ALL, all_noise)):
        outcome = passive_possible(
            is_cloaked=cloaked,
            is_active=active,
            any_active=any_active,
            is_jammed=jammed,
            nova_in_play=nova,
            noise=noise,
        )
        assert outcome is possible


@pytest.mark.parametrize(
    ("roll", "nearest", "everything"),
    [
        pytest.param(1, ("slow",), ("slow", "quick", "quicker"), id="beats all three"),
        pytest.param(2, ("slow",), ("slow", "quick", "quicker"), id="2 is less than 3"),
        pytest.param(3, ("quick",), ("quick", "quicker"), id="not the nearest of them all"),
        pytest.param(5, ("quicker",), ("quicker",), id="beats one only"),
        pytest.param(6, (), (), id="beats none"),
    ],
)
def test_a_roll_reveals_the_nearest_of_the_ships_that_it_beats(
    roll: int, nearest: tuple[str, ...], everything: tuple[str, ...]
) -> None:
    cloaked = [quarry("quicker", 0, -9, 6), quarry("slow", 2, 0, 3), quarry("quick", -4, -4, 5)]
    assert passive_finds(EMPTY, hunter(), roll, cloaked, 0, NEAREST, by_name) == nearest
    assert passive_finds(EMPTY, hunter(), roll, cloaked, 0, ALL, by_name) == everything


@pytest.mark.parametrize(("slow", "quick"), [(3, 5), (2, 7), (4, 4), (1, 6)])
def test_one_die_for_all_makes_the_rarer_find_bring_the_other_along(slow: int, quick: int) -> None:
    cloaked = [quarry("slow", 0, -2, slow), quarry("quick", 0, -6, quick)]
    rolls = [set(passive_finds(EMPTY, hunter(), roll, cloaked, 0, ALL, by_name)) for roll in FACES]
    both = Fraction(sum(found == {"slow", "quick"} for found in rolls), 6)
    assert both == min(passive_chance(slow), passive_chance(quick))


def test_ships_equally_far_away_are_told_apart_by_the_keyed_die() -> None:
    cloaked = [quarry("a", 3, 4, 9), quarry("b", -5, 0, 9), quarry("c", 0, -4, 9)]
    assert passive_finds(EMPTY, hunter(), 1, cloaked, 0, ALL, by_name) == ("c", "a", "b")
    assert passive_finds(EMPTY, hunter(), 1, cloaked, 0, ALL, against_name) == ("c", "b", "a")


def test_nearest_is_nearest_by_the_straight_line() -> None:
    diagonal, straight = quarry("a", 4, 4, 9), quarry("b", 0, -5, 9)
    assert nearest_first(EMPTY, Place(HERE), [diagonal, straight], by_name) == ("b", "a")


def test_a_planet_between_both_hides_a_cloaked_ship_like_any_other() -> None:
    board = Board(planets=(Planet(name="P", at=HERE, size=PlanetSize.SMALL),))
    south = hunter(at=Square(20, 22), facing=Compass.N)
    hidden = Quarry("hidden", Place(Square(20, 18)), 9)
    seen = Quarry("seen", Place(Square(30, 22)), 9)
    assert passive_finds(board, south, 1, [hidden, seen], 0, NEAREST, by_name) == ("seen",)
    assert passive_finds(EMPTY, south, 1, [hidden, seen], 0, NEAREST, by_name) == ("hidden",)


def test_a_landed_ship_measures_from_where_it_stands() -> None:
    planet = Planet(name="P", at=HERE, size=PlanetSize.LARGE)
    board = Board(planets=(planet,))
    landed = Place(HERE, Landing(body="P", sector=Compass.E))
    east, west = Quarry("east", Place(Square(24, 20)), 9), Quarry("west", Place(Square(17, 20)), 9)
    assert nearest_first(board, landed, [west, east], by_name) == ("east", "west")


SHIPS = st.lists(
    st.builds(quarry, st.sampled_from("abcdef"), *[st.integers(-9, 9)] * 2, st.integers(0, 8)),
    unique_by=lambda ship: ship.id,
)
HUNTERS = st.builds(
    hunter, thrust=st.integers(0, 2), facing=st.sampled_from(list(Compass)), drive=st.booleans()
)


@given(SHIPS, HUNTERS, st.sampled_from(list(FACES)), st.randoms(use_true_random=False))
def test_what_is_found_never_hangs_on_the_order_in_which_ships_are_listed(
    cloaked: list[Quarry], seeker: Hunter, roll: int, random: Random
) -> None:
    shuffled = random.sample(cloaked, len(cloaked))
    for mode in PassiveReveals:
        found = passive_finds(EMPTY, seeker, roll, cloaked, 2, mode, by_name)
        assert passive_finds(EMPTY, seeker, roll, shuffled, 2, mode, by_name) == found


@given(SHIPS, HUNTERS, st.integers(1, 5))
def test_a_lower_roll_never_reveals_less(cloaked: list[Quarry], seeker: Hunter, roll: int) -> None:
    lower = passive_finds(EMPTY, seeker, roll, cloaked, 2, ALL, by_name)
    higher = passive_finds(EMPTY, seeker, roll + 1, cloaked, 2, ALL, by_name)
    assert set(higher) <= set(lower)
    assert passive_finds(EMPTY, seeker, roll, cloaked, 2, NEAREST, by_name) == lower[:1]
