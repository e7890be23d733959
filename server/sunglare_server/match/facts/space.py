"""Facts: what a grant may tell one audience, field by field; an absent field is not told.

Facts name pieces by their id in the truth, because that is how intel keeps them apart; the id
itself is never sent.
"""

from typing import final

import msgspec

from sunglare_protocol.geometry import Compass, Square, Vector
from sunglare_protocol.ids import Audience, OwnId, Side
from sunglare_protocol.notices import Notice, PublicNotice
from sunglare_protocol.words.cloak import TrackerMode
from sunglare_protocol.words.dossiers import Dossier, Outcome
from sunglare_protocol.words.ladder import Fix
from sunglare_protocol.words.pieces import Arc
from sunglare_protocol.words.scans import Echo
from sunglare_rules.cloak.trackers import Trackers
from sunglare_server.match.facts.agents import AgentFact, ItemKnown
from sunglare_server.match.facts.base import FactBase
from sunglare_server.match.facts.capital import CapitalFact
from sunglare_server.match.facts.ground import GroundFact
from sunglare_server.match.ids import PieceId


@final
class Announced(FactBase, frozen=True):
    """Something public: shown to all audiences and kept in the record of the turn."""

    notice: PublicNotice


@final
class Sighted(FactBase, frozen=True):
    """A foreign piece was contacted: a snapshot of its square and what gave it away."""

    piece: PieceId
    square: Square
    signatures: tuple[str, ...]
    signal: int | None = None


@final
class Tracked(FactBase, frozen=True):
    """A foreign piece is held as a live track: where it is and how it moves."""

    piece: PieceId
    square: Square
    vector: Vector
    facing: Compass
    size: Echo | None = None


@final
class Followed(FactBase, frozen=True):
    """A live track moved, or was renewed after it had coasted."""

    piece: PieceId
    square: Square
    vector: Vector
    facing: Compass


@final
class Coasted(FactBase, frozen=True):
    """A track was missed once; nothing new is known of it."""

    piece: PieceId


@final
class Lost(FactBase, frozen=True):
    """A track is lost and leaves a marker."""

    piece: PieceId


@final
class Vanished(FactBase, frozen=True):
    """A held piece cloaked and leaves a marker."""

    piece: PieceId


@final
class Found(FactBase, frozen=True):
    """A cloaked ship was found: where it is and how it moves; with a solution also what it is."""

    piece: PieceId
    fix: Fix
    square: Square
    vector: Vector
    facing: Compass | None = None
    size: Echo | None = None
    side: Side | None = None
    type: str | None = None


@final
class Counted(FactBase, frozen=True):
    """The trackers of a hunted ship after this turn's rolls."""

    piece: PieceId
    trackers: Trackers
    solution_window: bool
    solution_dice: bool
    mode: TrackerMode


@final
class TrailLost(FactBase, frozen=True):
    """The trackers of a hunted ship are empty: only a marker is left."""

    piece: PieceId


@final
class OwnCounted(FactBase, frozen=True):
    """The trackers on an own ship, and how it was found, memory if it was not; not by whom.

    `piece` is a key of the hunt.
    """

    piece: PieceId
    ship: OwnId
    fix: Fix
    trackers: Trackers
    solution_window: bool
    solution_dice: bool
    mode: TrackerMode


@final
class OwnTrailLost(FactBase, frozen=True):
    """The trackers on an own ship are empty; `piece` is a key of the hunt."""

    piece: PieceId
    ship: OwnId


@final
class Left(FactBase, frozen=True):
    """A held piece left the map."""

    piece: PieceId


@final
class SeenLanding(FactBase, frozen=True):
    """A live track landed: the body and the sector."""

    piece: PieceId
    body: str
    sector: Compass


@final
class SeenDestroyed(FactBase, frozen=True):
    """A held or attacked piece is destroyed."""

    piece: PieceId


@final
class Located(FactBase, frozen=True):
    """A piece was given away by a shot: its square, as of now."""

    piece: PieceId
    square: Square


@final
class Recognised(FactBase, frozen=True):
    """A piece that was given away by a shot is known by side and type."""

    piece: PieceId
    square: Square
    side: Side
    type: str


@final
class Identified(FactBase, frozen=True):
    """A held piece is identified by side and type."""

    piece: PieceId
    side: Side
    type: str


@final
class Answered(FactBase, frozen=True):
    """The answer to an own request for data, with the dossier if it is full."""

    ship: OwnId
    target: PieceId
    outcome: Outcome
    dossier: Dossier | None = None


@final
class ScanReported(FactBase, frozen=True):
    """What an own scan found; always reported, even if it is nothing."""

    ship: OwnId
    found: tuple[PieceId, ...]
    tracked: tuple[PieceId, ...]
    roll: int | None = None


@final
class ShotReported(FactBase, frozen=True):
    """What an own shot did."""

    ship: OwnId
    weapon: str
    target: PieceId
    damage: int
    dice: tuple[int, ...]
    stopped: int | None = None
    arc: Arc | None = None


@final
class OwnTold(FactBase, frozen=True):
    """Something that befell an own ship."""

    notice: Notice


@final
class Exposed(FactBase, frozen=True):
    """An own ship is held by a side as contact or track; None: no longer."""

    ship: OwnId
    side: Side
    fix: Fix | None


@final
class Scored(FactBase, frozen=True):
    """Own points that follow from what the side knows, or that they are `at_most` so many."""

    points: int | None = None
    at_most: int | None = None


@final
class TruthTold(FactBase, frozen=True):
    """Something of the truth, for `omni` alone."""

    notice: Notice


@final
class ContactsFaded(FactBase, frozen=True):
    """The turn is over: contacts become memory, the record starts again."""

    turn: int


Noticed = Announced | OwnTold | TruthTold | ItemKnown
"""The facts that are a notice."""

Fact = (
    Announced
    | Sighted
    | Tracked
    | Followed
    | Coasted
    | Lost
    | Vanished
    | Found
    | Counted
    | TrailLost
    | OwnCounted
    | OwnTrailLost
    | Left
    | SeenLanding
    | SeenDestroyed
    | Located
    | Recognised
    | Identified
    | Answered
    | ScanReported
    | ShotReported
    | OwnTold
    | Exposed
    | Scored
    | TruthTold
    | ContactsFaded
    | GroundFact
    | CapitalFact
    | AgentFact
)
"""Every kind of fact."""


@final
class Grant(msgspec.Struct, frozen=True, gc=False):
    """That `audience`, in the role it has towards an event, may learn `fact`."""

    audience: Audience
    role: str
    fact: Fact
