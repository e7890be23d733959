"""One place of a drawn map and its meaning; the drawer chooses the shape.

Every face is made from cells: the rows of the terminal by `map/glyphs.py`, pictures by
`export/board.py` and `export/ground.py`.
"""

from typing import Final, NamedTuple, final

from sunglare_protocol.geometry import Compass, Landing, Square
from sunglare_protocol.ids import Side
from sunglare_protocol.word import Word
from sunglare_protocol.words.ladder import Fix


class Layer(Word):
    """What kind of thing a cell shows; `SOFT` ones give way to whatever is put later."""

    GROUND = "ground"
    ZONE = "zone"
    ARC = "arc"
    TRACE = "trace"
    BODY = "body"
    SCAN = "scan"
    PIECE = "piece"
    NAME = "name"


SOFT: Final = (Layer.GROUND, Layer.ZONE, Layer.ARC, Layer.TRACE)


class What(Word):
    """What a cell shows; the last six are the lines of a scan's box and its one square."""

    SPACE = "space"
    WELL = "well"
    SHADOW = "shadow"
    ZONE = "zone"
    REACH = "reach"
    ARC = "arc"
    FRONT = "front"
    GLARE = "glare"
    PLACE = "place"
    LINE = "line"
    BORDER = "border"
    GHOST = "ghost"
    PLANET = "planet"
    ASTEROID = "asteroid"
    SHIP = "ship"
    CLOAKED = "cloaked"
    LANDED = "landed"
    REMOTE = "remote"
    HELD = "held"
    UNIT = "unit"
    BLIP = "blip"
    LETTER = "letter"
    UNSEEN = "unseen"
    NORTH_WEST = "north_west"
    NORTH_EAST = "north_east"
    SOUTH_WEST = "south_west"
    SOUTH_EAST = "south_east"
    LEVEL = "level"
    UPRIGHT = "upright"
    SPOT = "spot"


@final
class Cell(NamedTuple):
    """One place of a map: what stands there, on which layer, and whose and how sure it is.

    `name` is what a piece is called, or the piece whose name a letter belongs to. `side` is None
    where it is not known. Of a foreign piece `fix` is its rung and `age` how many turns ago it was
    there; `letter` is one of a name. An own `PLACE` is where others may take the piece to be.
    """

    what: What
    layer: Layer
    name: str = ""
    is_own: bool = False
    side: Side | None = None
    fix: Fix | None = None
    facing: Compass | None = None
    age: int = 0
    letter: str = ""


SPACE: Final = Cell(What.SPACE, Layer.GROUND)
"""Open space, in the sun."""


Overlay = tuple[tuple[Square, Cell], ...]
"""Cells to draw over the ground and below all pieces, the last topmost."""


@final
class Mark(NamedTuple):
    """A piece to draw: where, as what, and what a piece of its kind is called in a count.

    `landing` is where it stands on a body, if it does.
    """

    square: Square
    cell: Cell
    word: str
    landing: Landing | None = None

    @property
    def label(self) -> str:
        """Return the name that is written next to it if there is room."""
        return self.cell.name
