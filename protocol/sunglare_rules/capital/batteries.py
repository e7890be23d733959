"""Ground batteries that fire into space: sight, range and what they may aim at.

Source: Alpha Strike, ground-based capital weapons; capital weapons of our rule book §3, "Ground
fire at ships". OWN throughout. Batteries have no arc.
"""

from sunglare_protocol.geometry import Board, Compass, Planet, Square
from sunglare_protocol.words.capital import CapitalClass
from sunglare_protocol.words.ladder import Fix
from sunglare_rules.capital.capital import SHIP_CLASSES
from sunglare_rules.capital.zones import map_in_sight
from sunglare_rules.ground.attacks import Bracket, bracket_of
from sunglare_rules.sensors.sectors import outward_square
from sunglare_rules.turn.metric import SPACE, Span, span

NEEDS_TRACK = frozenset({CapitalClass.SDS_CM})
"""The ground weapons that a contact is not enough for."""


def battery_distance(planet: Planet, map_sector: Compass, target: Square) -> Span:
    """Return the distance from a map's batteries to a square of space."""
    return span(SPACE, outward_square(planet, map_sector), target)


def battery_bracket(planet: Planet, map_sector: Compass, target: Square) -> Bracket | None:
    """Return the bracket from a map's batteries to a square of space; None if it is too far.

    In squares the brackets end at 2.5, 10, 17.5 and 25, for one square is 2.4 inches.
    """
    return bracket_of(battery_distance(planet, map_sector, target))


def is_held_for(weapon: CapitalClass, fix: Fix) -> bool:
    """Return whether a ground weapon may aim at what its side holds so well.

    A live track always does, a contact for all but missiles, anything less never.
    """
    if fix is Fix.TRACKED:
        return True
    return fix is Fix.CONTACT and weapon not in NEEDS_TRACK


def battery_bears(
    board: Board,
    planet: Planet,
    map_sector: Compass,
    weapon: CapitalClass,
    target: Square,
    fix: Fix,
) -> bool:
    """Return whether a ground weapon on that map may fire at what is held in that square."""
    if weapon in SHIP_CLASSES or not is_held_for(weapon, fix):
        return False
    if battery_bracket(planet, map_sector, target) is None:
        return False
    return map_in_sight(board, planet, map_sector, target)
