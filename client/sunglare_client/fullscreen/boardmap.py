"""The map of the full screen: drawn row by row, with a pointer that keys and clicks move."""

from collections.abc import Iterator
from typing import final

from textual import events
from textual.geometry import Region, Size
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

from sunglare_client.fullscreen.palette import Palette
from sunglare_client.fullscreen.pane import broken
from sunglare_client.fullscreen.pointing.pointing import Pointer
from sunglare_client.fullscreen.scene import MapLook
from sunglare_client.fullscreen.strips import Pen, with_inset
from sunglare_client.map.boxmap import BOX_SIGNS, boxes, boxes_drawn
from sunglare_client.map.cells import Cell as MapCell
from sunglare_client.map.chart import Chart, Wish, chart_of, scanned
from sunglare_client.map.drawing import COLUMNS_MOST, squares_in
from sunglare_client.map.frame import HEAD_ROWS, unseen
from sunglare_client.map.glyphs import glyphs
from sunglare_client.map.groundchart import ground_chart
from sunglare_client.map.groundsheet import MARK, GroundSheet, sheet
from sunglare_client.map.legend import ground_rows, legend_rows
from sunglare_client.map.marks import marks_of
from sunglare_client.map.overview import Overview, overview
from sunglare_client.map.sheet import RULER, RULER_ROWS
from sunglare_client.map.sight import Sight
from sunglare_protocol.geometry import Board, Square, box_of
from sunglare_protocol.ids import OMNI
from sunglare_protocol.surface import Cell, Site
from sunglare_protocol.views import TruthView, View


@final
class Pointed(Message):
    """A square of the map was clicked."""

    def __init__(self, square: Square) -> None:
        """Keep the square."""
        super().__init__()
        self.square = square


@final
class CellPointed(Message):
    """A cell of a surface map was clicked."""

    def __init__(self, cell: Cell) -> None:
        """Keep the cell."""
        super().__init__()
        self.cell = cell


@final
class RowPointed(Message):
    """One of the rows that stand instead of a map was clicked."""

    def __init__(self, row: int) -> None:
        """Keep its number among them."""
        super().__init__()
        self.row = row


@final
class MapResized(Message):
    """The map has another size."""


