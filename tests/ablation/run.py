"""Plays scenarios with one side without one ability, and prints which abilities decide matches.

The best bot of a scenario sits on all sides. Every seed is played with all abilities, and then
for each ability once without it on each side that has it. An ability decides if it is worth at
least 10 points of share or 0.5 of score, at 99 %, in the seeds drawn first and again in fresh
ones. One that changes no match of the first seeds is not asked further.
"""

import argparse
import contextlib
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import NamedTuple, final

import msgspec

sys.path.insert(0, str(Path(__file__).parents[1]))

from ablation.effects import Effect, Found, Pair, Played
from ablation.offered import offered
from balance.run import BEST, LOOKED_AT
from sunglare_arena.entrants import Game, bot_called, games
from sunglare_arena.jobs import in_order, processors
from sunglare_arena.livematch import LiveMatch, MakeMind
from sunglare_arena.minds import minded
from sunglare_arena.playing import played
from sunglare_arena.series import scenario_called, tune_python
from sunglare_client.abilities import Ability
from sunglare_client.bots.limits import Limited
from sunglare_client.cli.progress_bar import watched
from sunglare_protocol.ids import Side
from sunglare_protocol.views import View
from sunglare_server.match.data.scenario import Scenario

PAIRS = 100
"""So many seeds are drawn first, and as many fresh ones."""

FIRST = 10
"""An ability that changes no match of so many seeds is idle."""


@final
class Task(NamedTuple):
    """A match to play: without `less` one with all abilities, else one side lacks something."""

    game: Game
    less: tuple[Side, Ability] | None = None


@final
class Row(msgspec.Struct, frozen=True, kw_only=True):
    """What came of an ability in a scenario; `again` are the fresh seeds, if they were asked.

    `by_side` is the effect on the score of each side that has it, in the seeds drawn first.
    """

    scenario: str
    bot: str
    ability: str
    sides: tuple[Side, ...]
    verdict: str
    first: Found
    by_side: dict[Side, Effect]
    again: Found | None = None


def match_of(scenario: Scenario, bot: str, task: Task) -> Played:
    """Return how a match ends; raise `RuntimeError` if the bot did anything wrong in it."""
    kind, game = bot_called(bot), task.game
    makers: list[MakeMind] = [partial(minded, kind)]
    if task.less is not None:
        side, ability = task.less
        makers.append(partial(minded, partial(Limited, kind, (ability,))))
        game = game._replace(seats=tuple((seat, int(seat == side)) for seat, _ in game.seats))
    outcome = played(scenario, game, tuple(makers))
    if outcome.faults:
        raise RuntimeError(f"{task}: {outcome.faults[0].window}: {outcome.faults[0].text}")
    return Played(outcome.result, outcome.turn)


def offers_of(scenario: Scenario, bot: str) -> dict[Side, tuple[Ability, ...]]:
    """Return what a scenario offers to each side."""
    (game,) = games(scenario.sides, 1, 1, 0, swap=False)
    live = LiveMatch(scenario, game, (partial(minded, bot_called(bot)),))
    with contextlib.closing(live):
        views = {one.side: one.shown for one in live.players if isinstance(one.shown, View)}
    return {
        side: offered(view, [other for name, other in views.items() if name != side])
        for side, view in views.items()
    }


