"""Views of a match: one side's, the public one, and the truth view of `omni`.

A view is built from what its audience has learned and holds nothing else; the truth view is
the one exception, and it leaves with the delay that the match options name.
"""

from typing import final

import msgspec

from sunglare_protocol.geometry import Board, Compass, Landing, Square, Vector
from sunglare_protocol.ids import Audience, Handle, OwnId, Side, WindowId
from sunglare_protocol.notices.space import PublicNotice
from sunglare_protocol.surface import Site
from sunglare_protocol.views.agents import AlertView, FoundView, ItemView, SpyView
from sunglare_protocol.views.base import ViewBase
from sunglare_protocol.views.ground import (
    AgentPieceView,
    AgentView,
    AreaView,
    GroundView,
    MissileView,
    SurfaceView,
    TrueMissileView,
    UnitPieceView,
)
from sunglare_protocol.words.armament import WeaponKind
from sunglare_protocol.words.cloak import (
    CloakVariant,
    NoiseBlinds,
    PassiveReveals,
    SweepSix,
    TrackerMode,
)
from sunglare_protocol.words.dossiers import Dossier
from sunglare_protocol.words.ladder import Fate, Fix, Phase
from sunglare_protocol.words.pieces import Arc, BaseSize, PieceKind, Relation, TurretKind
from sunglare_protocol.words.scans import Drive, Echo, ScanSize, ScanType
from sunglare_protocol.words.search import Strike
from sunglare_protocol.words.specials import Specials
from sunglare_protocol.words.victory import ObjectiveKind

__all__ = [
    "CloakRules",
    "ContactView",
    "Crew",
    "Exposure",
    "HabitView",
    "Holding",
    "HuntView",
    "ObjectiveView",
    "OwnView",
    "PieceView",
    "Stage",
    "TrackerView",
    "TrackersView",
    "TruthView",
    "TurretView",
    "View",
    "VolleyView",
    "WeaponView",
]


@final
class Stage(ViewBase, frozen=True):
    """Where the match stands, the same for all audiences.

    `slot` is the side whose SCAN slot is open; with sealed slots it is absent. `initiative`
    lists the sides of this turn from the winner on; `out` those without pieces in play.
    """

    turn: int
    turns: int
    phase: Phase
    window: WindowId
    slot: Side | None = None
    initiative: tuple[Side, ...] = ()
    sides: tuple[Side, ...] = ()
    out: tuple[Side, ...] = ()


@final
class Crew(ViewBase, frozen=True):
    """Skills aboard: pilot 0 to 2, operator and commander 0 to 3, gunnery."""

    pilot: int = 0
    operator: int = 0
    commander: int = 0
    gunnery: int = 4


@final
class WeaponView(ViewBase, frozen=True):
    """An own weapon: `rank` is the class where it has one, of a volley its missiles.

    At most one of arc and turret is set; neither for what needs no arc: fighters and missiles
    attack all around, a launcher and a nova gun ask for no target. `needs` names what else the
    target must be: in front, behind or flanking. A weapon that is `spent` had one shot and no
    longer works. A capital weapon has its `damage` at short, medium, long and extreme range.
    """

    id: str
    kind: WeaponKind
    rank: int = 1
    arc: Arc | None = None
    turret: str | None = None
    needs: Relation | None = None
    works: bool = True
    spent: bool = False
    damage: tuple[int, int, int, int] | None = None


@final
class TurretView(ViewBase, frozen=True):
    """An own turret and the standard arcs its indicator points at."""

    id: str
    kind: TurretKind
    arcs: tuple[Arc, ...]


@final
class VolleyView(ViewBase, frozen=True):
    """What an own volley is: its missiles, where it was sent, and how often it has moved.

    A `cold` one drifted in its first turn. After `movements` of 3 it is gone.
    """

    missiles: int
    aim: Square
    cold: bool = False
    movements: int = 0


@final
class HabitView(ViewBase, frozen=True):
    """The scan an own ship made last, which the same scan again may build on."""

    turn: int
    square: Square
    type: ScanType
    size: ScanSize
    at: Square
    streak: int = 0


