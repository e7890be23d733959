"""Capital missiles from ground to ground: when they come down.

Source: Alpha Strike, "Surface-to-Surface Attacks"; capital weapons of our rule book §1 (K10) and
§3, with the figures of its page on blips, §2.3. A missile goes 5,100 inches, 150 sheets of a map
of 34 inches each: no surface map is so large, so its reach limits nothing.
"""

from math import isqrt

from sunglare_rules.turn.metric import SURFACE, SURFACE_UNITS, Span

INCHES_A_TURN = 170
"""OWN: how far a missile flies in a turn."""

NEXT_ENVIRONS_TURNS = 1
"""OWN: how many turns more it flies to another environs of the same planet."""


def flight_turns(distance: Span) -> int:
    """Return how many turns a missile flies that far over one map, at least 1."""
    return 1 + isqrt(distance.squared) // (INCHES_A_TURN * SURFACE_UNITS)


def flight_turns_elsewhere() -> int:
    """Return how many turns a missile flies to another environs of the planet.

    OWN: wherever it starts and comes down there, for maps have no place to each other.
    """
    return flight_turns(Span(SURFACE, 0)) + NEXT_ENVIRONS_TURNS
