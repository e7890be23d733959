"""Where ground fire that misses comes down.

Source: Alpha Strike, missed artillery scatters; capital weapons of our rule book §1 (K11), §2.
Everything is a whole number, so both ends of the wire find the same point.
"""

from sunglare_protocol.geometry import Environs
from sunglare_protocol.words.capital import FireMode, RadarZone
from sunglare_rules.capital.capital import ToHit, capital_hits
from sunglare_rules.ground.plane import cell_of
from sunglare_rules.turn.metric import SURFACE_UNITS, Spot

STEP_INCHES = 2
"""How far each pip, or each point by which a roll fell short, carries the impact, in inches."""

_MILLION = 1_000_000
_SINE_60 = 866_025
"""The sine of 60 degrees, in millionths."""

_COSINE_60 = 500_000
"""The cosine of 60 degrees, in millionths."""

_DIRECTIONS = ((0, 1), (1, 1), (1, -1), (0, -1), (-1, -1), (-1, 1))
"""The signs of the offset east and north by a die of 1 to 6: 60 degree steps clockwise.

OWN: a 1 is north.
"""


def is_direct(mode: FireMode, zone: RadarZone | None) -> bool:
    """Return whether fire at a point is direct: only that from the Central Zone is."""
    return mode is FireMode.AIR_TO_GROUND and zone is RadarZone.CENTRAL


def direct_distance(die: int) -> int:
    """Return how far direct fire scatters by its die, in units of the map."""
    return STEP_INCHES * SURFACE_UNITS * die


def indirect_distance(tn: int, roll: int) -> int:
    """Return how far indirect fire scatters that needed `tn` and rolled `roll`, in map units."""
    return STEP_INCHES * SURFACE_UNITS * max(1, tn - roll)


def offset(direction: int, distance: int) -> tuple[int, int]:
    """Return the displacement east and north by a die of 1 to 6, each rounded to a whole unit."""
    east, north = _DIRECTIONS[direction - 1]
    if east == 0:
        return 0, north * distance
    return east * _part(distance, _SINE_60), north * _part(distance, _COSINE_60)


def scattered(point: Spot, direction: int, distance: int) -> Spot:
    """Return where fire at `point` comes down that scatters so far, also beyond the map."""
    east, north = offset(direction, distance)
    return (point[0] + east, point[1] + north)


def impact(
    point: Spot,
    environs: Environs,
    needed: ToHit,
    roll: int,
    direction: int,
    distance_die: int | None = None,
) -> Spot | None:
    """Return where fire at `point` comes down, or None if it scatters off the map and is lost.

    OWN: the map ends where its cells end.

    `roll` is the sum of the two dice of the shot. A hit comes down on the point. A miss goes in
    the direction of the die `direction`: direct fire by `distance_die`, indirect fire (None) by
    how far the roll fell short.
    """
    if capital_hits(needed, roll):
        return point
    if distance_die is None:
        distance = indirect_distance(needed.tn, roll)
    else:
        distance = direct_distance(distance_die)
    end = scattered(point, direction, distance)
    return end if cell_of(end) in environs else None


def _part(distance: int, millionths: int) -> int:
    return (distance * millionths + _MILLION // 2) // _MILLION
