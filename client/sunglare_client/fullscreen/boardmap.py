"""The map of the full screen: drawn row by row, with a pointer that keys and clicks move."""

from itertools import groupby
from operator import itemgetter
from typing import final

from rich.segment import Segment
from textual import events
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

from sunglare_client.fullscreen.palette import Palette, style_of
from sunglare_client.fullscreen.pane import broken
from sunglare_client.fullscreen.pointing import Pointer
from sunglare_client.fullscreen.scene import MapLook
from sunglare_client.map.chart import Chart, Wish, chart_of
from sunglare_client.map.drawing import (
    COLUMNS_MOST,
    draw_map,
    row_parts,
    row_ruler,
    rulers,
    squares_in,
)
from sunglare_client.map.glyphs import Glyphs, glyphs
from sunglare_client.map.groundchart import ground_chart
from sunglare_client.map.groundsheet import GroundSheet, sheet
from sunglare_client.map.sheet import RULER, RULER_ROWS
from sunglare_protocol.geometry import Board, Square
from sunglare_protocol.ids import OMNI
from sunglare_protocol.surface import Cell, Site
from sunglare_protocol.views import TruthView, View


@final
class Pointed(Message):
    """Somebody has clicked on a square of the map."""

    def __init__(self, square: Square) -> None:
        """Keep the square."""
        super().__init__()
        self.square = square


@final
class CellPointed(Message):
    """Somebody has clicked on a cell of a surface map."""

    def __init__(self, cell: Cell) -> None:
        """Keep the cell."""
        super().__init__()
        self.cell = cell


@final
class RowPointed(Message):
    """Somebody has clicked on one of the rows that stand instead of a map."""

    def __init__(self, row: int) -> None:
        """Keep its number among them."""
        super().__init__()
        self.row = row


