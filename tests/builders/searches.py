"""Small scenes of agents for the tests of detection and search, and names for their parts."""

from sunglare_protocol.geometry import Square
from sunglare_protocol.ids import Side
from sunglare_rules.search.agents import (
    Aboard,
    Character,
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


def person(
    name: str,
    at: OnGround | Aboard = TOWN,
    *,
    owner: Side = A,
    detected: bool = False,
    stacked: bool = False,
    mission: int | None = None,
) -> Character:
    """Return a character without ratings."""
    return Character(
        name=name, owner=owner, at=at, detected=detected, stacked=stacked, mission=mission
    )


def rated(
    name: str = "Rusk",
    *,
    intelligence: int = 0,
    leadership: int = 0,
    combat: int = 0,
    npc: bool = False,
) -> Character:
    """Return a detected character of side A in the town, with ratings."""
    return Character(
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
    """Return a character spaceship."""
    return Vessel(name=name, owner=owner, at=at, is_character_spaceship=True, detected=detected)


def cruiser(
    name: str = "Cruiser", at: VesselPlace = OVER_ORLOG, *, owner: Side = A, cloaked: bool = False
) -> Vessel:
    """Return a starship with a shuttle."""
    return Vessel(name=name, owner=owner, at=at, has_shuttle=True, cloaked=cloaked)


def hot(scene: Scene) -> list[str]:
    """Return the names of the characters and vessels that are detected, sorted."""
    people = [each.name for each in scene.characters if each.detected]
    return sorted(people + [each.name for each in scene.vessels if each.detected])
