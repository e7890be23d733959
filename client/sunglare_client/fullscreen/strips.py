"""Rows of the map as strips: a chart in the colours of the screen, and the pointer on it."""

from itertools import groupby
from operator import itemgetter
from typing import Final, NamedTuple, final

from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip

from sunglare_client.fullscreen.palette import Palette, style_of
from sunglare_client.map.chart import Chart
from sunglare_client.map.drawing import row_parts, row_ruler
from sunglare_client.map.frame import head
from sunglare_client.map.glyphs import BLANK, Glyphs
from sunglare_client.map.overview import Overview
from sunglare_client.map.sheet import RULER
from sunglare_protocol.geometry import Square

NO_STYLE: Final = Style()
"""The style of blanks: text without any is a fault to draw."""


@final
class Pen(NamedTuple):
    """How maps are drawn on a screen: with which shapes, and in which styles."""

    shapes: Glyphs
    palette: Palette

    def text(self, row: str) -> Strip:
        """Return a row of text."""
        return Strip([Segment(row, self.palette.faint)])

    def marked(self, strip: Strip, west: int, columns: int) -> Strip:
        """Return the row with the place of the pointer reversed, which is so many columns wide."""
        east = west + columns
        # Rows end with what is drawn last in them.
        strip = strip.adjust_cell_length(max(strip.cell_length, east), self.palette.faint)
        before, under, after = strip.divide([west, east, strip.cell_length])
        return Strip.join([before, under.apply_style(self.palette.pointer), after])

    def chart(
        self, chart: Chart, columns: int, pointer: Square | None, *, is_truth: bool
    ) -> list[Strip]:
        """Return a chart with the coordinates above it, and the pointer if it points there."""
        rows = [self.text(f"{BLANK * RULER}{head(chart.shown, columns)}")]
        rows += [self._row(chart, index, columns, is_truth) for index in range(len(chart.rows))]
        if pointer is not None and chart.covers(pointer):
            row = len(rows) - len(chart.rows) + pointer.y - chart.shown.north
            west = RULER + columns * (pointer.x - chart.shown.west)
            rows[row] = self.marked(rows[row], west, columns)
        return rows

    def _row(self, chart: Chart, index: int, columns: int, is_truth: bool) -> Strip:
        parts = row_parts(chart.rows[index], self.shapes, columns)
        styled = ((text, style_of(cell, self.palette, is_truth=is_truth)) for text, cell in parts)
        return Strip(
            [
                Segment(row_ruler(chart.shown.north + index), self.palette.faint),
                # Squares that are drawn alike go to the terminal as one piece.
                *(
                    Segment("".join(text for text, _ in run), style)
                    for style, run in groupby(styled, key=itemgetter(1))
                ),
            ]
        )


def with_inset(seen: Overview, boxes: list[Strip], inset: list[Strip]) -> list[Strip]:
    """Return the rows of an overview, its boxes first, with the inset where it has room."""
    if seen.inset_y:
        return [*boxes, *inset]
    left = [strip.adjust_cell_length(seen.inset_x, NO_STYLE) for strip in boxes]
    left += [Strip.blank(seen.inset_x, NO_STYLE)] * (len(inset) - len(left))
    right = [*inset, *[Strip([])] * (len(left) - len(inset))]
    return [Strip.join(pair) for pair in zip(left, right, strict=True)]
