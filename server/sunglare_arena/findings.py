"""Running result of a contest, folded match by match in their order, and its verdict."""

from collections import Counter
from typing import final

from sunglare_arena.contest import Contest, Result
from sunglare_arena.entrants import labels
from sunglare_arena.kinds import offered
from sunglare_arena.player import Thinking
from sunglare_arena.playing import Outcome, transcript
from sunglare_arena.sprt import Sprt, Verdict
from sunglare_arena.standings import Matrix, Rating, matrix, rated
from sunglare_arena.tally import Tally, tallied


@final
class Findings:
    """The outcomes of a contest, and what they add up to.

    With `is_interrupted` they are those of the matches before the first that was not over.
    """

    def __init__(self, contest: Contest, sprt: Sprt | None = None) -> None:
        """Begin before the first match."""
        self.contest, self.sprt = contest, sprt
        self.results: list[Result] = []
        self.files: dict[int, str] = {}
        self.is_interrupted = False
        self.labels = labels(contest.bots)

    def take(self, result: Result) -> bool:
        """Take in a match; return whether that was enough for a verdict.

        The verdict is not asked for before every seat of a seed was played.
        """
        self.results.append(result._replace(file=None))
        if self.sprt is None:
            return False
        self.sprt.take(result.outcome.halves)
        seats = len(result.outcome.game.seats)
        return len(self.results) % seats == 0 and self.sprt.verdict is not Verdict.OPEN

    @property
    def outcomes(self) -> tuple[Outcome, ...]:
        """Return the outcomes in their order."""
        return tuple(result.outcome for result in self.results)

    @property
    def tally(self) -> Tally:
        """Return what the matches add up to for each bot."""
        return tallied(self.labels, self.outcomes)

    @property
    def thinking(self) -> tuple[Thinking, ...]:
        """Return how long each bot thought."""
        found = tuple(Thinking() for _ in self.labels)
        for outcome in self.outcomes:
            for whole, part in zip(found, outcome.thinking, strict=True):
                whole.join(part)
        return found

    @property
    def matrix(self) -> Matrix:
        """Return how the bots fared against one another."""
        return matrix(len(self.labels), self.outcomes)

    @property
    def ratings(self) -> tuple[Rating, ...]:
        """Return what the bots are worth; nothing for one bot, or without the library."""
        return rated(self.matrix)

    @property
    def by_seat(self) -> str:
        """Return in words which share of the matches each side has won."""
        won = Counter(outcome.result.winner for outcome in self.outcomes)
        sides = [side for scenario in self.contest.scenarios for side in scenario.sides]
        count = max(1, len(self.results))
        return ", ".join(
            f"{side} {100 * won[side] / count:.1f} %" for side in sorted(dict.fromkeys(sides))
        )

    @property
    def transcript(self) -> str:
        """Return the digest of all records of all matches, in order, as hexadecimal digits."""
        return transcript(outcome.transcript for outcome in self.outcomes).hex()

    @property
    def offered(self) -> tuple[str, ...]:
        """Return the kinds of orders that some scenario of the contest has a use for."""
        kinds = (kind for scenario in self.contest.scenarios for kind in offered(scenario))
        return tuple(sorted(dict.fromkeys(kinds)))

    def interruption(self) -> str:
        """Return in words that not all was played; nothing if it was not interrupted."""
        if not self.is_interrupted:
            return ""
        return f"interrupted after {len(self.results)} of {len(self.contest.bouts())} matches"

    def verdict(self) -> str:
        """Return in a sentence what the test has found; nothing without a test."""
        if self.sprt is None:
            return ""
        low, high = self.sprt.p0, self.sprt.p1
        name, ratio = self.labels[0], f"log-likelihood ratio {self.sprt.ratio:.2f}"
        said = {
            Verdict.HIGHER: f"{name} scores {high:g} rather than {low:g}",
            Verdict.LOWER: f"{name} scores {low:g} rather than {high:g}",
            Verdict.OPEN: f"not known whether {name} scores {low:g} or {high:g}",
        }
        return f"SPRT: {said[self.sprt.verdict]}, after {len(self.results)} matches ({ratio})"
