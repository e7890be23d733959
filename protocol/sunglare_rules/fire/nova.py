"""The nova gun: three sweeps along the facing, of which each hits whatever stands in its way.

Source: Full Thrust nova gun; fire of our rule book §6, "Nova gun". It is an area weapon: it
asks for no target, and friend and foe, seen and cloaked, are hit alike.
"""

from fractions import Fraction
from typing import NamedTuple

from sunglare_protocol.geometry import Area, Compass, Square
from sunglare_rules.fire.shots import Roll, Shot
from sunglare_rules.turn.scale import within_mu


class NovaSweep(NamedTuple):
    """One sweep: beyond and to which distance in mu, how many squares across, how many d6."""

    beyond_mu: int
    to_mu: int
    across: int
    dice: int


SWEEPS = (NovaSweep(6, 24, 0, 6), NovaSweep(24, 48, 0, 4), NovaSweep(48, 72, 1, 2))
"""The sweeps of the turn of the shot and of the two after it. OWN: how far across each goes."""

_MEAN_DIE = Fraction(7, 2)


def may_fire_nova(thrust_spent: int, other_shots: int) -> bool:
    """Return whether a ship may fire its nova gun: no thrust spent, nothing else fired."""
    return thrust_spent == 0 and other_shots == 0


def sweep_number(fired: int, turn: int) -> int | None:
    """Return which sweep, 0 to 2, a gun fired in turn `fired` makes in `turn`; None if none."""
    number = turn - fired
    return number if 0 <= number < len(SWEEPS) else None


def blinds_passive(fired: int, turn: int) -> bool:
    """Return whether a nova of turn `fired` spoils passive detection in the DETECT of `turn`.

    DETECT comes before ENGAGE, so the turn of the shot itself is spared.
    """
    return fired < turn < fired + len(SWEEPS)


def nova_blind_until(fired: int) -> int:
    """Return the last turn whose passive detection a nova of turn `fired` spoils."""
    return fired + len(SWEEPS) - 1


def touches(origin: Square, facing: Compass, sweep: int, square: Square) -> bool:
    """Return whether sweep 0 to 2 of a gun fired at `origin` along `facing` hits `square`.

    OWN: across is the straight distance from the centre to the line of the facing, as all
    distances in space are; squared, and multiplied by the length of the facing's step so that it
    stays whole. So one square across takes in a line of squares on either side, also diagonally.
    """
    away, step = origin.to(square), facing.step
    if away.dx * step.dx + away.dy * step.dy <= 0:
        return False
    beyond_mu, to_mu, across, _ = SWEEPS[sweep]
    distance = origin.distance_squared(square)
    if within_mu(distance, beyond_mu) or not within_mu(distance, to_mu):
        return False
    aside = away.dx * step.dy - away.dy * step.dx
    return aside**2 <= across**2 * (step.dx**2 + step.dy**2)


def swept(origin: Square, facing: Compass, sweep: int, area: Area) -> tuple[Square, ...]:
    """Return the squares of `area` that sweep 0 to 2 hits, row after row from the north."""
    return tuple(square for square in area.squares() if touches(origin, facing, sweep, square))


def sweep_damage(sweep: int, roll: Roll) -> Shot:
    """Return what sweep 0 to 2 does to one piece in its way.

    OWN: screens do nothing against it.
    """
    dice = tuple(roll(index) for index in range(SWEEPS[sweep].dice))
    return Shot(sum(dice), dice)


def sweep_mean(sweep: int) -> Fraction:
    """Return the exact mean damage of sweep 0 to 2 to one piece."""
    return SWEEPS[sweep].dice * _MEAN_DIE
