"""The sizes of scans: what each costs, which squares it covers, and where it may be placed.

Source: Intercept sensors part 2, the scan modifiers of the examples; sensors of our rule book
§1 and §5.
"""

from functools import lru_cache

from sunglare_protocol.geometry import BOX_EDGE, Area, Board, Box, Square, box_of
from sunglare_protocol.words.scans import ScanSize

SIZE_MODIFIER = {
    ScanSize.SQUARE: 2,
    ScanSize.SQUARES: 0,
    ScanSize.BOX: -1,
    ScanSize.BOXES: -3,
}
"""What the size adds to the strength of a scan. The two for boxes are the source's; OWN: the
two for squares continue their line (two less for nine times the squares)."""

_REACH = {
    ScanSize.SQUARE: 0,
    ScanSize.SQUARES: 1,
    ScanSize.BOX: BOX_EDGE // 2,
    ScanSize.BOXES: BOX_EDGE + BOX_EDGE // 2,
}
_AREAS_KEPT = 1 << 12
"""How many places of scans are remembered with the squares that they cover."""

_CENTRES_KEPT = 1 << 13
"""How many squares are remembered with the scans that cover them: most of a board's."""

_BOXES_AWAY = {ScanSize.SQUARE: 0, ScanSize.SQUARES: 1}


@lru_cache(maxsize=_AREAS_KEPT)
def scan_centre(size: ScanSize, at: Square) -> Square:
    """Return the square that names the place of a scan: for box sizes the middle of the box."""
    if size in _BOXES_AWAY:
        return at
    return box_of(at).centre


@lru_cache(maxsize=_AREAS_KEPT)
def scan_area(board: Board, size: ScanSize, centre: Square) -> Area:
    """Return the squares that a scan around `centre` covers, without those off the map.

    For the box sizes any square of the middle box may be given.
    """
    middle, reach = scan_centre(size, centre), _REACH[size]
    whole = Area(middle.x - reach, middle.y - reach, middle.x + reach, middle.y + reach)
    return whole.overlap(board.area)


@lru_cache(maxsize=_CENTRES_KEPT)
def centres_covering(board: Board, size: ScanSize, square: Square) -> tuple[Square, ...]:
    """Return the centres around which a scan of this size covers a square, row by row.

    Each place stands once; where a ship may place its scan is not looked at.
    """
    if size in _BOXES_AWAY:
        reach = _REACH[size]
        around = Area(square.x - reach, square.y - reach, square.x + reach, square.y + reach)
        return tuple(around.overlap(board.area).squares())
    away, own = _REACH[size] // BOX_EDGE, box_of(square)
    columns = range(max(0, own.column - away), min(board.columns, own.column + away + 1))
    rows = range(max(0, own.row - away), min(board.rows, own.row + away + 1))
    return tuple([Box(column, row).centre for row in rows for column in columns])


def placing_area(size: ScanSize, at: Square) -> Area | None:
    """Return the squares on which a ship may stand that centres a scan of this size on `at`.

    None stands for anywhere on the map; see `scan_place_allowed`.
    """
    away = _BOXES_AWAY.get(size)
    if away is None:
        return None
    middle, reach = box_of(at).centre, away * BOX_EDGE + BOX_EDGE // 2
    return Area(middle.x - reach, middle.y - reach, middle.x + reach, middle.y + reach)


def scan_place_allowed(size: ScanSize, at: Square, scanner: Square) -> bool:
    """Return whether a ship at `scanner` may centre a scan of this size on `at`.

    Box sizes go anywhere on the map. One square must lie in the ship's own box, the middle of
    three by three squares in the own or an adjacent one (OWN: across a corner is adjacent).
    Whether `at` is on the map is not looked at.
    """
    away = _BOXES_AWAY.get(size)
    if away is None:
        return True
    there, here = box_of(at), box_of(scanner)
    return max(abs(there.column - here.column), abs(there.row - here.row)) <= away
