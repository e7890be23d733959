"""The styles of the full screen: colours for every kind of sight, or none at all.

Nothing rests on a colour alone: pieces differ by shape, states are words. The blue and the
vermilion are those of the pictures (`export/colours.py`).
"""

from typing import Final, NamedTuple, final

from rich.style import Style

from sunglare_client.export.colours import DARK
from sunglare_client.map.cells import Cell, Layer, What
from sunglare_protocol.ids import SIDES
from sunglare_protocol.words.ladder import Fix


@final
class Palette(NamedTuple):
    """A style for each kind of thing; each is one, for text without a style is a fault to draw."""

    text: Style
    faint: Style
    title: Style
    own: Style
    foreign: Style
    held: Style
    memory: Style
    body: Style
    shadow: Style
    scan: Style
    trace: Style
    typed: Style
    fault: Style
    news: Style
    pointer: Style
    sides: tuple[Style, ...]


def _paint(colour: str, *, bold: bool | None = None) -> Style:
    """Return a style that leaves it to the pointer whether it is reversed."""
    return Style(color=colour, bgcolor=DARK.paper, bold=bold)


COLOURED: Final = Palette(
    text=_paint(DARK.ink),
    faint=_paint(DARK.body),
    title=_paint(DARK.ink, bold=True),
    own=_paint(DARK.own, bold=True),
    foreign=_paint(DARK.foreign),
    held=_paint(DARK.foreign, bold=True),
    memory=_paint(DARK.body),
    body=_paint(DARK.body),
    shadow=_paint("#4a5668"),
    scan=_paint(DARK.scan),
    trace=_paint("#7d8794"),
    typed=_paint(DARK.ink, bold=True),
    fault=_paint(DARK.third),
    news=_paint(DARK.fourth),
    pointer=Style(reverse=True),
    sides=tuple(_paint(colour) for colour in (DARK.own, DARK.foreign, DARK.third, DARK.fourth)),
)
"""On a dark ground."""

MONO: Final = Palette(
    text=Style(bold=False),
    faint=Style(bold=False),
    title=Style(bold=True),
    own=Style(bold=True),
    foreign=Style(underline=True),
    held=Style(bold=True, underline=True),
    memory=Style(bold=False),
    body=Style(bold=False),
    shadow=Style(bold=False),
    scan=Style(bold=False),
    trace=Style(bold=False),
    typed=Style(bold=True),
    fault=Style(underline=True),
    news=Style(bold=True),
    pointer=Style(reverse=True),
    sides=(Style(bold=True), Style(underline=True), Style(bold=False), Style(italic=True)),
)
"""Without any colour: bold, underlined and reversed only."""

_HELD_WELL = (Fix.SOLUTION, Fix.TRACKED, Fix.DETECTED)


def style_of(cell: Cell, palette: Palette, *, is_truth: bool = False) -> Style:
    """Return how a cell of the map is drawn; in the truth each side has a style of its own."""
    if is_truth and cell.side is not None:
        return palette.sides[SIDES.index(cell.side)]
    match cell.layer:
        case Layer.PIECE | Layer.NAME:
            return _of_piece(cell, palette)
        case Layer.BODY:
            return palette.body
        case Layer.SCAN:
            return palette.scan
        case Layer.ZONE | Layer.ARC:
            return palette.trace
        case Layer.TRACE:
            return _of_trace(cell, palette)
        case Layer.GROUND:
            return palette.shadow


def _of_piece(cell: Cell, palette: Palette) -> Style:
    if cell.is_own:
        return palette.own
    if cell.fix is Fix.MEMORY:
        return palette.memory
    return palette.held if cell.fix in _HELD_WELL else palette.foreign


def _of_trace(cell: Cell, palette: Palette) -> Style:
    if cell.what is What.GHOST:
        return palette.own if cell.is_own else palette.foreign
    return palette.scan if cell.what is What.PLACE and cell.is_own else palette.trace
