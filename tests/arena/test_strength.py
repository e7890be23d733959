"""The baseline bots against the random bot: no fault, every kind of order, enough wins.

SUNGLARE_LONG=1 plays each pairing until a sequential test has its verdict, instead of a few
matches.
"""

import os
from functools import cache

import pytest

from builders.strength import assert_scores
from sunglare_arena.kinds import offered
from sunglare_arena.series import Series, run, scenario_called
from sunglare_arena.sprt import Sprt
from sunglare_arena.tally import Tally
from sunglare_server.base.library import load_library

LONG = bool(os.environ.get("SUNGLARE_LONG"))
SECONDS_MOST = 7_200 if LONG else 240

SCORES = (0.5, 0.65)
"""A baseline bot scores the second rather than the first against random bots."""

WINS_LEAST = 0.5
"""The share of a few matches that a baseline bot wins; of two one may be drawn."""

BASELINES = {
    "shadow-of-ceres": ("scout", "hunter", "lurker"),
    "picket-line": ("hunter", "lurker"),
    "orlog": ("raider",),
    "four-corners": ("admiral",),
    "proving-ground": ("scout",),
    "blip-parade": ("admiral",),
    "reference-board": ("scout",),
    "redondo": ("admiral",),
    "smugglers-moon": ("raider",),
    "two-harbours": ("raider",),
    "fortress": ("raider",),
    "two-planets": ("raider",),
}
"""The bots that are measured in each scenario; random bots have the other seats."""

STEPS = (
    ("shadow-of-ceres", "scout", "scout-4"),
    ("two-harbours", "raider", "raider-4"),
    ("shadow-of-ceres", "scout-4", "scout-3"),
    ("two-harbours", "raider-4", "raider-3"),
    ("shadow-of-ceres", "scout-3", "scout-2"),
    ("orlog", "raider-3", "raider-2"),
    ("fortress", "raider-3", "raider-2"),
    ("smugglers-moon", "raider-2", "raider-1"),
    ("two-harbours", "raider-2", "raider-1"),
)
"""In a scenario a level beats the one below it by 50 points of rating or more."""

STEP = (0.5, 0.571)
"""A level scores the second rather than the first against the one below it."""

STEP_MOST = 400
"""So many matches at most show that."""

QUICK = ("shadow-of-ceres", "picket-line", "orlog")
"""The scenarios of which a few whole matches are played every time."""

MATCHES = 2

GLANCED_AT = 4
"""So many turns of a match of the other scenarios are played every time."""

RARE = frozenset({"land", "lift", "power", "probe"})
"""The kinds of orders that a few matches may not see."""

PAIRINGS = [
    (scenario, bot)
    for scenario, bots in BASELINES.items()
    for bot in bots
    if LONG or scenario in QUICK
]

pytestmark = pytest.mark.timeout(SECONDS_MOST)


@cache
def played(scenario: str, bot: str) -> Tally:
    """Return what a series of a bot against random bots comes to, with swapped seats."""
    found = scenario_called(scenario)
    bots = (bot, *("random",) * (len(found.sides) - 1))
    if LONG:
        return assert_scores(bots, scenario, Sprt(*SCORES))
    return run(Series(scenario=found, bots=bots, matches=MATCHES, swap=True))


@pytest.mark.parametrize(("scenario", "bot"), PAIRINGS)
def test_a_baseline_bot_beats_the_random_bot(scenario: str, bot: str) -> None:
    found = played(scenario, bot)
    assert found.faults == ()
    assert LONG or found.scores[0].win_rate >= WINS_LEAST


@pytest.mark.parametrize("scenario", BASELINES if LONG else ["shadow-of-ceres"])
def test_the_bots_together_use_every_kind_of_order(scenario: str) -> None:
    tallies = [played(scenario, bot) for bot in BASELINES[scenario]]
    used = {kind for tally in tallies for score in tally.scores for kind in score.used}
    assert set(offered(scenario_called(scenario))) - used <= RARE


@pytest.mark.parametrize("scenario", [baseline for baseline in BASELINES if baseline not in QUICK])
def test_no_order_of_a_baseline_bot_is_refused_in_the_first_turns(scenario: str) -> None:
    found = scenario_called(scenario)
    seats = len(found.sides)
    for bot in BASELINES[scenario]:
        bots = (bot, *("random",) * (seats - 1))
        tally = run(Series(scenario=found, bots=bots, matches=1, turns=GLANCED_AT))
        assert tally.faults == ()
        assert tally.scores[0].used


def test_every_scenario_has_a_baseline_bot() -> None:
    assert set(BASELINES) == set(load_library().scenarios)


if LONG:

    @pytest.mark.parametrize(("scenario", "higher", "lower"), STEPS)
    def test_a_level_beats_the_one_below_it(scenario: str, higher: str, lower: str) -> None:
        assert_scores((higher, lower), scenario, Sprt(*STEP), STEP_MOST)
