"""The map of space as a view-model: the cells that are shown, and what lies beyond them.

A chart is made from a view alone, for a place of a given size. What is drawn of it, as text or as
a picture, adds nothing.
"""

from typing import NamedTuple, final

from sunglare_client.map.cells import Cell, Layer, Mark, Overlay, What
from sunglare_client.map.horizon import beyond, stacked
from sunglare_client.map.layers import in_arcs
from sunglare_client.map.marks import marks_of
from sunglare_client.map.sheet import Sheet, window
from sunglare_protocol.geometry import Area, Board, Box, Place, Square, box_named, box_of
from sunglare_protocol.ids import OwnId
from sunglare_protocol.orders import Scan
from sunglare_protocol.views import TruthView, View
from sunglare_protocol.words.ladder import Phase
from sunglare_rules.sensors.areas import scan_area
from sunglare_rules.sensors.questions import valid


@final
class Wish(NamedTuple):
    """What of a map is wanted, and the room for it in columns and rows of text.

    Without a `height` the whole height is shown; the part around `focus`, else an own ship, if not
    all fits. `scan` draws the box of a scan of an own ship, all of it, and what a body hides from
    it; `arcs` the squares in the firing arcs of an own ship, as far as they reach; `over` what
    else is to be drawn below the pieces (`map/layers.py`). Without `noted` no row is taken for
    notes: a frame has them (`map/frame.py`).
    """

    width: int = 80
    height: int | None = None
    focus: Square | None = None
    scan: Scan | None = None
    arcs: OwnId | None = None
    ascii_only: bool = False
    over: Overlay = ()
    noted: bool = True


@final
class Chart(NamedTuple):
    """The squares `shown` with a cell for each, row by row from the north.

    `ground` has what lies below pieces and names, for callers that draw these on their own.
    `marks` are all pieces of the view, wherever they are; `notes` describe those that are not
    shown, or stand under others.
    """

    board: Board
    shown: Area
    rows: tuple[tuple[Cell, ...], ...]
    ground: tuple[tuple[Cell, ...], ...]
    marks: tuple[Mark, ...]
    notes: tuple[str, ...]

    def covers(self, square: Square) -> bool:
        """Return whether a square is among those shown."""
        return self.shown.covers(square)


def chart_of(view: View | TruthView, wish: Wish) -> Chart:
    """Return the map of a view at the scale of one cell a square."""
    marks = marks_of(view, ascii_only=wish.ascii_only)
    scan, area = wish.scan, scanned(view, wish)
    sheet = Sheet(view.board)
    if isinstance(view, View) and view.stage.turn == 1 and view.stage.phase is Phase.PLOT:
        _put_zone(sheet, view)
    if wish.arcs is not None and isinstance(view, View):
        _put_arcs(sheet, view, wish.arcs)
    for square, cell in wish.over:
        sheet.put_softly(square, cell)
    ground = sheet.copy()
    sheet.put_marks(marks)
    if scan is not None and area is not None and isinstance(view, View):
        _put_scan(ground, view, scan, area)
        _put_scan(sheet, view, scan, area)
    shown, notes = _framed(view.board, marks, wish, focus_of(view, wish, marks), area)
    rows, below = sheet.rows(shown), ground.rows(shown)
    return Chart(view.board, shown, rows, below, tuple(marks), tuple(notes))


def focus_of(view: View | TruthView, wish: Wish, marks: list[Mark]) -> Square:
    """Return the middle of what is shown."""
    middle = Box(view.board.columns // 2, view.board.rows // 2).centre
    return wish.focus or (marks[0].square if marks else middle)


def scanned(view: View | TruthView, wish: Wish) -> Area | None:
    """Return the area of the scan that is wanted; None without one, or if its size has none."""
    if wish.scan is None:
        return None
    return scan_area(view.board, wish.scan.size, scan_square(wish.scan))


def scan_square(scan: Scan) -> Square:
    """Return the square that a scan names, of a box its middle; `BoxNameError` if it is none."""
    return box_named(scan.at).centre if isinstance(scan.at, str) else scan.at


def _framed(
    board: Board, marks: list[Mark], wish: Wish, focus: Square, keep: Area | None
) -> tuple[Area, list[str]]:
    """Return the squares that fit, and what they do not show; all of `keep` is among them."""
    notes: list[str] = []
    while True:
        # Each note takes a row from the map, and a smaller map may need another note.
        rows = None if wish.height is None else wish.height - len(notes)
        shown = window(board, width=wish.width, height=rows, focus=focus, keep=keep)
        if not wish.noted:
            return shown, []
        seen = [mark for mark in marks if shown.covers(mark.square)]
        missing = [*beyond(shown, marks, wish.width), *stacked(seen, wish.width)]
        if len(missing) <= len(notes) or wish.height is None:
            return shown, missing
        notes = missing


def _put_zone(sheet: Sheet, view: View) -> None:
    names = frozenset(view.zone)
    for square in view.board.area.squares():
        if box_of(square).name in names:
            sheet.put_softly(square, Cell(What.ZONE, Layer.ZONE))


def _put_scan(sheet: Sheet, view: View, scan: Scan, area: Area) -> None:
    """Draw the box of a scan, then cross out what a body hides from the scanning ship."""
    ship = next((own for own in view.own if own.id == scan.ship), None)
    if (area.west, area.north) == (area.east, area.south):
        sheet.put(Square(area.west, area.north), Cell(What.SPOT, Layer.SCAN))
        return
    for square in area.squares():
        line = edge(area, square)
        if line is not None:
            sheet.put_softly(square, Cell(line, Layer.SCAN))
        elif ship is not None:
            place = Place(ship.square, ship.landed)
            if not valid(view.board, place, Place(square)):
                sheet.put_softly(square, Cell(What.UNSEEN, Layer.SCAN))


def _put_arcs(sheet: Sheet, view: View, own: OwnId) -> None:
    """Draw every square on which a contact would lie in a firing arc of an own ship."""
    ship = next((shown for shown in view.own if shown.id == own), None)
    if ship is None:
        return
    for square in in_arcs(view.board, ship):
        sheet.put_softly(square, Cell(What.ARC, Layer.ARC, name=own))


_CORNERS = ((What.NORTH_WEST, What.NORTH_EAST), (What.SOUTH_WEST, What.SOUTH_EAST))


def edge(area: Area, square: Square) -> What | None:
    """Return the line of the box's border on this square, or None inside it."""
    beside = square.x in (area.west, area.east)
    level = square.y in (area.north, area.south)
    if beside and level:
        return _CORNERS[square.y == area.south][square.x == area.east]
    if level:
        return What.LEVEL
    return What.UPRIGHT if beside else None
