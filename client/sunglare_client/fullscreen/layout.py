"""Where the parts of the full screen stand: the map, its frame, the lists, the card, the record.

From 100 columns on the record stands at the right of the map, under the lists, and the map has the
whole height. On a narrower screen the record stands below the map, in three rows, and the card of
the place that is pointed at takes the room of the lists.
"""

from typing import Final, NamedTuple, final

from textual.geometry import Region, Size

from sunglare_client.map.drawing import COLUMNS_MOST
from sunglare_client.map.frame import HEAD_ROWS
from sunglare_client.map.sheet import RULER

BESIDE_FROM: Final = 100
"""So many columns have room for the record at the right of the map."""

SIDE_LEAST, SIDE_MOST = 35, 80
"""Columns of the panels at the right of the map, with the blank one between."""

RECORD_LEAST, RECORD_MOST = 3, 8
"""Rows of the record where it stands below the map: more than three if the whole map is shown."""

MAP_BESIDE_RECORD = 8
"""Rows that are left to the map while the record below it has most of the screen."""

FRAME_ROWS: Final = 1


@final
class Needs(NamedTuple):
    """What the parts of a screen need: the board in squares, and how it is shown.

    `zoom` is the scale that was asked for, None for the largest that shows the board's whole
    width. `lists` is the number of rows that the lists fill. `card` says whether there is a place
    to show, `record` whether the record takes what it can get, `results` whether the lists have
    to make room for results, and so take the place of the card or of the record.
    """

    across: int = 40
    down: int = 40
    zoom: int | None = None
    lists: int = 0
    card: bool = False
    record: bool = False
    results: bool = False


@final
class Places(NamedTuple):
    """Where each part stands; what is folded away has no height."""

    board: Region
    frame: Region
    lists: Region
    card: Region
    record: Region


def columns_for(width: int, needs: Needs) -> int:
    """Return how many columns a square takes: as asked for, else as many as fit the panels."""
    if needs.zoom is not None and needs.zoom > 0:
        return min(needs.zoom, COLUMNS_MOST)
    fits = RULER + COLUMNS_MOST * needs.across + SIDE_LEAST <= width
    return COLUMNS_MOST if fits else 1


def placed(size: Size, needs: Needs) -> Places:
    """Return where the parts stand in the room between the top row and the line."""
    map_width = RULER + columns_for(size.width, needs) * needs.across
    side = min(max(size.width - map_width, SIDE_LEAST), SIDE_MOST)
    lay_out = _beside if size.width >= BESIDE_FROM else _below
    return lay_out(size, side, needs)


def _beside(size: Size, side: int, needs: Needs) -> Places:
    """Return the places on a wide screen: lists, card and record at the right of the whole map."""
    west, height = size.width - side, size.height
    board = Region(0, 0, west, height - FRAME_ROWS)
    card = height * 2 // 5 if needs.card else 0
    most = height * 3 // 10 if card else height // 2
    lists = 0 if needs.record else min(needs.lists, most)
    lists = height - card if needs.results else lists
    return Places(
        board,
        Region(0, board.bottom, west, FRAME_ROWS),
        Region(west, 0, side, lists),
        Region(west, lists, side, card),
        # The lists and the card have a blank column of their own.
        Region(west + 1, lists + card, side - 1, height - lists - card),
    )


def _below(size: Size, side: int, needs: Needs) -> Places:
    """Return the places on a narrow screen: lists or card next to the map, the record below."""
    west = size.width - side
    whole = HEAD_ROWS + needs.down
    spare = size.height - FRAME_ROWS - whole
    record = min(max(spare, RECORD_LEAST), RECORD_MOST)
    if needs.record:
        record = max(size.height - FRAME_ROWS - MAP_BESIDE_RECORD, RECORD_LEAST)
    height = size.height - FRAME_ROWS - record
    beside, folded = Region(west, 0, side, height), Region(west, 0, side, 0)
    has_card = needs.card and not needs.results
    return Places(
        Region(0, 0, west, height),
        Region(0, height, size.width, FRAME_ROWS),
        folded if has_card else beside,
        beside if has_card else folded,
        Region(0, height + FRAME_ROWS, size.width, record),
    )
