"""Point defence: what it does to capital missiles and volleys, and where its points go.

Source: Alpha Strike, "Point Defense"; capital weapons of our rule book §1 (K4 and K5) and §2,
fire of our rule book §6, "Point defence". The points are a pool of one turn; they need no roll
and no arc.
"""

from collections.abc import Sequence
from typing import NamedTuple, assert_never

from sunglare_protocol.words.armament import DefencePolicy
from sunglare_protocol.words.capital import CapitalClass
from sunglare_rules.capital.capital import DEFENDED_FOR_SURE, DEFENDED_ONCE, MISSILES

MEAN_TWICE = 7
"""OWN: twice the mean damage of a volley's missile, which is a die; it measures its danger."""


class Defended(NamedTuple):
    """A capital missile after point defence: gone, or harder to aim and of less damage."""

    is_eliminated: bool
    to_hit: int
    damage: int


class CapitalMissile(NamedTuple):
    """A capital missile on its way to a ship, with the damage of its range bracket."""

    damage: int


class SalvoVolley(NamedTuple):
    """A volley of salvo missiles that attacks a ship, with the missiles it has."""

    missiles: int


Threat = CapitalMissile | SalvoVolley
"""What point defence is good against."""


def pnt_missile(damage: int, points: int) -> Defended:
    """Return what `points` of defence leave of a capital missile of that damage.

    One point adds 1 to the number it needs and halves the damage, rounding down; a second one
    stops it, and a missile that does no damage is stopped by the first.
    """
    if points == 0:
        return Defended(False, 0, damage)
    if damage == 0 or points >= DEFENDED_FOR_SURE:
        return Defended(True, 0, 0)
    return Defended(False, DEFENDED_ONCE, damage // 2)


def delivered(weapon: CapitalClass, damage: int, points: int) -> int:
    """Return the damage that a hit does, of a missile after `points` of defence.

    What is no missile does the whole damage of its bracket, whatever is spent on it.
    """
    return pnt_missile(damage, points).damage if weapon in MISSILES else damage


def defence_pool(
    rating: int, policy: DefencePolicy = DefencePolicy.ALL, *, is_working: bool = True
) -> int:
    """Return the points a ship spends this turn: its rating, or none if it holds or is shut."""
    return rating if is_working and policy is DefencePolicy.ALL else 0


def allocate(pool: int, threats: Sequence[Threat]) -> tuple[int, ...]:
    """Return the points spent on each of the threats to one ship, never more than the pool.

    The most dangerous comes first, of equal ones the first declared, and gets all it has use
    for. OWN: volleys and capital missiles share one pool, and the danger of a volley is the
    mean damage of its missiles.
    """
    spent = [0] * len(threats)
    for index in sorted(range(len(threats)), key=lambda place: -_danger_twice(threats[place])):
        spent[index] = min(pool, _useful_points(threats[index]))
        pool -= spent[index]
    return tuple(spent)


def volley_left(missiles: int, points: int) -> int:
    """Return the missiles of a volley left after so many points, each of which takes one."""
    return max(0, missiles - points)


def _danger_twice(threat: Threat) -> int:
    match threat:
        case CapitalMissile(damage):
            return 2 * damage
        case SalvoVolley(missiles):
            return MEAN_TWICE * missiles
        case _:
            assert_never(threat)


def _useful_points(threat: Threat) -> int:
    """Return with how many points the threat is gone for sure."""
    match threat:
        case CapitalMissile(damage):
            return DEFENDED_FOR_SURE if damage else 1
        case SalvoVolley(missiles):
            return missiles
        case _:
            assert_never(threat)
