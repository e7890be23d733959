"""Scenarios and ship classes as values: what a data file may say, and what is made of it."""

from typing import Annotated, Literal, final

import msgspec

from sunglare_protocol.geometry import Asteroid, Board, Compass, Planet, Square, Vector
from sunglare_protocol.ids import Side
from sunglare_protocol.surface import Cell, Site
from sunglare_protocol.text import BRIEF_MOST, TITLE_MOST
from sunglare_protocol.words.armament import WeaponKind
from sunglare_protocol.words.pieces import Arc, BaseSize, PieceKind, Relation, TurretKind
from sunglare_protocol.words.scans import Drive, ScanType
from sunglare_protocol.words.specials import Specials
from sunglare_protocol.words.victory import ObjectiveKind
from sunglare_rules.turn.movement import THRUST_MOST
from sunglare_server.match.data.ground_classes import Damage, FromFile, GroundClass, Short
from sunglare_server.match.data.options import OptionValue

TURNS = 20
"""The turn limit of a scenario that names none."""

Rating = Annotated[int, msgspec.Meta(ge=0, le=4)]
Skill = Annotated[int, msgspec.Meta(ge=0, le=3)]
AgentRating = Annotated[int, msgspec.Meta(ge=0, le=9)]
Boxes = Annotated[int, msgspec.Meta(ge=1, le=26)]
Turns = Annotated[int, msgspec.Meta(ge=0, le=200)]


@final
class WeaponType(FromFile, frozen=True):
    """A weapon of the weapons file; `rank` is its class where the kind has classes.

    A capital weapon has its damage at short, medium, long and extreme range.
    """

    kind: WeaponKind
    rank: Annotated[int, msgspec.Meta(ge=1, le=5)] = 1
    s: Damage = 0
    m: Damage = 0
    l: Damage = 0  # noqa: E741 - the letter of the bracket, as in the rules
    e: Damage = 0

    @property
    def damages(self) -> tuple[int, int, int, int]:
        """Return the damage at each bracket, short range first."""
        return (self.s, self.m, self.l, self.e)


@final
class Mount(FromFile, frozen=True):
    """A weapon aboard: which type, and the arc or the turret that aims it, if it needs one."""

    id: Short
    weapon: Short
    arc: Arc | None = None
    turret: Short | None = None
    needs: Literal["in_front", "behind", "flanking"] | None = None


@final
class TurretData(FromFile, frozen=True):
    """A turret aboard and where its indicator points at the start."""

    id: Short
    kind: TurretKind = TurretKind.SINGLE
    arcs: tuple[Arc, ...] = ()


@final
class Ratings(FromFile, frozen=True):
    """The sensor rating for each scan type."""

    visual: Rating = 0
    ir: Rating = 0
    radar: Rating = 0
    neutrino: Rating = 0
    mass: Rating = 0

    def of(self, scan: ScanType) -> int:
        """Return the rating for `scan`, which has its field here."""
        return int(getattr(self, scan.value))


@final
class CrewData(FromFile, frozen=True, cache_hash=True):
    """The skills aboard a ship."""

    pilot: Annotated[int, msgspec.Meta(ge=0, le=2)] = 0
    operator: Skill = 0
    commander: Skill = 0
    gunnery: Annotated[int, msgspec.Meta(ge=0, le=9)] = 4


