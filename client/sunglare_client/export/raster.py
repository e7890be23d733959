"""A picture as an image of points, by Pillow, which the extra `export` brings."""

from functools import lru_cache
from typing import Final, assert_never, final

from PIL import Image, ImageColor, ImageDraw, ImageFont

from sunglare_client.export.colours import PAINTS, Colours, Ink, Theme, colours_of
from sunglare_client.export.shapes import FONT, Block, Disc, Label, Outline, Point, Shape, Sketch
from sunglare_client.export.svg import scaled

FINE: Final = 2
"""OWN: a picture is painted so many times as large and then made smaller, which softens edges."""

DASH: Final = 2
"""Units of a dash, and of the gap after it."""

Colour = tuple[int, int, int]


def painted(drawn: Sketch, theme: Theme, width: int) -> Image.Image:
    """Return a picture that is so many points wide; the page's theme is the light one here."""
    brush = _Brush(drawn, colours_of(theme), width)
    for shape in drawn.shapes:
        brush.paint(shape)
    return brush.finished(width, scaled(drawn, width))


@final
class _Brush:
    """Paints shapes, one over the other, on an image that is finer than what comes of it."""

    def __init__(self, drawn: Sketch, colours: Colours, width: int) -> None:
        self._scale = FINE * width / drawn.width
        self._colours = colours
        size = (FINE * width, FINE * scaled(drawn, width))
        self._image = Image.new("RGB", size, self._colour("paper"))
        self._draw = ImageDraw.Draw(self._image)

    def finished(self, width: int, height: int) -> Image.Image:
        """Return the image at its own size."""
        return self._image.resize((width, height), Image.Resampling.BOX)

    def paint(self, shape: Shape) -> None:
        """Paint a shape over all before it."""
        match shape:
            case Block(ink, west, north, width, height):
                east, south = west + width, north + height
                self._area(ink, ((west, north), (east, north), (east, south), (west, south)))
            case Disc():
                self._disc(shape)
            case Outline(ink, points) if len(points) == 2:
                self._line(ink, *points)
            case Outline(ink, points):
                self._area(ink, points)
            case Label():
                self._words(shape)
            case _:
                assert_never(shape)

    def _area(self, ink: Ink, points: tuple[Point, ...]) -> None:
        if (fill := self._fill(ink)) is not None:
            self._draw.polygon([self._at(point) for point in points], fill=fill)
        if PAINTS[ink].stroke:
            for one, other in zip(points, (*points[1:], points[0]), strict=True):
                self._line(ink, one, other)

    def _disc(self, disc: Disc) -> None:
        (west, north), (east, south) = (
            self._at((disc.x - disc.radius, disc.y - disc.radius)),
            self._at((disc.x + disc.radius, disc.y + disc.radius)),
        )
        fill = None if disc.is_hollow else self._fill(disc.ink)
        outline = self._colour("ink") if disc.is_hollow else self._stroke(disc.ink)
        self._draw.ellipse(
            (west, north, east, south), fill=fill, outline=outline, width=self._width(disc.ink)
        )

    def _line(self, ink: Ink, one: Point, other: Point) -> None:
        for begin, end in _dashes(one, other) if PAINTS[ink].is_broken else ((one, other),):
            places = [self._at(begin), self._at(end)]
            self._draw.line(places, fill=self._stroke(ink), width=self._width(ink))

    def _words(self, label: Label) -> None:
        place, font = self._at((label.x, label.y)), _font(FONT * self._scale)
        anchor = "ms" if label.is_middle else "ls"
        fill = self._fill(label.ink)
        self._draw.text(place, label.words, fill=fill, font=font, anchor=anchor)

    def _at(self, point: Point) -> Point:
        return point[0] * self._scale, point[1] * self._scale

    def _width(self, ink: Ink) -> int:
        return max(1, round(PAINTS[ink].width * self._scale))

    def _colour(self, name: str) -> Colour:
        red, green, blue, *_ = ImageColor.getrgb(getattr(self._colours, name))
        return red, green, blue

    def _stroke(self, ink: Ink) -> Colour | None:
        name = PAINTS[ink].stroke
        return self._colour(name) if name else None

    def _fill(self, ink: Ink) -> Colour | None:
        """Return what a shape is filled with, where it covers the paper alone if it is thin."""
        paint = PAINTS[ink]
        if not paint.fill:
            return None
        pairs = zip(self._colour(paint.fill), self._colour("paper"), strict=True)
        red, green, blue = (
            round(over * paint.strength + under * (1 - paint.strength)) for over, under in pairs
        )
        return red, green, blue


def _dashes(one: Point, other: Point) -> list[tuple[Point, Point]]:
    """Return the dashes of a broken line, from its beginning."""
    length = max(((other[0] - one[0]) ** 2 + (other[1] - one[1]) ** 2) ** 0.5, 1e-9)

    def at(way: float) -> Point:
        part = min(way, length) / length
        return one[0] + (other[0] - one[0]) * part, one[1] + (other[1] - one[1]) * part

    starts = range(0, max(1, round(length)), 2 * DASH)
    return [(at(start), at(start + DASH)) for start in starts]


@lru_cache(maxsize=8)
def _font(size: float) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    return ImageFont.load_default(size)
