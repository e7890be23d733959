"""The search of an environs: both values, the printed table, its edges, who is found."""

import re
from collections import Counter
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from builders.searches import rated
from sunglare_rules.search.agents import Agent
from sunglare_rules.search.search import (
    SearchProblem,
    SearchTry,
    chance,
    column,
    entry,
    event_group,
    hiding_value,
    hiding_wits,
    leader_of,
    row,
    search_problem,
    search_value,
    searched,
)

VALUES = (
    (1,),
    (2,),
    (3,),
    (4,),
    (5,),
    (6,),
    (7,),
    (8,),
    *((odd, odd + 1) for odd in range(9, 21, 2)),
)
"""The search values of each column, without the last one, which is open."""

TABLE = {
    1: (2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9),
    2: (1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8),
    3: (1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8),
    4: (1, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7),
    5: (1, 1, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7),
    6: (1, 1, 1, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6),
    7: (1, 1, 1, 1, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6),
    8: (1, 1, 1, 1, 1, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5),
    9: (1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 3, 3, 4, 4, 5),
}
"""The entries by row, from the first column to the last."""

PRINTED = """
    1 2 3 4 5 6 7 8 9-10 11-12 13-14 15-16 17-18 19-20 21+
    1- 2 2 3 3 4 4 5 5 6 6 7 7 8 8 9
    2 1 2 2 3 3 4 4 5 5 6 6 7 7 8 8
    3 1 1 2 2 3 3 4 4 5 5 6 6 7 7 8
    4 1 1 1 2 2 3 3 4 4 5 5 6 6 7 7
    5 1 1 1 1 2 2 3 3 4 4 5 5 6 6 7
    6 1 1 1 1 1 2 2 3 3 4 4 5 5 6 6
    7 1 1 1 1 1 1 2 2 3 3 4 4 5 5 6
    8 1 1 1 1 1 1 1 2 2 3 3 4 4 5 5
    9+ 1 1 1 1 1 1 1 1 2 2 3 3 4 4 5
"""
"""The figures in the order in which the source prints them: the heads, then row after row."""

CELLS = [(hiding, place) for hiding in TABLE for place in range(1, 16)]
HIDING = st.integers(-30, 30)
SEARCHING = st.integers(1, 60)


def in_head(head: str, number: int) -> bool:
    """Return whether a printed head, such as `9-10`, `21+` or `1-`, takes in a number."""
    least, sign, most = re.fullmatch(r"(\d+)([-+]?)(\d*)", head).groups()  # type: ignore[union-attr]
    if sign == "+":
        return number >= int(least)
    if sign == "-":
        return int(least) <= number <= int(most) if most else number <= int(least)
    return number == int(least)


@pytest.mark.parametrize(
    ("hiding", "place"), CELLS, ids=[f"row {hiding} column {place}" for hiding, place in CELLS]
)
def test_each_cell_of_the_table_is_as_the_rules_have_it(hiding: int, place: int) -> None:
    values = VALUES[place - 1] if place < 15 else (21, 22, 60)
    assert {entry(hiding, value) for value in values} == {TABLE[hiding][place - 1]}


def test_the_whole_table_is_as_the_source_prints_it() -> None:
    heads, *rows = [line.split() for line in PRINTED.strip().splitlines()]
    cells = {
        (rank, head): int(figure)
        for rank, *figures in rows
        for head, figure in zip(heads, figures, strict=True)
    }
    assert len(cells) == 135
    for hiding, value in product(range(-3, 13), range(1, 26)):
        (found,) = [
            figure
            for (rank, head), figure in cells.items()
            if in_head(rank, hiding) and in_head(head, value)
        ]
        assert entry(hiding, value) == found


def test_the_entries_are_counted_as_the_table_has_them() -> None:
    counted = Counter(figure for figures in TABLE.values() for figure in figures)
    values = (*range(1, 9), *range(9, 21, 2), 21)
    assert Counter(entry(hiding, value) for hiding in TABLE for value in values) == counted
    assert counted.total() == 135


@pytest.mark.parametrize(
    ("value", "place"),
    [
        *((1, 1), (8, 8), (9, 9), (10, 9), (11, 10), (12, 10), (13, 11), (18, 13)),
        *((19, 14), (20, 14), (21, 15), (22, 15), (500, 15)),
    ],
)
def test_a_search_value_has_a_column(value: int, place: int) -> None:
    assert column(value) == place


@pytest.mark.parametrize(("hiding", "rank"), [(-7, 1), (0, 1), (1, 1), (2, 2), (9, 9), (12, 9)])
def test_a_hiding_value_has_a_row_and_crowds_go_to_the_first(hiding: int, rank: int) -> None:
    assert row(hiding) == rank


@pytest.mark.parametrize("value", [0, -1])
def test_a_search_value_below_one_is_no_search(value: int) -> None:
    assert chance(1, value) == 0
    with pytest.raises(ValueError, match="no search"):
        entry(1, value)


@given(HIDING, SEARCHING)
def test_a_search_is_never_certain_and_never_hopeless(hiding: int, value: int) -> None:
    assert Fraction(1, 10) <= chance(hiding, value) <= Fraction(9, 10)


@given(HIDING, SEARCHING)
def test_more_searchers_never_hurt(hiding: int, value: int) -> None:
    assert entry(hiding, value + 1) >= entry(hiding, value)


@given(HIDING, SEARCHING)
def test_more_hiding_never_helps_the_searcher(hiding: int, value: int) -> None:
    assert entry(hiding + 1, value) <= entry(hiding, value)


