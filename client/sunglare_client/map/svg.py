"""A chart as a picture in SVG, for pages and files: shapes and text, and nothing that runs.

The colours are told apart by people of every kind of sight, and nothing is told by a colour alone:
own pieces are filled, foreign ones are drawn by their rung, memories are broken lines;
of the truth pieces that no other side holds are hollow. Where the
page is dark the picture is, unless a theme is chosen.
"""

from typing import Final, NamedTuple, final
from xml.sax.saxutils import escape

from sunglare_client.map.cells import Cell, Layer, Mark, What
from sunglare_client.map.chart import Chart
from sunglare_protocol.geometry import BOX_EDGE, Square, box_of
from sunglare_protocol.word import Word
from sunglare_protocol.words.ladder import Fix

UNIT = 10
"""Units of the picture that one square is wide."""

MARGIN = 24
"""Units around the board, for the names of boxes."""


class Theme(Word):
    """The two themes of a picture, and the one that follows the page."""

    LIGHT = "light"
    DARK = "dark"
    PAGE = "page"


@final
class _Colours(NamedTuple):
    paper: str
    ink: str
    faint: str
    own: str
    foreign: str
    body: str
    shadow: str
    scan: str


# The blue and the vermilion that keep their distance for every kind of sight.
_LIGHT: Final = _Colours(
    "#ffffff", "#1a1a1a", "#c8c8c8", "#0060a0", "#b04000", "#777777", "#dddddd", "#006b52"
)
_DARK: Final = _Colours(
    "#10141a", "#e8e8e8", "#3a4250", "#56b4e9", "#e69f00", "#8a8f98", "#1e2630", "#00b088"
)

_FILLS: Final = {
    What.WELL: "well",
    What.SHADOW: "shadow",
    What.PLANET: "body",
    What.ZONE: "zone",
    What.ARC: "arc",
    What.UNSEEN: "unseen",
}


_SVG: Final = 'role="img" aria-labelledby="t d" font-family="monospace" font-size="9"'


def board_svg(chart: Chart, title: str, *, theme: Theme = Theme.PAGE) -> str:
    """Return the whole picture, with `title` and the notes of the chart as words for readers."""
    columns = chart.shown.east - chart.shown.west + 1
    rows = chart.shown.south - chart.shown.north + 1
    width, height = columns * UNIT + 2 * MARGIN, rows * UNIT + 2 * MARGIN
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" {_SVG}>',
        f'<title id="t">{_text(title)}</title><desc id="d">{_text(described(chart))}</desc>',
        f"<style>{_style(theme)}</style>",
        f'<rect class="paper" width="{width}" height="{height}"/>',
        *_grounds(chart),
        *_rulers(chart),
        *(_piece(chart, mark) for mark in reversed(chart.marks) if chart.covers(mark.square)),
        *_names(chart),
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def described(chart: Chart) -> str:
    """Return in words what the picture shows, piece by piece."""
    shown = [_words(mark) for mark in chart.marks if chart.covers(mark.square)]
    return "; ".join([*shown, *chart.notes]) or "nothing but the board"


def _words(mark: Mark) -> str:
    cell, at = mark.cell, f"{mark.square.x},{mark.square.y} {box_of(mark.square).name}"
    rung = "own" if cell.is_own else cell.fix.value if cell.fix is not None else "held by nobody"
    age = f", {cell.age} turns ago" if cell.age else ""
    return f"{cell.name} {rung} at {at}{age}"


def _text(words: str) -> str:
    return escape(words, {'"': "&quot;"})


def _style(theme: Theme) -> str:
    if theme is Theme.PAGE:
        return f"{_rules(_LIGHT)}@media(prefers-color-scheme:dark){{{_rules(_DARK)}}}"
    return _rules(_LIGHT if theme is Theme.LIGHT else _DARK)


def _rules(of: _Colours) -> str:
    return (
        f".paper{{fill:{of.paper}}}text{{fill:{of.ink}}}.grid{{stroke:{of.faint};fill:none}}"
        f".body{{fill:{of.body}}}.shadow{{fill:{of.shadow}}}"
        f".well{{fill:{of.faint};fill-opacity:.35}}"
        f".zone,.arc{{fill:{of.own};fill-opacity:.15}}"
        f".unseen{{stroke:{of.scan};fill:none}}.scan{{stroke:{of.scan};fill:none;stroke-width:2}}"
        f".own{{fill:{of.own};stroke:{of.ink}}}"
        f".known{{fill:{of.ink}}}.hidden{{fill:{of.paper};stroke:{of.ink};stroke-width:2}}"
        f".foreign{{fill:none;stroke:{of.foreign};stroke-width:2}}"
        f".tracked{{fill:{of.foreign};stroke:{of.ink}}}"
        f".memory{{fill:none;stroke:{of.foreign};stroke-dasharray:2 2}}"
    )


