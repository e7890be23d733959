"""A view as rows of text: the map at two scales; pure functions, for a terminal or a file."""

from typing import NamedTuple

from sunglare_client.map.boxmap import boxes
from sunglare_client.map.canvas import Mark, Sheet, window
from sunglare_client.map.glyphs import RANKS, Glyphs, glyphs
from sunglare_client.map.horizon import beyond, stacked
from sunglare_client.text.lists.space import draw_pieces
from sunglare_client.text.printable import printable
from sunglare_protocol.geometry import (
    Area,
    Board,
    Box,
    Place,
    Square,
    box_named,
    box_of,
)
from sunglare_protocol.ids import OwnId
from sunglare_protocol.orders import Scan
from sunglare_protocol.views import ContactView, OwnView, PieceView, TruthView, View
from sunglare_protocol.words.ladder import Fate, Phase
from sunglare_protocol.words.pieces import PieceKind
from sunglare_rules.advice.seen.bearing import holds
from sunglare_rules.sensors.areas import scan_area
from sunglare_rules.sensors.questions import valid


def draw_map(
    view: View | TruthView,
    *,
    ascii_only: bool = False,
    width: int = 80,
    height: int | None = None,
    focus: Square | None = None,
    zoom: int = 1,
    scan: Scan | None = None,
    arcs: OwnId | None = None,
) -> list[str]:
    """Return the map as rows at most `width` columns wide and `height` rows high.

    With `zoom` 1 one cell is one square and the part around `focus` (else an own ship) is shown
    if not all fits; with 0 one cell is one box. The last rows count the pieces that lie beyond
    the edges, and name those that stand on one square. `scan` draws the box of a scan of an own
    ship, all of it and in squares, and what a body hides from it; `arcs` the squares in the
    firing arcs of an own ship, as far as they reach.
    """
    shapes = glyphs(ascii_only=ascii_only)
    marks = [_printable(mark, ascii_only=ascii_only) for mark in _marks(view, shapes)]
    area = None if scan is None else scan_area(view.board, scan.size, scan_square(scan))
    centre = focus or (marks[0].square if marks else _middle(view.board))
    if zoom <= 0 and area is None:
        return boxes(view.board, marks, shapes, width=width, height=height, focus=centre)
    sheet = Sheet(view.board, shapes)
    if isinstance(view, View) and view.stage.turn == 1 and view.stage.phase is Phase.PLOT:
        _put_zone(sheet, view, shapes)
    if arcs is not None and isinstance(view, View):
        _put_arcs(sheet, view, arcs, shapes)
    sheet.put_marks(marks)
    if scan is not None and area is not None and isinstance(view, View):
        _put_scan(sheet, view, scan, area, shapes)
    return _framed(sheet, view.board, marks, _Frame(width, height, centre, area))


class _Frame(NamedTuple):
    """What a drawing must fit into, and what it must show."""

    width: int
    height: int | None
    focus: Square
    keep: Area | None


def _framed(sheet: Sheet, board: Board, marks: list[Mark], frame: _Frame) -> list[str]:
    """Return the rows of the sheet that fit, and under them what they do not show."""
    width, height, focus, keep = frame
    notes: list[str] = []
    while True:
        # Each note takes a row from the map, and a smaller map may need another note.
        rows = None if height is None else height - len(notes)
        shown = window(board, width=width, height=rows, focus=focus, keep=keep)
        seen = [mark for mark in marks if shown.covers(mark.square)]
        missing = [*beyond(shown, marks, width), *stacked(seen, width)]
        if len(missing) <= len(notes) or height is None:
            return [*sheet.rows(shown), *missing]
        notes = missing


def draw_truth(
    view: TruthView,
    *,
    ascii_only: bool = False,
    width: int = 80,
    height: int | None = None,
    focus: Square | None = None,
) -> list[str]:
    """Return the truth as rows: the map with every piece of every side, then a list of them."""
    rows = draw_map(view, ascii_only=ascii_only, width=width, height=height, focus=focus)
    return [*rows, "", *draw_pieces(view)]


def scan_square(scan: Scan) -> Square:
    """Return the square that a scan names, of a box its middle; `BoxNameError` if it is none."""
    return box_named(scan.at).centre if isinstance(scan.at, str) else scan.at


def _marks(view: View | TruthView, shapes: Glyphs) -> list[Mark]:
    """Return the pieces, own ones first, then foreign ones from the best held on."""
    if isinstance(view, TruthView):
        return [_true_mark(piece, shapes) for piece in view.pieces if piece.fate is Fate.IN_PLAY]
    own = [_own_mark(ship, shapes) for ship in view.own if ship.fate is Fate.IN_PLAY]
    held = [contact for contact in view.contacts if contact.fate is Fate.IN_PLAY]
    held.sort(key=lambda contact: RANKS.index(contact.fix))
    return own + [_contact_mark(contact, shapes) for contact in held]


def _own_mark(ship: OwnView, shapes: Glyphs) -> Mark:
    return Mark(ship.square, _shape(ship, shapes), ship.id, "own piece")


def _shape(ship: OwnView | PieceView, shapes: Glyphs) -> str:
    if ship.cloaked:
        return shapes.cloaked
    if isinstance(ship, OwnView) and ship.kind is PieceKind.REMOTE:
        return shapes.remote
    return shapes.heading(ship.facing) if ship.landed is None else shapes.landed


def _contact_mark(contact: ContactView, shapes: Glyphs) -> Mark:
    return Mark(contact.square, shapes.fixes[contact.fix], contact.label, "contact")


def _true_mark(piece: PieceView, shapes: Glyphs) -> Mark:
    return Mark(piece.square, _shape(piece, shapes), f"{piece.side}.{piece.id}", "piece")


def _printable(mark: Mark, *, ascii_only: bool) -> Mark:
    return mark._replace(label=printable(mark.label, ascii_only=ascii_only))


def _put_zone(sheet: Sheet, view: View, shapes: Glyphs) -> None:
    names = frozenset(view.zone)
    for square in view.board.area.squares():
        if box_of(square).name in names:
            sheet.put_softly(square, shapes.zone)


def _put_scan(sheet: Sheet, view: View, scan: Scan, area: Area, shapes: Glyphs) -> None:
    """Draw the box of a scan, then cross out what a body hides from the scanning ship."""
    ship = next((own for own in view.own if own.id == scan.ship), None)
    if (area.west, area.north) == (area.east, area.south):
        sheet.put(Square(area.west, area.north), shapes.spot)
        return
    for square in area.squares():
        edge = _edge(area, square, shapes)
        if edge is not None:
            sheet.put_softly(square, edge)
        elif ship is not None:
            place = Place(ship.square, ship.landed)
            if not valid(view.board, place, Place(square)):
                sheet.put_softly(square, shapes.unseen)


def _put_arcs(sheet: Sheet, view: View, own: OwnId, shapes: Glyphs) -> None:
    """Draw every square on which a contact would lie in a firing arc of an own ship."""
    ship = next((shown for shown in view.own if shown.id == own), None)
    if ship is None:
        return
    for square in view.board.area.squares():
        if holds(ship, square):
            sheet.put_softly(square, shapes.arc)


def _edge(area: Area, square: Square, shapes: Glyphs) -> str | None:
    """Return the line of the box's border on this square, or None inside it."""
    beside = square.x in (area.west, area.east)
    level = square.y in (area.north, area.south)
    if beside and level:
        return shapes.corners[(square.y == area.south) * 2 + (square.x == area.east)]
    if level:
        return shapes.level
    return shapes.upright if beside else None


def _middle(board: Board) -> Square:
    return Box(board.columns // 2, board.rows // 2).centre
