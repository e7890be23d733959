"""Forces sent against agents that were found: a patrol by the chart, or agents.

Source: Freedom in the Galaxy 10.2b, the patrol chart; search of our rule book §2, "Patrol".
"""

from collections.abc import Iterable
from typing import NamedTuple

from sunglare_protocol.surface import Quality
from sunglare_protocol.words.search import Soldier, Strike

LEADER_BONUS = 2
"""What any leader stacked with the searching units, of whatever rating, adds to a patrol."""

CHART = {
    Quality.CONSCRIPT: Soldier.CONSCRIPT,
    Quality.FIRST_LINE: Soldier.LINE,
    Quality.SECOND_LINE: Soldier.LINE,
    Quality.STORMTROOPER: Soldier.STORMTROOPER,
    Quality.GUARD: Soldier.MARINE,
    Quality.MARINE: Soldier.MARINE,
    Quality.MILITIA: Soldier.MILITIA,
    Quality.REGULAR: Soldier.REGULAR,
    Quality.IRREGULAR: Soldier.REGULAR,
    Quality.ELITE: Soldier.ELITE,
}
"""What soldiers a patrol has, by the best ground unit present."""

STANDING = {
    Soldier.MILITIA: 1,
    Soldier.CONSCRIPT: 1,
    Soldier.REGULAR: 2,
    Soldier.LINE: 2,
    Soldier.STORMTROOPER: 3,
    Soldier.ELITE: 4,
    Soldier.MARINE: 4,
}
"""OWN: how good the soldiers are, so that the best unit is known.

The chart lists two armies, each from worst to best; a side owns one of them. For a side with both
the steps are merged, and on the same step the army that the chart lists first goes first.
"""


class Patrol(NamedTuple):
    """A patrol: what its soldiers are, and how many."""

    soldier: Soldier
    size: int


def best_soldier(qualities: Iterable[Quality]) -> Soldier | None:
    """Return the soldiers of the best of those ground units; None without any unit."""
    present = {CHART[quality] for quality in qualities}
    listed = [soldier for soldier in Soldier if soldier in present]
    return max(listed, key=STANDING.__getitem__, default=None)


def patrol_size(die: int, led: bool) -> int:
    """Return how many soldiers a patrol has by a six-sided die, and by whether anybody leads."""
    return die + LEADER_BONUS * led


def patrol(qualities: Iterable[Quality], die: int, led: bool) -> Patrol | None:
    """Return the patrol that those ground units can send; None without any unit."""
    soldier = best_soldier(qualities)
    return None if soldier is None else Patrol(soldier, patrol_size(die, led))


def sent(strike: Strike, has_units: bool, has_agents: bool) -> Strike:
    """Return who goes when a search found agents, by the side's standing order.

    A patrol needs a ground unit in the environs, the other way agents there without troops. OWN:
    an order for what the side does not have sends none.
    """
    able = {Strike.PATROL: has_units, Strike.AGENTS: has_agents, Strike.NONE: False}
    return strike if able[strike] else Strike.NONE
