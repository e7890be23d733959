"""The notices on the hunt for cloaked ships."""

from typing import final

from sunglare_protocol.geometry import Square
from sunglare_protocol.ids import Handle, OwnId, Side
from sunglare_protocol.notices.base import NoticeBase
from sunglare_protocol.words.ladder import Fix

__all__ = [
    "CloakedFound",
    "ContactCloaked",
    "JamOver",
    "JamSet",
    "OwnFound",
    "SweepSeen",
    "TrailCold",
    "TruthCloak",
    "TruthHunt",
]


@final
class SweepSeen(NoticeBase, frozen=True, tag="sweep"):
    """An active sweep has given away the square of the ship that made it."""

    square: Square


@final
class JamSet(NoticeBase, frozen=True, tag="jam"):
    """Sweeps have jammed space: no ship detects by listening up to the turn named."""

    until: int


@final
class JamOver(NoticeBase, frozen=True, tag="jam_over"):
    """Space is jammed no longer."""


@final
class ContactCloaked(NoticeBase, frozen=True, tag="cloaked"):
    """A piece that was held has cloaked; only the memory is left."""

    label: str


@final
class CloakedFound(NoticeBase, frozen=True, tag="found"):
    """A cloaked ship was found: `fix` is detected, or solution."""

    handle: Handle
    label: str
    square: Square
    fix: Fix


@final
class TrailCold(NoticeBase, frozen=True, tag="cold"):
    """Nothing is left of the hunt for a cloaked ship but the memory."""

    label: str


@final
class OwnFound(NoticeBase, frozen=True, tag="own_found"):
    """An own cloaked ship was found, by an unnamed side: `fix` is detected, or solution."""

    ship: OwnId
    fix: Fix


@final
class TruthCloak(NoticeBase, frozen=True, tag="truth_cloak"):
    """A ship cloaked, or shows itself again."""

    side: Side
    ship: OwnId
    on: bool


@final
class TruthHunt(NoticeBase, frozen=True, tag="truth_hunt"):
    """What the dice of a ship that listens or sweeps found, of which owners."""

    side: Side
    ship: OwnId
    sweep: bool
    dice: tuple[int, ...]
    found: tuple[tuple[Side, OwnId], ...] = ()
