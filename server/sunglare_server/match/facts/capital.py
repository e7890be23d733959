"""Facts on capital fire that a grant may give one audience, field by field."""

from typing import final

from sunglare_protocol.geometry import Square
from sunglare_protocol.ids import OwnId, Side
from sunglare_protocol.notices.capital import Point
from sunglare_protocol.surface import Site
from sunglare_server.match.facts.base import FactBase
from sunglare_server.match.ids import PieceId
from sunglare_server.match.kinds import Harmed


@final
class Overflown(FactBase, frozen=True):
    """A foreign fighter flies over a seen surface map: its square, side and type."""

    piece: PieceId
    square: Square
    side: Side
    type: str


@final
class BlastReported(FactBase, frozen=True):
    """Where own fire at a point came down, and what it did to the tokens that are held."""

    ship: OwnId
    weapon: str
    site: Site
    dice: tuple[int, ...]
    harmed: tuple[Harmed, ...]
    point: Point | None = None


CapitalFact = Overflown | BlastReported
"""Every kind of fact of capital fire."""
