"""The colours of a picture, light and dark, and how each kind of thing is painted in them.

The colours are told apart by people of every kind of sight, and nothing is told by a colour
alone: own pieces are filled, foreign ones are drawn by their rung, memories are broken lines; of
the truth pieces that no other side holds are hollow.
"""

from typing import Final, NamedTuple, final

from sunglare_protocol.word import Word


class Theme(Word):
    """The two themes of a picture, and the one that follows the page it stands on."""

    LIGHT = "light"
    DARK = "dark"
    PAGE = "page"


@final
class Colours(NamedTuple):
    """The colours of a theme, as `#rrggbb`."""

    paper: str
    ink: str
    faint: str
    own: str
    foreign: str
    body: str
    shadow: str
    scan: str


# The blue and the vermilion that keep their distance for every kind of sight.
LIGHT: Final = Colours(
    "#ffffff", "#1a1a1a", "#c8c8c8", "#0060a0", "#b04000", "#777777", "#dddddd", "#006b52"
)
DARK: Final = Colours(
    "#10141a", "#e8e8e8", "#3a4250", "#56b4e9", "#e69f00", "#8a8f98", "#1e2630", "#00b088"
)


def colours_of(theme: Theme) -> Colours:
    """Return the colours of a theme; an image stands on no page, and is light."""
    return DARK if theme is Theme.DARK else LIGHT


class Ink(Word):
    """What a shape is painted as."""

    PAPER = "paper"
    TEXT = "text"
    GRID = "grid"
    BODY = "body"
    SHADOW = "shadow"
    WELL = "well"
    ZONE = "zone"
    ARC = "arc"
    UNSEEN = "unseen"
    SCAN = "scan"
    OWN = "own"
    KNOWN = "known"
    HIDDEN = "hidden"
    FOREIGN = "foreign"
    TRACKED = "tracked"
    MEMORY = "memory"


@final
class Paint(NamedTuple):
    """How a shape is filled and outlined: fields of `Colours`, none where there is nothing.

    `strength` is how much of the ground the filling covers, `width` that of the outline in units,
    and `is_broken` says that it is dashed.
    """

    fill: str = ""
    stroke: str = ""
    strength: float = 1.0
    width: int = 1
    is_broken: bool = False


PAINTS: Final = {
    Ink.PAPER: Paint("paper"),
    Ink.TEXT: Paint("ink"),
    Ink.GRID: Paint(stroke="faint"),
    Ink.BODY: Paint("body"),
    Ink.SHADOW: Paint("shadow"),
    Ink.WELL: Paint("faint", strength=0.35),
    Ink.ZONE: Paint("own", strength=0.15),
    Ink.ARC: Paint("own", strength=0.15),
    Ink.UNSEEN: Paint(stroke="scan"),
    Ink.SCAN: Paint(stroke="scan", width=2),
    Ink.OWN: Paint("own", "ink"),
    Ink.KNOWN: Paint("ink"),
    Ink.HIDDEN: Paint("paper", "ink", width=2),
    Ink.FOREIGN: Paint(stroke="foreign", width=2),
    Ink.TRACKED: Paint("foreign", "ink"),
    Ink.MEMORY: Paint(stroke="foreign", is_broken=True),
}
"""How each is painted, in every theme."""
