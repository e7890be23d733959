"""Pictures as the bytes of image files: one as PNG, many as GIF or WebP."""

import io
from collections.abc import Iterable, Iterator
from typing import Final

from PIL import Image, ImageColor

from sunglare_client.export.colours import Colours, Theme, colours_of
from sunglare_client.export.raster import painted
from sunglare_client.export.shapes import Sketch

STEP_MS: Final = 500
"""OWN: how long each picture of an animation is shown."""

LAST_MS: Final = 3_000
"""OWN: how long the last one is."""

BLENDS: Final = 8
"""OWN: so many colours of a GIF lie between each colour of a theme and the paper."""


def png(drawn: Sketch, theme: Theme, width: int) -> bytes:
    """Return a picture as PNG."""
    found = io.BytesIO()
    painted(drawn, theme, width).save(found, "PNG", optimize=True)
    return found.getvalue()


def gif(drawn: Iterable[Sketch], theme: Theme, width: int) -> bytes:
    """Return pictures as an animation; there is at least one, and all are of one size."""
    palette = _palette(colours_of(theme))
    pictures = (
        painted(one, theme, width).quantize(palette=palette, dither=Image.Dither.NONE)
        for one in drawn
    )
    return _animated(pictures, "GIF", {"optimize": False, "disposal": 1})


def webp(drawn: Iterable[Sketch], theme: Theme, width: int) -> bytes:
    """Return pictures as an animation; there is at least one, and all are of one size."""
    pictures = (painted(one, theme, width) for one in drawn)
    return _animated(pictures, "WEBP", {"lossless": True, "quality": 50, "method": 2})


def _animated(pictures: Iterator[Image.Image], kind: str, options: dict[str, object]) -> bytes:
    every = list(pictures)
    durations = [STEP_MS] * (len(every) - 1) + [LAST_MS]
    found = io.BytesIO()
    first, *rest = every
    first.save(
        found, kind, save_all=True, append_images=rest, duration=durations, loop=0, **options
    )
    return found.getvalue()


def _palette(colours: Colours) -> Image.Image:
    """Return an image with the colours of all pictures: the theme's, and those at soft edges.

    All pictures of a GIF have the same, so that of each only what has changed is written.
    """
    paper, ink = ImageColor.getrgb(colours.paper)[:3], ImageColor.getrgb(colours.ink)[:3]
    found: dict[tuple[int, ...], None] = {}
    for name in colours:
        for ground in (paper, ink):
            for step in range(BLENDS + 1):
                pairs = zip(ImageColor.getrgb(name)[:3], ground, strict=True)
                found[tuple(round(u + (o - u) * step / BLENDS) for o, u in pairs)] = None
    image = Image.new("P", (1, 1))
    image.putpalette([part for colour in found for part in colour])
    return image
