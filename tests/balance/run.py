"""Plays every shipped scenario with the best bots that fit it, and prints what came of it.

Equal bots sit on all sides, and none of them resigns: a match is decided early only by what the
rules say. The first table has the bars, the second in what share of the matches, and how often in
all, each thing occurs that the rules offer. It ends with 1 if a bar is missed.
"""

import argparse
import contextlib
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import NamedTuple, final

sys.path.insert(0, str(Path(__file__).parents[1]))

from balance.bars import Bar, Played, bars, is_settled, occurring
from balance.occurrences import Count, Occurrences
from builders.wrappedbots import PlayingOn
from sunglare_arena.entrants import Game, bot_called, games
from sunglare_arena.jobs import in_order, processors
from sunglare_arena.minds import minded
from sunglare_arena.playing import played
from sunglare_arena.series import scenario_called, tune_python
from sunglare_client.cli.arena_args import TESTED_MOST
from sunglare_client.cli.progress_bar import watched
from sunglare_client.commands.playing import LOCAL_BOT, LOCAL_BOTS
from sunglare_protocol.words.scans import ScanSize, ScanType
from sunglare_server.match.data.scenario import Scenario

BEST: dict[str, str] = {"shadow-of-ceres": LOCAL_BOT, **LOCAL_BOTS}
"""The bot that plays each scenario best."""

LOOKED_AT: dict[str, str] = {"proving-ground": "scout", "reference-board": "admiral"}
"""The scenarios without bars, which are there to learn and to measure on, with their bots."""

SCANS = tuple(f"{kind.value} {size.value}" for kind in ScanType for size in ScanSize)
SCANS_LEAST = 0.05
"""Each type and each size of a scan is at least so large a part of all."""

RELATIONS = ("behind", "in front", "flanking", "bullseye")
IN_SCENARIOS = 2
"""In so many scenarios weapons that need such a place of their target fire."""

USED = (
    "jump",
    "order station",
    "listen off",
    "stand bound_for",
    "stand fight",
    "stand wounds",
    "stand strike",
    "silence",
)
"""What some bot must use somewhere.

`defend` and `stand hides_by` are none of it, for they are never good: without a word a ship
defends itself with all it has, and a group hides by its best head. Only the random bot gives them.
"""


@final
class Measured(NamedTuple):
    """A scenario, the bot that sat on all sides of it, and the matches."""

    scenario: Scenario
    bot: str
    matches: list[Played]

    @property
    def is_barred(self) -> bool:
        """Whether the scenario is measured by bars, or only looked at."""
        return self.scenario.name not in LOOKED_AT

    def bars(self) -> Iterator[Bar]:
        """Yield the bars of the scenario, or what they would measure."""
        return bars(self.scenario.name, self.scenario.sides, self.matches)


def match_of(scenario: Scenario, bot: str, game: Game) -> Played:
    """Return what a match comes to."""
    onlooker = Occurrences()
    kind = partial(PlayingOn, bot_called(bot))
    outcome = played(scenario, game, (partial(minded, kind),), onlooker=onlooker)
    if outcome.faults:
        onlooker.count["fault"] += len(outcome.faults)
    return Played(outcome.result.winner, outcome.is_decided_early, outcome.turn, onlooker.count)


def measured(name: str, bot: str, matches: int, jobs: int, seed: int = 1) -> Measured:
    """Return what matches of a scenario come to, so many at most, with a bar for who waits.

    They end once it is clear of each side whether its share is fair.
    """
    scenario = scenario_called(name)
    drawn = games(scenario.sides, 1, matches, seed=seed, swap=False)
    found: list[Played] = []
    with contextlib.closing(
        in_order(partial(match_of, scenario, bot), drawn, jobs, tune_python)
    ) as played_so_far:
        for match in watched(played_so_far, matches, name):
            found.append(match)
            if is_settled(scenario.sides, found):
                break
    return Measured(scenario, bot, found)


def of_all(found: list[Measured]) -> Iterator[Bar]:
    """Yield the bars that all scenarios together are measured by."""
    total = Count()
    for _, _, matches in found:
        for match in matches:
            total.update(match.occurred)
    scans = max(total["scan"], 1)
    for part in (*ScanType, *ScanSize):
        share = sum(total[scan] for scan in SCANS if part.value in scan.split()) / scans
        yield Bar(f"scans {part.value}", f"{100 * share:.1f} %", share >= SCANS_LEAST)
    for relation in RELATIONS:
        where = [one.scenario.name for one in found if occurring(one.matches, relation)]
        yield Bar(f"fires {relation}", ", ".join(where) or "nowhere", len(where) >= IN_SCENARIOS)
    for what in USED:
        yield Bar(what, str(total[what]), total[what] > 0)
    yield Bar("faults of bots", str(total["fault"]), not total["fault"])


def lines_of_one(one: Measured) -> Iterator[str]:
    """Yield the table of one scenario, which is printed as soon as it is measured."""
    yield f"{one.scenario.name}: {len(one.matches)} matches of {one.bot}"
    for bar in one.bars():
        yield _line(bar) if one.is_barred else _figure(bar)


def lines_of_all(found: list[Measured]) -> Iterator[str]:
    """Yield the tables of all scenarios together."""
    yield "all scenarios with bars together"
    yield from map(_line, of_all([one for one in found if one.is_barred]))
    yield ""
    yield from occurrence_table(found)


def occurrence_table(found: list[Measured]) -> Iterator[str]:
    """Yield in what share of each scenario's matches each thing is, and how often a match."""
    words = sorted(
        {word: None for one in found for match in one.matches for word in match.occurred}
    )
    yield f"{'in % of matches, times a match':32}" + "".join(
        f"{one.scenario.name:>17}" for one in found
    )
    for word in words:
        cells = (_cell(one.matches, word) for one in found)
        yield f"{word:32}" + "".join(f"{cell:>17}" for cell in cells)


def _cell(matches: list[Played], word: str) -> str:
    share = occurring(matches, word)
    if not share:
        return ""
    return (
        f"{100 * share:.0f} {sum(match.occurred[word] for match in matches) / len(matches):8.2f}"
    )


def _line(bar: Bar) -> str:
    return f"  {'reached' if bar.is_reached else 'MISSED ':7}  {bar.what:34} {bar.figure}"


def _figure(bar: Bar) -> str:
    return f"           {bar.what:34} {bar.figure}"


def missed(found: list[Measured]) -> Iterator[Bar]:
    """Yield the bars that are missed."""
    barred = [one for one in found if one.is_barred]
    own = (bar for one in barred for bar in one.bars())
    yield from (bar for bar in (*own, *of_all(barred)) if not bar.is_reached)


def main() -> int:
    """Play and print; return 1 if a bar is missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--games", type=int, default=TESTED_MOST, help="matches of each scenario, at most"
    )
    parser.add_argument("--jobs", type=int, default=processors(), help="processes")
    parser.add_argument(
        "--only", choices=BEST | LOOKED_AT, action="append", help="this scenario alone"
    )
    parser.add_argument("--bot", help="this bot instead of the best")
    parser.add_argument(
        "--seed", type=int, default=1, help="what the seeds of the matches follow from"
    )
    options = parser.parse_args()
    found: list[Measured] = []
    for name, bot in (BEST | LOOKED_AT).items():
        if options.only is None or name in options.only:
            one = measured(name, options.bot or bot, options.games, options.jobs, options.seed)
            found.append(one)
            print("\n".join(lines_of_one(one)), flush=True)
    print("\n".join(lines_of_all(found)))
    return int(any(missed(found)))


if __name__ == "__main__":
    sys.exit(main())
