"""How the pictures of the book look: their size, and the notes that are drawn over a board.

The boards themselves are the product's own drawing. A note is a shape in squares of the board, or
in cells of a surface map; all colours, widths and letters of notes stand here.
"""

import math
from typing import Final, NamedTuple, assert_never, final
from xml.sax.saxutils import escape

from sunglare_client.export.colours import DARK, LIGHT, Colours
from sunglare_client.export.ground import CELL, HEAD
from sunglare_client.export.shapes import FONT, LINE, MARGIN, UNIT

WIDTH: Final = 560
"""Points of a screen that a picture takes at most."""

LARGEST: Final = 1.7
"""Points for each unit of a drawing that would be smaller than that."""

HALO: Final = 2.5
"""Units of paper around the letters of a note, so that they can be read on anything."""

ARROW: Final = 5
"""Units from the head of an arrow to its foot."""


@final
class Note(NamedTuple):
    """Words beside a place, `east` and `south` of it, with a line that leads there."""

    words: str
    x: float
    y: float
    east: float = 0
    south: float = 0


@final
class Ring(NamedTuple):
    """A circle around a place, with words below its northern edge, or above it."""

    words: str
    x: float
    y: float
    radius: float
    is_above: bool = False


@final
class Way(NamedTuple):
    """A line from place to place, with an arrow head at its end."""

    places: tuple[tuple[float, float], ...]


@final
class Strip(NamedTuple):
    """A narrow strip from a place to another, some parts of a square wide."""

    start: tuple[float, float]
    end: tuple[float, float]
    width: float


Mark = Note | Ring | Way | Strip


@final
class Grid(NamedTuple):
    """Where the middle of the first square, or cell, lies in a drawing, and how wide each is."""

    west: float
    north: float
    step: int

    def at(self, x: float, y: float) -> tuple[float, float]:
        """Return a place of the board as a point of the drawing."""
        return self.west + x * self.step, self.north + y * self.step


def board_grid(west: int, north: int) -> Grid:
    """Return the grid of a captioned board of which this square is the first that is shown."""
    middle = UNIT / 2
    return Grid(MARGIN + middle - west * UNIT, MARGIN + LINE + middle - north * UNIT, UNIT)


def ground_grid(board: int, rows: int) -> Grid:
    """Return the grid of the surface map beside a board, whose cells count from the south."""
    middle = CELL / 2
    return Grid(board + MARGIN + middle, MARGIN + HEAD + (rows - 1) * CELL + middle, CELL)


def points_wide(units: int) -> int:
    """Return how many points wide a drawing of so many units is on a page."""
    return min(WIDTH, round(LARGEST * units))


def noted(drawing: str, grid: Grid, marks: tuple[Mark, ...]) -> str:
    """Return a drawing in SVG with notes over it."""
    drawn = [part for mark in marks for part in _drawn(mark, grid)]
    style = f"<style>{_style(LIGHT)}@media(prefers-color-scheme:dark){{{_style(DARK)}}}</style>"
    return drawing.replace("</svg>", "\n".join([style, *drawn, "</svg>"]))


def _style(of: Colours) -> str:
    line = f"fill:none;stroke:{of.ink};stroke-width:1"
    return (
        f".note,.halo{{fill:{of.ink};font-size:{FONT}px;font-weight:bold}}"
        f".halo{{fill:{of.paper};stroke:{of.paper};stroke-width:{HALO}px}}"
        f".lead{{{line}}}.ring{{{line};stroke-dasharray:4 2}}.way{{{line};stroke-width:1.5}}"
        f".head{{fill:{of.ink}}}.strip{{fill:{of.scan};fill-opacity:0.25;stroke:{of.scan}}}"
    )


def _drawn(mark: Mark, grid: Grid) -> list[str]:
    match mark:
        case Note():
            return _note(mark, grid)
        case Ring(words, x, y, radius, is_above):
            east, south = grid.at(x, y)
            reach = radius * grid.step
            top = south - reach + (-3 if is_above else FONT + 3)
            ring = f'<circle class="ring" cx="{_n(east)}" cy="{_n(south)}" r="{_n(reach)}"/>'
            return [ring, _words(words, east, top, "middle")]
        case Way(places):
            points = [grid.at(*place) for place in places]
            stops = [f'<circle class="head" cx="{_n(x)}" cy="{_n(y)}" r="2"/>' for x, y in points]
            return [_line("way", *points), *stops[1:-1], _head(points[-2], points[-1])]
        case Strip(start, end, width):
            return [_strip(grid.at(*start), grid.at(*end), width * grid.step)]
        case _:
            assert_never(mark)


def _note(mark: Note, grid: Grid) -> list[str]:
    place = grid.at(mark.x, mark.y)
    there = grid.at(mark.x + mark.east, mark.y + mark.south)
    anchor = "start" if mark.east > 0 else "end" if mark.east < 0 else "middle"
    beside = 2 if mark.east > 0 else -2 if mark.east < 0 else 0
    words = _words(mark.words, there[0] + beside, there[1] + FONT / 3, anchor)
    if not (mark.east or mark.south):
        return [words]
    return [_line("lead", place, there), words]


def _words(words: str, x: float, y: float, anchor: str) -> str:
    at = f'x="{_n(x)}" y="{_n(y)}" text-anchor="{anchor}"'
    # The halo is a text of its own below the note: not all programs know `paint-order`.
    halo, note = (f'<text class="{kind}" {at}>{escape(words)}</text>' for kind in ("halo", "note"))
    return f"{halo}\n{note}"


def _line(kind: str, *points: tuple[float, float]) -> str:
    way = "L".join(f"{_n(x)} {_n(y)}" for x, y in points)
    return f'<path class="{kind}" d="M{way}"/>'


def _head(before: tuple[float, float], end: tuple[float, float]) -> str:
    angle = math.atan2(end[1] - before[1], end[0] - before[0])
    feet = [
        (end[0] - ARROW * math.cos(angle + side), end[1] - ARROW * math.sin(angle + side))
        for side in (-0.5, 0.5)
    ]
    return f'{_line("head", end, *feet)[:-3]}Z"/>'


def _strip(start: tuple[float, float], end: tuple[float, float], width: float) -> str:
    east, south = end[0] - start[0], end[1] - start[1]
    length = math.hypot(east, south)
    off = (south / length * width / 2, -east / length * width / 2)
    corners = [
        (start[0] + off[0], start[1] + off[1]),
        (end[0] + off[0], end[1] + off[1]),
        (end[0] - off[0], end[1] - off[1]),
        (start[0] - off[0], start[1] - off[1]),
    ]
    return f'{_line("strip", *corners)[:-3]}Z"/>'


def _n(number: float) -> str:
    return f"{round(number, 1):g}"
