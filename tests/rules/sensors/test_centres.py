"""Where a scan may be centred to cover a square."""

import pytest

from sunglare_protocol.geometry import Board, Square
from sunglare_protocol.words.scans import ScanSize
from sunglare_rules.sensors.areas import centres_covering, scan_area, scan_centre

BOARD = Board(columns=4, rows=3)


@pytest.mark.parametrize("size", ScanSize, ids=lambda size: size.value)
@pytest.mark.parametrize("square", [Square(0, 0), Square(9, 7), Square(19, 14), Square(4, 10)])
def test_the_centres_that_cover_a_square_are_those_of_all_the_board(
    size: ScanSize, square: Square
) -> None:
    everywhere = dict.fromkeys(scan_centre(size, at) for at in BOARD.area.squares())
    due = {at for at in everywhere if scan_area(BOARD, size, at).covers(square)}
    found = centres_covering(BOARD, size, square)
    assert set(found) == due
    assert len(found) == len(due)
