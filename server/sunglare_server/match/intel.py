"""Intel: what one audience has learned of a match, its own pieces among it.

Only `perceive` writes it (and `own` copies the own pieces in); `fog` reads it and nothing else.
"""

from typing import final

import msgspec

from sunglare_protocol.dossier import Dossier
from sunglare_protocol.geometry import Compass, Landing, Square, Vector
from sunglare_protocol.ids import Audience, Handle, OwnId, Side
from sunglare_protocol.ladder import Fate, Fix
from sunglare_protocol.notices import Notice, PublicNotice
from sunglare_protocol.pieces import Arc
from sunglare_protocol.scanwords import Echo
from sunglare_protocol.specials import Specials
from sunglare_protocol.surface import Site
from sunglare_rules.scans import ScanHabit
from sunglare_server.match.ground_intel import HeldToken, OwnPerson, OwnUnit, TokenMarker
from sunglare_server.match.ids import PieceId
from sunglare_server.match.people_intel import AgentsIntel
from sunglare_server.match.scenario import AreaData, CrewData, Objective, ShipClass


@final
class OwnVolley(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """What makes an own piece a volley."""

    missiles: int
    aim: Square
    cold: bool
    movements: int


@final
class OwnPiece(msgspec.Struct, frozen=True, kw_only=True, gc=False):
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
class Held(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """A foreign piece that the audience holds: what it was told, as of `turn`.

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


@final
class Marker(msgspec.Struct, frozen=True, kw_only=True, gc=False):
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

    `held` is keyed by the piece in the truth, which no view shows. `handles` and `labels`
    count what this audience was given so far; `told` collects the notices of the open window;
    `nova_until` is the last turn whose passive detection a nova gun spoils. `sites` are the
    surface maps it sees, `tokens` what it holds on them, keyed like `held`.
    """

    audience: Audience
    turn: int = 1
    own: tuple[OwnPiece, ...] = ()
    held: dict[PieceId, Held] = {}
    markers: tuple[Marker, ...] = ()
    record: tuple[PublicNotice, ...] = ()
    told: tuple[Notice, ...] = ()
    exposed: dict[OwnId, dict[Side, Fix]] = {}
    objectives: tuple[Objective, ...] = ()
    zone: tuple[str, ...] = ()
    points: int = 0
    handles: int = 0
    labels: int = 0
    nova_until: int = 0
    ground: tuple[OwnUnit, ...] = ()
    people: tuple[OwnPerson, ...] = ()
    areas: tuple[AreaData, ...] = ()
    sites: tuple[Site, ...] = ()
    tokens: dict[PieceId, HeldToken] = {}
    token_markers: tuple[TokenMarker, ...] = ()
    agents: AgentsIntel = AgentsIntel()
