"""Whole matches about agents, small ones in fixed places, for the tests of what comes together."""

from typing import TypeVar

from builders.agents import CERES, shuttler, yacht
from builders.ground import ground_classes
from builders.matches import Course
from builders.truths import A, B, only
from sunglare_protocol.geometry import Compass, Environs, Planet, PlanetSize, Square, Vector
from sunglare_protocol.ids import Audience, Side
from sunglare_protocol.messages import Frame
from sunglare_protocol.surface import Cell, Site
from sunglare_protocol.words.ladder import Phase
from sunglare_rules.turn.movement import AT_REST
from sunglare_server.match.data.scenario import (
    AgentEntry,
    CrewData,
    GroundEntry,
    ItemEntry,
    Objective,
    Scenario,
    ScenarioData,
    ShipEntry,
    SideSetup,
)
from sunglare_server.match.truth.truth import Truth

Kind = TypeVar("Kind")
TOWN, MINES, WILDS = Site(CERES, 1), Site(CERES, 2), Site(CERES, 3)
OVER = Square(15, 9)
"""A square in the planet's orbit box."""

AWAY = Square(35, 35)
"""A square in open space."""

_PLANETS = (
    Planet(
        name=CERES,
        at=Square(15, 12),
        size=PlanetSize.SMALL,
        environs=(
            Environs(number=1, sector=Compass.N, size=1, width=12, height=8),
            Environs(number=2, sector=Compass.SE, size=2, width=12, height=8),
            Environs(number=3, sector=Compass.SW, size=3, width=12, height=8),
        ),
    ),
    Planet(
        name="Vesta",
        at=Square(25, 30),
        size=PlanetSize.SMALL,
        environs=(Environs(number=1, sector=Compass.N),),
    ),
)


def who(
    name: str,
    at: Site | str = TOWN,
    *,
    intelligence: int = 3,
    combat: int = 2,
    endurance: int = 3,
    leadership: int = 0,
    npc: bool = False,
    stacked: str | None = None,
    detected: bool = False,
    captor: Side | None = None,
) -> AgentEntry:
    """Return an agent on a site; a text as place is the name of the ship he is aboard."""
    return AgentEntry(
        name=name,
        combat=combat,
        endurance=endurance,
        intelligence=intelligence,
        leadership=leadership,
        npc=npc,
        at=None if isinstance(at, str) else at,
        aboard=at if isinstance(at, str) else None,
        stacked=stacked,
        detected=detected,
        captor=captor,
    )


def troops(name: str, at: Site = TOWN, kind: str = "first-line-rifles") -> GroundEntry:
    """Return a ground unit in the north-west corner of a site's map, out of everybody's way."""
    return GroundEntry(name=name, type=kind, at=at, cell=Cell(0, 3))


def high(name: str, at: Square = OVER) -> ShipEntry:
    """Return a starship with a shuttle, at rest."""
    return ShipEntry(name=name, type="frigate", at=at, crew=CrewData(operator=3), popped_out=True)


def low(name: str, at: Square = OVER, vector: Vector = AT_REST) -> ShipEntry:
    """Return an agent spaceship, at rest if nothing else is said."""
    return ShipEntry(name=name, type="yacht", at=at, vector=vector, popped_out=True)


def side_of(
    *agents: AgentEntry,
    ships: tuple[ShipEntry, ...] = (),
    ground: tuple[GroundEntry, ...] = (),
    objectives: tuple[Objective, ...] = (),
    leaves_free: bool = False,
) -> SideSetup:
    """Return a side; without a ship it has one far away."""
    return SideSetup(
        ships=ships or (high("Distant", AWAY),),
        ground=ground,
        agents=agents,
        objectives=objectives,
        leaves_free=leaves_free,
    )


def match_of(
    first: SideSetup,
    second: SideSetup,
    third: SideSetup | None = None,
    *,
    items: tuple[ItemEntry, ...] = (),
    seed: int = 0,
) -> Course:
    """Return a match of these sides over a planet with three environs."""
    sides = {A: first, B: second} if third is None else {A: first, B: second, Side("C"): third}
    data = ScenarioData(title="Rig", sides=sides, planets=_PLANETS, items=items, fixed=True)
    frigate, boat = shuttler(A).type, yacht(A).type
    used = {unit.type for side in sides.values() for unit in side.ground}
    scenario = Scenario(
        name="rig",
        data=data,
        classes={kind.name: kind for kind in (frigate, boat)},
        ground={name: ground_classes()[name] for name in sorted(used)},
    )
    return Course(scenario, seed=bytes([seed]) * 32)


def truth(course: Course) -> Truth:
    """Return the truth as it stands."""
    return course.state.truth


def plotted(course: Course, orders: str = "", side: Side = A) -> Course:
    """Play a PLOT with these orders, and return the match."""
    course.close_with(Phase.PLOT, {side: orders})
    return course


def events_of(course: Course, kind: type[Kind]) -> list[Kind]:
    """Return the events of a kind of the window that closed last."""
    return only(course.steps[-1].events, kind)


def flagged(course: Course) -> list[str]:
    """Return who is detected, agents and ships, sorted."""
    state = truth(course)
    found = [agent.id for agent in state.agents.values() if agent.detected]
    return sorted(found + [ship.id for ship in state.ships.values() if ship.detected])


def heard(course: Course, audience: str, kind: type[Kind]) -> list[Kind]:
    """Return the notices of one kind among those."""
    return only(notices(course, audience), kind)


def notices(course: Course, audience: str) -> list[object]:
    """Return what an audience was told when the last window closed."""
    frames = [post for post in course.sent[Audience(audience)] if isinstance(post, Frame)]
    return list(frames[-1].notices)
