"""The map of where the enemy may be: its sums are the same on every Python."""

from hypothesis import given
from hypothesis import strategies as st

from builders.bots import BOARD
from sunglare_client.bots.belief import Belief
from sunglare_protocol.geometry import Square

PLACES = st.builds(Square, st.integers(0, 39), st.integers(0, 39))


@given(st.lists(PLACES, min_size=3, max_size=40, unique=True), st.data())
def test_the_share_of_some_squares_does_not_hang_on_their_order(
    squares: list[Square], data: st.DataObject
) -> None:
    belief = Belief(BOARD)
    for number, square in enumerate(squares):
        belief.seen(square)
        belief.searched([square], 0.1 * (number % 9))
    belief.spread(1)
    assert belief.share(data.draw(st.permutations(squares))) == belief.share(squares)
