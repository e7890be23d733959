"""The layer `analysis` as it is written: runs of squares, and no message of the wire."""

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from builders.squareruns import squares_of
from sunglare_protocol.codec import Form, decode_server
from sunglare_protocol.errors import SunglareError
from sunglare_protocol.geometry import Board, Square
from sunglare_protocol.ids import PUBLIC, SIDES, WindowId, audience_of
from sunglare_protocol.replay.analysis import ANALYSIS, Analysis, runs

BOARD = Board(columns=2, rows=1)
"""Ten squares wide, five high."""

SQUARES = st.frozensets(st.builds(Square, st.integers(-2, 11), st.integers(-2, 6)))


@given(SQUARES)
def test_runs_stand_for_the_squares_of_the_board_row_by_row(squares: frozenset[Square]) -> None:
    due = sorted((square for square in squares if square in BOARD), key=lambda s: (s.y, s.x))
    assert squares_of(BOARD, runs(BOARD, squares)) == tuple(due)


def test_a_run_ends_with_its_row() -> None:
    row = [Square(x, 0) for x in (7, 8, 9)]
    assert runs(BOARD, [*row, Square(0, 1)]) == (7, 3, 10, 1)


def test_no_audience_is_called_like_the_analysis() -> None:
    assert ANALYSIS not in {PUBLIC, *map(audience_of, SIDES)}


def test_an_analysis_is_no_message_of_the_wire() -> None:
    sent = msgspec.msgpack.encode(Analysis(seq=1, turn=1, window=WindowId("1.plot")))
    with pytest.raises(SunglareError):
        decode_server(sent, Form.PACKED)
