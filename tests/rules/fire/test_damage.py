"""Rules of damage: hull rows, rows crossed, threshold checks and the drive."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sunglare_rules.fire.damage import (
    drive_after_losses,
    hull_rows,
    rows_crossed,
    system_lost,
    threshold_needs,
)

HULLS = st.integers(1, 200)


@pytest.mark.parametrize(
    ("hull", "rows"),
    [
        pytest.param(1, (1, 0, 0, 0), id="decoy"),
        pytest.param(3, (1, 1, 1, 0), id="fighter flight"),
        pytest.param(6, (2, 2, 1, 1), id="courier"),
        pytest.param(7, (2, 2, 2, 1), id="three odd boxes"),
        pytest.param(8, (2, 2, 2, 2), id="corvette"),
        pytest.param(9, (3, 2, 2, 2), id="one odd box"),
        pytest.param(14, (4, 4, 3, 3), id="raider"),
        pytest.param(16, (4, 4, 4, 4), id="frigate"),
        pytest.param(28, (7, 7, 7, 7), id="cruiser"),
    ],
)
def test_a_hull_stands_in_four_rows_and_the_first_take_the_odd_boxes(
    hull: int, rows: tuple[int, int, int, int]
) -> None:
    assert hull_rows(hull) == rows


@given(HULLS)
def test_no_box_is_lost_between_the_rows_and_they_are_as_equal_as_can_be(hull: int) -> None:
    rows = hull_rows(hull)
    assert sum(rows) == hull
    assert max(rows) - min(rows) <= 1
    assert list(rows) == sorted(rows, reverse=True)


@pytest.mark.parametrize(
    ("hull", "before", "after", "row"),
    [
        pytest.param(8, 0, 0, 0, id="unhurt"),
        pytest.param(8, 0, 1, 0, id="a box of row 1 left"),
        pytest.param(8, 0, 2, 1, id="last box of row 1"),
        pytest.param(8, 2, 2, 0, id="no new damage at a row's end"),
        pytest.param(8, 2, 3, 0, id="row 1 was crossed before"),
        pytest.param(8, 3, 4, 2, id="last box of row 2"),
        pytest.param(8, 5, 6, 3, id="last box of row 3"),
        pytest.param(8, 6, 7, 0, id="inside row 4"),
        pytest.param(8, 6, 8, 0, id="the end of row 4 is no row's check"),
        pytest.param(8, 1, 5, 2, id="two rows at once count as the worse"),
        pytest.param(8, 0, 6, 3, id="three rows at once count as the worst"),
        pytest.param(8, 0, 30, 3, id="far more than the hull"),
        pytest.param(14, 3, 4, 1, id="raider, row 1 has 4"),
        pytest.param(14, 4, 7, 0, id="raider, row 2 has 4 too"),
        pytest.param(14, 7, 8, 2, id="raider, end of row 2"),
        pytest.param(14, 8, 11, 3, id="raider, row 3 has 3"),
        pytest.param(3, 0, 1, 1, id="fighter, first box"),
        pytest.param(3, 1, 2, 2, id="fighter, second box"),
        pytest.param(1, 0, 1, 3, id="one box ends every row"),
    ],
)
def test_the_worst_row_end_crossed_this_turn_counts(
    hull: int, before: int, after: int, row: int
) -> None:
    assert rows_crossed(hull, before, after) == row


@given(HULLS, st.lists(st.integers(0, 10), min_size=1, max_size=30))
def test_each_row_end_is_crossed_once_however_the_damage_comes(
    hull: int, blows: list[int]
) -> None:
    taken, crossed = 0, []
    for blow in blows:
        row = rows_crossed(hull, taken, taken + blow)
        taken += blow
        if row:
            crossed.append(row)
    assert crossed == sorted(set(crossed))
    assert max(crossed, default=0) == rows_crossed(hull, 0, taken)


@given(st.integers(4, 200), st.integers(0, 199))
def test_each_box_ends_a_row_or_none(hull: int, before: int) -> None:
    ends = {sum(hull_rows(hull)[:row]): row for row in (1, 2, 3)}
    assert rows_crossed(hull, before, before + 1) == ends.get(before + 1, 0)


@pytest.mark.parametrize(
    ("row", "lost"),
    [
        pytest.param(1, {6}, id="row 1: a 6"),
        pytest.param(2, {5, 6}, id="row 2: 5 or more"),
        pytest.param(3, {4, 5, 6}, id="row 3: 4 or more"),
    ],
)
def test_a_threshold_check_grows_harder_row_by_row(row: int, lost: set[int]) -> None:
    needs = threshold_needs(row)
    assert {die for die in range(1, 7) if system_lost(die, needs)} == lost


@pytest.mark.parametrize(
    ("rating", "losses", "thrust"),
    [
        pytest.param(4, 0, 4, id="whole"),
        pytest.param(4, 1, 2, id="halved"),
        pytest.param(3, 1, 1, id="halved, rounding down"),
        pytest.param(1, 1, 0, id="half of one is nothing"),
        pytest.param(4, 2, 0, id="a second loss ends it"),
        pytest.param(4, 3, 0, id="there is no third"),
    ],
)
def test_a_drive_is_halved_and_then_gone(rating: int, losses: int, thrust: int) -> None:
    assert drive_after_losses(rating, losses) == thrust
