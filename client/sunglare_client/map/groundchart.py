"""The map of a surface as a view-model: its terrain, and what stands on each of its cells."""

from typing import NamedTuple, final

from sunglare_client.map.cells import Cell, Layer, What
from sunglare_protocol.geometry import Environs
from sunglare_protocol.ids import Side
from sunglare_protocol.surface import Cell as GroundCell
from sunglare_protocol.surface import Site
from sunglare_protocol.views import TruthView, View
from sunglare_protocol.views.ground import TokenView, UnitPieceView
from sunglare_protocol.words.ladder import Fate, Fix

OPEN_GROUND = "."
"""The letter of terrain on which nothing stands, and of maps without any."""


@final
class GroundPlace(NamedTuple):
    """One cell of a surface map: where, its letter of terrain, who stands there, topmost first.

    `is_lit`: lamps light it when it is not day.
    """

    at: GroundCell
    terrain: str
    standing: tuple[Cell, ...]
    is_lit: bool = False


@final
class GroundChart(NamedTuple):
    """A surface map, row by row from the north."""

    site: Site
    environs: Environs
    rows: tuple[tuple[GroundPlace, ...], ...]

    @property
    def shared(self) -> tuple[GroundPlace, ...]:
        """Return the cells on which more than one piece stands, in the order of the view."""
        return tuple(place for row in self.rows for place in row if len(place.standing) > 1)


def ground_chart(view: View | TruthView, site: Site) -> GroundChart | None:
    """Return the surface map of a site with the pieces on it; None if there is no such surface.

    In the truth that is every unit, under the letter of its side.
    """
    environs = view.board.environs_at(site)
    if environs is None:
        return None
    standing = (
        _true_units(view, site) if isinstance(view, TruthView) else _seen(view, site, environs)
    )
    rows = tuple(
        tuple(
            _place(environs, GroundCell(column, row), standing)
            for column in range(environs.columns)
        )
        for row in range(environs.rows - 1, -1, -1)
    )
    return GroundChart(site, environs, rows)


def _place(
    environs: Environs, cell: GroundCell, standing: dict[GroundCell, list[Cell]]
) -> GroundPlace:
    rows = environs.terrain
    letter = rows[environs.rows - 1 - cell.row][cell.column] if rows else OPEN_GROUND
    return GroundPlace(cell, letter, tuple(standing.get(cell, ())), environs.is_lit(cell))


def _true_units(view: TruthView, site: Site) -> dict[GroundCell, list[Cell]]:
    found: dict[GroundCell, list[Cell]] = {}
    for unit in view.ground:
        if unit.site == site and unit.cell is not None and unit.fate is Fate.IN_PLAY:
            found.setdefault(unit.cell, []).append(_true_unit(unit))
    return found


def _true_unit(unit: UnitPieceView) -> Cell:
    name, fix = f"{unit.side}.{unit.id}", _rung(is_held=bool(unit.held))
    return Cell(What.UNIT, Layer.PIECE, name=name, side=unit.side, fix=fix)


def _seen(view: View, site: Site, environs: Environs) -> dict[GroundCell, list[Cell]]:
    """Return who stands on each cell, own units, landed ships, then held tokens and memories.

    A ship that landed without a cell stands in the middle of the map.
    """
    found: dict[GroundCell, list[Cell]] = {}
    side = Side(view.audience)
    for unit in view.ground:
        if unit.site == site and unit.cell is not None and unit.fate is Fate.IN_PLAY:
            own = Cell(What.UNIT, Layer.PIECE, name=unit.id, is_own=True, side=side)
            found.setdefault(unit.cell, []).append(own)
    for ship in view.own:
        landing = ship.landed
        is_here = landing is not None and landing.site == site and ship.fate is Fate.IN_PLAY
        if is_here and landing is not None:
            own = Cell(What.UNIT, Layer.PIECE, name=ship.id, is_own=True, side=side)
            found.setdefault(landing.cell or environs.middle, []).append(own)
    tokens = [
        token for surface in view.surfaces if surface.site == site for token in surface.tokens
    ]
    for token in sorted(tokens, key=lambda held: held.handle is None):
        if token.fate is Fate.IN_PLAY:
            found.setdefault(token.cell, []).append(_token(token, view.stage.turn))
    return found


def _token(token: TokenView, turn: int) -> Cell:
    is_held = token.handle is not None
    return Cell(
        What.BLIP if token.type is None else What.UNIT,
        Layer.PIECE,
        name=token.label if is_held else token.label.lower(),
        side=token.side,
        fix=_rung(is_held=True) if is_held else Fix.MEMORY,
        age=max(0, turn - token.turn),
    )


def _rung(*, is_held: bool) -> Fix | None:
    """Return the rung that stands for a held piece of a surface, which has no others."""
    return Fix.CONTACT if is_held else None
