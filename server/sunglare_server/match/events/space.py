"""Everything that can happen in a match, in the past tense; resolvers make events, once rolled.

An event holds every number that was rolled, so that `apply` and `learn` never roll.
"""

from typing import final

from sunglare_protocol.geometry import Compass, Landing, Square, Vector
from sunglare_protocol.ids import OwnId, Side
from sunglare_protocol.words.armament import SystemAim, WeaponKind
from sunglare_protocol.words.pieces import Arc
from sunglare_protocol.words.scans import Answers, ScanSize, ScanType, Signature
from sunglare_rules.fire.shots import Extra
from sunglare_rules.sensors.scans import ScanHabit
from sunglare_server.match.events.agents import AgentEvent
from sunglare_server.match.events.base import EventBase
from sunglare_server.match.events.blips import (
    EcmSwitched,
    PieceProbed,
    PieceSpotted,
    RemoteLaunched,
    ShipHeated,
)
from sunglare_server.match.events.capital import CapitalEvent
from sunglare_server.match.events.cloak import (
    CloakedFired,
    CloakSwitched,
    HuntEnded,
    HuntStepped,
    JamEnded,
    PassiveRolled,
    SpaceJammed,
    SweepDeclared,
    SweepRolled,
    UncloakingSeen,
)
from sunglare_server.match.events.ground import GroundEvent
from sunglare_server.match.ids import PieceId


@final
class InitiativeRolled(EventBase, frozen=True, tag="InitiativeRolled"):
    """The order of the sides for a turn, with each side's total of dice and commander."""

    turn: int
    order: tuple[Side, ...]
    totals: dict[Side, int]


@final
class ShipDeployed(EventBase, frozen=True, tag="ShipDeployed"):
    """A ship was put on a square of its set-up zone."""

    piece: PieceId
    square: Square
    vector: Vector
    facing: Compass
    landing: Landing | None
    cloaked: bool | None = None


@final
class PowerSwitched(EventBase, frozen=True, tag="PowerSwitched"):
    """A plant went off, was ordered on (`starting`), or works again."""

    piece: PieceId
    powered: bool
    starting: bool


@final
class SensorsSwitched(EventBase, frozen=True, tag="SensorsSwitched"):
    """Hull sensors were popped out or folded."""

    piece: PieceId
    out: bool


@final
class TurretRotated(EventBase, frozen=True, tag="TurretRotated"):
    """A turret indicator was turned to other arcs."""

    piece: PieceId
    turret: str
    arcs: tuple[Arc, ...]


@final
class ShipMoved(EventBase, frozen=True, tag="ShipMoved"):
    """A ship ended its move on a square of the map."""

    piece: PieceId
    square: Square
    vector: Vector
    facing: Compass
    thrust_spent: int
    thrust_used: int


@final
class ShipLanded(EventBase, frozen=True, tag="ShipLanded"):
    """A ship landed on a body."""

    piece: PieceId
    landing: Landing
    square: Square
    thrust_spent: int


@final
class ShipLifted(EventBase, frozen=True, tag="ShipLifted"):
    """A ship lifted off from a body."""

    piece: PieceId
    square: Square
    facing: Compass
    thrust_spent: int


@final
class ShipEscaped(EventBase, frozen=True, tag="ShipEscaped"):
    """A ship left the map over an edge, for good."""

    piece: PieceId
    edge: Compass


@final
class CargoCollected(EventBase, frozen=True, tag="CargoCollected"):
    """A ship has come to rest at an asteroid where its side was to collect something."""

    piece: PieceId
    body: str


@final
class ShipDestroyed(EventBase, frozen=True, tag="ShipDestroyed"):
    """A ship was destroyed; `killers` are the sides whose aimed attacks did it.

    `unaware` are those whose leeches or nova did it although they do not hold the ship.
    """

    piece: PieceId
    cause: str
    killers: tuple[Side, ...]
    unaware: tuple[Side, ...] = ()


@final
class VolleyLaunched(EventBase, frozen=True, tag="VolleyLaunched"):
    """A ship launched a volley, which stands next to it with its vector before it moves."""

    piece: PieceId
    own: OwnId
    launcher: PieceId
    weapon: str
    missiles: int
    square: Square
    vector: Vector
    facing: Compass
    aim: Square
    cold: bool


@final
class FighterLaunched(EventBase, frozen=True, tag="FighterLaunched"):
    """A ship launched a flight of fighters, which stands next to it with its vector."""

    piece: PieceId
    own: OwnId
    launcher: PieceId
    square: Square
    vector: Vector
    facing: Compass


@final
class VolleyMoved(EventBase, frozen=True, tag="VolleyMoved"):
    """A volley ended its movement on a square of the map; `aim` is where it is sent by now."""

    piece: PieceId
    square: Square
    vector: Vector
    facing: Compass
    aim: Square


@final
class ScanDeclared(EventBase, frozen=True, tag="ScanDeclared"):
    """A ship declared a scan, and the public questions were answered."""

    piece: PieceId
    type: ScanType
    size: ScanSize
    at: str | Square
    strength: int
    effective: int
    answers: Answers
    habit: ScanHabit


