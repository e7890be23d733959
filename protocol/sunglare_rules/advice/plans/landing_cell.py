"""The cell of a surface map on which a ship lands that carries troops.

Source: none of its own; landing, turn §5, and the terrain of surface play, blips §2.4.
"""

from sunglare_protocol.geometry import Environs
from sunglare_protocol.orders import Land
from sunglare_protocol.surface import Cell, Site
from sunglare_protocol.views import View
from sunglare_protocol.views.ground import GroundView
from sunglare_protocol.words.ladder import Fate
from sunglare_rules.ground.paths import Legs, beside, jump, walk
from sunglare_rules.ground.plane import apart
from sunglare_rules.ground.terrain import may_stand, terrain_at


def landing_cell(view: View, order: Land) -> Cell | None:
    """Return the cell for a landing that names none, if another one serves the troops better.

    It is the one nearest to the middle of the map where most units aboard can step out and go on.
    None: the order names a cell, the ship comes down on no map, or the middle is as good as any.
    """
    environs = None
    if order.environs is not None and order.cell is None:
        environs = view.board.environs_at(Site(order.body, order.environs))
    aboard = tuple(
        unit for unit in view.ground if unit.aboard == order.ship and unit.fate is Fate.IN_PLAY
    )
    if environs is None or not aboard:
        return None
    middle = environs.middle
    cells = (
        Cell(column, row) for row in range(environs.rows) for column in range(environs.columns)
    )
    best = min(
        cells, key=lambda cell: (-_served(environs, aboard, cell), apart(middle, cell).squared)
    )
    better = _served(environs, aboard, best) > _served(environs, aboard, middle)
    return best if better else None


def _served(environs: Environs, units: tuple[GroundView, ...], cell: Cell) -> int:
    """Return how many units can stand on a cell and leave it, or never move anyhow."""
    return sum(_can_leave(environs, unit, cell) for unit in units)


def _can_leave(environs: Environs, unit: GroundView, cell: Cell) -> bool:
    if not may_stand(unit.mode, terrain_at(environs, cell)):
        return False
    legs = Legs(unit.mode, unit.move, unit.jump)
    return not (unit.move or unit.jump) or any(
        walk(environs, legs, cell, (there,)).cells or jump(environs, legs, cell, there).cells
        for there in beside(environs, cell)
    )
