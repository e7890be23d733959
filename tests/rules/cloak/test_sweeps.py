"""Active sweeps: thresholds, exact chances and means, the order of sweeps, jamming."""

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from itertools import permutations, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from builders.rolls import shown
from builders.ties import against_name, by_name
from sunglare_protocol.geometry import Board, Place, Planet, PlanetSize, Square
from sunglare_rules.cloak.cloak import Quarry
from sunglare_rules.cloak.sweeps import (
    alternating,
    is_jammed,
    jam_end,
    ships_found,
    sweep,
    sweep_chances,
    sweep_order,
)

FACES = range(1, 7)
DICE = st.lists(st.integers(1, 6), max_size=9)

CHANCES = {
    1: (0, "1"),
    2: (0, "11/36", "25/36"),
    3: (0, "2/27", "17/27", "8/27"),
    4: (0, "7/432", "169/432", "229/432", "1/16"),
    5: (0, "13/3888", "803/3888", "781/1296", "713/3888", "1/243"),
    6: (0, "31/46656", "1547/15552", "12973/23328", "7603/23328", "277/15552", "1/46656"),
}


def found_by_hand(dice: Sequence[int], strict: bool) -> int:
    """Return how many ships a sweep finds, taking the lowest die away each time."""
    left = list(dice)
    if not left or (strict and set(left) == {6}):
        return 0
    left.remove(min(left))
    found = 1
    while left and min(left) <= 6 - found:
        left.remove(min(left))
        found += 1
    return found


def found_by_ships(n: int, ships: int, strict: bool) -> Fraction:
    """Return the mean number found of n by that many ships, each rolling for what is left."""
    if ships == 0:
        return Fraction(0)
    return sum(
        (
            chance * (found + found_by_ships(n - found, ships - 1, strict))
            for found, chance in enumerate(sweep_chances(n, strict))
        ),
        Fraction(0),
    )


@pytest.mark.parametrize(
    ("dice", "found"),
    [
        pytest.param([], 0, id="nobody there"),
        pytest.param([6], 1, id="the nearest is found whatever the die"),
        pytest.param([6, 6], 1, id="the next one needs a 5"),
        pytest.param([5, 6], 1, id="the lowest die goes to the nearest"),
        pytest.param([5, 5], 2, id="a 5 finds the second"),
        pytest.param([1, 1, 5], 2, id="the third needs a 4"),
        pytest.param([1, 1, 4], 3, id="a 4 finds the third"),
        pytest.param([4, 1, 1], 3, id="dice are used from the lowest up"),
        pytest.param([1, 1, 1, 4], 3, id="the fourth needs a 3"),
        pytest.param([1, 5, 4, 3, 2, 1], 4, id="the fifth needs a 2"),
        pytest.param([1, 1, 1, 1, 2, 1], 5, id="the sixth needs a 1"),
        pytest.param([1] * 6, 6, id="six ones find six"),
        pytest.param([1] * 9, 6, id="a seventh is never found"),
        pytest.param([1, 6, 6, 1, 6], 2, id="the first failure ends it"),
    ],
)
def test_each_further_ship_needs_a_lower_die(dice: list[int], found: int) -> None:
    assert ships_found(dice, strict=False) == found


@given(DICE, st.booleans())
def test_sorting_the_dice_equals_removing_the_lowest_each_time(
    dice: list[int], strict: bool
) -> None:
    assert ships_found(dice, strict) == found_by_hand(dice, strict)


@given(DICE)
def test_a_strict_six_matters_only_where_nothing_but_sixes_fell(dice: list[int]) -> None:
    differs = ships_found(dice, strict=True) != ships_found(dice, strict=False)
    assert differs == (set(dice) == {6})


@given(st.lists(st.integers(1, 6), min_size=1, max_size=5), st.booleans())
def test_the_order_of_the_dice_is_nothing(dice: list[int], strict: bool) -> None:
    assert {ships_found(ordered, strict) for ordered in permutations(dice)} == {
        ships_found(dice, strict)
    }


@pytest.mark.parametrize("n", range(1, 7))
def test_the_chances_are_those_of_the_table(n: int) -> None:
    table = tuple(Fraction(chance) for chance in CHANCES[n])
    assert sweep_chances(n, strict=False) == table
    assert sum(table) == 1


@pytest.mark.parametrize("strict", [False, True])
@pytest.mark.parametrize("n", range(7))
def test_the_chances_count_every_way_the_dice_can_fall(n: int, strict: bool) -> None:
    falls = Counter(found_by_hand(dice, strict) for dice in product(FACES, repeat=n))
    expected = tuple(Fraction(falls[found], 6**n) for found in range(n + 1))
    assert sweep_chances(n, strict) == expected


@pytest.mark.parametrize("n", range(1, 7))
def test_the_strict_six_moves_one_roll_of_all_from_one_found_to_none(n: int) -> None:
    automatic, strict = sweep_chances(n, strict=False), sweep_chances(n, strict=True)
    sixes = Fraction(1, 6**n)
    assert strict == (automatic[0] + sixes, automatic[1] - sixes, *automatic[2:])


