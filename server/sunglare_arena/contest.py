"""A contest: bots against one another in one scenario or several, with the seats swapped.

No more bots than a scenario has seats sit at one table, and take turns around it if they are
fewer. Of more bots each meets each other at a table of two. Every table plays the same seeds, each
from every seat, and the matches of all tables go round by round: so whatever ends a contest early
leaves the tables even, and the luck of the dice is the same for all.
"""

from collections.abc import Generator
from functools import partial
from itertools import combinations
from typing import NamedTuple, final

import msgspec

from sunglare_arena.entrants import ArenaError, Game, bot_called, games, labels
from sunglare_arena.isolation import Isolated, Limits, load
from sunglare_arena.jobs import in_order
from sunglare_arena.keeping import match_file
from sunglare_arena.livematch import MakeMind
from sunglare_arena.minds import Mind, minded
from sunglare_arena.playing import Outcome, played
from sunglare_arena.series import limited, tune_python
from sunglare_client.bots import shipped
from sunglare_protocol.replay.notes import with_notes
from sunglare_server.match.data.scenario import Scenario


@final
class Contest(msgspec.Struct, frozen=True, kw_only=True):
    """What is to be played: so many matches at each table; `turns` replaces the turn limits."""

    scenarios: tuple[Scenario, ...]
    bots: tuple[str, ...]
    matches: int
    seed: int = 0
    turns: int | None = None

    def bouts(self) -> tuple["Bout", ...]:
        """Return all matches to come, numbered in their order."""
        tables = [
            (place, table)
            for place, scenario in enumerate(self.scenarios)
            for table in _tables(len(self.bots), len(scenario.sides))
        ]
        drawn = [self._games(place, table) for place, table in tables]
        rounds = [
            (tables[seat][0], drawn[seat][number])
            for number in range(self.matches)
            for seat in range(len(tables))
        ]
        return tuple(
            Bout(place, game._replace(number=number))
            for number, (place, game) in enumerate(rounds)
        )

    def _games(self, place: int, table: tuple[int, ...]) -> tuple[Game, ...]:
        sides = self.scenarios[place].sides
        drawn = games(sides, len(table), self.matches, self.seed, swap=True)
        return tuple(
            game._replace(seats=tuple((side, table[entrant]) for side, entrant in game.seats))
            for game in drawn
        )


@final
class Bout(NamedTuple):
    """One match of a contest: which of its scenarios, counted from 0, and who sits where."""

    scenario: int
    game: Game


@final
class Conditions(msgspec.Struct, frozen=True, kw_only=True):
    """How bots play: so long they may think, in seconds of processor time, and where.

    With `limits` each has a process of its own; without, as shipped bots may, it plays in the
    process of the match. With `is_kept` the record files of matches are
    made that something went wrong in, or that the first bot lost.
    """

    think_s: float | None = None
    limits: Limits | None = None
    is_kept: bool = False


@final
class Result(NamedTuple):
    """What a match of a contest came to, without its records, and its file if it is kept."""

    bout: Bout
    outcome: Outcome
    file: bytes | None


def contested(
    contest: Contest, conditions: Conditions, jobs: int
) -> Generator[Result, None, None]:
    """Play a contest and yield its results in order, whatever the number of processes.

    Raise `ArenaError` if it cannot be played. A reader that stops closes this at once.
    """
    for name in contest.bots:
        if shipped(name) or conditions.limits is None:
            bot_called(name)
        else:
            load(name, conditions.limits)
    if not contest.bots:
        raise ArenaError("no bot is named")
    scenarios = tuple(limited(scenario, contest.turns) for scenario in contest.scenarios)
    return in_order(
        partial(_one, scenarios, contest.bots, conditions), contest.bouts(), jobs, tune_python
    )


def _tables(bots: int, seats: int) -> list[tuple[int, ...]]:
    return [tuple(range(bots))] if bots <= seats else list(combinations(range(bots), 2))


def _one(
    scenarios: tuple[Scenario, ...], bots: tuple[str, ...], conditions: Conditions, bout: Bout
) -> Result:
    scenario = scenarios[bout.scenario]
    makers = tuple(_maker(name, conditions.limits) for name in bots)
    outcome = played(scenario, bout.game, makers, conditions.think_s)
    file = None
    if conditions.is_kept and is_worth_keeping(outcome):
        called = labels(bots)
        names = {side: called[entrant] for side, entrant in bout.game.seats}
        file = match_file(bout.game.match, scenario.name, names, outcome.records)
        for side, notes in outcome.notes.items():
            file = with_notes(file, side, notes)
    return Result(bout, msgspec.structs.replace(outcome, records=(), notes={}), file)


def is_worth_keeping(outcome: Outcome) -> bool:
    """Return whether something went wrong in a match, or the first bot lost it."""
    has_first = any(entrant == 0 for _, entrant in outcome.game.seats)
    return bool(outcome.faults) or (has_first and outcome.winner not in (None, 0))


def _maker(name: str, limits: Limits | None) -> MakeMind:
    return partial(_mind, name, limits)


def _mind(name: str, limits: Limits | None, seed: int) -> Mind:
    return minded(bot_called(name), seed) if limits is None else Isolated(name, seed, limits)
