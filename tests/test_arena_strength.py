"""The baseline bots against the random bot: no fault, every kind of order, enough wins.

SUNGLARE_LONG=1 plays 200 matches of each pairing instead of a few, which takes a while.
"""

import os

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

BASELINES = ("sweeper", "drifter")
AGAINST = {
    "shadow-of-ceres": ("random",),
    # A hunt of four takes long.
    **({"four-corners": ("random", "random", "random")} if LONG else {}),
}
"""Whom a baseline bot meets, by scenario."""

MATCHES = 200 if LONG else 4

pytestmark = pytest.mark.timeout(SECONDS_MOST)


@pytest.mark.parametrize("bot", BASELINES)
@pytest.mark.parametrize("scenario", AGAINST)
def test_a_baseline_bot_beats_the_random_bot(scenario: str, bot: str) -> None:
    found = played(scenario, bot, *AGAINST[scenario])
    assert found.faults == ()
    assert found.scores[0].win_rate >= WINS_LEAST
    assert found.early_share >= (EARLY_LEAST if LONG else 0.5)


@pytest.mark.parametrize("scenario", AGAINST)
def test_the_baseline_bots_use_every_kind_of_order(scenario: str) -> None:
    found = played(scenario, *BASELINES, *AGAINST[scenario][1:2])
    assert found.faults == ()
    used = {kind for score in found.scores for kind in score.used}
    missing = set(offered(scenario_called(scenario))) - used
    assert missing <= (set() if LONG else {"land", "lift", "power", "rotate"})


def played(scenario: str, *bots: str) -> Tally:
    """Return what a series with swapped seats comes to."""
    wanted = Series(scenario=scenario_called(scenario), bots=bots, matches=MATCHES, swap=True)
    return run(wanted, PROCESSES)
