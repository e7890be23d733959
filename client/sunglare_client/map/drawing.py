"""A chart as rows of text, at three scales; pure functions, for a terminal or a file."""

from itertools import chain, groupby

from sunglare_client.map.boxmap import BOX_SIGNS, boxes, boxes_drawn
from sunglare_client.map.cells import Cell, Layer, Overlay, What
from sunglare_client.map.chart import Chart, Wish, chart_of, focus_of, scanned
from sunglare_client.map.glyphs import BLANK, Glyphs, glyphs
from sunglare_client.map.legend import legend_rows
from sunglare_client.map.marks import marks_of
from sunglare_client.map.sheet import RULER
from sunglare_client.text.lists.space import draw_pieces
from sunglare_protocol.geometry import BOX_EDGE, Area, Square, box_of
from sunglare_protocol.ids import OwnId
from sunglare_protocol.orders import Scan
from sunglare_protocol.views import TruthView, View

COLUMNS_MOST = 2
"""A square takes so many columns at most: then it is about as high as it is wide."""


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
    over: Overlay = (),
) -> list[str]:
    """Return the map as rows at most `width` columns wide and `height` rows high.

    With `zoom` 1 one column is one square, with 2 two are, with 0 one cell is a box, unless a
    `scan` is to be drawn; the rest is as in a `Wish`. The last rows count the pieces that lie
    beyond the edges, and name those that stand on one square.
    """
    return draw_wish(view, Wish(width, height, focus, scan, arcs, ascii_only, over), zoom)


def draw_wish(view: View | TruthView, wish: Wish, zoom: int) -> list[str]:
    """Return the map that is wanted as rows; see `draw_map`."""
    shapes = glyphs(ascii_only=wish.ascii_only)
    if _is_boxes(view, wish, zoom):
        marks = marks_of(view, ascii_only=wish.ascii_only)
        middle = focus_of(view, wish, marks)
        return boxes(view.board, marks, shapes, width=wish.width, height=wish.height, focus=middle)
    return chart_rows(_scaled(view, wish, zoom), shapes, _columns_of(zoom))


def legend_of(view: View | TruthView, wish: Wish, zoom: int) -> list[str]:
    """Return a row for each meaning of a shape that stands on the map that is wanted."""
    shapes = glyphs(ascii_only=wish.ascii_only)
    if _is_boxes(view, wish, zoom):
        marks = marks_of(view, ascii_only=wish.ascii_only)
        return [*legend_rows(boxes_drawn(view.board, marks, None), shapes), *BOX_SIGNS]
    return legend_rows(chain.from_iterable(_scaled(view, wish, zoom).rows), shapes)


def _is_boxes(view: View | TruthView, wish: Wish, zoom: int) -> bool:
    return zoom <= 0 and scanned(view, wish) is None


def _scaled(view: View | TruthView, wish: Wish, zoom: int) -> Chart:
    width = squares_in(wish.width, _columns_of(zoom)) + RULER
    return chart_of(view, wish._replace(width=width))


def _columns_of(zoom: int) -> int:
    return min(max(zoom, 1), COLUMNS_MOST)


def squares_in(width: int, columns: int) -> int:
    """Return how many squares fit next to the ruler where each takes so many columns."""
    return max(width - RULER, 1) // columns


def chart_rows(chart: Chart, shapes: Glyphs, columns: int = 1) -> list[str]:
    """Return a chart as text, with the rulers above and on the left and the notes below."""
    shown = chart.shown
    lines = [_letters(shown, columns), _columns(shown, columns)]
    for y, cells in enumerate(chart.rows, shown.north):
        row = "".join(text for text, _ in row_parts(cells, shapes, columns))
        lines.append(f"{row_ruler(y)}{row}".rstrip())
    return [*lines, *chart.notes]


def row_ruler(y: int) -> str:
    """Return what stands on the left of a row of squares."""
    return f"{_row_name(y)}{y:>3}"


def row_parts(cells: tuple[Cell, ...], shapes: Glyphs, columns: int = 1) -> list[tuple[str, Cell]]:
    """Return a row of squares as pieces of text, `columns` wide for each, with their cells.

    The letters of a name stay together, and what fills a square fills all its columns.
    """
    if columns == 1:
        return [(shapes.shape(cell), cell) for cell in cells]
    parts = []
    for _, run in groupby(cells, key=_named_together):
        found = tuple(run)
        if found[0].what is What.LETTER:
            name = "".join(cell.letter for cell in found)
            parts.append((name.ljust(columns * len(found)), found[0]))
        else:
            parts.extend((_wide(cell, shapes, columns), cell) for cell in found)
    return parts


def _named_together(cell: Cell) -> tuple[What, str]:
    return cell.what, cell.name if cell.layer is Layer.NAME else ""


_FILLING = (What.PLANET, What.SHADOW, What.GLARE, What.LEVEL)
_WEST_CORNERS = (What.NORTH_WEST, What.SOUTH_WEST)


def _wide(cell: Cell, shapes: Glyphs, columns: int) -> str:
    shape = shapes.shape(cell)
    if cell.what in _FILLING:
        return shape * columns
    return shape.ljust(columns, shapes.level if cell.what in _WEST_CORNERS else BLANK)


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


def _letters(shown: Area, columns: int) -> str:
    row = [BLANK] * columns * (shown.east - shown.west + 1)
    for x in range(shown.west, shown.east + 1):
        if x % BOX_EDGE == BOX_EDGE // 2:
            row[columns * (x - shown.west)] = box_of(Square(x, 0)).name[0]
    return (BLANK * RULER + "".join(row)).rstrip()


def _columns(shown: Area, columns: int) -> str:
    wide = columns * (shown.east - shown.west + 1)
    row = [BLANK] * wide
    for x in range(shown.west, shown.east + 1):
        if x % BOX_EDGE == 0:
            number, west = str(x), columns * (x - shown.west)
            row[west : west + len(number)] = number
    return (BLANK * RULER + "".join(row[:wide])).rstrip()


def _row_name(y: int) -> str:
    middle = y % BOX_EDGE == BOX_EDGE // 2
    return f"{y // BOX_EDGE + 1 if middle else '':<2}"
