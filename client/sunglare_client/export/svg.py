"""A picture in SVG, for pages and files: shapes and text, and nothing that runs.

Where the page is dark the picture is, unless a theme is chosen.
"""

from typing import Final, assert_never
from xml.sax.saxutils import escape

from sunglare_client.export.colours import (
    DARK,
    LIGHT,
    PAINTS,
    Colours,
    Ink,
    Paint,
    Theme,
    colours_of,
)
from sunglare_client.export.shapes import FONT, Block, Disc, Label, Outline, Shape, Sketch

_SVG: Final = f'role="img" aria-labelledby="t d" font-family="monospace" font-size="{FONT}"'

_SPACE: Final = "http://www.w3.org/2000/svg"

_HOLLOW: Final = "hollow"
"""The class of circles that are outlines whatever their ink fills."""


def svg(drawn: Sketch, theme: Theme = Theme.PAGE, width: int | None = None) -> str:
    """Return a picture; `width` is how many points of a screen it takes, if given."""
    size = "" if width is None else f' width="{width}" height="{scaled(drawn, width)}"'
    parts = [
        f'<svg xmlns="{_SPACE}" viewBox="0 0 {drawn.width} {drawn.height}"{size} {_SVG}>',
        f'<title id="t">{_text(drawn.title)}</title><desc id="d">{_text(drawn.words)}</desc>',
        f"<style>{_style(theme)}</style>",
        *map(_element, drawn.shapes),
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def scaled(drawn: Sketch, width: int) -> int:
    """Return how high a picture is that is so wide."""
    return max(1, round(drawn.height * width / drawn.width))


def _text(words: str) -> str:
    return escape(words, {'"': "&quot;"})


def _style(theme: Theme) -> str:
    if theme is Theme.PAGE:
        return f"{_rules(LIGHT)}@media(prefers-color-scheme:dark){{{_rules(DARK)}}}"
    return _rules(colours_of(theme))


def _rules(of: Colours) -> str:
    rules = [f"{_selector(ink)}{{{_painted(paint, of)}}}" for ink, paint in PAINTS.items()]
    return "".join([*rules, f".{_HOLLOW}{{fill:none;stroke:{of.ink}}}"])


def _selector(ink: Ink) -> str:
    return ink.value if ink is Ink.TEXT else f".{ink.value}"


def _painted(paint: Paint, of: Colours) -> str:
    said = [f"fill:{getattr(of, paint.fill) if paint.fill else 'none'}"]
    if paint.strength < 1:
        said.append(f"fill-opacity:{paint.strength}")
    if paint.stroke:
        said.append(f"stroke:{getattr(of, paint.stroke)};stroke-width:{paint.width}")
    if paint.is_broken:
        said.append("stroke-dasharray:2 2")
    return ";".join(said)


def _element(shape: Shape) -> str:
    match shape:
        case Block(ink, west, north, width, height):
            at = f'x="{_n(west)}" y="{_n(north)}"'
            return f'<rect class="{ink.value}" {at} width="{_n(width)}" height="{_n(height)}"/>'
        case Disc(ink, x, y, radius, is_hollow):
            kind = f"{ink.value} {_HOLLOW}" if is_hollow else ink.value
            return f'<circle class="{kind}" cx="{_n(x)}" cy="{_n(y)}" r="{_n(radius)}"/>'
        case Outline(ink, points):
            way = "L".join(f"{_n(x)} {_n(y)}" for x, y in points)
            return f'<path class="{ink.value}" d="M{way}{"Z" if len(points) > 2 else ""}"/>'
        case Label():
            return _words(shape)
        case _:
            assert_never(shape)


def _words(label: Label) -> str:
    kind = "" if label.ink is Ink.TEXT else f' class="{label.ink.value}"'
    middle = ' text-anchor="middle"' if label.is_middle else ""
    return f'<text x="{_n(label.x)}" y="{_n(label.y)}"{kind}{middle}>{_text(label.words)}</text>'


def _n(number: float) -> str:
    """Return a number without what says nothing."""
    return f"{number:g}"
