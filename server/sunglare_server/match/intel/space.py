"""Intel: what one audience has learned of a match, its own pieces among it.

Only `absorb` writes it (and `own` copies the own pieces in); `fog` reads it and nothing else.
"""

from typing import final

import msgspec

from sunglare_protocol.geometry import Compass, Landing, Square, Vector
from sunglare_protocol.ids import Audience, Handle, OwnId, Side
from sunglare_protocol.notices import Notice, PublicNotice
from sunglare_protocol.surface import Site
from sunglare_protocol.words.cloak import TrackerMode
from sunglare_protocol.words.dossiers import Dossier
from sunglare_protocol.words.ladder import Fate, Fix
from sunglare_protocol.words.pieces import Arc
from sunglare_protocol.words.scans import Echo
from sunglare_protocol.words.specials import Specials
from sunglare_rules.cloak.trackers import Trackers
from sunglare_rules.sensors.scans import ScanHabit
from sunglare_server.match.data.options import MatchOptions
from sunglare_server.match.data.scenario import AreaData, CrewData, Objective, ShipClass
from sunglare_server.match.ids import PieceId
from sunglare_server.match.intel.agents import SearchIntel
from sunglare_server.match.intel.ground import (
    HeldToken,
    OwnAgent,
    OwnMissile,
    OwnUnit,
    TokenMarker,
)


@final
class OwnVolley(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """What makes an own piece a volley."""

    missiles: int
    aim: Square
    cold: bool
    movements: int


@final
class OwnPiece(msgspec.Struct, frozen=True, kw_only=True, gc=False, cache_hash=True):
    """An own ship with what its owner may know of it; nothing about who knows it."""

    id: OwnId
    name: str
    type: ShipClass
    crew: CrewData
    echo: Echo
    square: Square
    vector: Vector
    facing: Compass
    landing: Landing | None
    powered: bool
    starting: bool
    popped_out: bool
    cloaked: bool
    lost: tuple[str, ...]
    thrust: int
    screens: int
    turrets: tuple[tuple[str, tuple[Arc, ...]], ...]
    damage: int
    thrust_spent: int
    thrust_used: int
    habit: ScanHabit | None
    detected: bool
    bound_for: str | None
    fate: Fate
    spent: tuple[str, ...] = ()
    point_defence: int = 0
    flights: int = 0
    volley: OwnVolley | None = None
    specials: Specials = ()
    ecm: bool | None = None
    heat: int = 0
    controls: OwnId | None = None


@final
class Trail(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """How far the hunt for a cloaked ship has come; the solutions are those of this turn."""

    trackers: Trackers
    solution_window: bool = False
    solution_dice: bool = False
    mode: TrackerMode = TrackerMode.WINDOW


@final
class Beset(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """That an own ship is hunted: how it was found this turn, memory if not, and the trail."""

    fix: Fix
    trail: Trail


@final
class Held(msgspec.Struct, frozen=True, kw_only=True, gc=False, cache_hash=True):
    """A foreign piece that the audience holds: what it knows, as of `turn`.

    A hunted cloaked ship has a trail; in a turn in which it was not found its fix is memory.
    `alert`: agents are near it.
    """

    handle: Handle
    label: str
    fix: Fix
    square: Square
    turn: int
    signatures: tuple[str, ...] = ()
    signal: int | None = None
    vector: Vector | None = None
    facing: Compass | None = None
    size: Echo | None = None
    side: Side | None = None
    type: str | None = None
    alert: bool = False
    dossier: Dossier | None = None
    trail: Trail | None = None


@final
class Marker(msgspec.Struct, frozen=True, kw_only=True, gc=False, cache_hash=True):
    """A memory of a foreign piece: what was known last, without a handle."""

    label: str
    square: Square
    turn: int
    signatures: tuple[str, ...] = ()
    vector: Vector | None = None
    facing: Compass | None = None
    size: Echo | None = None
    side: Side | None = None
    type: str | None = None
    dossier: Dossier | None = None
    landing: Landing | None = None
    fate: Fate = Fate.IN_PLAY


@final
class Intel(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """What one audience has learned.

    `held` is keyed by the piece in the truth, or the id under which a cloaked ship is hunted; no
    view shows either. `beset` is what is known of those who hunt own ships, by ship and by a key
    of each hunt. `collected` are the asteroids of own objectives that are met. `cloaks` says that
    the scenario knows cloaks, `jammed` is the last jammed turn, `nova_until` the last one whose
    passive detection a nova gun spoils. `handles` and `labels` count what this audience was given
    so far; `told` collects the notices of the open window. `sites` are the surface maps it sees,
    `tokens` what it holds on them, keyed like `held`.
    """

    audience: Audience
    turn: int = 1
    own: tuple[OwnPiece, ...] = ()
    held: dict[PieceId, Held] = {}
    markers: tuple[Marker, ...] = ()
    record: tuple[PublicNotice, ...] = ()
    told: tuple[Notice, ...] = ()
    exposed: dict[OwnId, dict[Side, Fix]] = {}
    beset: dict[OwnId, dict[PieceId, Beset]] = {}
    objectives: tuple[Objective, ...] = ()
    leaves_free: bool = False
    collected: tuple[str, ...] = ()
    zone: tuple[str, ...] = ()
    points: int = 0
    points_up_to: int = 0
    handles: int = 0
    labels: int = 0
    nova_until: int = 0
    ground: tuple[OwnUnit, ...] = ()
    agents: tuple[OwnAgent, ...] = ()
    missiles: tuple[OwnMissile, ...] = ()
    areas: tuple[AreaData, ...] = ()
    sites: tuple[Site, ...] = ()
    tokens: dict[PieceId, HeldToken] = {}
    token_markers: tuple[TokenMarker, ...] = ()
    search: SearchIntel = SearchIntel()
    options: MatchOptions = MatchOptions()
    cloaks: bool = False
    jammed: int = 0
