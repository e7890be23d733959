"""Salvo missiles: where a volley may go, whom it attacks, and what it does.

Source: Full Thrust salvo missiles and point defence; fire of our rule book §6, "Salvo missiles"
and "Point defence".

A volley is a piece of one hull point: d6 missiles, rolled at the launch. It goes straight to a
square named beforehand and never steers by itself. What point defence takes of it is a matter of
`pointdefence`.
"""

from collections.abc import Iterator
from fractions import Fraction

from sunglare_protocol.geometry import Compass, Square, Vector
from sunglare_rules.fire.shots import Roll, Shot
from sunglare_rules.sensors.sectors import sector
from sunglare_rules.turn.scale import within_mu

AIM_MU = 24
"""How far the aim square may lie from the square where the ship's plot ends, or the volley is."""

ATTACK_MU = 6
"""How near an enemy must be to be attacked."""

MOVEMENTS = 3
"""How many movements a volley lives through."""

HULL = 1
"""The hull of a volley, which any shot at it has to take."""

_MEAN_DIE = Fraction(7, 2)


def may_aim(start: Square, aim: Square) -> bool:
    """Return whether a volley at `start` may be sent to `aim`.

    At the launch `start` is where the launching ship's plot ends, later where the volley is.
    """
    return within_mu(start.distance_squared(aim), AIM_MU)


def volley_end(start: Square, aim: Square, drift: Vector | None = None) -> Square:
    """Return where a volley's movement ends: its aim, or where it drifts in a cold first turn.

    `drift` is the launching ship's vector for that turn. OWN: it is the vector with which the
    ship ended this movement.
    """
    return aim if drift is None else start.moved(drift)


def next_aim(here: Square, old: Square, new: Square | None) -> Square:
    """Return where a volley at `here` goes that was sent to `old`, and now perhaps to `new`.

    OWN: without a new square the old one stands, or its own if that is out of reach by now.
    """
    if new is not None:
        return new
    return old if may_aim(here, old) else here


def heading(way: Vector, facing: Compass) -> Compass:
    """Return how a volley faces after a movement: along its way, as before if it stood still.

    OWN: the compass point whose 45 degrees hold the way.
    """
    start = Square(0, 0)
    end = start.moved(way)
    return facing if end == start else sector(start, end)


def burns(movements: int, *, cold: bool) -> bool:
    """Return whether a volley burned in its last movement, the first of a cold one excepted."""
    return movements > (1 if cold else 0)


def lives_on(movements: int) -> bool:
    """Return whether a volley that has moved so often goes on into another turn.

    OWN: a cold first turn counts; after its last movement the volley attacks once more.
    """
    return movements < MOVEMENTS


def may_attack(volley: Square, target: Square) -> bool:
    """Return whether a target is near enough; sight and hold are for the caller to see to."""
    return within_mu(volley.distance_squared(target), ATTACK_MU)


def nearest_targets(volley: Square, targets: tuple[Square, ...]) -> tuple[int, ...]:
    """Return the places in `targets` of those in attack range to which none is nearer.

    Several are equally near; none at all: the volley stays as it is.
    """
    distances = [volley.distance_squared(target) for target in targets]
    least = min(distances, default=0)
    return tuple(
        index
        for index, target in enumerate(targets)
        if distances[index] == least and may_attack(volley, target)
    )


def volley_damage(missiles: int, roll: Roll) -> Shot:
    """Return the damage of the missiles that came through, a die for each.

    OWN: screens do nothing against them.
    """
    dice = tuple(_rolled(missiles, roll))
    return Shot(sum(dice), dice)


def volley_mean(missiles: int) -> Fraction:
    """Return the exact mean damage of that many missiles."""
    return missiles * _MEAN_DIE


def _rolled(count: int, roll: Roll) -> Iterator[int]:
    return (roll(index) for index in range(count))
