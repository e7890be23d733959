"""Characters, the vessels and places they can be in, and who of them stands where.

Source: Freedom in the Galaxy 10.1 and 10.2; search of our rule book §2, "Entities". OWN: an orbit
box is the gravity well of its planet.

Names of characters and vessels are unique over all sides.
"""

from typing import TypeAlias, final

import msgspec

from sunglare_protocol.geometry import Board, Square
from sunglare_protocol.ids import Side
from sunglare_protocol.surface import Site
from sunglare_rules.sensors.sectors import wells_of


@final
class OnGround(msgspec.Struct, frozen=True, gc=False, tag=True):
    """An environs of a planet, by the planet's name and the number of the environs."""

    planet: str
    environs: int


def ground_of(site: Site) -> OnGround:
    """Return an environs as the rules of agents name it."""
    return OnGround(site.body, site.environs)


@final
class InOrbit(msgspec.Struct, frozen=True, gc=False, tag=True):
    """The orbit box of a planet, by the planet's name."""

    planet: str


@final
class InSpace(msgspec.Struct, frozen=True, gc=False, tag=True):
    """A square in no well, or on an asteroid: nobody meets anybody of another vessel there."""

    square: Square


@final
class Aboard(msgspec.Struct, frozen=True, gc=False, tag=True):
    """The inside of a vessel, by its name."""

    vessel: str


VesselPlace: TypeAlias = OnGround | InOrbit | InSpace
"""Where a vessel can be; on the ground it is landed."""

Place: TypeAlias = VesselPlace | Aboard
"""Every place that agents can be near."""


@final
class Character(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """A character: its ratings, its place and whether it is detected.

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
    """A ship that carries characters: a starship, or a character spaceship, which has a flag."""

    name: str
    owner: Side
    at: VesselPlace
    is_character_spaceship: bool = False
    has_shuttle: bool = False
    cloaked: bool = False
    detected: bool = False
    shaken: str | None = None


@final
class Scene(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """All characters and vessels of a match at one moment, and the environs with whose troops."""

    characters: tuple[Character, ...] = ()
    vessels: tuple[Vessel, ...] = ()
    troops: tuple[tuple[Side, OnGround], ...] = ()

    def character(self, name: str) -> Character:
        """Return the character of that name; raise `KeyError` if there is none."""
        for each in self.characters:
            if each.name == name:
                return each
        raise KeyError(name)

    def vessel(self, name: str) -> Vessel:
        """Return the vessel of that name; raise `KeyError` if there is none."""
        for each in self.vessels:
            if each.name == name:
                return each
        raise KeyError(name)

    def place_of(self, character: Character) -> VesselPlace:
        """Return where a character is on the map: aboard, that is the vessel's place."""
        at = character.at
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


def unstacked_at(scene: Scene, owner: Side, ground: OnGround) -> tuple[Character, ...]:
    """Return the owner's characters in an environs, aboard landed vessels too, without troops.

    Their intelligence counts when they search, and they are those who may strike.
    """
    return tuple(
        each
        for each in scene.characters
        if each.owner == owner and not each.stacked and scene.place_of(each) == ground
    )


def stacked_at(scene: Scene, owner: Side, ground: OnGround) -> tuple[Character, ...]:
    """Return the owner's characters who stand with troops in an environs: those who can lead."""
    return tuple(
        each
        for each in scene.characters
        if each.owner == owner and each.stacked and each.at == ground
    )


def searchable(
    scene: Scene, owner: Side, ground: OnGround, mission: int | None = None
) -> tuple[Character, ...]:
    """Return whom a search of an environs is for: the owner's detected people without troops.

    With `mission`, as an event demands it, only the members of that mission group.
    """
    return tuple(
        each
        for each in unstacked_at(scene, owner, ground)
        if each.detected and mission in (None, each.mission)
    )


def mission_groups(scene: Scene, owner: Side, ground: OnGround) -> tuple[int, ...]:
    """Return the numbers of the owner's mission groups in an environs, lowest first."""
    present = unstacked_at(scene, owner, ground)
    numbers = [each.mission for each in present if each.mission is not None]
    return tuple(dict.fromkeys(sorted(numbers)))