@final
class Exposure(ViewBase, frozen=True):
    """That an enemy side holds an own ship as a contact or as a track."""

    side: Side
    fix: Fix


@final
class TrackerView(ViewBase, frozen=True):
    """One tracker of a hunted ship: its two dice, and the last turns from the oldest hit on."""

    count: int = 0
    turns: int = 0
    hits: tuple[bool, ...] = ()


@final
class TrackersView(ViewBase, frozen=True):
    """Both trackers of a hunted ship; `mode` says which of the two ways decides.

    The solutions are those that this turn's detection gives by the window and by the dice.
    """

    multi: TrackerView = TrackerView()
    single: TrackerView = TrackerView()
    solution_window: bool = False
    solution_dice: bool = False
    mode: TrackerMode = TrackerMode.WINDOW


@final
class HuntView(ViewBase, frozen=True):
    """That some side hunts an own ship: `fix` is memory in a turn in which it was not found."""

    fix: Fix
    trackers: TrackersView


@final
class CloakRules(ViewBase, frozen=True):
    """The public facts of cloak hunting: the options in force, and the last jammed turn.

    `cloaks` says that some class of the scenario has a cloak.
    """

    cloaks: bool = False
    reveals: PassiveReveals = PassiveReveals.NEAREST
    mode: TrackerMode = TrackerMode.WINDOW
    six: SweepSix = SweepSix.REMINDER
    noise: NoiseBlinds = NoiseBlinds.SELF
    variant: CloakVariant = CloakVariant.RETURN_FIRE
    jammed: int = 0


@final
class OwnView(ViewBase, frozen=True, kw_only=True):
    """An own ship, with everything its owner may know of it.

    `cloak` says that its class has a cloak. `thrust` is what the drive gives now; `starting`
    says that a plant ordered on works from the next movement; `thrust_spent` and `thrust_used`
    are those of this turn's movement. `firing_arcs` are those through which some working weapon
    fires, in a turret or not. `point_defence` counts the points that work, `flights`
    the fighters still aboard, `bays` the ground units it can carry, `shuttle` is whether it has
    one for agents. `specials` are the abilities that work, `ecm` says whether the jammer is
    switched on, if there is one, `dispensers` counts those of remote sensors, `heat` the weapons
    fired in the last ENGAGE. A remote sensor names the ship that `controls` it. `detected` is the
    flag of a `agent_spaceship`, `bound_for` the ship's standing order. `sensors` has its
    rating for each scan type, 1 to 4; a type without one has 0.
    """

    id: OwnId
    name: str
    type: str
    square: Square
    vector: Vector
    facing: Compass
    size: BaseSize
    echo: Echo
    hull: int
    points: int
    kind: PieceKind = PieceKind.STARSHIP
    damage: int = 0
    screens: int = 0
    thrust: int = 0
    drive: Drive = Drive.IMPULSE
    sensors: dict[ScanType, int]
    crew: Crew = Crew()
    powered: bool = True
    starting: bool = False
    popped_out: bool = False
    hull_sensors_work: bool = True
    cloak: bool = False
    cloak_works: bool = True
    cloaked: bool = False
    landed: Landing | None = None
    turrets: tuple[TurretView, ...] = ()
    weapons: tuple[WeaponView, ...] = ()
    firing_arcs: tuple[Arc, ...] = ()
    thrust_spent: int = 0
    thrust_used: int = 0
    habit: HabitView | None = None
    exposed: tuple[Exposure, ...] = ()
    point_defence: int = 0
    flights: int = 0
    volley: VolleyView | None = None
    bays: int = 0
    shuttle: bool = False
    agent_spaceship: bool = False
    detected: bool = False
    bound_for: str | None = None
    specials: Specials = ()
    ecm: bool | None = None
    dispensers: int = 0
    heat: int = 0
    controls: OwnId | None = None
    hunted: tuple[HuntView, ...] = ()
    fate: Fate = Fate.IN_PLAY


