"""Events of the hunt for cloaked ships, in the past tense."""

from typing import final

from sunglare_protocol.ids import Side
from sunglare_protocol.words.ladder import Fix
from sunglare_rules.cloak.trackers import Trackers
from sunglare_server.match.events.base import EventBase
from sunglare_server.match.ids import PieceId


@final
class CloakSwitched(EventBase, frozen=True, tag="CloakSwitched"):
    """A ship cloaked, or shows itself again."""

    piece: PieceId
    on: bool


@final
class UncloakingSeen(EventBase, frozen=True, tag="UncloakingSeen"):
    """A ship that uncloaked this turn was seen by a ship of `side` near by."""

    piece: PieceId
    side: Side


@final
class SweepDeclared(EventBase, frozen=True, tag="SweepDeclared"):
    """A ship declared an active sweep, which gives it away."""

    piece: PieceId


@final
class SweepRolled(EventBase, frozen=True, tag="SweepRolled"):
    """The dice of a sweep, one for each ship it could find, and the ships it found."""

    piece: PieceId
    dice: tuple[int, ...]
    found: tuple[PieceId, ...]


@final
class PassiveRolled(EventBase, frozen=True, tag="PassiveRolled"):
    """The die of a ship that listens, and the cloaked ships it revealed."""

    piece: PieceId
    die: int
    found: tuple[PieceId, ...]


@final
class HuntStepped(EventBase, frozen=True, tag="HuntStepped"):
    """The trackers of a side on a cloaked ship after the turn's sweeps and passive rolls.

    `quarry` is the id under which the side hunts `piece`; `fix` how it was found, if it was.
    """

    side: Side
    piece: PieceId
    quarry: PieceId
    trackers: Trackers
    fix: Fix | None
    solution_window: bool
    solution_dice: bool


@final
class HuntEnded(EventBase, frozen=True, tag="HuntEnded"):
    """Nothing is left of a hunt: the trackers are empty."""

    side: Side
    piece: PieceId
    quarry: PieceId


@final
class SpaceJammed(EventBase, frozen=True, tag="SpaceJammed"):
    """Sweeps have jammed space for passive detection up to turn `until`; `dice` made it last."""

    until: int
    dice: tuple[int, ...]


@final
class JamEnded(EventBase, frozen=True, tag="JamEnded"):
    """The last jammed turn is over."""

    turn: int


@final
class CloakedFired(EventBase, frozen=True, tag="CloakedFired"):
    """A cloaked ship that `side` had not found this turn fired at it, and is detected."""

    piece: PieceId
    side: Side


CloakEvent = (
    CloakSwitched
    | UncloakingSeen
    | SweepDeclared
    | SweepRolled
    | PassiveRolled
    | HuntStepped
    | HuntEnded
    | SpaceJammed
    | JamEnded
    | CloakedFired
)
"""Every event of the hunt."""
