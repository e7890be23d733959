"""Attacks of ground units: brackets of range, what the dice must show, and what it takes.

Source: Alpha Strike, ground combat; surface play of our rule book, blips §2.3 and §2.4.
"""

from typing import NamedTuple

from sunglare_protocol.surface import Arm
from sunglare_protocol.word import Word
from sunglare_rules.turn.metric import Span

COVER_MODIFIER = 1
"""OWN: what woods or a building around the target add."""

INDIRECT_MODIFIER = 1
"""OWN: what it adds that a friend sees the target, and not the one who fires."""

REMOTE_MODIFIER = -2
"""What it adds that the target is a remote sensor."""

REMOTE_SPOTTER_MODIFIER = 3
"""What it adds that of all friends only a remote sensor sees the target."""

ALWAYS_MISSES = 2
"""The total of two dice that never hits."""


class Bracket(Word):
    """The brackets of range, near to far."""

    SHORT = "short"
    MEDIUM = "medium"
    LONG = "long"
    EXTREME = "extreme"


BRACKET_INCHES: dict[Bracket, int] = {
    Bracket.SHORT: 6,
    Bracket.MEDIUM: 24,
    Bracket.LONG: 42,
    Bracket.EXTREME: 60,
}
"""How far each bracket reaches, the limit included; the extreme one is OWN."""

BRACKET_MODIFIERS: dict[Bracket, int] = {
    Bracket.SHORT: 0,
    Bracket.MEDIUM: 2,
    Bracket.LONG: 4,
    Bracket.EXTREME: 6,
}
"""What each bracket adds; that of the extreme one is OWN."""

CLOSE_ARMS = (Arm.PHYSICAL, Arm.ANTI_MECH)
"""Attacks that take base contact and have no bracket."""

GROUND_ARMS = (Arm.DIRECT, Arm.INDIRECT, *CLOSE_ARMS)
"""Weapons with which a ground unit attacks what stands on its map."""


class Aimed(NamedTuple):
    """What adds to the roll apart from the range.

    `cover` around the target; `indirect` fire, if so `by_remote` sensors alone; a `remote` as
    the target.
    """

    cover: bool = False
    indirect: bool = False
    remote: bool = False
    by_remote: bool = False


def bracket_of(distance: Span) -> Bracket | None:
    """Return the bracket in which a distance lies, or None beyond the last."""
    for bracket, inches in BRACKET_INCHES.items():
        if distance.within(inches):
            return bracket
    return None


def damage_at(damages: tuple[int, int, int, int], bracket: Bracket) -> int:
    """Return the damage of a weapon at a bracket; 0 means that it does not reach it."""
    return damages[tuple(Bracket).index(bracket)]


def needs(gunnery: int, bracket: Bracket | None, aimed: Aimed) -> int:
    """Return what two dice must show at least; no bracket is base contact."""
    total = gunnery + (0 if bracket is None else BRACKET_MODIFIERS[bracket])
    total += COVER_MODIFIER * aimed.cover + INDIRECT_MODIFIER * aimed.indirect
    total += REMOTE_SPOTTER_MODIFIER * aimed.by_remote
    return total + REMOTE_MODIFIER * aimed.remote


def hits(roll: int, needed: int) -> bool:
    """Return whether a total of two dice hits; two ones always miss."""
    return roll >= needed and roll != ALWAYS_MISSES
