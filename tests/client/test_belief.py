"""The map of where the enemy may be: its sums are the same on every Python."""

from math import fsum

import pytest
from hypothesis import given
from hypothesis import strategies as st

from builders.bots import BOARD
from sunglare_client.bots.sightings.belief import Belief
from sunglare_protocol.geometry import Area, Board, Square
from sunglare_rules.sensors.masks import area_mask, mask_of

PLACES = st.builds(Square, st.integers(0, 39), st.integers(0, 39))

SMALL = Board(columns=4, rows=4)
PLACES_THERE = st.builds(Square, st.integers(0, 19), st.integers(0, 19))


@given(st.lists(PLACES, min_size=3, max_size=40, unique=True))
def test_the_share_of_some_squares_is_their_exact_sum_in_any_order(squares: list[Square]) -> None:
    belief = Belief(BOARD)
    for number, square in enumerate(squares):
        belief.seen(square)
        belief.searched(mask_of(BOARD, [square]), 0.1 * (number % 9))
    belief.spread(1)
    alone = [belief.share(mask_of(BOARD, [square])) for square in squares]
    assert belief.share(mask_of(BOARD, squares)) == fsum(alone)


@given(st.lists(PLACES_THERE, min_size=1, max_size=9), st.integers(1, 3))
def test_a_belief_spreads_to_the_sum_of_what_is_in_reach(
    squares: list[Square], reach: int
) -> None:
    belief, spread = Belief(SMALL), Belief(SMALL)
    for square in squares:
        belief.seen(square)
        spread.seen(square)
    spread.spread(reach)
    due = {at: belief.share(area_mask(SMALL, around(at, reach))) for at in SMALL.area.squares()}
    for at in (*squares, Square(0, 0), Square(19, 19), Square(10, 5)):
        found = spread.share(mask_of(SMALL, [at]))
        assert found == pytest.approx(due[at] / fsum(due.values()), abs=1e-4)


def around(at: Square, reach: int) -> Area:
    return Area(at.x - reach, at.y - reach, at.x + reach, at.y + reach)
