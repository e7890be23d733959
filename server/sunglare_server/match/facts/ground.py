"""Facts on a surface that a grant may give one audience, field by field."""

from typing import final

from sunglare_protocol.ids import OwnId, Side
from sunglare_protocol.notices.ground import TokenEnd
from sunglare_protocol.surface import Build, Cell, Site
from sunglare_protocol.words.dossiers import Dossier, Outcome
from sunglare_server.match.facts.base import FactBase
from sunglare_server.match.ids import PieceId


@final
class MapShown(FactBase, frozen=True):
    """A surface map is seen from now on."""

    site: Site


@final
class MapHidden(FactBase, frozen=True):
    """A surface map is no longer seen."""

    site: Site


@final
class TokenShown(FactBase, frozen=True):
    """A foreign piece stands on a cell of a seen map; what it is if it is identified."""

    piece: PieceId
    site: Site
    cell: Cell
    side: Side | None = None
    type: str | None = None
    build: Build | None = None
    footprint: int | None = None


@final
class TokenMoved(FactBase, frozen=True):
    """A held token stands on another cell."""

    piece: PieceId
    cell: Cell


@final
class TokenNamed(FactBase, frozen=True):
    """A held token is known by side, type, build and footprint."""

    piece: PieceId
    side: Side
    type: str
    build: Build
    footprint: int


@final
class TokenAnswered(FactBase, frozen=True):
    """The answer to an own request for the data of a token, with the dossier if it is full."""

    ship: OwnId
    target: PieceId
    outcome: Outcome
    dossier: Dossier | None = None


@final
class TokenTaken(FactBase, frozen=True):
    """A held token is gone; one that lifts off shows what it is."""

    piece: PieceId
    how: TokenEnd
    side: Side | None = None
    type: str | None = None
    build: Build | None = None
    footprint: int | None = None


@final
class GroundShotReported(FactBase, frozen=True):
    """What an own attack on the ground did."""

    ship: OwnId
    weapon: str
    target: PieceId
    damage: int
    dice: tuple[int, ...]


GroundFact = (
    MapShown
    | MapHidden
    | TokenShown
    | TokenMoved
    | TokenNamed
    | TokenAnswered
    | TokenTaken
    | GroundShotReported
)
"""Every kind of fact of a surface."""

GROUND_ORDER: tuple[type[GroundFact], ...] = (
    MapShown,
    TokenMoved,
    TokenShown,
    TokenNamed,
    TokenAnswered,
    GroundShotReported,
    TokenTaken,
    MapHidden,
)
"""Kinds of fact in the order they are taken in: what others refer to comes first."""
