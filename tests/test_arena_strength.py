"""The baseline bots against the random bot: no fault, every kind of order, enough wins.

SUNGLARE_LONG=1 plays 200 matches of each pairing instead of a few, which takes a while.
"""

import os
from functools import cache

import pytest

from sunglare_arena.kinds import offered
from sunglare_arena.series import Series, run, scenario_called
from sunglare_arena.tally import Tally

LONG = bool(os.environ.get("SUNGLARE_LONG"))
PROCESSES = 2 if LONG else 1
SECONDS_MOST = 3_600 if LONG else 55

WINS_LEAST = 0.65
"""The share of the matches that a baseline bot wins against the random bot."""

EARLY_LEAST = 0.8
"""The share of the matches that are won before the turn limit."""

BASELINES = ("sweeper", "drifter", "prober")
LONGER = {
    "four-corners": ("random", "random", "random"),
    "proving-ground": ("random",),
    "blip-parade": ("random",),
}
AGAINST = {"shadow-of-ceres": ("random",), **(LONGER if LONG else {})}
"""Whom a baseline bot meets, by scenario."""

RARE = frozenset() if LONG else frozenset({"land", "lift", "power", "probe"})
"""The kinds of orders that a few matches may not see."""

MATCHES = 200 if LONG else 4

pytestmark = pytest.mark.timeout(SECONDS_MOST)


@cache
def played(scenario: str, bot: str) -> Tally:
    """Return what a series of a bot against the random bot comes to, with swapped seats."""
    bots = (bot, *AGAINST[scenario])
    wanted = Series(scenario=scenario_called(scenario), bots=bots, matches=MATCHES, swap=True)
    return run(wanted, PROCESSES)


@pytest.mark.parametrize("bot", BASELINES)
@pytest.mark.parametrize("scenario", AGAINST)
def test_a_baseline_bot_beats_the_random_bot(scenario: str, bot: str) -> None:
    found = played(scenario, bot)
    assert found.faults == ()
    assert found.scores[0].win_rate >= WINS_LEAST
    assert found.early_share >= (EARLY_LEAST if LONG else 0.5)


@pytest.mark.parametrize("scenario", AGAINST)
def test_the_bots_together_use_every_kind_of_order(scenario: str) -> None:
    scores = [score for bot in BASELINES for score in played(scenario, bot).scores]
    used = {kind for score in scores for kind in score.used}
    assert set(offered(scenario_called(scenario))) - used <= RARE
