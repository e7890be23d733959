"""Scans: their strength, integration and the Sense roll.

Source: Intercept sensors part 2, the three examples; sensors of our rule book §5. What a scan
covers stands in `areas`, what is answered to all in `questions`, what it notices in `signatures`.
"""

from fractions import Fraction
from typing import final

import msgspec

from sunglare_protocol.geometry import Square
from sunglare_protocol.words.scans import ScanSize, ScanType
from sunglare_rules.sensors.areas import SIZE_MODIFIER, scan_centre

NEEDS_POPPED_OUT: tuple[ScanType, ...] = (ScanType.VISUAL, ScanType.IR, ScanType.RADAR)
"""OWN: the types whose sensors sit on the hull; they also need the power plant on."""

GLARED: tuple[ScanType, ...] = (ScanType.VISUAL, ScanType.IR)
"""OWN: the types that sunglare weakens; the question about it is asked for all of them."""

INTEGRATION_MOST = 3
"""OWN: repeated identical scans add at most this to the strength."""

SENSE_TARGET = 10
"""OWN: two dice, operator skill and signal together must reach this to track a contact."""

MISSES_MOST = 2
"""A track that is missed in this many SCAN windows in a row is lost."""

_DICE_SUMS = {total: 6 - abs(7 - total) for total in range(2, 13)}
"""In how many of 36 ways two dice give each sum."""


@final
class ScanHabit(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """The last scan of a ship, as far as a repetition of it counts.

    `square` is where the ship stood, `at` the centre as `scan_centre` gives it, `streak` the
    integration which that scan had.
    """

    turn: int
    square: Square
    type: ScanType
    size: ScanSize
    at: Square
    streak: int


def declared_strength(rating: int, size: ScanSize, integration: int) -> int:
    """Return the strength that all sides see: sensor rating, size modifier and integration."""
    return rating + SIZE_MODIFIER[size] + integration


def effective_strength(declared: int, scan_type: ScanType, glare: bool, sunfactor: int) -> int:
    """Return the strength after the answers: glare costs the whole scan the sunfactor, once."""
    return declared - sunfactor if glare and scan_type in GLARED else declared


def integration(
    habit: ScanHabit | None,
    turn: int,
    square: Square,
    scan_type: ScanType,
    size: ScanSize,
    at: Square,
) -> int:
    """Return what repetition adds to a scan made in `turn` by a ship standing on `square`.

    One more than last turn's scan had, at most `INTEGRATION_MOST`, if square, type, size and
    place are those of last turn; otherwise 0.
    """
    return _streak(habit, turn, (square, scan_type, size, scan_centre(size, at)))


def habit_after(
    habit: ScanHabit | None,
    turn: int,
    square: Square,
    scan_type: ScanType,
    size: ScanSize,
    at: Square,
) -> ScanHabit:
    """Return what to remember of a scan made in `turn`, for `integration` in the next one."""
    centre = scan_centre(size, at)
    return ScanHabit(
        turn=turn,
        square=square,
        type=scan_type,
        size=size,
        at=centre,
        streak=_streak(habit, turn, (square, scan_type, size, centre)),
    )


def _streak(
    habit: ScanHabit | None, turn: int, made: tuple[Square, ScanType, ScanSize, Square]
) -> int:
    if habit is None or habit.turn != turn - 1:
        return 0
    if (habit.square, habit.type, habit.size, habit.at) != made:
        return 0
    return min(habit.streak + 1, INTEGRATION_MOST)


def tracks_at_once(scan_type: ScanType) -> bool:
    """Return whether a contact of such a scan is tracked without a roll; radar tracks it."""
    return scan_type is ScanType.RADAR


def gives_sender_away(scan_type: ScanType) -> bool:
    """Return whether such a scan shows all sides where its sender is: radar does."""
    return scan_type is ScanType.RADAR


def is_lost(misses: int) -> bool:
    """Return whether a track is lost that was missed in so many SCAN windows in a row."""
    return misses >= MISSES_MOST


def sense_succeeds(roll_2d6: int, skill: int, signal: int) -> bool:
    """Return whether the roll turns a contact with this signal into a track."""
    return roll_2d6 + skill + signal >= SENSE_TARGET


def sense_chance(skill: int, signal: int) -> Fraction:
    """Return how likely `sense_succeeds` is with two dice."""
    ways = sum(
        count for total, count in _DICE_SUMS.items() if sense_succeeds(total, skill, signal)
    )
    return Fraction(ways, 36)
