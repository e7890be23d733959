"""The shape of a piece: by what it is, in the truth by its side, its ink by who holds it."""

import math
from typing import Final

from sunglare_client.export.colours import TRUE_INKS, Ink
from sunglare_client.export.shapes import Disc, Outline, Point, Shape
from sunglare_client.map.cells import Cell, What
from sunglare_protocol.ids import SIDES, Side
from sunglare_protocol.words.ladder import Fix

_HOUSE: Final = ((-5, 4), (-5, -1), (0, -5), (5, -1), (5, 4))
_SMALL_SQUARE: Final = ((-3, -3), (3, -3), (3, 3), (-3, 3))
_SQUARE: Final = ((-5, -5), (5, -5), (5, 5), (-5, 5))
_DIAMOND: Final = ((0, -6), (6, 0), (0, 6), (-6, 0))
_ARROW: Final = ((0, -7), (4, 5), (-4, 5))

_TRUE_ARROWS: Final[dict[Side, tuple[Point, ...]]] = dict(
    zip(
        SIDES,
        (
            _ARROW,
            ((0, -6), (6, 6), (0, 2), (-6, 6)),
            ((0, -6), (5, 0), (2, 0), (2, 6), (-2, 6), (-2, 0), (-5, 0)),
            ((0, -7), (4, 3), (0, 7), (-4, 3)),
        ),
        strict=True,
    )
)
"""A ship of each side in the truth: an arrow head, one with a notch, one with a stem, a kite."""


def is_true(cell: Cell) -> bool:
    """Return whether a piece is one of the truth, of which all know the side and none owns it."""
    return not cell.is_own and cell.what not in (What.HELD, What.BLIP) and cell.side in TRUE_INKS


def piece_shape(cell: Cell, x: float, y: float) -> Shape:
    """Return a piece of a board of space around a point."""
    ink = _true_ink(cell) if is_true(cell) else _ink(cell)
    match cell.what:
        case What.CLOAKED:
            return Disc(ink, x, y, 5, is_hollow=cell.is_own)
        case What.LANDED:
            return _around(ink, x, y, _HOUSE)
        case What.REMOTE:
            return _around(ink, x, y, _SMALL_SQUARE)
        case What.SHIP if cell.facing is not None:
            return _around(ink, x, y, _turned(_arrow(cell), cell.facing.index))
        case _:
            return _around(ink, x, y, _DIAMOND)


def unit_shape(cell: Cell, x: float, y: float, *, is_truth: bool) -> Shape:
    """Return a piece of a surface map around a point: a unit is a square, a blip a diamond."""
    if cell.what not in (What.UNIT, What.BLIP):
        return piece_shape(cell, x, y)
    ink = _true_ink(cell) if is_truth else _token_ink(cell)
    return _around(ink, x, y, _SQUARE if cell.what is What.UNIT else _DIAMOND)


def sample(side: Side, x: float, y: float) -> Shape:
    """Return a ship of a side as the truth shows it, heading north."""
    return _around(TRUE_INKS[side][0], x, y, _TRUE_ARROWS[side])


def _true_ink(cell: Cell) -> Ink:
    if cell.side not in TRUE_INKS:
        return Ink.TEXT
    held, hidden = TRUE_INKS[cell.side]
    return hidden if cell.fix is None else held


def _ink(cell: Cell) -> Ink:
    if cell.is_own:
        return Ink.OWN
    if cell.fix in (Fix.TRACKED, Fix.SOLUTION):
        return Ink.TRACKED
    return Ink.MEMORY if cell.fix in (Fix.MEMORY, Fix.COASTING) else Ink.FOREIGN


def _token_ink(cell: Cell) -> Ink:
    """Return the ink of a piece on a surface map: full as soon as it is known what it is."""
    if cell.is_own:
        return Ink.OWN
    if cell.fix is Fix.MEMORY:
        return Ink.MEMORY
    return Ink.TRACKED if cell.what is What.UNIT else Ink.FOREIGN


def _arrow(cell: Cell) -> tuple[Point, ...]:
    return _TRUE_ARROWS[cell.side] if cell.side is not None and is_true(cell) else _ARROW


def _around(ink: Ink, x: float, y: float, points: tuple[Point, ...]) -> Outline:
    return Outline(ink, tuple((x + east, y + south) for east, south in points))


def _turned(points: tuple[Point, ...], eighths: int) -> tuple[Point, ...]:
    """Return points turned about the middle by so many eighths, the way clocks go."""
    angle = eighths * math.pi / 4
    cosine, sine = math.cos(angle), math.sin(angle)
    return tuple(
        (round(x * cosine - y * sine, 2), round(x * sine + y * cosine, 2)) for x, y in points
    )
