"""A view as rows of text: the map at two scales; pure functions, for a terminal or a file."""

from sunglare_client.canvas import BLANK, Mark, Sheet, window
from sunglare_client.glyphs import RANKS, Glyphs, glyphs, legend
from sunglare_client.listing import draw_contacts, draw_own, draw_pieces
from sunglare_client.printable import printable
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
from sunglare_protocol.ladder import Fate, Phase
from sunglare_protocol.orders import Scan
from sunglare_protocol.pieces import PieceKind
from sunglare_protocol.views import ContactView, OwnView, PieceView, TruthView, View
from sunglare_rules.advice.bearing import holds
from sunglare_rules.scans import scan_area, valid

__all__ = [
    "draw_contacts",
    "draw_map",
    "draw_own",
    "draw_pieces",
    "draw_truth",
    "legend",
    "scan_square",
]

CELL = 6
"""Columns of a box where one cell stands for a whole box."""


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
    if not all fits; with 0 one cell is one box. `scan` draws the box of a scan of an own ship,
    and what a body hides from it; `arcs` the squares in the firing arcs of an own ship, as far
    as they reach.
    """
    shapes = glyphs(ascii_only=ascii_only)
    marks = [_printable(mark, ascii_only=ascii_only) for mark in _marks(view, shapes)]
    if zoom <= 0:
        return _boxes(view.board, marks, shapes)
    sheet = Sheet(view.board, shapes)
    if isinstance(view, View) and view.stage.turn == 1 and view.stage.phase is Phase.PLOT:
        _put_zone(sheet, view, shapes)
    if arcs is not None and isinstance(view, View):
        _put_arcs(sheet, view, arcs, shapes)
    sheet.put_marks(marks)
    if scan is not None and isinstance(view, View):
        _put_scan(sheet, view, scan, shapes)
    centre = focus or (marks[0].square if marks else _middle(view.board))
    return sheet.rows(window(view.board, width=width, height=height, focus=centre))


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
    held = [each for each in view.contacts if each.fate is Fate.IN_PLAY]
    held.sort(key=lambda each: RANKS.index(each.fix))
    return own + [_contact_mark(each, shapes) for each in held]


def _own_mark(ship: OwnView, shapes: Glyphs) -> Mark:
    return Mark(ship.square, _shape(ship, shapes), ship.id)


def _shape(ship: OwnView | PieceView, shapes: Glyphs) -> str:
    if ship.cloaked:
        return shapes.cloaked
    if isinstance(ship, OwnView) and ship.kind is PieceKind.REMOTE:
        return shapes.remote
    return shapes.heading(ship.facing) if ship.landed is None else shapes.landed


def _contact_mark(contact: ContactView, shapes: Glyphs) -> Mark:
    return Mark(contact.square, shapes.fixes[contact.fix], contact.label)


def _true_mark(piece: PieceView, shapes: Glyphs) -> Mark:
    return Mark(piece.square, _shape(piece, shapes), f"{piece.side}.{piece.id}")


def _printable(mark: Mark, *, ascii_only: bool) -> Mark:
    return mark._replace(label=printable(mark.label, ascii_only=ascii_only))


def _put_zone(sheet: Sheet, view: View, shapes: Glyphs) -> None:
    names = frozenset(view.zone)
    for square in view.board.area.squares():
        if box_of(square).name in names:
            sheet.put_softly(square, shapes.zone)


def _put_scan(sheet: Sheet, view: View, scan: Scan, shapes: Glyphs) -> None:
    """Draw the box of a scan, then cross out what a body hides from the scanning ship."""
    area = scan_area(view.board, scan.size, scan_square(scan))
    ship = next((each for each in view.own if each.id == scan.ship), None)
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
    ship = next((each for each in view.own if each.id == own), None)
    if ship is None:
        return
    for square in view.board.area.squares():
        if holds(ship, square):
            sheet.put_softly(square, shapes.arc)


def _edge(area: Area, square: Square, shapes: Glyphs) -> str | None:
    """Return the line of the box's border on this square, or None inside it."""
    if (area.west, area.north) == (area.east, area.south):
        return shapes.spot
    beside = square.x in (area.west, area.east)
    level = square.y in (area.north, area.south)
    if beside and level:
        return shapes.corners[(square.y == area.south) * 2 + (square.x == area.east)]
    if level:
        return shapes.level
    return shapes.upright if beside else None


def _boxes(board: Board, marks: list[Mark], shapes: Glyphs) -> list[str]:
    """Return one cell for each box: its best piece with its name, and `+` if there are more."""
    letters = "".join(f"{Box(column, 0).name[0]:<{CELL}}" for column in range(board.columns))
    lines = [f"   {letters}".rstrip()]
    for row in range(board.rows):
        cells = (_cell(Box(column, row), board, marks, shapes) for column in range(board.columns))
        lines.append(f"{row + 1:>2} {''.join(cells)}".rstrip())
    return lines


def _cell(box: Box, board: Board, marks: list[Mark], shapes: Glyphs) -> str:
    inside = [mark for mark in marks if box_of(mark.square) == box]
    if inside:
        more = "+" if len(inside) > 1 else BLANK
        return f"{inside[0].shape}{inside[0].label[: CELL - 3]}{more}".ljust(CELL)
    if any(box_of(planet.at) == box for planet in board.planets):
        return shapes.planet.ljust(CELL)
    if any(box_of(each.at) == box for each in board.asteroids):
        return shapes.asteroid.ljust(CELL)
    return "-".ljust(CELL)


def _middle(board: Board) -> Square:
    return Box(board.columns // 2, board.rows // 2).centre
