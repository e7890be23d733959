"""Notices of capital fire, as one audience may see them.

None of it is public. A point of a surface map is a pair of thousandths of an inch, east and
north of its south-western corner.
"""

from typing import final

from sunglare_protocol.geometry import Square
from sunglare_protocol.ids import Handle, OwnId, Side
from sunglare_protocol.notices.base import NoticeBase
from sunglare_protocol.surface import Arm, Cell, Site

__all__ = [
    "BlastSeen",
    "BombardResult",
    "CapitalFared",
    "CapitalFound",
    "CapitalNotice",
    "CapitalOfTruth",
    "CapitalOwn",
    "FighterSeen",
    "OwnBlasted",
    "OwnDesignated",
    "OwnMissileSent",
    "OwnNoticed",
    "OwnShelled",
    "Point",
    "TruthBlast",
    "TruthDesignated",
    "TruthMissile",
]

Point = tuple[int, int]
"""A point of a surface map, in thousandths of an inch."""


# For the side that looks.


@final
class FighterSeen(NoticeBase, frozen=True, tag="fighter"):
    """A foreign fighter flies over a surface map that is seen: a contact, and what it is."""

    handle: Handle
    label: str
    square: Square
    side: Side
    type: str


@final
class BombardResult(NoticeBase, frozen=True, tag="bombardment"):
    """Where own fire at a point came down, and the damage to the held tokens `harmed`.

    The fire is lost without a `point`. Its effect on others is not reported.
    """

    ship: OwnId
    weapon: str
    site: Site
    dice: tuple[int, ...]
    point: Point | None = None
    harmed: tuple[Handle, ...] = ()
    damage: tuple[int, ...] = ()


@final
class BlastSeen(NoticeBase, frozen=True, tag="blast"):
    """Capital fire came down on a surface map; who fired is not known."""

    site: Site
    point: Point


# For the owner of the piece.


@final
class OwnShelled(NoticeBase, frozen=True, tag="own_shelled"):
    """An own ship was fired at from the ground: the kind of weapon and the damage taken.

    `spent` counts the points of its point defence that met a missile, `stopped` is 1 if they
    stopped it.
    """

    ship: OwnId
    weapon: Arm
    damage: int
    spent: int = 0
    stopped: int = 0


@final
class OwnBlasted(NoticeBase, frozen=True, tag="own_blasted"):
    """An own piece on the ground was harmed by fire that came down at a point."""

    ship: OwnId
    damage: int
    site: Site
    point: Point


@final
class OwnDesignated(NoticeBase, frozen=True, tag="own_designated"):
    """An own unit has put its beam on the middle of a cell."""

    ship: OwnId
    site: Site
    cell: Cell


@final
class OwnMissileSent(NoticeBase, frozen=True, tag="own_missile"):
    """An own missile is on its way over the ground and lands in the ENGAGE of turn `lands`."""

    ship: OwnId
    weapon: str
    at: Site
    cell: Cell
    lands: int


@final
class OwnNoticed(NoticeBase, frozen=True, tag="emission"):
    """An own piece on the ground noticed a foreign beam or launch: the bearing, no more.

    In degrees clockwise from north, rounded down to 30.
    """

    ship: OwnId
    bearing: int


# For `omni`.


@final
class TruthDesignated(NoticeBase, frozen=True, tag="truth_tag"):
    """A ground unit has put its beam on a cell."""

    side: Side
    ship: OwnId
    at: Site
    cell: Cell


@final
class TruthMissile(NoticeBase, frozen=True, tag="truth_missile"):
    """A missile is on its way over the ground."""

    side: Side
    ship: OwnId
    weapon: str
    at: Site
    cell: Cell
    lands: int


@final
class TruthBlast(NoticeBase, frozen=True, tag="truth_blast"):
    """Fire at a point of a surface map came down, or without a `point` was lost."""

    side: Side
    ship: OwnId
    weapon: str
    site: Site
    dice: tuple[int, ...]
    point: Point | None = None


CapitalFound = FighterSeen
"""What one's own looking brings."""

CapitalFared = BombardResult | BlastSeen
"""What own fire does, and what comes down in sight."""

CapitalOwn = OwnShelled | OwnBlasted | OwnDesignated | OwnMissileSent | OwnNoticed
"""What happens to own pieces."""

CapitalOfTruth = TruthDesignated | TruthMissile | TruthBlast
"""The notices that only `omni` receives."""

CapitalNotice = CapitalFound | CapitalFared | CapitalOwn | CapitalOfTruth
"""Every notice of capital fire."""
