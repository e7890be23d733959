"""A chart as rows of text, at two scales; pure functions, for a terminal or a file."""

from sunglare_client.map.boxmap import boxes
from sunglare_client.map.chart import Chart, Wish, chart_of, focus_of, scanned
from sunglare_client.map.glyphs import BLANK, Glyphs, glyphs
from sunglare_client.map.marks import marks_of
from sunglare_client.map.sheet import RULER
from sunglare_client.text.lists.space import draw_pieces
from sunglare_protocol.geometry import BOX_EDGE, Area, Square, box_of
from sunglare_protocol.ids import OwnId
from sunglare_protocol.orders import Scan
from sunglare_protocol.views import TruthView, View


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

    With `zoom` 1 one cell is one square, with 0 one is a box, unless a `scan` is to be drawn; the
    rest is as in a `Wish`. The last rows count the pieces that lie beyond the edges, and name
    those that stand on one square.
    """
    shapes = glyphs(ascii_only=ascii_only)
    wish = Wish(width, height, focus, scan, arcs, ascii_only)
    if zoom <= 0 and scanned(view, wish) is None:
        marks = marks_of(view, ascii_only=ascii_only)
        middle = focus_of(view, wish, marks)
        return boxes(view.board, marks, shapes, width=width, height=height, focus=middle)
    return chart_rows(chart_of(view, wish), shapes)


def chart_rows(chart: Chart, shapes: Glyphs) -> list[str]:
    """Return a chart as text, with the rulers above and on the left and the notes below."""
    shown = chart.shown
    lines = [_letters(shown), _columns(shown)]
    for y, cells in enumerate(chart.rows, shown.north):
        lines.append(f"{_row_name(y)}{y:>3}{''.join(map(shapes.shape, cells))}".rstrip())
    return [*lines, *chart.notes]


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


def _letters(shown: Area) -> str:
    row = [BLANK] * (shown.east - shown.west + 1)
    for x in range(shown.west, shown.east + 1):
        if x % BOX_EDGE == BOX_EDGE // 2:
            row[x - shown.west] = box_of(Square(x, 0)).name[0]
    return (BLANK * RULER + "".join(row)).rstrip()


def _columns(shown: Area) -> str:
    row = [BLANK] * (shown.east - shown.west + 1)
    for x in range(shown.west, shown.east + 1):
        if x % BOX_EDGE == 0:
            number = str(x)
            row[x - shown.west : x - shown.west + len(number)] = number
    return (BLANK * RULER + "".join(row[: shown.east - shown.west + 1])).rstrip()


def _row_name(y: int) -> str:
    middle = y % BOX_EDGE == BOX_EDGE // 2
    return f"{y // BOX_EDGE + 1 if middle else '':<2}"