def _place(chart: Chart, square: Square) -> tuple[int, int]:
    """Return the corner of a square in the picture."""
    west = MARGIN + (square.x - chart.shown.west) * UNIT
    return west, MARGIN + (square.y - chart.shown.north) * UNIT


def _grounds(chart: Chart) -> list[str]:
    """Return a rectangle for each run of squares that are alike, and the lines of a scan."""
    parts: list[str] = []
    for y, cells in enumerate(chart.ground, chart.shown.north):
        start = 0
        for end in range(1, len(cells) + 1):
            if end == len(cells) or cells[end].what is not cells[start].what:
                parts += _run(
                    chart, cells[start], Square(chart.shown.west + start, y), end - start
                )
                start = end
    return parts


def _run(chart: Chart, cell: Cell, first: Square, length: int) -> list[str]:
    west, north = _place(chart, first)
    if cell.layer is Layer.SCAN and cell.what is not What.UNSEEN:
        dots = range(west + 4, west + 4 + length * UNIT, UNIT)
        return [f'<rect class="scan" x="{x}" y="{north + 4}" width="2" height="2"/>' for x in dots]
    if cell.what is What.ASTEROID:
        return [f'<circle class="body" cx="{west + 5}" cy="{north + 5}" r="4"/>']
    fill = _FILLS.get(cell.what)
    if fill is None:
        return []
    return [
        f'<rect class="{fill}" x="{west}" y="{north}" width="{length * UNIT}" height="{UNIT}"/>'
    ]


def _rulers(chart: Chart) -> list[str]:
    """Return the grid of boxes and their names."""
    parts: list[str] = []
    shown = chart.shown
    south, east = MARGIN + len(chart.rows) * UNIT, MARGIN + len(chart.rows[0]) * UNIT
    for x in range(shown.west, shown.east + 1):
        west, _ = _place(chart, Square(x, shown.north))
        if x % BOX_EDGE == 0:
            parts.append(f'<path class="grid" d="M{west} {MARGIN}V{south}"/>')
        if x % BOX_EDGE == BOX_EDGE // 2:
            parts.append(
                f'<text x="{west}" y="{MARGIN - 8}">{box_of(Square(x, 0)).name[0]}</text>'
            )
    for y in range(shown.north, shown.south + 1):
        _, north = _place(chart, Square(shown.west, y))
        if y % BOX_EDGE == 0:
            parts.append(f'<path class="grid" d="M{MARGIN} {north}H{east}"/>')
        if y % BOX_EDGE == BOX_EDGE // 2:
            parts.append(f'<text x="4" y="{north + 8}">{y // BOX_EDGE + 1}</text>')
    return parts


def _piece(chart: Chart, mark: Mark) -> str:
    west, north = _place(chart, mark.square)
    x, y = west + UNIT // 2, north + UNIT // 2
    return f'<g class="{_class(mark.cell)}">{_shape(mark.cell, x, y)}</g>'


def _names(chart: Chart) -> list[str]:
    """Return the names of the pieces, those of one square beside one another."""
    by_square: dict[Square, list[str]] = {}
    for mark in chart.marks:
        if chart.covers(mark.square):
            by_square.setdefault(mark.square, []).append(mark.label)
    parts: list[str] = []
    for square, names in by_square.items():
        west, north = _place(chart, square)
        words = _text(" ".join(names))
        parts.append(f'<text x="{west + UNIT + 2}" y="{north + UNIT - 2}">{words}</text>')
    return parts


def _class(cell: Cell) -> str:
    if cell.is_own:
        return "own"
    if cell.what is not What.HELD:
        return "hidden" if cell.fix is None else "known"
    if cell.fix in (Fix.TRACKED, Fix.SOLUTION):
        return "tracked"
    return "memory" if cell.fix in (Fix.MEMORY, Fix.COASTING) else "foreign"


def _shape(cell: Cell, x: int, y: int) -> str:
    match cell.what:
        case What.CLOAKED:
            return f'<circle cx="{x}" cy="{y}" r="5" fill="none"/>'
        case What.LANDED:
            return f'<path d="M{x - 5} {y + 4}V{y - 1}L{x} {y - 5}L{x + 5} {y - 1}V{y + 4}Z"/>'
        case What.REMOTE:
            return f'<rect x="{x - 3}" y="{y - 3}" width="6" height="6"/>'
        case What.SHIP if cell.facing is not None:
            turned = f'transform="rotate({cell.facing.index * 45} {x} {y})"'
            return f'<path {turned} d="M{x} {y - 6}L{x + 5} {y + 5}L{x - 5} {y + 5}Z"/>'
        case _:
            return f'<path d="M{x} {y - 6}L{x + 6} {y}L{x} {y + 6}L{x - 6} {y}Z"/>'
