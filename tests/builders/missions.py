"""A crowded planet on which three sides' agents and troops meet, for matches at random."""

from builders.ground import ground_classes
from sunglare_protocol.geometry import (
    Compass,
    Environs,
    Planet,
    PlanetSize,
    Square,
)
from sunglare_protocol.ids import Side
from sunglare_protocol.surface import Site
from sunglare_protocol.words.victory import ObjectiveKind
from sunglare_server.match.data.scenario import (
    AgentEntry,
    CrewData,
    GroundEntry,
    ItemEntry,
    MapData,
    Objective,
    Scenario,
    ScenarioData,
    ShipClass,
    ShipEntry,
    SideSetup,
)

PLANET = "Burrow"
SITES = tuple(Site(PLANET, number) for number in (1, 2, 3))
_TROOPS = {"A": "irregulars", "B": "conscript-rifles", "C": "elite-guard"}
_SECTORS, _SIZES = (Compass.N, Compass.SE, Compass.SW), (1, 2, 3)
_TURNS = 6


def hunt(classes: dict[str, ShipClass]) -> Scenario:
    """Return three sides whose agents are all in each other's way, with shuttles overhead."""
    environs = tuple(
        Environs(number=site.environs, sector=sector, size=size, width=8, height=6)
        for site, sector, size in zip(SITES, _SECTORS, _SIZES, strict=True)
    )
    body = Planet(name=PLANET, at=Square(12, 9), size=PlanetSize.SMALL, environs=environs)
    data = ScenarioData(
        title="hunt",
        sides={Side(letter): _side(letter, number) for number, letter in enumerate("ABC")},
        turns=_TURNS,
        map=MapData(columns=5, rows=4),
        planets=(body,),
        items=(ItemEntry(name="ledger", at=SITES[0]),),
        fixed=True,
    )
    return Scenario(
        name="hunt",
        data=data,
        classes={name: classes[name] for name in ("courier", "frigate")},
        ground={kind: ground_classes()[kind] for kind in sorted(_TROOPS.values())},
    )


def _side(letter: str, number: int) -> SideSetup:
    home, away, far = SITES[number], SITES[(number + 1) % 3], SITES[(number + 2) % 3]
    captor = Side("ABC"[(number + 1) % 3])
    return SideSetup(
        ships=(
            _ship(f"{letter}-high", "frigate", Square(10 + number, 6)),
            _ship(f"{letter}-low", "courier", Square(14 - number, 13)),
        ),
        ground=(
            GroundEntry(name=f"{letter} home", type=_TROOPS[letter], at=home),
            GroundEntry(name=f"{letter} away", type=_TROOPS[letter], at=away),
        ),
        agents=(
            _agent(f"{letter} chief", home, leadership=3, stacked=f"{letter} home"),
            _agent(f"{letter} fox", away, intelligence=6, combat=2),
            _agent(f"{letter} owl", far, intelligence=5, combat=5, leadership=1),
            _agent(f"{letter} mole", far, intelligence=2, combat=1, npc=True),
            AgentEntry(name=f"{letter} pilot", intelligence=3, aboard=f"{letter}-low"),
            AgentEntry(name=f"{letter} envoy", intelligence=4, aboard=f"{letter}-high"),
            AgentEntry(name=f"{letter} captive", endurance=2, at=away, captor=captor),
        ),
        objectives=(
            Objective(kind=ObjectiveKind.DELIVER, piece="ledger", at=home),
            Objective(kind=ObjectiveKind.DELIVER, piece=f"{letter} captive", at=home),
            Objective(kind=ObjectiveKind.SURVIVE, piece=f"{letter} fox"),
            Objective(kind=ObjectiveKind.HOLD, at=home),
        ),
    )


def _ship(name: str, kind: str, at: Square) -> ShipEntry:
    crew = CrewData(pilot=1, operator=3)
    return ShipEntry(name=name, type=kind, at=at, crew=crew, popped_out=True)


def _agent(
    name: str,
    at: Site,
    *,
    intelligence: int = 1,
    combat: int = 1,
    leadership: int = 0,
    npc: bool = False,
    stacked: str | None = None,
) -> AgentEntry:
    return AgentEntry(
        name=name,
        combat=combat,
        endurance=3,
        intelligence=intelligence,
        leadership=leadership,
        npc=npc,
        at=at,
        stacked=stacked,
    )
