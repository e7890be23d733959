"""The parts of capital fire that truth, events and facts share; they import none of these."""

from typing import NamedTuple, final

import msgspec

from sunglare_protocol.capitalwords import CapitalClass
from sunglare_protocol.ids import OwnId, Side
from sunglare_protocol.surface import Cell, Site
from sunglare_server.match.ids import PieceId


class Noticed(NamedTuple):
    """A piece on the ground that noticed an emission, and the bearing it got."""

    piece: PieceId
    bearing: int


class Harmed(NamedTuple):
    """A piece within a blast, and the damage done to it."""

    piece: PieceId
    damage: int


@final
class MissileFlight(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """A missile on its way over the ground to the middle of a cell.

    It comes down in the ENGAGE of turn `lands`. What it needs was settled at its launch in turn
    `sent`, as was its `damage` at the point of impact.
    """

    piece: PieceId
    side: Side
    own: OwnId
    weapon: str
    kind: CapitalClass
    at: Site
    cell: Cell
    sent: int
    lands: int
    needed: int
    damage: int
