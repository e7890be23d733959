"""A permutation test of two groups: how rare their difference would be by chance alone.

Labels are dealt anew within strata (the same beat, the same kind of window), as the coin dealt
them in play. So noise that both groups share, however wild, makes no difference look rare.
"""

import math
import random
from collections.abc import Sequence
from itertools import compress
from operator import not_
from typing import NamedTuple, final

ROUNDS = 999
TAIL = 0.95


@final
class Sample(NamedTuple):
    """One window: the stratum in which its label was dealt, the label, and what was measured."""

    stratum: tuple[int, str]
    is_marked: bool
    value: float


@final
class Rarity(NamedTuple):
    """Two-sided p-values: of the mean's difference, and of the 95th percentile's."""

    mean: float
    tail: float

    def rejects(self, level: float) -> bool:
        """Return whether either difference is too rare for chance."""
        return min(self) <= level


def rarity(samples: Sequence[Sample], seed: int = 1) -> Rarity:
    """Return how rare the differences are between marked samples and the others."""
    ordered = sorted(samples, key=lambda sample: sample.value)
    values = [sample.value for sample in ordered]
    if not values or values[0] == values[-1]:
        return Rarity(1.0, 1.0)
    marks = [sample.is_marked for sample in ordered]
    strata: dict[tuple[int, str], list[int]] = {}
    for place, sample in enumerate(ordered):
        strata.setdefault(sample.stratum, []).append(place)
    dealt = [(places, sum(marks[place] for place in places)) for places in strata.values()]
    dealer = random.Random(seed)
    seen = _differences(values, marks)
    by_chance = [_differences(values, _deal(dealer, dealt, len(values))) for _ in range(ROUNDS)]
    means, tails = zip(*by_chance, strict=True)
    return Rarity(_two_sided(seen[0], means), _two_sided(seen[1], tails))


def _deal(dealer: random.Random, dealt: Sequence[tuple[list[int], int]], count: int) -> list[bool]:
    marks = [False] * count
    for places, marked in dealt:
        for place in dealer.sample(places, marked):
            marks[place] = True
    return marks


def _differences(values: Sequence[float], marks: Sequence[bool]) -> tuple[float, float]:
    """Return by how much the marked ones' mean and 95th percentile lie above the others'."""
    marked = [*compress(values, marks)]
    others = [*compress(values, map(not_, marks))]
    if not others or not marked:
        return 0.0, 0.0
    mean = sum(marked) / len(marked) - sum(others) / len(others)
    return mean, _tail(marked) - _tail(others)


def _tail(ordered: Sequence[float]) -> float:
    return ordered[math.ceil(TAIL * len(ordered)) - 1]


def _two_sided(seen: float, by_chance: Sequence[float]) -> float:
    above = sum(drawn >= seen for drawn in by_chance)
    below = sum(drawn <= seen for drawn in by_chance)
    return min(1.0, 2 * (1 + min(above, below)) / (1 + len(by_chance)))
