"""Wins of each bot against each other, and ratings that follow from them.

Ratings are those of Bradley and Terry, by the most likely strengths (`choix`), in points of which
400 are odds of ten to one; their mean is 0. A draw is half a match won and half a match lost. Each
pair that met is given one drawn match more: else the strength of a bot that won all would be
without end. The intervals follow from how sharply the likelihood falls on both sides of the best
value.
"""

from collections.abc import Iterable
from math import log
from typing import NamedTuple, final

from sunglare_arena.playing import Outcome
from sunglare_arena.tally import Z_95
from sunglare_protocol.extras import install_command, is_installed

POINTS = 400 / log(10)
"""How many points are a factor of e in the odds."""

DRAWN_MORE = 1
"""So many drawn matches are added for each pair."""

NEEDS = f"ratings need a library: {install_command('arena')}"

APART = "no ratings: not all bots have met, directly or through others"


@final
class Against(NamedTuple):
    """How one bot fared against another."""

    wins: int = 0
    draws: int = 0
    losses: int = 0

    @property
    def matches(self) -> int:
        """Return how many matches they had."""
        return self.wins + self.draws + self.losses

    @property
    def share(self) -> float:
        """Return the share of the points, 0 to 1, with half of one for a draw."""
        return (self.wins + self.draws / 2) / self.matches if self.matches else 0.0


@final
class Rating(NamedTuple):
    """What a bot is worth, with the bounds of its interval of 95 %, in points."""

    points: float
    low: float
    high: float


Matrix = tuple[tuple[Against, ...], ...]
"""By row how that bot fared against the one of each column."""


def matrix(bots: int, outcomes: Iterable[Outcome]) -> Matrix:
    """Return how so many bots fared against one another.

    At a table of more than two the winner has beaten all others; they have no match among them.
    """
    counts = [[[0, 0, 0] for _ in range(bots)] for _ in range(bots)]
    for outcome in outcomes:
        seated = sorted({entrant for _, entrant in outcome.game.seats})
        for one, other in ((one, other) for one in seated for other in seated if one != other):
            if (place := _place(outcome.winner, one, other)) is not None:
                counts[one][other][place] += 1
    return tuple(tuple(Against(*cell) for cell in row) for row in counts)


def _place(winner: int | None, one: int, other: int) -> int | None:
    """Return which count of `one` against `other` a match is for, if any."""
    return {one: 0, None: 1, other: 2}.get(winner)


def rated(scores: Matrix) -> tuple[Rating, ...]:
    """Return what the bots are worth; nothing for one bot, or where `unrated` says why not."""
    if len(scores) < len(("one", "other")) or unrated(scores):
        return ()
    import choix
    import numpy as np

    won = np.array([[_won(cell) for cell in row] for row in scores])
    strengths = np.asarray(choix.ilsr_pairwise_dense(won, max_iter=10_000))
    strengths = strengths - strengths.mean()
    chances = 1 / (1 + np.exp(strengths[None, :] - strengths[:, None]))
    weights = (won + won.T) * chances * chances.T
    information = np.diag(weights.sum(axis=1)) - weights
    errors = np.sqrt(np.diag(np.linalg.pinv(information)).clip(min=0))
    found = zip(strengths.tolist(), errors.tolist(), strict=True)
    return tuple(
        Rating(POINTS * at, POINTS * (at - Z_95 * error), POINTS * (at + Z_95 * error))
        for at, error in found
    )


def unrated(scores: Matrix) -> str:
    """Return in a sentence why bots can't be rated; nothing if they can."""
    if not _can_rate():
        return NEEDS
    return "" if _are_linked(scores) else APART


def _are_linked(scores: Matrix) -> bool:
    """Return whether each bot has met each other, or bots that have, and so on."""
    linked = [0]
    for one in linked:
        met = (other for other, cell in enumerate(scores[one]) if cell.matches)
        linked += [other for other in met if other not in linked]
    return len(linked) == len(scores)


def _can_rate() -> bool:
    """Return whether the library is there."""
    return is_installed("arena")


def _won(cell: Against) -> float:
    drawn = cell.draws + DRAWN_MORE if cell.matches else 0
    return cell.wins + drawn / 2
