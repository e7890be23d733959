"""Rules of damage: hull rows, rows crossed, threshold checks and the drive."""

from hypothesis import given
from hypothesis import strategies as st

from builders.cases import cases
from sunglare_rules.fire.damage import (
    drive_after_losses,
    hull_rows,
    rows_crossed,
    system_lost,
    threshold_needs,
)

HULLS = st.integers(1, 200)


@cases(
    ("hull", "rows"),
    {
        "decoy": (1, (1, 0, 0, 0)),
        "fighter flight": (3, (1, 1, 1, 0)),
        "courier": (6, (2, 2, 1, 1)),
        "three odd boxes": (7, (2, 2, 2, 1)),
        "corvette": (8, (2, 2, 2, 2)),
        "one odd box": (9, (3, 2, 2, 2)),
        "raider": (14, (4, 4, 3, 3)),
        "frigate": (16, (4, 4, 4, 4)),
        "cruiser": (28, (7, 7, 7, 7)),
    },
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


@cases(
    ("hull", "before", "after", "row"),
    {
        "unhurt": (8, 0, 0, 0),
        "a box of row 1 left": (8, 0, 1, 0),
        "last box of row 1": (8, 0, 2, 1),
        "no new damage at a row's end": (8, 2, 2, 0),
        "row 1 was crossed before": (8, 2, 3, 0),
        "last box of row 2": (8, 3, 4, 2),
        "last box of row 3": (8, 5, 6, 3),
        "inside row 4": (8, 6, 7, 0),
        "the end of row 4 is no row's check": (8, 6, 8, 0),
        "two rows at once count as the worse": (8, 1, 5, 2),
        "three rows at once count as the worst": (8, 0, 6, 3),
        "far more than the hull": (8, 0, 30, 3),
        "raider, row 1 has 4": (14, 3, 4, 1),
        "raider, row 2 has 4 too": (14, 4, 7, 0),
        "raider, end of row 2": (14, 7, 8, 2),
        "raider, row 3 has 3": (14, 8, 11, 3),
        "fighter, first box": (3, 0, 1, 1),
        "fighter, second box": (3, 1, 2, 2),
        "one box ends every row": (1, 0, 1, 3),
    },
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


@cases(
    ("row", "lost"),
    {"row 1: a 6": (1, {6}), "row 2: 5 or more": (2, {5, 6}), "row 3: 4 or more": (3, {4, 5, 6})},
)
def test_a_threshold_check_grows_harder_row_by_row(row: int, lost: set[int]) -> None:
    needs = threshold_needs(row)
    assert {die for die in range(1, 7) if system_lost(die, needs)} == lost


@cases(
    ("rating", "losses", "thrust"),
    {
        "whole": (4, 0, 4),
        "halved": (4, 1, 2),
        "halved, rounding down": (3, 1, 1),
        "half of one is nothing": (1, 1, 0),
        "a second loss ends it": (4, 2, 0),
        "there is no third": (4, 3, 0),
    },
)
def test_a_drive_is_halved_and_then_gone(rating: int, losses: int, thrust: int) -> None:
    assert drive_after_losses(rating, losses) == thrust
