"""Small crowded scenarios in which much happens at once, and all scenarios by name."""

from functools import lru_cache

import msgspec

from builders.data import CLASSES, shipped
from builders.ground import ground_classes
from builders.missions import hunt
from sunglare_protocol.geometry import (
    Asteroid,
    Compass,
    Environs,
    Planet,
    PlanetSize,
    Square,
    Vector,
)
from sunglare_protocol.ids import Side
from sunglare_protocol.surface import Site
from sunglare_protocol.words.victory import ObjectiveKind
from sunglare_server.match.data.scenario import (
    AgentEntry,
    CrewData,
    GroundEntry,
    MapData,
    Objective,
    Scenario,
    ScenarioData,
    ShipEntry,
    SideSetup,
)


def _entry(
    name: str, kind: str, at: tuple[int, int], facing: Compass, *, cloaked: bool = False
) -> ShipEntry:
    return ShipEntry(
        name=name,
        type=kind,
        crew=CrewData(pilot=1, operator=2, commander=1 if kind == "frigate" else 0),
        at=Square(*at),
        vector=Vector(0, 0),
        facing=facing,
        popped_out=kind not in ("corvette", "fighter") and not cloaked,
        cloaked=cloaked,
    )


_ESCAPE = Objective(kind=ObjectiveKind.ESCAPE, edge=Compass.N)


def _scenario(name: str, boxes: int, sides: dict[Side, SideSetup], turns: int) -> Scenario:
    data = ScenarioData(
        title=name,
        sides=sides,
        turns=turns,
        map=MapData(columns=boxes, rows=boxes),
        planets=(
            Planet(
                name="Pebble",
                at=Square(12, 9),
                size=PlanetSize.SMALL,
                environs=(
                    Environs(number=1, sector=Compass.N),
                    Environs(number=2, sector=Compass.SW),
                ),
            ),
        ),
        asteroids=(Asteroid(name="Mote", at=Square(7, 15)),),
        fixed=True,
    )
    used = sorted({ship.type for side in sides.values() for ship in side.ships})
    return Scenario(name=name, data=data, classes={kind: CLASSES[kind] for kind in used})


def _duel() -> Scenario:
    ours = (
        _entry("Ash", "frigate", (6, 6), Compass.E),
        _entry("Birch", "corvette", (4, 14), Compass.NE),
        _entry("Cedar", "cruiser", (8, 19), Compass.N),
        _entry("Dogwood", "courier", (7, 15), Compass.E),
    )
    theirs = (
        _entry("Egret", "frigate", (17, 14), Compass.W),
        _entry("Finch", "raider", (14, 5), Compass.SW),
        _entry("Gull", "decoy", (15, 10), Compass.W),
        _entry("Heron", "corvette", (13, 18), Compass.NW),
        _entry("Ibis", "courier", (19, 8), Compass.W),
    )
    sides = {
        Side("A"): SideSetup(
            ships=ours, objectives=(_ESCAPE, Objective(kind=ObjectiveKind.IDENTIFY, piece="Egret"))
        ),
        Side("B"): SideSetup(
            ships=theirs, objectives=(Objective(kind=ObjectiveKind.SURVIVE, piece="Ibis"),)
        ),
    }
    return _scenario("duel", 5, sides, 9)


def _gunnery() -> Scenario:
    """Return three crowded sides with every weapon that is no plain gun."""
    ours = (
        _entry("Anvil", "dreadnought", (6, 6), Compass.SE),
        _entry("Bolt", "lancer", (4, 9), Compass.E),
        _entry("Briar", "thorn", (8, 8), Compass.SE),
    )
    theirs = (
        _entry("Nest", "carrier", (16, 15), Compass.NW),
        _entry("Hound", "hunter", (13, 13), Compass.NW),
        _entry("Pin", "picket", (15, 8), Compass.W),
    )
    others = (
        _entry("Dart", "lancer", (17, 5), Compass.SW),
        _entry("Reed", "fighter", (14, 6), Compass.W),
        _entry("Rush", "hunter", (10, 12), Compass.N),
    )
    sides = {
        Side(letter): SideSetup(ships=ships, objectives=(_ESCAPE,))
        for letter, ships in (("A", ours), ("B", theirs), ("C", others))
    }
    return _scenario("gunnery", 5, sides, 9)


