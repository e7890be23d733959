"""Totals of a series of matches, for each entrant and altogether."""

from collections import Counter
from collections.abc import Iterable
from math import sqrt
from typing import final

import msgspec

from sunglare_arena.player import Fault
from sunglare_arena.playing import Outcome

Z_95 = 1.959964
"""How many standard deviations to either side hold 95 % of a normal distribution."""


@final
class Score(msgspec.Struct, frozen=True, kw_only=True):
    """How an entrant fared; a match is a win if any of its seats won."""

    name: str
    matches: int
    wins: int
    draws: int
    crashes: int
    refused: int
    late: int
    used: Counter[str]

    @property
    def losses(self) -> int:
        """Return how many matches another entrant won."""
        return self.matches - self.wins - self.draws

    @property
    def win_rate(self) -> float:
        """Return the share of matches won, 0 to 1."""
        return self.wins / self.matches if self.matches else 0.0

    @property
    def interval(self) -> tuple[float, float]:
        """Return the bounds between which the true win rate lies with 95 %."""
        return wilson(self.wins, self.matches)


@final
class Tally(msgspec.Struct, frozen=True, kw_only=True):
    """A series: its scores in the order of the entrants, and what concerns all of them.

    `early` counts the matches that were won before the turn limit; `turns` is the sum of the turns
    in which the matches ended.
    """

    matches: int
    early: int
    draws: int
    turns: int
    windows: int
    scores: tuple[Score, ...]
    faults: tuple[Fault, ...]

    @property
    def early_share(self) -> float:
        """Return the share of the matches that were won before the turn limit, 0 to 1."""
        return self.early / self.matches if self.matches else 0.0


def tallied(names: tuple[str, ...], outcomes: Iterable[Outcome]) -> Tally:
    """Return what the outcomes add up to for the entrants of these names."""
    played = tuple(outcomes)
    faults = tuple(fault for outcome in played for fault in outcome.faults)
    return Tally(
        matches=len(played),
        early=sum(outcome.is_decided_early for outcome in played),
        draws=sum(outcome.winner is None for outcome in played),
        turns=sum(outcome.turn for outcome in played),
        windows=sum(outcome.windows for outcome in played),
        scores=tuple(_score(name, index, played) for index, name in enumerate(names)),
        faults=faults,
    )


def wilson(wins: int, matches: int) -> tuple[float, float]:
    """Return Wilson's 95 % interval for the rate behind that many wins; (0, 1) for no match."""
    if not matches:
        return 0.0, 1.0
    rate, weight = wins / matches, Z_95**2 / matches
    middle = rate + weight / 2
    half = sqrt(weight * (rate * (1 - rate) + weight / 4))
    return max(0.0, (middle - half) / (1 + weight)), min(1.0, (middle + half) / (1 + weight))


def _score(name: str, entrant: int, played: tuple[Outcome, ...]) -> Score:
    mine = [outcome for outcome in played if entrant in dict(outcome.game.seats).values()]
    faults = [fault for outcome in mine for fault in outcome.faults if fault.entrant == entrant]
    used = Counter[str]()
    for outcome in mine:
        used.update(outcome.used[entrant])
    return Score(
        name=name,
        matches=len(mine),
        wins=sum(outcome.winner == entrant for outcome in mine),
        draws=sum(outcome.winner is None for outcome in mine),
        crashes=sum(not fault.refused and not fault.is_late for fault in faults),
        refused=sum(fault.refused for fault in faults),
        late=sum(fault.is_late for fault in faults),
        used=used,
    )
