"""The colours of a picture, light and dark, and how each kind of thing is painted in them.

People of every kind of sight can distinguish the colours, and nothing rests on a colour alone: own
pieces are filled, foreign ones are drawn by their rung, memories are broken lines. In the truth
each side has a colour, a letter and a form of its ships; pieces that no other side holds are
hollow.
"""

from typing import Final, NamedTuple, final

from sunglare_protocol.ids import SIDES
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
    third: str
    fourth: str


# The blue and the vermilion that keep their distance for every kind of sight, which in the truth
# are those of the first two sides; the others as on the watch page.
LIGHT: Final = Colours(
    paper="#ffffff",
    ink="#1a1a1a",
    faint="#c8c8c8",
    own="#0060a0",
    foreign="#b04000",
    body="#777777",
    shadow="#dddddd",
    scan="#006b52",
    third="#8a2f6b",
    fourth="#4d5a00",
)
DARK: Final = Colours(
    paper="#10141a",
    ink="#e8e8e8",
    faint="#3a4250",
    own="#56b4e9",
    foreign="#e69f00",
    body="#8a8f98",
    shadow="#1e2630",
    scan="#00b088",
    third="#e08fc4",
    fourth="#d6dd6a",
)


def colours_of(theme: Theme) -> Colours:
    """Return the colours of a theme; an image stands on no page, and is light."""
    return DARK if theme is Theme.DARK else LIGHT


class Ink(Word):
    """What a shape is painted as."""

    PAPER = "paper"
    TEXT = "text"
    TERRAIN = "terrain"
    INVERSE = "inverse"
    GRID = "grid"
    BODY = "body"
    SHADOW = "shadow"
    WELL = "well"
    ZONE = "zone"
    ARC = "arc"
    FRONT = "front"
    GLARE = "glare"
    PLACE = "place"
    BORDER = "border"
    GHOST = "ghost"
    UNSEEN = "unseen"
    SCAN = "scan"
    OWN = "own"
    FIRST = "first"
    SECOND = "second"
    THIRD = "third"
    FOURTH = "fourth"
    FIRST_HIDDEN = "first_hidden"
    SECOND_HIDDEN = "second_hidden"
    THIRD_HIDDEN = "third_hidden"
    FOURTH_HIDDEN = "fourth_hidden"
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
    Ink.TERRAIN: Paint("body"),
    Ink.INVERSE: Paint("paper"),
    Ink.GRID: Paint(stroke="faint"),
    Ink.BODY: Paint("body"),
    Ink.SHADOW: Paint("shadow"),
    Ink.WELL: Paint("faint", strength=0.35),
    Ink.ZONE: Paint("own", strength=0.15),
    Ink.ARC: Paint("own", strength=0.15),
    Ink.FRONT: Paint(stroke="foreign"),
    Ink.GLARE: Paint(stroke="fourth", width=2),
    Ink.PLACE: Paint("third"),
    Ink.BORDER: Paint("body"),
    Ink.GHOST: Paint(stroke="ink"),
    Ink.UNSEEN: Paint(stroke="scan"),
    Ink.SCAN: Paint(stroke="scan", width=2),
    Ink.OWN: Paint("own", "ink"),
    Ink.FIRST: Paint("own", "ink"),
    Ink.SECOND: Paint("foreign", "ink"),
    Ink.THIRD: Paint("third", "ink"),
    Ink.FOURTH: Paint("fourth", "ink"),
    Ink.FIRST_HIDDEN: Paint("paper", "own", width=2),
    Ink.SECOND_HIDDEN: Paint("paper", "foreign", width=2),
    Ink.THIRD_HIDDEN: Paint("paper", "third", width=2),
    Ink.FOURTH_HIDDEN: Paint("paper", "fourth", width=2),
    Ink.FOREIGN: Paint(stroke="foreign", width=2),
    Ink.TRACKED: Paint("foreign", "ink"),
    Ink.MEMORY: Paint(stroke="foreign", is_broken=True),
}
"""How each is painted, in every theme."""

TRUE_INKS: Final = dict(
    zip(
        SIDES,
        (
            (Ink.FIRST, Ink.FIRST_HIDDEN),
            (Ink.SECOND, Ink.SECOND_HIDDEN),
            (Ink.THIRD, Ink.THIRD_HIDDEN),
            (Ink.FOURTH, Ink.FOURTH_HIDDEN),
        ),
        strict=True,
    )
)
"""What a piece of a side is painted as in the truth: held by another side, and not."""
