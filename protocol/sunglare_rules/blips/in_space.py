"""Spotting and data scans as they are in space: abilities that work, light, lines and bearings.

Source: Alpha Strike, "Blip Counters" and "Concealing Unit Data"; blips of our rule book §5, and
capital §3 for emission events, all OWN. Distances are space inches between square centres.
"""

from functools import lru_cache
from typing import NamedTuple

from sunglare_protocol.geometry import Board, Place, Square
from sunglare_protocol.words.pieces import PieceKind
from sunglare_protocol.words.specials import Special, Specials
from sunglare_rules.blips.bearings import space_bearing
from sunglare_rules.blips.dossiers import NOTICED_INCHES, DossierAim
from sunglare_rules.blips.ecm import NO_TIER
from sunglare_rules.blips.spotting import Sight
from sunglare_rules.blips.visual_ranges import Eyes, Light, visual_range
from sunglare_rules.sensors.sectors import line_of_sight, standing_square
from sunglare_rules.sensors.sunlight import in_shadow
from sunglare_rules.turn.metric import SPACE, span

HEAT_MOST = 4
"""Heat counts the weapons fired, up to this (for ground units OWN)."""

EYES_OF: dict[PieceKind, Eyes] = {
    PieceKind.STARSHIP: Eyes.LARGE_CRAFT,
    PieceKind.DECOY: Eyes.LARGE_CRAFT,
    PieceKind.FIGHTER: Eyes.AEROSPACE,
    PieceKind.MISSILE: Eyes.AEROSPACE,
    PieceKind.REMOTE: Eyes.AEROSPACE,
}
"""OWN: the column of the visual table by the kind of spotter; a remote does not use it."""

_JAMMER_PART = {Special.WAT: Special.ECM, Special.NOVA: Special.ECM}
_PROBE_PART = {Special.WAT: Special.LPRB, Special.NOVA: Special.PRB}
_JAMMERS = (Special.ECM, Special.AECM, Special.LECM)
_PROBES = (Special.LPRB, Special.PRB, Special.BH)


class Condition(NamedTuple):
    """What of a piece's state changes its abilities."""

    powered: bool = True
    ecm_lost: bool = False
    probe_lost: bool = False


def heat_of(weapons_fired: int) -> int:
    """Return the heat of a piece that fired so many weapons this turn."""
    return min(HEAT_MOST, weapons_fired)


def has_probe(specials: Specials) -> bool:
    """Return whether a piece with these abilities has any probe."""
    return any(special in _PROBES or special in _PROBE_PART for special in specials)


@lru_cache(maxsize=4096)
def working(specials: Specials, condition: Condition) -> Specials:
    """Return the abilities that a piece has in its present state.

    A lost jammer or probe is gone; a suite of both keeps the other half. A cold plant counts as
    mimetic armour.
    """
    left: list[Special] = []
    for special in specials:
        left += _left_of(special, condition)
    if not condition.powered and Special.MAS not in left:
        left.append(Special.MAS)
    return tuple(left)


def _left_of(special: Special, condition: Condition) -> tuple[Special, ...]:
    if special in _JAMMER_PART:
        halves = (
            *(() if condition.ecm_lost else (_JAMMER_PART[special],)),
            *(() if condition.probe_lost else (_PROBE_PART[special],)),
        )
        return halves if condition.ecm_lost or condition.probe_lost else (special,)
    if special in _JAMMERS and condition.ecm_lost:
        return ()
    return () if special in _PROBES and condition.probe_lost else (special,)


def sight_inches(board: Board, kind: PieceKind, target: Square) -> int:
    """Return how far a spotter of that kind sees a target there: less if it is in shadow."""
    light = Light.PITCH_BLACK if in_shadow(board, target) else Light.MOONLESS
    return visual_range(EYES_OF[kind], light)


def glared(board: Board, spotter: Square, target: Square) -> bool:
    """Return whether the sun blinds a spotter to a target: it stands in its sunglare column.

    The column runs north from the spotter's square, without it; in shadow there is none.
    """
    beyond = target.x == spotter.x and target.y < spotter.y
    return beyond and not in_shadow(board, spotter)


def sight(board: Board, spotter: Place, target: Place) -> Sight:
    """Return how a target lies to the eyes and sensors of a spotter."""
    here, there = standing_square(board, spotter), standing_square(board, target)
    seen = line_of_sight(board, spotter, target) and not glared(board, here, there)
    return Sight(span(SPACE, here, there), seen, contact=here == there)


def aim(board: Board, scanner: Place, target: Place, jammed: int = NO_TIER) -> DossierAim:
    """Return how a target lies to a data scan; glare is no hindrance, a planet is solid."""
    seen = line_of_sight(board, scanner, target)
    here, there = standing_square(board, scanner), standing_square(board, target)
    return DossierAim(span(SPACE, here, there), seen, solid=not seen, jammed=jammed)


def notices_probe(scanner: Square, other: Square) -> bool:
    """Return whether a piece on another square notices a probe at work."""
    return SPACE.within(scanner.distance_squared(other), NOTICED_INCHES)


def bearing_bucket(here: Square, there: Square) -> int | None:
    """Return the bearing of another square in degrees from north, clockwise, down to 30.

    None for the same square.
    """
    return None if here == there else space_bearing(here, there)
