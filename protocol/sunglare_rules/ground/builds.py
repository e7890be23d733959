"""A ground unit or landed ship for the rules of sight: build, height, size, eyes.

Source: blips of our rule book §2.1 and §2.2.
"""

from sunglare_protocol.surface import Build, GroundKind
from sunglare_protocol.words.pieces import BaseSize
from sunglare_protocol.words.specials import Special, Specials
from sunglare_rules.blips.heights import HEIGHTS
from sunglare_rules.blips.visual_ranges import Eyes

_BUILDS: dict[GroundKind, Build] = {
    GroundKind.INFANTRY: Build.INFANTRY,
    GroundKind.BATTLE_ARMOUR: Build.BATTLE_ARMOUR,
    GroundKind.PROTOMECH: Build.PROTOMECH,
    GroundKind.VEHICLE: Build.VEHICLE,
    GroundKind.MECH: Build.MECH,
    GroundKind.SUPERHEAVY: Build.SUPERHEAVY,
    GroundKind.STRUCTURE: Build.VERY_LARGE,
    GroundKind.REMOTE: Build.REMOTE,
}

_FOOTPRINTS: dict[BaseSize, Specials] = {
    BaseSize.SMALL: (),
    BaseSize.MEDIUM: (Special.LG,),
    BaseSize.LARGE: (Special.VLG,),
}
"""OWN: how large a landed ship is on the surface, by its base."""

_SHIP_BUILDS: dict[BaseSize, Build] = {
    BaseSize.SMALL: Build.AERODYNE,
    BaseSize.MEDIUM: Build.AERODYNE,
    BaseSize.LARGE: Build.SPHEROID,
}
"""OWN: which DropShip a landed ship stands as high as, by its base."""

ON_FOOT = (GroundKind.INFANTRY, GroundKind.BATTLE_ARMOUR)
"""The kinds that are infantry: without electronic sensors, and in no need of power."""


def build_of(kind: GroundKind, specials: Specials = ()) -> Build:
    """Return the build of a ground unit; a very large one counts as such, whatever it is."""
    if Special.VLG in specials or Special.SLG in specials:
        return Build.VERY_LARGE
    if kind is GroundKind.VEHICLE and Special.LG in specials:
        return Build.LARGE_VEHICLE
    return _BUILDS[kind]


def height_of_kind(kind: GroundKind, specials: Specials = ()) -> int:
    """Return how high a ground unit stands, in inches."""
    return HEIGHTS[build_of(kind, specials)]


def footprint_of(size: BaseSize) -> Specials:
    """Return the size of a landed ship as a special ability, none for a small one."""
    return _FOOTPRINTS[size]


def build_of_ship(size: BaseSize) -> Build:
    """Return the build of a landed ship."""
    return _SHIP_BUILDS[size]


def height_of_ship(size: BaseSize) -> int:
    """Return how high a landed ship stands, in inches."""
    return HEIGHTS[build_of_ship(size)]


def eyes_of(kind: GroundKind) -> Eyes:
    """Return with whose eyes a ground unit sees."""
    return Eyes.INFANTRY if kind in ON_FOOT else Eyes.GROUND