@final
class ShipData(FromFile, frozen=True):
    """A ship class as the classes file has it.

    `flights` counts the fighters it carries, `bays` the ground units it can carry, `shuttle` is
    whether agents land by one; an `agent_spaceship` can be detected like them. `family`
    is the type that others identify, by default the class itself; `remote` names the class that
    the dispensers of remote sensors launch.
    """

    size: BaseSize
    hull: Annotated[int, msgspec.Meta(ge=1, le=200)]
    thrust: Annotated[int, msgspec.Meta(ge=0, le=THRUST_MOST)]
    points: Annotated[int, msgspec.Meta(ge=0, le=99)]
    kind: PieceKind = PieceKind.STARSHIP
    drive: Drive = Drive.IMPULSE
    sensors: Ratings = Ratings()
    screens: Annotated[int, msgspec.Meta(ge=0, le=2)] = 0
    point_defence: Annotated[int, msgspec.Meta(ge=0, le=12)] = 0
    flights: Annotated[int, msgspec.Meta(ge=0, le=6)] = 0
    cloak: bool = False
    weapons: tuple[Mount, ...] = ()
    turrets: tuple[TurretData, ...] = ()
    bays: Annotated[int, msgspec.Meta(ge=0, le=20)] = 0
    shuttle: bool = False
    agent_spaceship: bool = False
    family: Short | None = None
    specials: tuple[Short, ...] = ()
    remote: Short | None = None


@final
class Weapon(FromFile, frozen=True):
    """A mounted weapon, its type resolved; only a capital one has a damage at each bracket."""

    id: str
    kind: WeaponKind
    rank: int
    arc: Arc | None = None
    turret: str | None = None
    needs: Relation | None = None
    damage: tuple[int, int, int, int] | None = None


@final
class ShipClass(FromFile, frozen=True, cache_hash=True):
    """A ship class, its weapons and its remote sensors resolved: what does not change in play.

    `name` is the variant, which only a data scan shows; `family` what others identify it as
    (empty: the name itself).
    """

    name: str
    size: BaseSize
    hull: int
    thrust: int
    points: int
    drive: Drive
    sensors: Ratings
    screens: int
    weapons: tuple[Weapon, ...]
    turrets: tuple[TurretData, ...]
    kind: PieceKind = PieceKind.STARSHIP
    point_defence: int = 0
    flights: int = 0
    bays: int = 0
    shuttle: bool = False
    agent_spaceship: bool = False
    family: str = ""
    specials: Specials = ()
    dispensers: int = 0
    remote: "ShipClass | None" = None
    cloak: bool = False

    @property
    def type_shown(self) -> str:
        """Return the type that others identify."""
        return self.family or self.name


@final
class ShipEntry(FromFile, frozen=True):
    """A ship of a roster; place and motion are set where the scenario fixes them."""

    name: Short
    type: Short
    crew: CrewData = CrewData()
    at: Square | None = None
    vector: Vector = Vector(0, 0)
    facing: Compass = Compass.N
    powered: bool = True
    popped_out: bool = False
    cloaked: bool = False

    def may_start_cloaked(self, kind: ShipClass) -> bool:
        """Return whether a ship of that class can start cloaked as it stands here."""
        return kind.cloak and self.powered and not self.popped_out


@final
class GroundEntry(FromFile, frozen=True):
    """A ground unit of a roster: on an environs, or in the ship of the roster that is named.

    Without a `cell` the dice put it on one of its side's areas. `hidden` is what it starts as if
    its owner does not deploy it otherwise.
    """

    name: Short
    type: Short
    at: Site | None = None
    cell: Cell | None = None
    aboard: Short | None = None
    hidden: bool = False


@final
class AgentEntry(FromFile, frozen=True):
    """An agent of a roster: on an environs, or in the ship of the roster that is named.

    `stacked` names the ground unit of the roster in whose stack it starts. `detected`: an alert
    stands from the start; `captor` is the side that holds it until it is freed.
    """

    name: Short
    combat: AgentRating = 0
    endurance: Annotated[int, msgspec.Meta(ge=1, le=9)] = 1
    intelligence: AgentRating = 0
    leadership: AgentRating = 0
    npc: bool = False
    at: Site | None = None
    aboard: Short | None = None
    stacked: Short | None = None
    detected: bool = False
    captor: Side | None = None


@final
class ItemEntry(FromFile, frozen=True):
    """A thing that can be stolen and delivered, and the environs where it lies at the start."""

    name: Short
    at: Site


