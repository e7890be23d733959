"""Small scenes of agents for the tests of detection and search, and names for their parts."""

from sunglare_protocol.geometry import Square
from sunglare_protocol.ids import Side
from sunglare_rules.search.agents import (
    Aboard,
    Agent,
    InOrbit,
    InSpace,
    OnGround,
    Scene,
    Vessel,
    VesselPlace,
)

A, B = Side("A"), Side("B")
ORLOG, REDONDO = "Orlog", "Redondo"
TOWN, WILDS, CAVES = OnGround(ORLOG, 1), OnGround(ORLOG, 2), OnGround(ORLOG, 3)
FAR_TOWN = OnGround(REDONDO, 1)
OVER_ORLOG, OVER_REDONDO = InOrbit(ORLOG), InOrbit(REDONDO)
SPACE = InSpace(Square(3, 3))
NUMBERS = (1, 2, 3)
"""The environs of either planet."""


def agent(
    name: str,
    at: OnGround | Aboard = TOWN,
    *,
    owner: Side = A,
    detected: bool = False,
    stacked: bool = False,
    mission: int | None = None,
) -> Agent:
    """Return an agent without ratings."""
    return Agent(
        name=name, owner=owner, at=at, detected=detected, stacked=stacked, mission=mission
    )


def rated(
    name: str = "Rusk",
    *,
    intelligence: int = 0,
    leadership: int = 0,
    combat: int = 0,
    npc: bool = False,
) -> Agent:
    """Return a detected agent of side A in the town, with ratings."""
    return Agent(
        name=name,
        owner=A,
        at=TOWN,
        intelligence=intelligence,
        leadership=leadership,
        combat=combat,
        npc=npc,
        detected=True,
    )


def yacht(
    name: str = "Yacht", at: VesselPlace = OVER_ORLOG, *, owner: Side = A, detected: bool = False
) -> Vessel:
    """Return an agent spaceship."""
    return Vessel(name=name, owner=owner, at=at, is_agent_spaceship=True, detected=detected)


def cruiser(
    name: str = "Cruiser", at: VesselPlace = OVER_ORLOG, *, owner: Side = A, cloaked: bool = False
) -> Vessel:
    """Return a starship with a shuttle."""
    return Vessel(name=name, owner=owner, at=at, has_shuttle=True, cloaked=cloaked)


def hot(scene: Scene) -> list[str]:
    """Return the names of the agents and vessels that are detected, sorted."""
    agents = [one_agent.name for one_agent in scene.agents if one_agent.detected]
    return sorted(agents + [vessel.name for vessel in scene.vessels if vessel.detected])


def scene_of(*pieces: Agent | Vessel, troops: tuple[tuple[Side, OnGround], ...] = ()) -> Scene:
    """Return a scene of these agents and vessels, and of troops."""
    return Scene(
        agents=tuple(piece for piece in pieces if isinstance(piece, Agent)),
        vessels=tuple(piece for piece in pieces if isinstance(piece, Vessel)),
        troops=troops,
    )
