"""When to stop: Wald's sequential test between two scores of a bot, with errors of 5 % each.

A match is worth 1, or 0.5 drawn, or 0. The logarithm of how much more likely the better score is
than the worse one grows or falls with each; where it reaches a bound, the test has its verdict. A
draw counts as half of a match won and half of one lost, and so adds half of both. For worths
between 0 and 1 the wrong verdict is then not more frequent than for matches that know no draws.
"""

import enum
from math import log
from typing import final

ERROR = 0.05
"""How often each verdict may be wrong, at most."""

BOUND = -log(ERROR)
"""Where the test ends: by Ville's inequality no wrong verdict is more frequent than `ERROR`."""


class Verdict(enum.Enum):
    """What a test comes to: the score is the higher one, or the lower one, or not known."""

    HIGHER = "higher"
    LOWER = "lower"
    OPEN = "open"


@final
class Sprt:
    """A test of whether a score is `p0` or `p1`, both above 0 and below 1, `p0` the lower."""

    def __init__(self, p0: float, p1: float) -> None:
        """Begin before the first match."""
        if not 0 < p0 < p1 < 1:
            raise ValueError(f"{p0} and {p1}: 0 < P0 < P1 < 1")
        self.p0, self.p1 = p0, p1
        self._won, self._lost = log(p1 / p0), log((1 - p1) / (1 - p0))
        self._halves = [0, 0]

    @property
    def ratio(self) -> float:
        """Return the logarithm of how much more likely the higher score is than the lower."""
        won, lost = self._halves
        return (won * self._won + lost * self._lost) / 2

    @property
    def verdict(self) -> Verdict:
        """Return what the matches so far come to."""
        ratio = self.ratio
        if ratio >= BOUND:
            return Verdict.HIGHER
        return Verdict.LOWER if ratio <= -BOUND else Verdict.OPEN

    def take(self, halves: int) -> None:
        """Take in a match that was worth so many halves: 2 won, 1 drawn, 0 lost."""
        self._halves[0] += halves
        self._halves[1] += 2 - halves