@final
class Ablation:
    """The matches of one scenario: those with all abilities are played once and kept."""

    def __init__(self, scenario: Scenario, bot: str, pairs: int, jobs: int, seed: int) -> None:
        self._scenario, self._bot, self._pairs, self._jobs = scenario, bot, pairs, jobs
        self._games = games(scenario.sides, 1, 2 * pairs, seed, swap=False)
        self._offers = offers_of(scenario, bot)
        self._full: dict[int, Played] = {}

    def rows(self, asked: tuple[Ability, ...]) -> Iterator[Row]:
        """Yield what comes of each ability that is asked for and that the scenario offers."""
        there = [ability for ability in asked if self._sides(ability)]
        first = min(FIRST, self._pairs)
        pairs = self._paired(there, range(first))
        live = [ability for ability in there if any(pair.has_changed for pair in pairs[ability])]
        more = self._paired(live, range(first, self._pairs))
        whole = {ability: [*pairs[ability], *more.get(ability, ())] for ability in there}
        found = {ability: Found.of(whole[ability]) for ability in there}
        large = [ability for ability in live if found[ability].is_gain]
        fresh = self._paired(large, range(self._pairs, 2 * self._pairs))
        for ability in there:
            again = Found.of(fresh[ability]) if ability in fresh else None
            sides = self._sides(ability)
            yield Row(
                scenario=self._scenario.name,
                bot=self._bot,
                ability=ability.value,
                sides=sides,
                verdict=verdict(found[ability], again),
                first=found[ability],
                by_side=by_side(sides, whole[ability]),
                again=again,
            )

    def _sides(self, ability: Ability) -> tuple[Side, ...]:
        return tuple(side for side in self._scenario.sides if ability in self._offers[side])

    def _paired(self, asked: list[Ability], seeds: range) -> dict[Ability, list[Pair]]:
        """Return the pairs of each ability, for each seed one of each side that has it."""
        less = [
            Task(self._games[number], (side, ability))
            for number in seeds
            for ability in asked
            for side in self._sides(ability)
        ]
        full = [Task(self._games[n]) for n in seeds if n not in self._full] if less else []
        ends = dict(zip((*full, *less), self._played((*full, *less)), strict=True))
        self._full |= {task.game.number: ends[task] for task in full}
        found: dict[Ability, list[Pair]] = {ability: [] for ability in asked}
        for task in less:
            if task.less is not None:
                side, ability = task.less
                pair = Pair.of(side, self._full[task.game.number], ends[task])
                found[ability].append(pair)
        return found

    def _played(self, tasks: tuple[Task, ...]) -> Iterator[Played]:
        work = partial(match_of, self._scenario, self._bot)
        with contextlib.closing(in_order(work, tasks, self._jobs, tune_python)) as ends:
            yield from watched(ends, len(tasks), self._scenario.name)


def by_side(sides: tuple[Side, ...], pairs: list[Pair]) -> dict[Side, Effect]:
    """Return the effect on each side's score of pairs that have one of each side in turn."""
    return {
        side: Effect.of([pair.score for pair in pairs[number :: len(sides)]])
        for number, side in enumerate(sides)
    }


def verdict(first: Found, again: Found | None) -> str:
    """Return in a word or two what the pairs say of an ability."""
    if not first.changed:
        return "idle: changes nothing"
    if first.is_loss:
        return "better without"
    if again is None:
        return "idle"
    return "decides" if again.confirms(first) else "not confirmed"


def lines(rows: list[Row]) -> Iterator[str]:
    """Yield a table of the rows, with effects in points of share and of score, and by side."""
    head = f"{'scenario':16}{'without':14}{'sides':8}{'pairs':>6}{'changed':>9}"
    yield f"{head}{'share':>12}{'score':>14}"
    for row in rows:
        first = row.first
        changed = f"{100 * first.changed / first.pairs:.0f} %"
        share = f"{100 * first.share.mean:+.0f} ± {100 * first.share.half:.0f}"
        score = f"{first.score.mean:+.1f} ± {first.score.half:.1f}"
        sides = ", ".join(f"{side} {effect.mean:+.1f}" for side, effect in row.by_side.items())
        yield (
            f"{row.scenario:16}{row.ability:14}{''.join(row.sides):8}{first.pairs:6}{changed:>9}"
            f"{share:>12}{score:>14}  {row.verdict} ({sides})"
        )


def main() -> int:
    """Play, print, and return 0."""
    words = {ability.value: ability for ability in Ability}
    parser = argparse.ArgumentParser(description=__doc__)
    every = BEST | LOOKED_AT
    parser.add_argument("--scenario", choices=every, action="append", help="this scenario alone")
    parser.add_argument("--without", choices=words, action="append", help="this ability alone")
    parser.add_argument("--pairs", type=int, default=PAIRS, help="seeds drawn first, as fresh")
    parser.add_argument("--seed", type=int, default=1, help="what all seeds follow from")
    parser.add_argument("--jobs", type=int, default=processors(), help="processes")
    parser.add_argument("--bot", help="this bot instead of the best")
    parser.add_argument("--json", type=Path, help="write the rows to a file besides")
    options = parser.parse_args()
    asked = tuple(words[word] for word in options.without or words)
    rows: list[Row] = []
    for name in options.scenario or BEST:
        scenario, bot = scenario_called(name), options.bot or every[name]
        ablation = Ablation(scenario, bot, options.pairs, options.jobs, options.seed)
        found = list(ablation.rows(asked))
        print("\n".join(lines(found)), flush=True)
        rows += found
    if options.json is not None:
        options.json.write_bytes(msgspec.json.format(msgspec.json.encode(rows)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
