"""Active sweeps: in which order ships sweep and are found, how many, and how long space is jammed.

Source: Full Thrust cloak detection of 2001, active sensor sweeps; cloak hunting of our rule
book §3, "Active sweep" and "Jamming".

A `roll` is a function from an index (0, 1, 2 ...) to the d6 of that index. `strict` selects the
reading in which a roll of nothing but sixes finds no ship at all (match option `sweep_six`).
"""

import math
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import combinations_with_replacement, zip_longest
from typing import NamedTuple

from sunglare_protocol.geometry import Board, Place
from sunglare_rules.cloak.cloak import Quarry, Tie, nearest_first
from sunglare_rules.sensors.sectors import line_of_sight

Roll = Callable[[int], int]
"""A d6 by its index."""

THRESHOLDS = (6, 5, 4, 3, 2, 1)
"""The highest die that finds the nearest ship, the next one and so on; no die finds a seventh."""

STRICT_FIRST = 5
"""The highest die that finds the nearest ship where a six always fails."""

_FACES = range(1, 7)


class Swept(NamedTuple):
    """What a sweep did: the ids of the ships it found, nearest first, and its dice as rolled."""

    found: tuple[str, ...]
    dice: tuple[int, ...]


def alternating(sides: Iterable[Sequence[str]]) -> tuple[str, ...]:
    """Return in which order ships sweep: one of each side in turn, as long as any is left.

    `sides` holds the sweeping ships of each side, the initiative winner first.
    """
    rounds = zip_longest(*sides)
    return tuple(ship for ships in rounds for ship in ships if ship is not None)


def sweep_order(
    board: Board, scanner: Place, quarries: Iterable[Quarry], tie: Tie
) -> tuple[str, ...]:
    """Return the ids of the ships that a sweep rolls for, nearest first, ties by the keyed die.

    `quarries` are the hostile cloaked ships that no sweep of the side has found this turn. OWN:
    those that a body hides from the scanner are left out; the distance is the scanner's own.
    """
    seen = (quarry for quarry in quarries if line_of_sight(board, scanner, quarry.place))
    return nearest_first(board, scanner, seen, tie)


def sweep(order: Sequence[str], roll: Roll, strict: bool) -> Swept:
    """Return what a ship finds that rolls one die for each ship in `order`."""
    dice = tuple(roll(index) for index in range(len(order)))
    return Swept(tuple(order[: ships_found(dice, strict)]), dice)


def ships_found(dice: Iterable[int], strict: bool) -> int:
    """Return how many ships a sweep with these dice finds: the nearest that many.

    The lowest die counts for the nearest ship, the lowest of the rest for the next one, and so
    on until one fails.
    """
    thresholds = (STRICT_FIRST, *THRESHOLDS[1:]) if strict else THRESHOLDS
    found = 0
    for die, threshold in zip(sorted(dice), thresholds, strict=False):
        if die > threshold:
            break
        found += 1
    return found


@lru_cache(maxsize=256)
def sweep_chances(n: int, strict: bool) -> tuple[Fraction, ...]:
    """Return how likely a sweep is to find exactly 0, 1 ... n of the n ships it rolls for."""
    ways = [0] * (n + 1)
    for dice in combinations_with_replacement(_FACES, n):
        orders = math.factorial(n)
        for face in _FACES:
            orders //= math.factorial(dice.count(face))
        ways[ships_found(dice, strict)] += orders
    return tuple(Fraction(way, len(_FACES) ** n) for way in ways)


def jam_end(previous: int, turn: int, dice: Sequence[int]) -> int:
    """Return the last jammed turn after `turn`, in which one ship swept for each of the dice.

    `previous` is the last jammed turn so far (0 for none). OWN: the dice of all ships add up,
    and they lengthen a jam that is still on. Without sweeps nothing changes.
    """
    return max(previous, turn) + sum(dice) if dice else previous


def is_jammed(last: int, turn: int) -> bool:
    """Return whether passive detection is off in `turn`.

    `last`: the last jammed turn as it was known when the turn began. OWN: a sweep jams from
    the turn after it on, so what it adds must not be counted in its own turn.
    """
    return turn <= last