@final
class BoardMap(Widget, can_focus=True):
    """The map of a view; what is drawn is made again only when something has changed."""

    def __init__(self, palette: Palette, *, ascii_only: bool, id: str) -> None:  # noqa: A002 - the name that widgets have for it
        """Begin with nothing to draw."""
        super().__init__(id=id)
        self._pen = Pen(glyphs(ascii_only=ascii_only), palette)
        self._palette = palette
        self._ascii_only = ascii_only
        self._view: View | TruthView | None = None
        self._look = MapLook()
        self._pointer: Pointer | None = None
        self._middle: Square | None = None
        self._due: Sight | None = None
        self._asked = 0
        self._chart: Chart | None = None
        self._overview: Overview | None = None
        self._sheet: GroundSheet | None = None
        self._room = Size()
        self._strips: list[Strip] = []
        self._rows: list[int] = []

    def show(self, view: View | TruthView | None, look: MapLook, pointer: Pointer | None) -> None:
        """Draw another view, or the same with another look or pointer."""
        self._take(view, look, pointer)
        self._strips = []
        self.refresh()

    def amend(self, view: View | TruthView | None, look: MapLook, pointer: Pointer | None) -> None:
        """Draw what differs little: only rows that change go to the terminal again."""
        before = self._strips
        self._take(view, look, pointer)
        self._strips = []
        if before:
            self._draw()
        if not before or len(before) != len(self._strips):
            self.refresh()
            return
        rows = (y for y, strip in enumerate(self._strips) if strip != before[y])
        if changed := [Region(0, y, self.size.width, 1) for y in rows]:
            self.refresh(*changed)

    def _take(self, view: View | TruthView | None, look: MapLook, pointer: Pointer | None) -> None:
        if _eyes(view) != _eyes(self._view) or _board(view) != _board(self._view):
            self._middle = None
        if look.sight.asked != self._asked:
            self._asked, self._due = look.sight.asked, look.sight
        elif pointer is not None and pointer.square != _square(self._pointer):
            self._due = Sight((pointer.square,))
        self._view, self._look, self._pointer = view, look, pointer

    @property
    def chart(self) -> Chart | None:
        """Return what is drawn at the scale of squares: the map, or the inset of an overview."""
        return self._chart

    @property
    def columns(self) -> int:
        """Return how many columns a square takes."""
        if self._look.zoom in (1, COLUMNS_MOST):
            return self._look.zoom
        view = self._view
        fits = view is None or squares_in(self.size.width, COLUMNS_MOST) > view.board.area.east
        return COLUMNS_MOST if fits else 1

    @property
    def shows_boxes(self) -> bool:
        """Return whether the whole board is shown by boxes."""
        return self._look.zoom == 0

    def place_of(self, square: Square) -> tuple[int, int] | None:
        """Return the column and row at which a square is drawn, if it is."""
        self._draw()
        if self._chart is None or not self._chart.covers(square):
            return None
        west, north = self._origin
        column = west + RULER + self.columns * (square.x - self._chart.shown.west)
        return column, north + HEAD_ROWS + square.y - self._chart.shown.north

    def square_at(self, column: int, row: int) -> Square | None:
        """Return the square that is drawn at a place of the widget, if one is."""
        if self._chart is not None:
            west, north = self._origin
            x, y = column - west - RULER, row - north - HEAD_ROWS
            shown = self._chart.shown
            square = Square(shown.west + x // self.columns, shown.north + y)
            if x >= 0 and y >= 0 and self._chart.covers(square):
                return square
        if self._overview is None or self._view is None:
            return None
        box = self._overview.box_at(self._view.board, column, row)
        return None if box is None else box.centre

    @property
    def _origin(self) -> tuple[int, int]:
        """Return the column and the row at which the chart begins."""
        seen = self._overview
        return (0, 0) if seen is None else (seen.inset_x, seen.inset_y)

    def unseen(self, width: int) -> str:
        """Return what the map does not show, in so many columns."""
        self._draw()
        if self._chart is None or self._view is None or self._overview is not None:
            return ""
        return unseen(self._chart.shown, self._chart.marks, width)

    def legend(self) -> list[str]:
        """Return the shapes that stand on the map now, each with its meaning."""
        self._draw()
        if self._sheet is not None:
            marks = [f"{MARK} where your unit can end its move"] if self._sheet.marked else []
            return [*ground_rows(self._sheet.places, hides=self._sheet.hides_terrain), *marks]
        rows = legend_rows(self._cells(), self._pen.shapes)
        return rows if self._overview is None else [*rows, *BOX_SIGNS]

    def _cells(self) -> Iterator[MapCell]:
        if self._overview is not None and self._view is not None:
            area = scanned(self._view, self._wish(0, 0))
            yield from boxes_drawn(self._view.board, marks_of(self._view), area)
        for row in () if self._chart is None else self._chart.rows:
            yield from row

    def render_line(self, y: int) -> Strip:
        """Return a row as it is drawn."""
        self._draw()
        text = self._palette.text
        strip = self._strips[y] if y < len(self._strips) else Strip([])
        return strip.adjust_cell_length(self.size.width, text)

    def on_resize(self) -> None:
        """Draw everything for another size."""
        self.refresh()
        self.post_message(MapResized())

    def on_click(self, event: events.Click) -> None:
        """Report which square was clicked."""
        square = self.square_at(event.x, event.y)
        cell = None if self._sheet is None else self._sheet.cell_at(event.x, event.y)
        if cell is not None:
            self.post_message(CellPointed(cell))
        elif square is not None:
            self.post_message(Pointed(square))
        elif self._look.rows and event.y < len(self._rows):
            self.post_message(RowPointed(self._rows[event.y]))

    def _draw(self) -> None:
        if self._room != self.size:
            # The pointer or what was asked for has to be in sight at another size too.
            here = _square(self._pointer)
            self._room, self._middle, self._strips = self.size, None, []
            self._due = self._due or (self._look.sight if here is None else Sight((here,)))
        if not self._strips:
            self._strips = self._drawn()

    def _drawn(self) -> list[Strip]:
        self._chart = self._sheet = self._overview = None
        view, look = self._view, self._look
        if look.rows:
            return self._listed(look.rows)
        if view is None:
            return [self._pen.text("nothing is shown yet")]
        if look.site is not None and isinstance(view, View):
            return self._surface(view, look.site)
        if self.shows_boxes:
            return self._boxes(view)
        self._chart = self._charted(view)
        return self._chart_strips(self._chart)

    def _surface(self, view: View, site: Site) -> list[Strip]:
        chart = ground_chart(view, site)
        if chart is None:
            return [self._pen.text(f"there is no surface {site.name}")]
        here = None if self._pointer is None else self._pointer.ground
        cell = None if here is None or here.site != site else here.cell
        marked = self._look.cells
        drawn = sheet(chart, self.size.width - 1, self.size.height, marked=marked)
        if cell is not None and drawn.place_of(cell) is None:
            # Else it stays where it is while the pointer goes about in it.
            drawn = sheet(chart, self.size.width - 1, self.size.height, around=cell, marked=marked)
        self._sheet = drawn
        strips = [self._pen.text(row) for row in drawn.rows]
        if cell is not None and (place := drawn.place_of(cell)) is not None:
            strips[place[1]] = self._pen.marked(strips[place[1]], place[0], drawn.columns)
        return strips

    def _listed(self, rows: tuple[str, ...]) -> list[Strip]:
        """Return rows that stand instead of a map, broken where they are too long."""
        drawn = [
            (index, part)
            for index, row in enumerate(rows)
            for part in broken(row, max(self.size.width - 1, 8))
        ]
        self._rows = [index for index, _ in drawn]
        return [self._pen.text(part) for _, part in drawn]

    def _boxes(self, view: View | TruthView) -> list[Strip]:
        """Return the whole board by boxes, with the squares around the pointer as an inset."""
        board, height = view.board, self.size.height
        seen = self._overview = overview(board, self.size.width, height, self.columns)
        marks = marks_of(view, ascii_only=self._ascii_only)
        first = marks[0].square if marks else Square(0, 0)
        self._middle = _square(self._pointer) or self._middle or first
        area = scanned(view, self._wish(seen.across, seen.down))
        rows = boxes(
            board,
            marks,
            self._pen.shapes,
            width=seen.columns,
            height=seen.rows,
            focus=self._middle,
            cell=seen.cell,
            area=area,
        )
        strips = [self._pen.text(row) for row in rows[:height]]
        if self._pointer is not None and seen.rows > board.rows:
            column, row = seen.place_of(box_of(self._pointer.square))
            strips[row] = self._pen.marked(strips[row], column, seen.cell)
        if not seen.has_inset:
            return strips
        if area is not None and not seen.holds(area):
            self._look = self._look._replace(scan=None)
        self._chart = chart_of(view, self._wish(seen.across, seen.down))
        return with_inset(seen, strips, self._chart_strips(self._chart))

    def _charted(self, view: View | TruthView) -> Chart:
        """Return the chart around what was asked for last, with the pointer once it is moved."""
        across = squares_in(self.size.width, self.columns)
        down = self.size.height - HEAD_ROWS
        chart = chart_of(view, self._wish(across, down))
        due, self._due = self._due, None
        if due is not None and (due.centred or not all(map(chart.covers, due.squares))):
            self._middle = due.middle(across, down)
            chart = chart_of(view, self._wish(across, down))
        shown = chart.shown
        # From now on the map stays where it is while the pointer goes about in it.
        self._middle = self._middle or Square(
            (shown.west + shown.east + 1) // 2, (shown.north + shown.south + 1) // 2
        )
        return chart

    def _wish(self, across: int, down: int) -> Wish:
        look = self._look
        return Wish(
            width=across + RULER,
            height=down + RULER_ROWS,
            focus=self._middle,
            scan=look.scan,
            arcs=look.arcs,
            ascii_only=self._ascii_only,
            over=look.over,
            noted=False,
        )

    def _chart_strips(self, chart: Chart) -> list[Strip]:
        is_truth = isinstance(self._view, TruthView)
        return self._pen.chart(chart, self.columns, _square(self._pointer), is_truth=is_truth)


def _square(pointer: Pointer | None) -> Square | None:
    return None if pointer is None else pointer.square


def _board(view: View | TruthView | None) -> Board | None:
    """Return the public map of a view: another one is of another match."""
    return None if view is None else view.board


def _eyes(view: View | TruthView | None) -> str:
    """Return through whose eyes a view is."""
    return str(OMNI if isinstance(view, TruthView) else "" if view is None else view.audience)