def _broadside() -> Scenario:
    """Return two crowded sides with missiles, leeches, needles and a nova gun."""
    ours = (
        _entry("Anvil", "dreadnought", (7, 7), Compass.SE),
        _entry("Bolt", "lancer", (5, 9), Compass.E),
        _entry("Briar", "thorn", (9, 9), Compass.SE),
        _entry("Pin", "picket", (8, 6), Compass.SE),
    )
    theirs = (
        _entry("Nest", "carrier", (13, 13), Compass.NW),
        _entry("Dart", "lancer", (15, 11), Compass.W),
        _entry("Thistle", "thorn", (12, 14), Compass.NW),
        _entry("Prong", "picket", (14, 9), Compass.W),
    )
    sides = {
        Side("A"): SideSetup(ships=ours, objectives=(_ESCAPE,)),
        Side("B"): SideSetup(ships=theirs, objectives=(_ESCAPE,)),
    }
    return _scenario("broadside", 5, sides, 9)


def _melee() -> Scenario:
    corners = {"A": (5, 5), "B": (18, 5), "C": (18, 16), "D": (4, 17)}
    facings = {"A": Compass.SE, "B": Compass.SW, "C": Compass.NW, "D": Compass.NE}
    sides = {}
    for letter, (x, y) in corners.items():
        facing = facings[letter]
        ships = (
            _entry(f"{letter}-one", "frigate", (x, y), facing),
            _entry(f"{letter}-two", "corvette", (x + 2, y - 1), facing),
            _entry(f"{letter}-three", "decoy", (x, y + 2), facing),
        )
        sides[Side(letter)] = SideSetup(ships=ships, objectives=(_ESCAPE,))
    return _scenario("melee", 5, sides, 8)


_GROUND_MAP = ("....w...", "..w.....", "...2..a.", ".,..~...", "........", "..w.....")
_TROOPS = ("first-line-rifles", "regulars", "battle-tank", "lancer", "tracked-jammer", "shade")
_GARRISON = ("stormtroopers", "field-mortar", "wheeled-probe", "irregulars", "ground-sensor")


