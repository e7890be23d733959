"""The deceiver against those that held its rung: the prober and the admiral.

SUNGLARE_LONG=1 plays until a sequential test has its verdict; else a few turns are looked at for
faults.
"""

import os

import pytest

from builders.strength import assert_beats
from sunglare_arena.series import Series, run, scenario_called

LONG = bool(os.environ.get("SUNGLARE_LONG"))
SECONDS_MOST = 7_200 if LONG else 120

RUNG = ("blip-parade", "redondo")
"""The scenarios in which it is measured; matches of `redondo` take long."""

GLANCED_AT = 4
"""So many turns of a match are played every time."""

HOLDERS = ("prober", "admiral")

PAIRINGS = [(scenario, holder) for scenario in RUNG for holder in HOLDERS]

pytestmark = pytest.mark.timeout(SECONDS_MOST)


@pytest.mark.parametrize(("scenario", "holder"), PAIRINGS if LONG else PAIRINGS[:2])
def test_the_deceiver_plays_its_rung_without_a_fault(scenario: str, holder: str) -> None:
    found, bots = scenario_called(scenario), ("deceiver", holder)
    tally = run(Series(scenario=found, bots=bots, matches=2, swap=True, turns=GLANCED_AT))
    assert tally.faults == ()
    assert {"deploy", "scan", "sensors"} <= set(tally.scores[0].used)


if LONG:

    @pytest.mark.parametrize(("scenario", "holder"), PAIRINGS)
    def test_the_deceiver_beats_whoever_held_its_rung(scenario: str, holder: str) -> None:
        assert_beats("deceiver", holder, scenario, None)