@final
class ShipExamined(EventBase, frozen=True, tag="ShipExamined"):
    """A ship lay in the valid part of a scan of `side`; `signatures` gave it away, if any."""

    piece: PieceId
    side: Side
    signal: int | None
    signatures: tuple[Signature, ...]


@final
class ContactMade(EventBase, frozen=True, tag="ContactMade"):
    """A scan of `side` made a contact on a ship."""

    piece: PieceId
    side: Side
    signal: int
    signatures: tuple[Signature, ...]


@final
class ShipTracked(EventBase, frozen=True, tag="ShipTracked"):
    """A contact of `side` became a live track."""

    piece: PieceId
    side: Side
    roll: int | None


@final
class RadarGaveAway(EventBase, frozen=True, tag="RadarGaveAway"):
    """A radar scan gave away the ship that made it."""

    piece: PieceId


@final
class ScanFinished(EventBase, frozen=True, tag="ScanFinished"):
    """A scan is done: the pieces it found and tracked, and the Sense roll if one was made."""

    piece: PieceId
    found: tuple[PieceId, ...]
    tracked: tuple[PieceId, ...]
    roll: int | None


@final
class TrackMissed(EventBase, frozen=True, tag="TrackMissed"):
    """A side that tracked a ship made no contact on it in this turn's SCAN."""

    piece: PieceId
    side: Side
    misses: int


@final
class TrackEnded(EventBase, frozen=True, tag="TrackEnded"):
    """A track was missed twice in a row and is lost."""

    piece: PieceId
    side: Side


@final
class ShotFired(EventBase, frozen=True, tag="ShotFired"):
    """A ship fired a weapon at a piece it held; `arc` is the arc used, none at range 0 within.

    `extra` is what else the shot does, `system` what a needle beam was aimed at, `stopped` how
    many missiles point defence took, `spent` its points that met a capital one. A sweep of a nova
    gun is a shot at each piece in its way.
    """

    piece: PieceId
    weapon: str
    kind: WeaponKind
    target: PieceId
    arc: Arc | None
    dice: tuple[int, ...]
    damage: int
    extra: Extra | None = None
    system: SystemAim | None = None
    stopped: int = 0
    spent: int = 0


@final
class NovaFired(EventBase, frozen=True, tag="NovaFired"):
    """A ship fired its nova gun along its facing; the sweeps follow in three turns."""

    piece: PieceId
    weapon: str
    square: Square
    facing: Compass


@final
class ShooterExposed(EventBase, frozen=True, tag="ShooterExposed"):
    """A ship that fired direct shots is known: its square to all, more to `witnesses`."""

    piece: PieceId
    witnesses: tuple[Side, ...]


@final
class DamageTaken(EventBase, frozen=True, tag="DamageTaken"):
    """A ship took the damage of this turn's attacks."""

    piece: PieceId
    damage: int


@final
class LeechDrained(EventBase, frozen=True, tag="LeechDrained"):
    """Leeches from earlier turns did their damage to a ship, all of them together."""

    piece: PieceId
    damage: int


@final
class SystemLost(EventBase, frozen=True, tag="SystemLost"):
    """A threshold check, or a needle beam's die, cost a ship a system."""

    piece: PieceId
    system: str
    die: int
    needed: int


@final
class PointsScored(EventBase, frozen=True, tag="PointsScored"):
    """A side scored; if `is_known` it learns the points, or that they are `at_most` so many."""

    side: Side
    points: int
    why: str
    is_known: bool
    at_most: int | None = None


@final
class SideWentOut(EventBase, frozen=True, tag="SideWentOut"):
    """A side has no ship left in play."""

    side: Side


@final
class LossCounted(EventBase, frozen=True, tag="LossCounted"):
    """One more turn has ended since a side lost a piece that had to survive.

    `turns` counts them, the one of the loss among them; the match ends when they are `ends_after`.
    """

    side: Side
    piece: str
    turns: int
    ends_after: int


@final
class TurnEnded(EventBase, frozen=True, tag="TurnEnded"):
    """A turn is over: contacts fade, counters of the turn start again."""

    turn: int


Event = (
    InitiativeRolled
    | ShipDeployed
    | PowerSwitched
    | EcmSwitched
    | SensorsSwitched
    | CloakSwitched
    | UncloakingSeen
    | TurretRotated
    | ShipMoved
    | ShipLanded
    | ShipLifted
    | ShipEscaped
    | CargoCollected
    | VolleyLaunched
    | FighterLaunched
    | VolleyMoved
    | ShipDestroyed
    | RemoteLaunched
    | ScanDeclared
    | ShipExamined
    | ContactMade
    | ShipTracked
    | RadarGaveAway
    | ScanFinished
    | TrackMissed
    | TrackEnded
    | PieceSpotted
    | PieceProbed
    | SweepDeclared
    | SweepRolled
    | PassiveRolled
    | HuntStepped
    | HuntEnded
    | SpaceJammed
    | JamEnded
    | CloakedFired
    | ShotFired
    | NovaFired
    | ShooterExposed
    | DamageTaken
    | LeechDrained
    | ShipHeated
    | SystemLost
    | PointsScored
    | SideWentOut
    | LossCounted
    | TurnEnded
    | GroundEvent
    | CapitalEvent
    | AgentEvent
)
"""Every event there is."""