@final
class AreaData(FromFile, frozen=True):
    """Cells of an environs on which a side sets its ground units up: a rectangle, corners in.

    `cells` are the western column, the southern row, the eastern column and the northern row.
    """

    at: Site
    cells: tuple[int, int, int, int]


@final
class Objective(FromFile, frozen=True):
    """What a side scores for apart from destroying.

    `piece` names a piece of the side concerned, to `deliver` an item or an own agent; `at` is
    the environs to deliver it to, or to `hold`; `body` the asteroid to `collect` at. A match ends
    once the side alone has had troops standing openly on an environs to `hold` for `ends_after`
    turns on end, or when as many turns have ended since a piece to `survive` was destroyed, the
    one of its loss among them; 0: it does not.
    """

    kind: ObjectiveKind
    edge: Compass | None = None
    piece: Short | None = None
    at: Site | None = None
    body: Short | None = None
    ends_after: Turns = 0


@final
class SideSetup(FromFile, frozen=True):
    """A side at the start: its roster, or several of which the dice draw one, and its zone.

    `areas` are for ground units what the zone is for ships; on an environs without one the side
    sets up wherever it likes. With `leaves_free` its ships may leave the map over any edge, and
    the others score nothing for that.
    """

    zone: tuple[Short, ...] = ()
    ships: tuple[ShipEntry, ...] = ()
    drawn: tuple[tuple[ShipEntry, ...], ...] = ()
    ground: tuple[GroundEntry, ...] = ()
    agents: tuple[AgentEntry, ...] = ()
    areas: tuple[AreaData, ...] = ()
    objectives: tuple[Objective, ...] = ()
    leaves_free: bool = False

    @property
    def rosters(self) -> tuple[tuple[ShipEntry, ...], ...]:
        """Return every roster the side may start with."""
        return self.drawn or (self.ships,)


@final
class MapData(FromFile, frozen=True):
    """The size of the map in boxes, and the sun."""

    columns: Boxes = 8
    rows: Boxes = 8
    sunfactor: Annotated[int, msgspec.Meta(ge=0, le=12)] = 6


@final
class ScenarioData(FromFile, frozen=True):
    """A scenario as its file has it; `fixed` places every ship where its entry says.

    `family` is that of the ratings in which its rated matches count; without it they count by
    themselves, under the name of the scenario.
    """

    title: Annotated[str, msgspec.Meta(max_length=4 * TITLE_MOST)]
    sides: dict[Side, SideSetup]
    brief: Annotated[str, msgspec.Meta(max_length=4 * BRIEF_MOST)] = ""
    turns: Annotated[int, msgspec.Meta(ge=1, le=200)] = TURNS
    map: MapData = MapData()
    planets: tuple[Planet, ...] = ()
    asteroids: tuple[Asteroid, ...] = ()
    items: tuple[ItemEntry, ...] = ()
    fixed: bool = False
    options: dict[str, OptionValue] = msgspec.field(default_factory=dict)
    # Left out of records where a file does not name it, as in those of before.
    family: Short | msgspec.UnsetType = msgspec.UNSET

    @property
    def bodies(self) -> tuple[tuple[str, tuple[Planet | Asteroid, ...]], ...]:
        """Return all bodies, by the key under which a file lists them."""
        return (("planets", self.planets), ("asteroids", self.asteroids))


@final
class Scenario(FromFile, frozen=True):
    """A scenario ready to play: its data, its board and the classes it uses."""

    name: str
    data: ScenarioData
    classes: dict[str, ShipClass]
    ground: dict[str, GroundClass] = msgspec.field(default_factory=dict)

    @property
    def board(self) -> Board:
        """Return the public map."""
        size = self.data.map
        return Board(
            columns=size.columns,
            rows=size.rows,
            sunfactor=size.sunfactor,
            planets=self.data.planets,
            asteroids=self.data.asteroids,
        )

    @property
    def sides(self) -> tuple[Side, ...]:
        """Return the sides in the order of their letters."""
        return tuple(sorted(self.data.sides))