@pytest.mark.parametrize(
    ("forces", "leadership", "wits", "value"),
    [
        pytest.param((2,), 0, (), 2, id="one unit"),
        pytest.param((3, 2), 1, (2,), 8, id="two units, their leader, a free agent"),
        pytest.param((), 0, (4, 3), 7, id="agents only"),
        pytest.param((4,), 0, (), 4, id="a leader of 0 adds nothing"),
        pytest.param((), 0, (0,), 0, id="a lone agent of intelligence 0"),
    ],
)
def test_the_search_value_adds_forces_leader_and_wits(
    forces: tuple[int, ...], leadership: int, wits: tuple[int, ...], value: int
) -> None:
    assert search_value(forces, leadership, wits) == value


@pytest.mark.parametrize(
    ("wits", "size", "count", "value"),
    [
        pytest.param(3, 2, 1, 4, id="alone in a small place"),
        pytest.param(4, 6, 2, 8, id="a pair in a big place"),
        pytest.param(2, 1, 7, -4, id="a crowd"),
    ],
)
def test_the_hiding_value_is_wits_and_size_less_the_number(
    wits: int, size: int, count: int, value: int
) -> None:
    assert hiding_value(wits, size, count) == value


PARTY = (
    rated("Rusk", intelligence=2, leadership=3),
    rated("Vane", intelligence=4),
    rated("Dray", intelligence=6, leadership=5, npc=True),
)


@pytest.mark.parametrize(
    ("chosen", "wits"),
    [(None, 4), ("Rusk", 2), ("Vane", 4), ("Dray", 4), ("nobody", 4)],
    ids=["the highest", "the chosen", "the chosen highest", "never an NPC", "a stranger"],
)
def test_a_group_hides_by_one_who_is_no_npc(chosen: str | None, wits: int) -> None:
    assert hiding_wits(PARTY, chosen) == wits


def test_npcs_alone_hide_without_wits_but_count() -> None:
    assert hiding_wits(PARTY[2:]) == 0
    assert searched(3, PARTY[2:], 4, 1).hiding == 3


@pytest.mark.parametrize(
    ("named", "leads"), [("Rusk", "Rusk"), ("Vane", "Vane"), (None, "Dray"), ("elsewhere", "Dray")]
)
def test_the_named_leads_if_he_stands_with_the_troops(named: str | None, leads: str) -> None:
    leader = leader_of(PARTY, named)
    assert leader is not None
    assert leader.name == leads


def test_troops_alone_have_no_leader() -> None:
    assert leader_of((), "Rusk") is None


@pytest.mark.parametrize(
    ("value", "size", "die", "expected"),
    [
        pytest.param(8, 2, 4, SearchTry(8, 3, 4, 4, found=True), id="the die itself finds"),
        pytest.param(8, 2, 5, SearchTry(8, 3, 4, 5, found=False), id="one more does not"),
        pytest.param(1, 6, 1, SearchTry(1, 7, 1, 1, found=True), id="a lone militia has a chance"),
        pytest.param(40, 1, 10, SearchTry(40, 2, 8, 10, found=False), id="a 10 never finds"),
    ],
)
def test_a_search_finds_with_at_most_the_entry(
    value: int, size: int, die: int, expected: SearchTry
) -> None:
    assert searched(value, PARTY, size, die) == expected


@pytest.mark.parametrize("die", range(1, 11))
def test_nobody_is_found_where_all_stand_with_troops(die: int) -> None:
    missed = searched(30, (), 1, die)
    assert (missed.found, missed.needed, missed.die) == (False, None, None)


@pytest.mark.parametrize("die", range(1, 11))
def test_a_lone_searcher_without_wits_finds_nobody_with_any_die(die: int) -> None:
    missed = searched(search_value((), 0, (0,)), PARTY, 1, die)
    assert (missed.found, missed.needed, missed.die) == (False, None, None)


@given(
    st.lists(st.builds(lambda wits: rated(intelligence=wits), st.integers(0, 6)), min_size=1),
    st.integers(1, 6),
    SEARCHING,
)
def test_as_many_of_the_ten_faces_find_as_the_table_says(
    group: list[Agent], size: int, value: int
) -> None:
    hiding = max(agent.intelligence for agent in group) + size - len(group)
    finding = sum(searched(value, group, size, die).found for die in range(1, 11))
    assert Fraction(finding, 10) == chance(hiding, value)
    place = next((at for at, span in enumerate(VALUES) if value in span), 14)
    assert finding == TABLE[min(max(hiding, 1), 9)][place]


@pytest.mark.parametrize(
    ("has_pieces", "alert_stands", "again", "value", "problem"),
    [
        pytest.param(True, True, False, 1, None, id="fine"),
        pytest.param(False, True, False, 1, SearchProblem.NO_PIECES, id="nobody there"),
        pytest.param(True, False, False, 1, SearchProblem.NO_ALERT, id="no alert"),
        pytest.param(True, True, True, 1, SearchProblem.AGAIN, id="a second time"),
        pytest.param(True, True, False, 0, SearchProblem.NO_VALUE, id="value 0"),
    ],
)
def test_a_side_searches_once_where_it_is_and_an_alert_stands(
    has_pieces: bool, alert_stands: bool, again: bool, value: int, problem: SearchProblem | None
) -> None:
    found = search_problem(
        has_pieces=has_pieces, alert_stands=alert_stands, searched=again, value=value
    )
    assert found is problem


def test_an_event_searches_for_each_group_with_one_face_each() -> None:
    assert [event_group((2, 3, 7), die) for die in (1, 2, 3)] == [2, 3, 7]
