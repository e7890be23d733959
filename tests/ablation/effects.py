"""The worth of an ability to a side: the mean difference of matches with and without it."""

from collections.abc import Sequence
from math import inf, sqrt
from statistics import NormalDist, fmean, stdev
from typing import NamedTuple, final

import msgspec

from sunglare_protocol.ids import Side
from sunglare_protocol.messages.replies import Result

SURE = 0.99
"""How sure an interval is."""

SHARE_LEAST = 0.10
"""An ability decides that is worth so large a share of the matches, a draw counting half."""

SCORE_LEAST = 0.5
"""Or so many points, of a side's own less the mean of those of the others."""

_DEVIATIONS = NormalDist().inv_cdf((1 + SURE) / 2)


@final
class Effect(msgspec.Struct, frozen=True):
    """A mean difference, and half the width of its interval."""

    mean: float
    half: float

    @classmethod
    def of(cls, differences: Sequence[float]) -> "Effect":
        """Return the effect that pairs of matches show; one pair alone shows nothing for sure."""
        if len(differences) < 2:
            return cls(fmean(differences) if differences else 0.0, inf)
        return cls(fmean(differences), _DEVIATIONS * stdev(differences) / sqrt(len(differences)))

    def is_gain(self, least: float) -> bool:
        """Return whether the ability is worth at least so much, and surely more than nothing."""
        return self.mean >= least and self.mean > self.half

    def is_loss(self, least: float) -> bool:
        """Return whether the side is better off without it, by at least so much."""
        return Effect(-self.mean, self.half).is_gain(least)


@final
class Pair(NamedTuple):
    """Two matches of a seed, one with all abilities and one in which a side has one less."""

    share: float
    score: float
    has_changed: bool

    @classmethod
    def of(cls, side: Side, full: "Played", less: "Played") -> "Pair":
        """Return what the ability was worth to the side in these two matches."""
        return cls(
            full.share(side) - less.share(side), full.score(side) - less.score(side), full != less
        )


@final
class Played(NamedTuple):
    """How a match ended: the result, and in which turn."""

    result: Result
    turn: int

    def share(self, side: Side) -> float:
        """Return what a side has of the match, 0 to 1; a draw is half of it."""
        return {side: 1.0, None: 0.5}.get(self.result.winner, 0.0)

    def score(self, side: Side) -> float:
        """Return the points of a side less the mean of those of the others."""
        others = [points for other, points in self.result.points.items() if other != side]
        return self.result.points[side] - fmean(others)


@final
class Found(msgspec.Struct, frozen=True):
    """What pairs of matches show of an ability, and how many of them differ at all."""

    pairs: int
    changed: int
    share: Effect
    score: Effect

    @classmethod
    def of(cls, pairs: Sequence[Pair]) -> "Found":
        """Return what pairs show."""
        return cls(
            len(pairs),
            sum(pair.has_changed for pair in pairs),
            Effect.of([pair.share for pair in pairs]),
            Effect.of([pair.score for pair in pairs]),
        )

    @property
    def is_gain(self) -> bool:
        """Return whether the ability decides by these pairs alone."""
        return self.share.is_gain(SHARE_LEAST) or self.score.is_gain(SCORE_LEAST)

    @property
    def is_loss(self) -> bool:
        """Return whether a side does better without the ability by these pairs alone."""
        return self.share.is_loss(SHARE_LEAST) or self.score.is_loss(SCORE_LEAST)

    def confirms(self, first: "Found") -> bool:
        """Return whether these pairs, of fresh seeds, show the same gain as the first ones."""
        by_share = first.share.is_gain(SHARE_LEAST) and self.share.is_gain(SHARE_LEAST)
        return by_share or (first.score.is_gain(SCORE_LEAST) and self.score.is_gain(SCORE_LEAST))
