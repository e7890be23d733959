"""The orders for ground units and agents; PLOT takes them.

Fire of a ground unit is the `fire` of every piece, see `orders`.
"""

from typing import Annotated, final

import msgspec

from sunglare_protocol.ids import OwnId
from sunglare_protocol.orders.base import OrderBase
from sunglare_protocol.surface import Cell, Site

__all__ = [
    "PATH_MOST",
    "GroundOrder",
    "Move",
    "Path",
    "Station",
]

PATH_MOST = 40
"""The longest path of an order, in cells."""

Path = Annotated[tuple[Cell, ...], msgspec.Meta(max_length=PATH_MOST)]
"""The cells of a path in their order, each next to the one before."""


@final
class Station(OrderBase, frozen=True, tag="station"):
    """Put an own ground unit or agent where it starts, before anything moves in turn 1.

    `ship` is its own id. A ground unit names a cell and may be `hidden`; an agent names none and
    may name the ground unit in whose stack it stands.
    """

    at: Site
    cell: Cell | None = None
    hidden: bool = False
    stacked: OwnId | None = None


@final
class Move(OrderBase, frozen=True, tag="move"):
    """Move a ground unit along a path of cells, or load it into a landed ship or out of one.

    `ship` is the unit's own id. With `jump` the path is the one cell where it comes down. `load`
    names the own ship it goes into, `unload` brings it out; either takes the whole move. `token`:
    a hidden unit that moves unseen becomes a token instead of being shown.
    """

    path: Path = ()
    jump: bool = False
    load: OwnId | None = None
    unload: bool = False
    token: bool = False


GroundOrder = Station | Move
"""The orders for ground units and agents."""