@final
class ContactView(ViewBase, frozen=True):
    """A foreign piece as the viewer holds or remembers it.

    `turn` says as of when square and the rest are true. A memory marker has no handle, unless
    it is that of a cloaked ship that the viewer still hunts, which also has trackers. Fields
    the viewer has not learned are absent: side and type until it is identified, the dossier
    until a data scan. `alert`: agents are near a tracked ship.
    """

    label: str
    fix: Fix
    square: Square
    turn: int
    handle: Handle | None = None
    signatures: tuple[str, ...] = ()
    signal: int | None = None
    vector: Vector | None = None
    facing: Compass | None = None
    size: Echo | None = None
    side: Side | None = None
    type: str | None = None
    dossier: Dossier | None = None
    landed: Landing | None = None
    alert: bool = False
    trackers: TrackersView | None = None
    fate: Fate = Fate.IN_PLAY


@final
class ObjectiveView(ViewBase, frozen=True):
    """An own objective: its kind, and the edge, the piece, the environs or the body it names.

    One to `collect` is `met` once it has been; of others the view does not say. A match ends once
    the viewer alone has troops standing openly there for `ends_after` turns on end, or
    when as many turns have ended since the piece to `survive` was destroyed, if that is not 0.
    """

    kind: ObjectiveKind
    edge: Compass | None = None
    piece: str | None = None
    at: Site | None = None
    body: str | None = None
    met: bool = False
    ends_after: int = 0


@final
class View(ViewBase, frozen=True, tag_field="t", tag="side"):
    """Everything one audience knows of a match; `public` has no own ships.

    `record` is the public record of this turn, `points` the tally that follows from what this
    audience knows; `points_up_to` add to it at most, for what it destroyed and others may have
    damaged too. A side that `leaves_free` gives no points for own ships that leave the map. `zone`
    are the boxes in which an own ship may be deployed in turn 1, `areas` the cells on which a
    ground unit may be stationed then. `surfaces` are the maps seen or remembered, `missiles` the
    own ones on their way over the ground. `alerts` are the places near which agents of others are,
    `found` and `spied` what searches and spies found out, `items` those of own objectives and
    `strike` a standing order. Passive detection fails in DETECT in every turn to `nova_until`.
    """

    audience: Audience
    stage: Stage
    board: Board
    own: tuple[OwnView, ...] = ()
    contacts: tuple[ContactView, ...] = ()
    record: tuple[PublicNotice, ...] = ()
    objectives: tuple[ObjectiveView, ...] = ()
    leaves_free: bool = False
    points: int = 0
    points_up_to: int = 0
    zone: tuple[str, ...] = ()
    nova_until: int = 0
    ground: tuple[GroundView, ...] = ()
    agents: tuple[AgentView, ...] = ()
    surfaces: tuple[SurfaceView, ...] = ()
    missiles: tuple[MissileView, ...] = ()
    areas: tuple[AreaView, ...] = ()
    alerts: tuple[AlertView, ...] = ()
    found: tuple[FoundView, ...] = ()
    spied: tuple[SpyView, ...] = ()
    items: tuple[ItemView, ...] = ()
    strike: Strike = Strike.PATROL
    cloak_rules: CloakRules = CloakRules()


@final
class Holding(ViewBase, frozen=True):
    """That `side` holds a piece, and how."""

    side: Side
    fix: Fix


@final
class PieceView(ViewBase, frozen=True):
    """A piece of the truth, for `omni` alone."""

    side: Side
    id: OwnId
    name: str
    type: str
    square: Square
    vector: Vector
    facing: Compass
    echo: Echo
    hull: int
    damage: int = 0
    powered: bool = True
    popped_out: bool = False
    ecm: bool | None = None
    heat: int = 0
    cloaked: bool = False
    landed: Landing | None = None
    held: tuple[Holding, ...] = ()
    volley: VolleyView | None = None
    fate: Fate = Fate.IN_PLAY


@final
class TruthView(ViewBase, frozen=True, tag_field="t", tag="truth"):
    """The whole truth of a match, for `omni` alone."""

    stage: Stage
    board: Board
    pieces: tuple[PieceView, ...] = ()
    ground: tuple[UnitPieceView, ...] = ()
    agents: tuple[AgentPieceView, ...] = ()
    missiles: tuple[TrueMissileView, ...] = ()
    record: tuple[PublicNotice, ...] = ()
    points: dict[Side, int] = msgspec.field(default_factory=dict)
    nova_until: int = 0
