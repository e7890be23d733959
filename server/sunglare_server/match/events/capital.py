"""Everything that can happen by capital fire, in the past tense."""

from typing import final

from sunglare_protocol.geometry import Square
from sunglare_protocol.ids import OwnId, Side
from sunglare_protocol.surface import Arm, Cell, Site
from sunglare_protocol.words.capital import CapitalClass
from sunglare_rules.turn.metric import Spot
from sunglare_server.match.events.base import EventBase
from sunglare_server.match.ids import PieceId
from sunglare_server.match.kinds import Harmed, MissileFlight, Noticed


@final
class FighterOverflew(EventBase, frozen=True, tag="FighterOverflew"):
    """A fighter flies over a surface map that `side` sees, and is a contact that it knows."""

    piece: PieceId
    side: Side


@final
class PointDesignated(EventBase, frozen=True, tag="PointDesignated"):
    """A ground unit put its beam on a cell; `noticed` are the enemies that perceived it.

    A beam that a large unit blocks guides nothing.
    """

    piece: PieceId
    site: Site
    cell: Cell
    noticed: tuple[Noticed, ...]
    guides: bool = True


@final
class BatteryFired(EventBase, frozen=True, tag="BatteryFired"):
    """A ground unit fired at a piece in space.

    `spent` are the points of defence that met its missile, which they may have `stopped`.
    """

    piece: PieceId
    weapon: str
    kind: Arm
    target: PieceId
    dice: tuple[int, ...]
    damage: int
    spent: int = 0
    stopped: bool = False


@final
class BatteryExposed(EventBase, frozen=True, tag="BatteryExposed"):
    """A ground unit that fired directly into space is known: its square, and more to some."""

    piece: PieceId
    square: Square
    witnesses: tuple[Side, ...]


@final
class MissileSent(EventBase, frozen=True, tag="MissileSent"):
    """A missile was sent over the ground; `noticed` are the enemies that saw the launch."""

    flight: MissileFlight
    noticed: tuple[Noticed, ...]


@final
class PointStruck(EventBase, frozen=True, tag="PointStruck"):
    """Fire of `side` at a point came down at `impact`, or, if that is None, off the map.

    `scatter` are the dice of a miss: its direction and, of direct fire, its distance. `heard`
    are the other sides that see the impact. `sent` is the turn of the launch of what has flown.
    """

    piece: PieceId
    side: Side
    own: OwnId
    weapon: str
    kind: CapitalClass
    site: Site
    cell: Cell
    dice: tuple[int, ...]
    needed: int
    impact: Spot | None
    scatter: tuple[int, ...] = ()
    harmed: tuple[Harmed, ...] = ()
    heard: tuple[Side, ...] = ()
    sent: int | None = None


CapitalEvent = (
    FighterOverflew | PointDesignated | BatteryFired | BatteryExposed | MissileSent | PointStruck
)
"""Every event of capital fire."""
