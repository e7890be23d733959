"""The frame of a map that stays: what lies beyond its edges, and the coordinates above it."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sunglare_client.map.cells import Cell, Layer, Mark, What
from sunglare_client.map.frame import head, unseen
from sunglare_protocol.geometry import BOX_EDGE, Area, Square, box_of

SHOWN = Area(20, 20, 40, 35)

SQUARES = st.builds(Square, st.integers(0, 129), st.integers(0, 129))


def mark(name: str, square: Square) -> Mark:
    """Return a piece of that name."""
    return Mark(square, Cell(What.SHIP, Layer.PIECE, name=name), "piece")


@pytest.mark.parametrize(
    ("square", "told"),
    [
        (Square(44, 30), "C3 4 E"),
        (Square(19, 30), "C3 1 W"),
        (Square(30, 17), "C3 3 N"),
        (Square(30, 39), "C3 4 S"),
        (Square(45, 18), "C3 5 NE"),
        (Square(18, 45), "C3 10 SW"),
        (Square(30, 30), ""),
    ],
)
def test_a_piece_beyond_an_edge_is_named_with_its_distance_and_the_way(
    square: Square, told: str
) -> None:
    assert unseen(SHOWN, [mark("C3", square)], 80) == told


def test_the_nearest_piece_comes_first() -> None:
    far, near = mark("C1", Square(90, 30)), mark("C2", Square(42, 30))
    assert unseen(SHOWN, [far, near], 80) == "C2 2 E  C1 50 E"


def test_pieces_that_share_a_square_are_named_with_it() -> None:
    here = Square(30, 30)
    assert unseen(SHOWN, [mark("S1", here), mark("C5", here)], 80) == "S1 C5 on 30,30"


def test_where_the_names_have_no_room_the_pieces_are_counted() -> None:
    marks = [mark(f"C{number}", Square(44, 30)) for number in range(9)]
    assert unseen(SHOWN, marks, 20) == "E: 9"


@given(st.lists(SQUARES, max_size=30), st.integers(60, 120))
def test_every_piece_out_of_sight_is_named_or_counted(squares: list[Square], width: int) -> None:
    marks = [mark(f"C{number}", square) for number, square in enumerate(squares)]
    told = unseen(SHOWN, marks, width)
    beyond = [each for each in marks if not SHOWN.covers(each.square)]
    counted = sum(int(count) for count in re.findall(r"[NESW]+: (\d+)", told))
    named = [each for each in beyond if re.search(rf"\b{each.label} \d+ [NESW]", told)]
    assert len(told) <= width
    assert counted + len(named) == len(beyond)
    assert counted == 0 or not named


@given(
    west=st.integers(0, 110),
    wide=st.integers(5, 60),
    columns=st.sampled_from([1, 2]),
)
def test_the_coordinates_stand_above_their_squares(west: int, wide: int, columns: int) -> None:
    shown = Area(west, 0, west + wide - 1, 10)
    row = f"{head(shown, columns):<{columns * wide}}"
    for x in range(west, west + wide):
        at = columns * (x - west)
        if x % BOX_EDGE == 0 and at + len(str(x)) <= len(row):
            assert row[at:].startswith(str(x))
        if x % BOX_EDGE == BOX_EDGE // 2 and x < 100:
            assert row[at] == box_of(Square(x, 0)).name[0]
