"""Parts of views on a surface: own ground units and agents, maps and the tokens on them.

The terrain of a map is public and stands in the board.
"""

from typing import final

from sunglare_protocol.ids import Handle, OwnId, Side
from sunglare_protocol.surface import Arm, Build, Cell, GroundKind, Mode, Quality, Site
from sunglare_protocol.views.agents import StanceView
from sunglare_protocol.views.base import ViewBase
from sunglare_protocol.words.dossiers import Dossier
from sunglare_protocol.words.ladder import Fate
from sunglare_protocol.words.specials import Specials

__all__ = [
    "AgentPieceView",
    "AgentView",
    "AreaView",
    "ArmView",
    "GroundView",
    "MissileView",
    "SurfaceView",
    "TokenHolding",
    "TokenView",
    "TrueMissileView",
    "UnitPieceView",
]


@final
class ArmView(ViewBase, frozen=True):
    """A weapon of an own ground unit with its damage at short, medium, long, extreme range."""

    id: str
    kind: Arm
    damage: tuple[int, int, int, int]


@final
class GroundView(ViewBase, frozen=True):
    """An own ground unit, with everything its owner may know of it.

    It is on a surface map (`site` and `cell`) or `aboard` an own ship. `type` is what an enemy
    learns who identifies it, `variant` the name of its class. `move` and `jump` are inches,
    `dispensers` counts those of remote sensors.
    `silent`: its weapons are silent this turn.
    """

    id: OwnId
    name: str
    type: str
    variant: str
    kind: GroundKind
    toughness: int
    points: int
    site: Site | None = None
    cell: Cell | None = None
    aboard: OwnId | None = None
    hidden: bool = False
    mode: Mode = Mode.NONE
    move: int = 0
    jump: int = 0
    height: int = 1
    af: int = 0
    quality: Quality | None = None
    gunnery: int = 4
    specials: Specials = ()
    weapons: tuple[ArmView, ...] = ()
    damage: int = 0
    heat: int = 0
    ecm_on: bool = True
    dispensers: int = 0
    silent: bool = False
    fate: Fate = Fate.IN_PLAY


@final
class AgentView(ViewBase, frozen=True):
    """An own agent: ratings, place, company, and whether it is detected.

    `stacked` is the own ground unit in whose stack it is; `captor` the side that holds it.
    """

    id: OwnId
    name: str
    combat: int
    endurance: int
    intelligence: int
    leadership: int
    npc: bool = False
    site: Site | None = None
    aboard: OwnId | None = None
    stacked: OwnId | None = None
    group: int | None = None
    detected: bool = False
    wounds: int = 0
    captor: Side | None = None
    stance: StanceView = StanceView()
    fate: Fate = Fate.IN_PLAY


@final
class TokenView(ViewBase, frozen=True):
    """A foreign piece on a surface map, as held or, without a handle, remembered.

    `turn` says as of when it is true. Side, type, `build` and `footprint` are there once it is
    identified, `dossier` once it was scanned for data. The build says how high it stands, the
    footprint how wide a large one is, in inches; 0 if it is not large.
    """

    label: str
    cell: Cell
    turn: int
    handle: Handle | None = None
    side: Side | None = None
    type: str | None = None
    build: Build | None = None
    footprint: int | None = None
    dossier: Dossier | None = None
    fate: Fate = Fate.IN_PLAY


@final
class SurfaceView(ViewBase, frozen=True):
    """A surface map that the viewer sees (`seen`) or remembers, with the tokens on it."""

    site: Site
    seen: bool = False
    tokens: tuple[TokenView, ...] = ()


@final
class MissileView(ViewBase, frozen=True):
    """An own missile on its way over the ground, which lands in the ENGAGE of turn `lands`."""

    ship: OwnId
    weapon: str
    at: Site
    cell: Cell
    lands: int


@final
class TrueMissileView(ViewBase, frozen=True):
    """A missile of the truth on its way over the ground, for `omni` alone."""

    side: Side
    ship: OwnId
    weapon: str
    at: Site
    cell: Cell
    lands: int


@final
class AreaView(ViewBase, frozen=True):
    """Cells on which own ground units may be stationed: west, south, east, north, all within."""

    site: Site
    cells: tuple[int, int, int, int]


@final
class TokenHolding(ViewBase, frozen=True):
    """That `side` holds a piece of the surface, and whether it knows which it is."""

    side: Side
    identified: bool = False


@final
class UnitPieceView(ViewBase, frozen=True):
    """A ground unit of the truth, for `omni` alone."""

    side: Side
    id: OwnId
    name: str
    type: str
    variant: str
    toughness: int
    site: Site | None = None
    cell: Cell | None = None
    aboard: OwnId | None = None
    hidden: bool = False
    damage: int = 0
    ecm: bool | None = None
    held: tuple[TokenHolding, ...] = ()
    fate: Fate = Fate.IN_PLAY


@final
class AgentPieceView(ViewBase, frozen=True):
    """An agent of the truth, for `omni` alone."""

    side: Side
    id: OwnId
    name: str
    site: Site | None = None
    aboard: OwnId | None = None
    stacked: OwnId | None = None
    detected: bool = False
    wounds: int = 0
    fate: Fate = Fate.IN_PLAY
