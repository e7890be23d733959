"""A picture as a list of shapes, painted from the first to the last: painters add nothing.

`export/svg.py` writes them as they are, `export/raster.py` paints them in points. So the one
picture shows what the other does, and either what the text of the terminal is drawn from.
"""

from typing import NamedTuple, TypeAlias, final

from sunglare_client.export.colours import Ink

UNIT = 10
"""Units of the picture that one square is wide."""

MARGIN = 24
"""Units around the board, for the names of boxes."""

LINE = 14
"""Units from one line of words to the next, above the board and below it."""

FONT = 9
"""Units that the letters of words are high."""

LETTER = 5.6
"""Units that a letter is wide at most."""

Point = tuple[float, float]


@final
class Block(NamedTuple):
    """A rectangle: its north-west corner and its size, in units."""

    ink: Ink
    west: float
    north: float
    width: float
    height: float


@final
class Disc(NamedTuple):
    """A circle around a point; a hollow one is an outline whatever its ink fills."""

    ink: Ink
    x: float
    y: float
    radius: float
    is_hollow: bool = False


@final
class Outline(NamedTuple):
    """A closed shape through these points, or a line if there are two."""

    ink: Ink
    points: tuple[Point, ...]


@final
class Label(NamedTuple):
    """Words that begin at a point of their base line, or have their middle there."""

    x: float
    y: float
    words: str
    ink: Ink = Ink.TEXT
    is_middle: bool = False


Shape: TypeAlias = Block | Disc | Outline | Label


@final
class Sketch(NamedTuple):
    """A picture: its size in units, its title and all it shows in words, and its shapes.

    `board` is how wide the board is with what is around it, without the surface maps.
    """

    board: int
    width: int
    height: int
    title: str
    words: str
    shapes: tuple[Shape, ...]
