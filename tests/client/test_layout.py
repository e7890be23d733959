"""The parts of the full screen have room, do not overlap, and fold away when they are empty."""

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from textual.geometry import Region, Size

from sunglare_client.fullscreen.layout import BESIDE_FROM, SIDE_LEAST, Needs, placed
from sunglare_client.map.frame import HEAD_ROWS
from sunglare_client.map.sheet import RULER

BARS = 4
"""Rows of a terminal that are not part of the middle: the top, the words, the line, the keys."""

SIZES = st.builds(Size, st.integers(80, 240), st.integers(24 - BARS, 80))

NEEDS = st.builds(
    Needs,
    across=st.sampled_from([25, 35, 40, 55, 130]),
    down=st.sampled_from([25, 35, 40, 55, 130]),
    zoom=st.sampled_from([None, 0, 1, 2]),
    lists=st.integers(1, 60),
    card=st.booleans(),
    record=st.booleans(),
    results=st.booleans(),
)


def middle(columns: int, rows: int) -> Size:
    """Return the room between the bars of a terminal."""
    return Size(columns, rows - BARS)


@pytest.mark.parametrize(
    ("terminal", "rows_of_map"),
    [((80, 24), 15), ((100, 30), 24), ((120, 40), 33), ((120, 46), 40), ((160, 50), 40)],
)
@pytest.mark.parametrize("card", [False, True])
def test_a_map_of_40_rows_has_at_least_so_many_of_them(
    terminal: tuple[int, int], rows_of_map: int, card: bool
) -> None:
    places = placed(middle(*terminal), Needs(lists=20, card=card))
    assert places.board.height - HEAD_ROWS >= rows_of_map


def test_on_the_smallest_screen_the_record_has_three_rows() -> None:
    assert placed(middle(80, 24), Needs()).record == Region(0, 17, 80, 3)


def test_the_record_gets_most_of_the_screen_when_it_is_asked_for() -> None:
    for terminal in ((80, 24), (120, 40)):
        usual, tall = (
            placed(middle(*terminal), Needs(lists=20, record=on)) for on in (False, True)
        )
        assert tall.record.height > usual.record.height
        assert tall.record.height > tall.lists.height


@given(SIZES, NEEDS)
def test_no_part_covers_another_and_all_lie_on_the_screen(size: Size, needs: Needs) -> None:
    places = [place for place in placed(size, needs) if place.height]
    assert all(size.region.contains_region(place) for place in places)
    assert not any(one.overlaps(other) for one, other in combinations(places, 2))


@given(SIZES, NEEDS)
def test_the_panels_stand_beside_a_map_as_wide_as_the_board_where_there_is_room(
    size: Size, needs: Needs
) -> None:
    places = placed(size, needs)
    needed = RULER + needs.across
    assert places.board.width >= min(needed, size.width - SIDE_LEAST)
    assert places.board.width + places.lists.width == size.width
    assert places.lists.width >= SIDE_LEAST


@given(SIZES, NEEDS)
def test_on_a_wide_screen_the_map_has_the_whole_height_but_for_its_frame(
    size: Size, needs: Needs
) -> None:
    places = placed(size, needs)
    if size.width >= BESIDE_FROM:
        assert places.board.height + places.frame.height == size.height
        assert places.record.x >= places.board.right or not places.record.height


@given(SIZES, NEEDS)
def test_lists_take_no_more_rows_than_they_have_and_results_all_that_they_can(
    size: Size, needs: Needs
) -> None:
    places = placed(size, needs)
    if needs.results:
        assert places.lists.height > 0
    elif size.width >= BESIDE_FROM:
        assert places.lists.height <= needs.lists