def test_a_strict_sweep_for_one_ship_finds_it_five_times_in_six() -> None:
    assert sweep_chances(1, strict=True) == (Fraction(1, 6), Fraction(5, 6))


@pytest.mark.parametrize(
    ("n", "strict", "means"),
    [
        pytest.param(1, False, ["1"], id="1 ship"),
        pytest.param(2, False, ["1.694"], id="2 ships"),
        pytest.param(3, False, ["2.222", "2.977", "3", "3"], id="3 ships"),
        pytest.param(4, False, ["2.639", "3.868", "3.9996", "4"], id="4 ships"),
        pytest.param(5, False, ["2.978", "4.651", "4.995", "5"], id="5 ships"),
        pytest.param(6, False, ["3.261", "5.331", "5.974", "5.99996"], id="6 ships"),
        pytest.param(1, True, [".8333", ".9722", ".9954", ".9992"], id="1 ship, strict"),
        pytest.param(6, True, ["3.261", "5.316", "5.885", "5.981"], id="6 ships, strict"),
    ],
)
def test_the_mean_number_found_by_several_sweeping_ships(
    n: int, strict: bool, means: list[str]
) -> None:
    for ships, printed in enumerate(means, start=1):
        digits = len(printed.partition(".")[2]) or 3
        mean = float(found_by_ships(n, ships, strict))
        assert round(mean, digits) == float(printed), (ships, mean)


def test_a_sweep_finds_the_nearest_ships_and_keeps_its_dice() -> None:
    swept = sweep(("near", "middle", "far"), shown([5, 1, 2]), strict=False)
    assert swept.found == ("near", "middle")
    assert swept.dice == (5, 1, 2)


def test_a_sweep_where_nobody_hides_rolls_nothing() -> None:
    assert sweep((), shown([]), strict=False) == ((), ())


@given(DICE, st.booleans())
def test_a_sweep_rolls_one_die_for_each_cloaked_ship(dice: list[int], strict: bool) -> None:
    order = tuple(f"ship {number}" for number in range(len(dice)))
    swept = sweep(order, shown(dice), strict)
    assert swept.dice == tuple(dice)
    assert swept.found == order[: found_by_hand(dice, strict)]


def test_a_sweep_takes_ships_by_their_distance_and_skips_those_that_a_body_hides() -> None:
    board = Board(planets=(Planet(name="P", at=Square(20, 20), size=PlanetSize.SMALL),))
    scanner = Place(Square(20, 22))
    cloaked = [
        Quarry("b", Place(Square(23, 26)), 0),
        Quarry("hidden", Place(Square(20, 18)), 9),
        Quarry("a", Place(Square(20, 27)), 3),
        Quarry("close", Place(Square(21, 22)), 0),
    ]
    assert sweep_order(board, scanner, cloaked, by_name) == ("close", "a", "b")
    clear = sweep_order(Board(), scanner, cloaked, by_name)
    assert clear == ("close", "hidden", "a", "b")
    reverse = sweep_order(board, scanner, cloaked, against_name)
    assert reverse == ("close", "b", "a")


@pytest.mark.parametrize(
    ("sides", "order"),
    [
        pytest.param([], "", id="nobody"),
        pytest.param(["ab", "xy"], "axby", id="as many on both sides"),
        pytest.param(["a", "xyz"], "axyz", id="the longer list goes on alone"),
        pytest.param(["abc", ""], "abc", id="one side only"),
        pytest.param(["ab", "x", "mn"], "axmbn", id="three sides"),
    ],
)
def test_sides_sweep_one_ship_at_a_time_from_the_initiative_winner(
    sides: list[str], order: str
) -> None:
    assert alternating(sides) == tuple(order)


@pytest.mark.parametrize(
    ("previous", "turn", "dice", "end"),
    [
        pytest.param(0, 5, [3], 8, id="one ship"),
        pytest.param(0, 5, [3, 6], 14, id="the dice of two ships add up"),
        pytest.param(9, 5, [3], 12, id="a jam that is on grows longer"),
        pytest.param(5, 5, [1], 6, id="a jam that ends now"),
        pytest.param(2, 5, [4], 9, id="a jam that is over"),
        pytest.param(0, 5, [], 0, id="nobody swept"),
        pytest.param(9, 5, [], 9, id="nobody swept, still jammed"),
    ],
)
def test_every_sweep_jams_space_for_a_die_of_turns(
    previous: int, turn: int, dice: list[int], end: int
) -> None:
    assert jam_end(previous, turn, dice) == end


def test_a_jam_blinds_from_the_turn_after_the_sweep_to_its_last_turn() -> None:
    before, after = 0, jam_end(0, 5, [2])
    blind = [is_jammed(before if turn <= 5 else after, turn) for turn in range(1, 10)]
    assert blind == [turn in (6, 7) for turn in range(1, 10)]


@given(st.integers(0, 30), st.integers(1, 30), st.lists(st.integers(1, 6), min_size=1))
def test_a_sweep_always_jams_the_turns_that_its_dice_count(
    previous: int, turn: int, dice: list[int]
) -> None:
    end = jam_end(previous, turn, dice)
    jammed = [later for later in range(turn + 1, end + 1) if not is_jammed(previous, later)]
    assert len(jammed) == sum(dice)
