"""The raider against the hunter on the picket line, and what two raiders do there to each other.

SUNGLARE_LONG=1 plays 400 matches of each pairing instead of a few, which takes some minutes.
"""

import os
from functools import cache

import pytest

from sunglare_arena.series import Series, run, scenario_called
from sunglare_arena.tally import Tally

LONG = bool(os.environ.get("SUNGLARE_LONG"))
PROCESSES = 2 if LONG else 1
MATCHES = 400 if LONG else 8
SEED = 7
"""The one that BOTS.md names with what the long form comes to."""

pytestmark = pytest.mark.timeout(3_600 if LONG else 120)


@cache
def played(first: str, second: str) -> Tally:
    """Return what a series of two bots comes to, with swapped seats."""
    found = scenario_called("picket-line")
    bots = (first, second)
    series = Series(scenario=found, bots=bots, matches=MATCHES, seed=SEED, swap=True)
    return run(series, PROCESSES)


@pytest.mark.parametrize("other", ["hunter", "admiral"] if LONG else ["hunter"])
def test_the_raider_beats_who_held_the_picket_line_before(other: str) -> None:
    found = played("raider", other)
    assert found.faults == ()
    least, _ = found.scores[0].interval
    assert found.scores[0].win_rate > 0.5
    assert least > 0.5 or not LONG


def test_raiders_scan_sweep_fire_and_switch_their_cloaks_in_play() -> None:
    raider, _ = played("raider", "hunter").scores
    assert {"cloak", "scan", "sense", "sweep", "fire", "thrust", "turn"} <= set(raider.used)
    # Of the seats of one match, at least one has something to scan for or to hide from.
    assert raider.used["scan"] >= MATCHES
    assert raider.used["cloak"] >= MATCHES / 4
