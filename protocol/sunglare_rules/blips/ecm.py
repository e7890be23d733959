"""ECM fields: who makes one, whom it covers, and which lines it blocks.

Source: Alpha Strike, "Stealth Technology and Blip Counters" and "Concealing Unit Data"; blips of
our rule book §3.3 (E1 to E4) and §2.3 for the radii. Jammers do not work against each other.
"""

from collections.abc import Iterable
from typing import NamedTuple

from sunglare_protocol.ids import Side
from sunglare_protocol.words.specials import Special, Specials
from sunglare_rules.turn.metric import Metric, Spot, line_meets_circle, squared_between

NO_TIER = 0
"""No jamming."""

ECM_TIER = 1
"""Jamming of ordinary strength, which a Bloodhound probe sees through."""

ANGEL_TIER = 2
"""Jamming of an Angel ECM, which nothing sees through."""


class Bubble(NamedTuple):
    """The field a unit makes: its strength, and its radius in inches."""

    tier: int
    radius: int


JAMMERS: dict[Special, Bubble] = {
    Special.ECM: Bubble(ECM_TIER, 12),
    Special.AECM: Bubble(ANGEL_TIER, 12),
    Special.LECM: Bubble(ECM_TIER, 2),
    Special.WAT: Bubble(ECM_TIER, 12),
    Special.NOVA: Bubble(ECM_TIER, 12),
}
"""What each kind of jammer makes."""


class Emitting(NamedTuple):
    """The state of a unit that decides on its field.

    `operational`: alive, powered and, if a drone, out of hostile fields. `switched_on` is what
    its owner has ordered.
    """

    specials: Specials
    operational: bool = True
    switched_on: bool = True
    cloaked: bool = False
    infantry: bool = False


class Field(NamedTuple):
    """A working field: whose it is, where its centre is, and what it is."""

    side: Side
    at: Spot
    bubble: Bubble


def has_jammer(specials: Specials) -> bool:
    """Return whether a unit with these abilities has any jammer."""
    return not JAMMERS.keys().isdisjoint(specials)


def bubble(unit: Emitting) -> Bubble | None:
    """Return the field that a unit makes now, or None.

    E4: stealth armour is of no use around a jammer, so it mutes its own unit's field, except
    for infantry. E3: of several jammers the strongest counts.
    """
    stealthy = Special.STL in unit.specials and not unit.infantry
    if unit.cloaked or stealthy or not (unit.operational and unit.switched_on):
        return None
    made = [JAMMERS[special] for special in unit.specials if special in JAMMERS]
    return max(made, default=None)


def covers(metric: Metric, field: Field, at: Spot) -> bool:
    """Return whether `at` lies in the field; its rim is part of it (E1)."""
    return metric.within(squared_between(field.at, at), field.bubble.radius)


def cover(metric: Metric, fields: Iterable[Field], side: Side, at: Spot) -> int:
    """Return how strongly a unit of `side` at `at` is covered by its own side (E2, E3)."""
    tiers = [
        field.bubble.tier for field in fields if field.side == side and covers(metric, field, at)
    ]
    return max(tiers, default=NO_TIER)


def line_jammed(metric: Metric, fields: Iterable[Field], side: Side, a: Spot, b: Spot) -> int:
    """Return the strongest field hostile to `side` that the line from `a` to `b` meets.

    Both ends count: a jammer as target blocks, and so does one around the scanner.
    """
    tiers = [
        field.bubble.tier
        for field in fields
        if field.side != side and line_meets_circle(metric, a, b, field.at, field.bubble.radius)
    ]
    return max(tiers, default=NO_TIER)


def drone_is_mute(
    metric: Metric, fields: Iterable[Field], side: Side, drone: Spot, control: Spot | None
) -> bool:
    """Return whether a drone of `side` is shut down.

    It is inside a hostile field, and also if the line from its controller (None: there is none)
    meets such a field. It works again when the field is gone.
    """
    return line_jammed(metric, fields, side, drone if control is None else control, drone) > 0
