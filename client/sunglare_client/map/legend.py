"""The legend of a map: the shapes that stand on it, each with its meaning, and no others."""

from collections.abc import Iterable
from typing import Final

from sunglare_client.map.cells import Cell, What
from sunglare_client.map.glyphs import BLANK, Glyphs
from sunglare_client.map.groundchart import GroundPlace
from sunglare_protocol.words.ladder import Fix

_BOX: Final = "the edge of a scan's box"

_MEANINGS: Final = {
    What.SHIP: "a ship, by the way it faces",
    What.CLOAKED: "a cloaked ship",
    What.LANDED: "a landed ship",
    What.REMOTE: "a remote sensor",
    What.HELD: "a contact",
    What.UNIT: "a unit on the ground",
    What.BLIP: "an unknown unit on the ground",
    What.GHOST: "where a track drifts to next turn",
    What.PLANET: "planet",
    What.ASTEROID: "asteroid",
    What.WELL: "gravity well",
    What.SHADOW: "planet's shadow",
    What.GLARE: "sunglare of your ship: scans must not touch it",
    What.PLACE: "where a scanner or lost contact may be",
    What.LINE: "way of a ship, or line of sight",
    What.BORDER: "border of a planet's sectors",
    What.ARC: "in a firing arc",
    What.FRONT: "in front of a contact",
    What.ZONE: "where you may deploy",
    What.REACH: "where your ship can end its move",
    What.NORTH_WEST: _BOX,
    What.NORTH_EAST: _BOX,
    What.SOUTH_WEST: _BOX,
    What.SOUTH_EAST: _BOX,
    What.LEVEL: _BOX,
    What.UPRIGHT: _BOX,
    What.SPOT: "in a scan, or named in a result",
    What.UNSEEN: "hidden from the scan by a body",
}
"""The meanings in the order of the legend; open space and the letters of names have none."""

_ORDER: Final = tuple(_MEANINGS)

_RUNGS: Final = tuple(Fix)

_CONTACT: Final = "contact of this turn, no track"

_OF_OWN: Final = {
    What.SHIP: "your ship, by the way it faces",
    What.CLOAKED: "your ship, cloaked",
    What.LANDED: "your ship, landed",
    What.REMOTE: "your remote sensor",
    What.GHOST: "where your ship will be next turn",
    What.PLACE: "where others may take your ship to be",
}

_TERRAIN: Final = {
    ".": "clear",
    ",": "rough",
    "w": "woods",
    "~": "water",
    "1": "building 1",
    "2": "building 2",
    "3": "building 3",
    "4": "building 4",
    "a": "hill 1",
    "b": "hill 2",
    "c": "hill 3",
}
"""The letters of terrain, as the rules name them."""

CELL_SIZE: Final = "2 inches a cell"
"""How large a cell of a surface map is."""


def legend_rows(cells: Iterable[Cell], shapes: Glyphs) -> list[str]:
    """Return a row for each meaning among the cells, with all shapes that have it there."""
    drawn: dict[str, dict[str, None]] = {}
    for cell in sorted((cell for cell in cells if cell.what in _MEANINGS), key=_rank):
        if (shape := shapes.shape(cell)) != BLANK:
            drawn.setdefault(meaning_of(cell), {})[shape] = None
    return [f"{''.join(found)} {meaning}" for meaning, found in drawn.items()]


def meaning_of(cell: Cell) -> str:
    """Return what the shape of a cell means; empty for open space and letters of names."""
    meaning = _MEANINGS.get(cell.what, "")
    if cell.fix is not None and cell.what is What.HELD:
        return _CONTACT if cell.fix is Fix.CONTACT else f"contact: {cell.fix.value}"
    return _OF_OWN.get(cell.what, meaning) if cell.is_own else meaning


def _rank(cell: Cell) -> tuple[int, bool, int]:
    rung = 0 if cell.fix is None else _RUNGS.index(cell.fix)
    return _ORDER.index(cell.what), not cell.is_own, rung


def ground_rows(places: Iterable[GroundPlace], *, hides: bool) -> list[str]:
    """Return a row for each letter of terrain and each kind of name on a surface map.

    A name `hides` the letter of its cell where there is no room for both.
    """
    shown = tuple(places)
    letters = [place.terrain for place in shown if not (hides and place.standing)]
    standing = [place.standing[0] for place in shown if place.standing]
    kinds = {
        f"{cell.name[:1]}.. {_kind_of(cell)}": None
        for cell in sorted(standing, key=lambda cell: (not cell.is_own, cell.fix is Fix.MEMORY))
    }
    ground = [f"{letter} {meaning}" for letter, meaning in _TERRAIN.items() if letter in letters]
    return [*kinds, *ground, CELL_SIZE]


def _kind_of(cell: Cell) -> str:
    """Return whose a piece on the ground is, and whether it is only remembered."""
    if cell.is_own:
        return "your unit"
    return "a unit remembered" if cell.fix is Fix.MEMORY else "a unit you see"
