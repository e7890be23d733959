"""The four range brackets of ground units and capital weapons, with their reach and modifier.

Source: Alpha Strike, ranges; blips and spotting of our rule book §2.3 and capital weapons §3.
"""

from typing import NamedTuple, assert_never

from sunglare_protocol.capitalwords import Bracket
from sunglare_rules.scale import SpaceInch, within_space_inches

BRACKET_INCHES = {
    Bracket.SHORT: 6,
    Bracket.MEDIUM: 24,
    Bracket.LONG: 42,
    Bracket.EXTREME: 60,
}
"""How far each bracket reaches, its limit included, in inches. OWN: that of extreme range."""

BRACKET_MODIFIER = {
    Bracket.SHORT: 0,
    Bracket.MEDIUM: 2,
    Bracket.LONG: 4,
    Bracket.EXTREME: 6,
}
"""What each bracket adds to the number needed. OWN: that of extreme range."""


class BracketDamage(NamedTuple):
    """The damage of a weapon in each bracket."""

    short: int
    medium: int
    long: int
    extreme: int

    def at(self, bracket: Bracket) -> int:
        """Return the damage in that bracket."""
        match bracket:
            case Bracket.SHORT:
                return self.short
            case Bracket.MEDIUM:
                return self.medium
            case Bracket.LONG:
                return self.long
            case Bracket.EXTREME:
                return self.extreme
            case _:
                assert_never(bracket)


def space_bracket(distance_squared: int) -> Bracket | None:
    """Return the bracket of a distance, given squared and in squares of space; None if too far.

    In squares the brackets end at 2.5, 10, 17.5 and 25, for one square is 2.4 inches.
    """
    for bracket, inches in BRACKET_INCHES.items():
        if within_space_inches(distance_squared, SpaceInch(inches)):
            return bracket
    return None