def _rising(entry: ShipEntry, up: int) -> ShipEntry:
    """Return the entry with a vector away from the planet, so that it stays off it for a while."""
    return msgspec.structs.replace(entry, vector=Vector(0, up // 2))


_BESIEGERS = ("hover-scout", "defence-missiles", "defence-laser", "battle-tank", "irregulars")
_BESIEGED = ("sensor-sower", "irregulars", "defence-cannon", "defence-missiles", "ground-sensor")


_OCCUPY = tuple(
    Objective(kind=ObjectiveKind.HOLD, at=Site("Pebble", number), ends_after=turns)
    for number, turns in ((1, 6), (2, 3))
)
"""Some random matches of the garrison end by them."""


def _garrison() -> Scenario:
    """Return two sides on the ground of a planet, their ships above or landed on it."""
    vessels = ("cruiser", "courier", "fighter")
    return _on_the_ground("garrison", (_TROOPS, _GARRISON), vessels, goals=_OCCUPY)


def _siege() -> Scenario:
    """Return two sides with capital weapons on the ground of a planet and above it."""
    kinds = (_BESIEGERS, _BESIEGED)
    vessels = ("gunboat", "monitor", "gunboat", "fighter")
    return _on_the_ground("siege", kinds, vessels, rises=3)


def _on_the_ground(
    name: str,
    units: tuple[tuple[str, ...], tuple[str, ...]],
    vessels: tuple[str, ...],
    rises: int = 0,
    goals: tuple[Objective, ...] = (),
) -> Scenario:
    near = Environs(number=1, sector=Compass.N, width=16, height=12, terrain=_GROUND_MAP)
    far = Environs(
        number=2, sector=Compass.SW, width=16, height=12, terrain=tuple(reversed(_GROUND_MAP))
    )
    body = Planet(name="Pebble", at=Square(12, 9), size=PlanetSize.SMALL, environs=(near, far))
    sides = {}
    for letter, kinds, y, up in (
        ("A", units[0], 8 - rises, -rises),
        ("B", units[1], 10 + rises, rises),
    ):
        first = Site("Pebble", 1)
        ground = tuple(
            GroundEntry(
                name=f"{letter} {kind}",
                type=kind,
                at=first if number % 3 else Site("Pebble", 2),
                hidden=number % 3 == 1,
            )
            for number, kind in enumerate(kinds)
        )
        aboard = GroundEntry(
            name=f"{letter} marines", type="fleet-marines", aboard=f"{letter}-one"
        )
        folk = (
            AgentEntry(name=f"{letter} agent", intelligence=2, at=first),
            AgentEntry(name=f"{letter} captain", leadership=2, aboard=f"{letter}-one"),
        )
        ships = tuple(
            _rising(_entry(f"{letter}-{number}", kind, (12 - east, y), facing), up)
            for number, kind, east, facing in zip(
                ("one", "two", "three", "four"),
                vessels,
                (0, 1, -1, 0),
                (Compass.N, Compass.W, Compass.E, Compass.N),
                strict=False,
            )
        )
        sides[Side(letter)] = SideSetup(
            ships=ships, ground=(*ground, aboard), agents=folk, objectives=goals
        )
    data = ScenarioData(
        title=name,
        sides=sides,
        turns=8,
        map=MapData(columns=5, rows=4),
        planets=(body,),
        fixed=True,
    )
    used = {unit.type for side in sides.values() for unit in side.ground}
    return Scenario(
        name=name,
        data=data,
        classes={vessel: CLASSES[vessel] for vessel in sorted(vessels)},
        ground={kind: ground_classes()[kind] for kind in sorted(used)},
    )


def _parade() -> Scenario:
    """Return a crowded match of three sides with every ability there is in space."""
    lanes = {"A": (5, 8, Compass.E), "B": (17, 9, Compass.W), "C": (11, 15, Compass.N)}
    sides = {}
    for letter, (x, y, facing) in lanes.items():
        ships = (
            _entry(f"{letter}-flag", "command-cruiser", (x, y), facing),
            _entry(f"{letter}-tender", "tender-frigate", (x, y + 1), facing),
            _entry(f"{letter}-hound", "hound-corvette", (x + 1, y - 1), facing),
            _entry(f"{letter}-ghost", "ghost-courier", (x - 1, y + 2), facing),
            _entry(f"{letter}-jammer", "jammer-frigate", (x + 2, y - 2), facing),
        )
        enemy = "B" if letter == "A" else "A"
        wanted = Objective(kind=ObjectiveKind.IDENTIFY, piece=f"{enemy}-flag")
        sides[Side(letter)] = SideSetup(ships=ships, objectives=(wanted,))
    return _scenario("parade", 5, sides, 8)


def _stalk(sides: str) -> Scenario:
    """Return a scenario in which every side hides two raiders from the others' escorts."""
    corners = {"A": (5, 5), "B": (16, 6), "C": (9, 18)}
    facings = {"A": Compass.SE, "B": Compass.SW, "C": Compass.N}
    setups = {}
    for letter in sides:
        (x, y), facing = corners[letter], facings[letter]
        ships = (
            _entry(f"{letter}-hull", "frigate", (x, y), facing),
            _entry(f"{letter}-guard", "corvette", (x + 3, y + 1), facing),
            _entry(f"{letter}-wolf", "raider", (x - 2, y + 2), facing, cloaked=True),
            _entry(f"{letter}-fox", "raider", (x + 1, y - 3), facing, cloaked=True),
        )
        setups[Side(letter)] = SideSetup(
            ships=ships,
            objectives=(Objective(kind=ObjectiveKind.IDENTIFY, piece=f"{sides[-1]}-fox"),),
        )
    last = Side(sides[-1])
    setups[last] = SideSetup(ships=setups[last].ships)
    return _scenario(f"stalk-{len(sides)}", 5, setups, 9)


@lru_cache(maxsize=1)
def scenarios() -> dict[str, Scenario]:
    """Return the shipped scenarios and some small crowded ones, by name."""
    crowded = (_duel(), _melee(), _gunnery(), _broadside(), _garrison(), _siege(), _parade())
    made = (*crowded, _stalk("AB"), _stalk("ABC"), hunt(CLASSES))
    return {**shipped().scenarios, **{scenario.name: scenario for scenario in made}}
