"""Capital missiles from ground to ground: how far they go and when they come down.

Source: Alpha Strike, "Surface-to-Surface Attacks"; capital weapons of our rule book §1 (K10) and
§3, with the figures of its page on blips, §2.3.
"""

from math import isqrt
from typing import final

import msgspec

from sunglare_protocol.words.capital import CapitalClass
from sunglare_rules.capital.capital import ToHit
from sunglare_rules.turn.metric import SURFACE, SURFACE_UNITS, Span, Spot, span

REACH_INCHES = 5100
"""How far a missile goes over the ground: 150 sheets of a map of 34 inches each."""

INCHES_A_TURN = 170
"""OWN: how far a missile flies in a turn."""

NEXT_ENVIRONS_TURNS = 1
"""OWN: how many turns more it flies to another environs of the same planet."""


def in_missile_reach(distance: Span) -> bool:
    """Return whether a missile gets so far over the ground."""
    return distance.within(REACH_INCHES)


def flight_turns(distance: Span) -> int:
    """Return how many turns a missile flies that far over one map, at least 1."""
    return 1 + isqrt(distance.squared) // (INCHES_A_TURN * SURFACE_UNITS)


def flight_turns_elsewhere() -> int:
    """Return how many turns a missile flies to another environs of the planet.

    OWN: wherever it starts and comes down there, for maps have no place to each other.
    """
    return flight_turns(Span(SURFACE, 0)) + NEXT_ENVIRONS_TURNS


@final
class CapitalFlight(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """A missile under way: the turn in whose ENGAGE it lands, its point, and what it needs.

    What it needs is settled at the launch, so a TAG counts then and a later one does not.
    """

    weapon: CapitalClass
    environs: int
    aim: Spot
    lands: int
    needed: ToHit


def launch(
    weapon: CapitalClass,
    needed: ToHit,
    turn: int,
    start: Spot,
    start_environs: int,
    aim: Spot,
    aim_environs: int,
) -> CapitalFlight | None:
    """Return the flight of a missile launched in `turn`, or None if the point is out of reach.

    Both environs, by their numbers, are on one planet, and each point is of its own map.
    """
    if start_environs == aim_environs:
        distance = span(SURFACE, start, aim)
        if not in_missile_reach(distance):
            return None
        turns = flight_turns(distance)
    else:
        turns = flight_turns_elsewhere()
    return CapitalFlight(
        weapon=weapon, environs=aim_environs, aim=aim, lands=turn + turns, needed=needed
    )
