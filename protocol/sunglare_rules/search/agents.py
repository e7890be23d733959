"""Agents, the vessels and places they can be in, and who of them stands where.

Source: Freedom in the Galaxy 10.1 and 10.2; search of our rule book §2, "Entities". OWN: an orbit
box is the gravity well of its planet.

Names of agents and vessels are unique over all sides.
"""

from typing import TypeAlias, final

import msgspec

from sunglare_protocol.geometry import Board, Square
from sunglare_protocol.ids import Side
from sunglare_protocol.surface import Site
from sunglare_rules.sensors.sectors import wells_of


@final
class OnGround(msgspec.Struct, frozen=True, gc=False, tag="OnGround"):
    """An environs of a planet, by the planet's name and the number of the environs."""

    planet: str
    environs: int


def ground_of(site: Site) -> OnGround:
    """Return an environs as the rules of agents name it."""
    return OnGround(site.body, site.environs)


@final
class InOrbit(msgspec.Struct, frozen=True, gc=False, tag="InOrbit"):
    """The orbit box of a planet, by the planet's name."""

    planet: str


@final
class InSpace(msgspec.Struct, frozen=True, gc=False, tag="InSpace"):
    """A square in no well, or on an asteroid: those of different vessels never meet there."""

    square: Square


@final
class Aboard(msgspec.Struct, frozen=True, gc=False, tag="Aboard"):
    """The inside of a vessel, by its name."""

    vessel: str


VesselPlace: TypeAlias = OnGround | InOrbit | InSpace
"""Where a vessel can be; on the ground it is landed."""

Place: TypeAlias = VesselPlace | Aboard
"""Every place that agents can be near."""


@final
class Agent(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """An agent: its ratings, its place and whether it is detected.

    `stacked` is whether it stands with troops of its own side. `mission` is the number of its
    mission group. `shaken` names the planet at which it shook its detection off.
    """

    name: str
    owner: Side
    at: OnGround | Aboard
    intelligence: int = 0
    leadership: int = 0
    combat: int = 0
    endurance: int = 1
    wounds: int = 0
    npc: bool = False
    stacked: bool = False
    mission: int | None = None
    detected: bool = False
    shaken: str | None = None


@final
class Vessel(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """A ship that carries agents: a starship, or an agent spaceship, which has a flag."""

    name: str
    owner: Side
    at: VesselPlace
    is_agent_spaceship: bool = False
    has_shuttle: bool = False
    cloaked: bool = False
    detected: bool = False
    shaken: str | None = None


@final
class Scene(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """All agents and vessels of a match at one moment, and the environs with whose troops."""

    agents: tuple[Agent, ...] = ()
    vessels: tuple[Vessel, ...] = ()
    troops: tuple[tuple[Side, OnGround], ...] = ()

    def agent(self, name: str) -> Agent:
        """Return the agent of that name; raise `KeyError` if there is none."""
        for agent in self.agents:
            if agent.name == name:
                return agent
        raise KeyError(name)

    def vessel(self, name: str) -> Vessel:
        """Return the vessel of that name; raise `KeyError` if there is none."""
        for vessel in self.vessels:
            if vessel.name == name:
                return vessel
        raise KeyError(name)

    def place_of(self, agent: Agent) -> VesselPlace:
        """Return where an agent is on the map: aboard, that is the vessel's place."""
        at = agent.at
        return self.vessel(at.vessel).at if isinstance(at, Aboard) else at


def orbit_or_space(board: Board, square: Square) -> VesselPlace:
    """Return the place of a flying vessel: the orbit box of the well it is in, or open space.

    OWN: where wells overlap, the nearest planet's; of two as near, the first of the board.
    """
    wells = wells_of(board, square)
    if not wells:
        return InSpace(square)
    return InOrbit(min(wells, key=lambda planet: planet.at.distance_squared(square)).name)


def planet_of(place: VesselPlace) -> str | None:
    """Return the planet to whose ground or orbit box a place belongs, if to any."""
    return None if isinstance(place, InSpace) else place.planet


def unstacked_at(scene: Scene, owner: Side, ground: OnGround) -> tuple[Agent, ...]:
    """Return the owner's agents in an environs, aboard landed vessels too, without troops.

    Their intelligence counts when they search, and they are those who may strike.
    """
    return tuple(
        agent
        for agent in scene.agents
        if agent.owner == owner and not agent.stacked and scene.place_of(agent) == ground
    )


def stacked_at(scene: Scene, owner: Side, ground: OnGround) -> tuple[Agent, ...]:
    """Return the owner's agents who stand with troops in an environs: those who can lead."""
    return tuple(
        agent
        for agent in scene.agents
        if agent.owner == owner and agent.stacked and agent.at == ground
    )


def searchable(
    scene: Scene, owner: Side, ground: OnGround, mission: int | None = None
) -> tuple[Agent, ...]:
    """Return whom a search of an environs is for: the owner's detected agents without troops.

    With `mission`, as an event demands it, only the members of that mission group.
    """
    return tuple(
        agent
        for agent in unstacked_at(scene, owner, ground)
        if agent.detected and mission in (None, agent.mission)
    )


def mission_groups(scene: Scene, owner: Side, ground: OnGround) -> tuple[int, ...]:
    """Return the numbers of the owner's mission groups in an environs, lowest first."""
    present = unstacked_at(scene, owner, ground)
    numbers = [agent.mission for agent in present if agent.mission is not None]
    return tuple(dict.fromkeys(sorted(numbers)))