@final
class BoardMap(Widget, can_focus=True):
    """The map of a view; what is drawn is made anew only when something has changed."""

    def __init__(self, palette: Palette, *, ascii_only: bool, id: str) -> None:  # noqa: A002 - the name that widgets have for it
        """Begin with nothing to draw."""
        super().__init__(id=id)
        self._palette = palette
        self._shapes: Glyphs = glyphs(ascii_only=ascii_only)
        self._ascii_only = ascii_only
        self._view: View | TruthView | None = None
        self._look = MapLook()
        self._pointer: Pointer | None = None
        self._middle: Square | None = None
        self._asked: Square | None = None
        self._chart: Chart | None = None
        self._sheet: GroundSheet | None = None
        self._strips: list[Strip] = []
        self._rows: list[int] = []

    def show(self, view: View | TruthView | None, look: MapLook, pointer: Pointer | None) -> None:
        """Draw another view, or the same with another look or pointer."""
        if _eyes(view) != _eyes(self._view) or _board(view) != _board(self._view):
            self._middle = None
        if look.focus is not None and look.focus != self._asked:
            self._middle = look.focus
        self._asked = look.focus
        self._view, self._look, self._pointer = view, look, pointer
        self._strips = []
        self.refresh()

    @property
    def chart(self) -> Chart | None:
        """Return what is drawn, if it is a chart at the scale of squares."""
        return self._chart

    def square_at(self, column: int, row: int) -> Square | None:
        """Return the square that is drawn at a place of the widget, if one is."""
        if self._chart is None:
            return None
        shown = self._chart.shown
        square = Square(
            shown.west + (column - RULER) // self._columns, shown.north + row - RULER_ROWS
        )
        return square if column >= RULER and self._chart.covers(square) else None

    def render_line(self, y: int) -> Strip:
        """Return a row as it is drawn."""
        if not self._strips:
            self._strips = self._drawn()
        text = self._palette.text
        strip = self._strips[y] if y < len(self._strips) else Strip([])
        return strip.adjust_cell_length(self.size.width, text)

    def on_resize(self) -> None:
        """Draw anew for another size."""
        self._strips = []

    def on_click(self, event: events.Click) -> None:
        """Tell which square was clicked."""
        square = self.square_at(event.x, event.y)
        cell = None if self._sheet is None else self._sheet.cell_at(event.x, event.y)
        if cell is not None:
            self.post_message(CellPointed(cell))
        elif square is not None:
            self.post_message(Pointed(square))
        elif self._look.rows and event.y < len(self._rows):
            self.post_message(RowPointed(self._rows[event.y]))

    @property
    def zoom(self) -> int:
        """Return the scale at which the map is drawn: wide, if the whole board fits so."""
        if self._look.zoom is not None or self._view is None:
            return 1 if self._look.zoom is None else self._look.zoom
        fits = squares_in(self.size.width, COLUMNS_MOST) > self._view.board.area.east
        return COLUMNS_MOST if fits else 1

    @property
    def _columns(self) -> int:
        return min(max(self.zoom, 1), COLUMNS_MOST)

    def _drawn(self) -> list[Strip]:
        self._chart = self._sheet = None
        view, look = self._view, self._look
        if look.rows:
            return self._listed(look.rows)
        if view is None:
            return [self._text("nothing is shown yet")]
        if look.site is not None and isinstance(view, View):
            return self._surface(view, look.site)
        if self.zoom <= 0 and look.scan is None:
            return [self._text(row) for row in self._boxes(view)]
        self._chart = self._charted(view)
        return self._chart_strips(self._chart)

    def _surface(self, view: View, site: Site) -> list[Strip]:
        chart = ground_chart(view, site)
        if chart is None:
            return [self._text(f"there is no surface {site.name}")]
        here = None if self._pointer is None else self._pointer.ground
        cell = None if here is None or here.site != site else here.cell
        drawn = sheet(chart, self.size.width - 1, self.size.height)
        if cell is not None and drawn.place_of(cell) is None:
            # Else it stays where it is while the pointer goes about in it.
            drawn = sheet(chart, self.size.width - 1, self.size.height, around=cell)
        self._sheet = drawn
        strips = [self._text(row) for row in drawn.rows]
        if cell is not None and (place := drawn.place_of(cell)) is not None:
            strips[place[1]] = self._marked(strips[place[1]], place[0], drawn.columns)
        return strips

    def _listed(self, rows: tuple[str, ...]) -> list[Strip]:
        """Return rows that stand instead of a map, broken where they are too long."""
        drawn = [
            (index, part)
            for index, row in enumerate(rows)
            for part in broken(row, max(self.size.width - 1, 8))
        ]
        self._rows = [index for index, _ in drawn]
        return [self._text(part) for _, part in drawn]

    def _boxes(self, view: View | TruthView) -> list[str]:
        return draw_map(
            view,
            ascii_only=self._ascii_only,
            width=self.size.width,
            height=self.size.height,
            focus=self._middle,
            zoom=0,
        )

    def _charted(self, view: View | TruthView) -> Chart:
        """Return the chart around the place it was drawn around, or around the pointer."""
        chart = chart_of(view, self._wish())
        if self._pointer is not None and not chart.covers(self._pointer.square):
            self._middle = self._pointer.square
            chart = chart_of(view, self._wish())
        shown = chart.shown
        # From now on the map stays where it is while the pointer goes about in it.
        self._middle = self._middle or Square(
            (shown.west + shown.east + 1) // 2, (shown.north + shown.south + 1) // 2
        )
        return chart

    def _wish(self) -> Wish:
        look = self._look
        return Wish(
            width=squares_in(self.size.width, self._columns) + RULER,
            height=self.size.height,
            focus=self._middle,
            scan=look.scan,
            arcs=look.arcs,
            ascii_only=self._ascii_only,
            over=look.over,
        )

    def _chart_strips(self, chart: Chart) -> list[Strip]:
        rows = [self._text(row) for row in rulers(chart, self._columns)]
        rows += [self._row(chart, y) for y in range(len(chart.rows))]
        return [*rows, *(self._text(note) for note in chart.notes)]

    def _row(self, chart: Chart, index: int) -> Strip:
        y = chart.shown.north + index
        parts = row_parts(chart.rows[index], self._shapes, self._columns)
        truth = isinstance(self._view, TruthView)
        styled = ((text, style_of(cell, self._palette, is_truth=truth)) for text, cell in parts)
        strip = Strip(
            [
                Segment(row_ruler(y), self._palette.faint),
                # Squares that are drawn alike go to the terminal as one piece.
                *(
                    Segment("".join(text for text, _ in run), style)
                    for style, run in groupby(styled, key=itemgetter(1))
                ),
            ]
        )
        if self._pointer is None or self._pointer.square.y != y:
            return strip
        west = RULER + self._columns * (self._pointer.square.x - chart.shown.west)
        return self._marked(strip, west, self._columns)

    def _marked(self, strip: Strip, west: int, columns: int) -> Strip:
        """Return the row with the place of the pointer reversed, which is so many columns wide."""
        east = west + columns
        # Rows end with what is drawn last in them.
        strip = strip.adjust_cell_length(max(strip.cell_length, east), self._palette.faint)
        before, under, after = strip.divide([west, east, strip.cell_length])
        return Strip.join([before, under.apply_style(self._palette.pointer), after])

    def _text(self, row: str) -> Strip:
        return Strip([Segment(row, self._palette.faint)])


def _board(view: View | TruthView | None) -> Board | None:
    """Return the public map of a view: another one is of another match."""
    return None if view is None else view.board


def _eyes(view: View | TruthView | None) -> str:
    """Return through whose eyes a view is."""
    return str(OMNI if isinstance(view, TruthView) else "" if view is None else view.audience)
