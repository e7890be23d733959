"""A series of matches, played in one process or several, with the same outcome either way."""

import contextlib
import gc
from collections.abc import Generator, Iterable, Iterator, Mapping
from functools import cache, partial
from typing import final

import msgspec

from sunglare_arena.entrants import ArenaError, Game, bot_called, games
from sunglare_arena.jobs import in_order
from sunglare_arena.playing import Outcome, play
from sunglare_arena.sprt import Sprt, Verdict
from sunglare_arena.tally import Tally, tallied
from sunglare_client.cli.progress_bar import watched
from sunglare_server.base.library import load_library
from sunglare_server.match.data.scenario import Scenario

COLLECTOR = (50_000, 20, 100)
"""The thresholds of Python's collector while matches are played, which make few cycles."""


@final
class Series(msgspec.Struct, frozen=True, kw_only=True):
    """What is to be played: `turns` replaces the scenario's turn limit."""

    scenario: Scenario
    bots: tuple[str, ...]
    matches: int
    seed: int = 0
    swap: bool = False
    turns: int | None = None

    @property
    def played(self) -> Scenario:
        """Return the scenario with the turn limit of the series."""
        return limited(self.scenario, self.turns)


def limited(scenario: Scenario, turns: int | None) -> Scenario:
    """Return a scenario with another turn limit, if one is given."""
    if turns is None:
        return scenario
    data = msgspec.structs.replace(scenario.data, turns=turns)
    return msgspec.structs.replace(scenario, data=data)


@cache
def shipped() -> Mapping[str, Scenario]:
    """Return the shipped scenarios by name, which are read once."""
    return load_library().scenarios


def scenario_called(name: str, library: Mapping[str, Scenario] | None = None) -> Scenario:
    """Return a scenario by name, of the shipped ones unless others are given."""
    known = shipped() if library is None else library
    if name not in known:
        raise ArenaError(f"there is no scenario {name!r}: it is one of {', '.join(known)}")
    return known[name]


def run(series: Series, jobs: int = 1, *, bar: bool = False, sprt: Sprt | None = None) -> Tally:
    """Play the series in up to `jobs` processes, with a `bar` for a person who waits.

    With a test it ends at the verdict, which is asked for once every seat of a seed was played.
    Raise `ArenaError` if it cannot be played.
    """
    for name in series.bots:
        bot_called(name)
    sides = series.scenario.sides
    drawn = games(sides, len(series.bots), series.matches, series.seed, swap=series.swap)
    with contextlib.closing(_outcomes(series, drawn, jobs)) as outcomes:
        shown = watched(outcomes, len(drawn), "matches") if bar else outcomes
        return tallied(series.bots, shown if sprt is None else _until_verdict(shown, sprt))


def tune_python() -> None:
    """Have Python look for reference cycles less often, and not in what is there already.

    A match of a fleet takes a tenth less time then.
    """
    gc.freeze()
    gc.set_threshold(*COLLECTOR)


def _until_verdict(outcomes: Iterable[Outcome], sprt: Sprt) -> Iterator[Outcome]:
    for number, outcome in enumerate(outcomes, 1):
        sprt.take(outcome.halves)
        yield outcome
        if number % len(outcome.game.seats) == 0 and sprt.verdict is not Verdict.OPEN:
            return


def _outcomes(
    series: Series, drawn: tuple[Game, ...], jobs: int
) -> Generator[Outcome, None, None]:
    one = partial(_one, series.played, series.bots)
    return in_order(one, drawn, jobs, tune_python)


def _one(scenario: Scenario, names: tuple[str, ...], game: Game) -> Outcome:
    outcome = play(scenario, game, tuple(bot_called(name) for name in names))
    return msgspec.structs.replace(outcome, records=(), notes={})
