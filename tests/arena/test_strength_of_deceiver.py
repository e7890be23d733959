"""The deceiver against those that held its rung: the prober and the admiral.

SUNGLARE_LONG=1 plays all matches, which takes an hour; else a few turns are looked at for faults.
"""

import os

import pytest

from sunglare_arena.series import Series, run, scenario_called
from sunglare_arena.tally import Tally

LONG = bool(os.environ.get("SUNGLARE_LONG"))
PROCESSES = 2 if LONG else 1
SECONDS_MOST = 7_200 if LONG else 120

MATCHES = {"blip-parade": 400, "redondo": 100}
"""So many matches are played in each scenario against each bot; those of `redondo` take long."""

GLANCED_AT = 4
"""So many turns of a match are played every time."""

HOLDERS = ("prober", "admiral")

PAIRINGS = [(scenario, holder) for scenario in MATCHES for holder in HOLDERS]

pytestmark = pytest.mark.timeout(SECONDS_MOST)


def played(scenario: str, holder: str, matches: int, turns: int | None = None) -> Tally:
    """Return what a series against a holder comes to, with swapped seats."""
    found = scenario_called(scenario)
    bots = ("deceiver", holder)
    series = Series(scenario=found, bots=bots, matches=matches, swap=True, turns=turns)
    return run(series, PROCESSES)


@pytest.mark.parametrize(("scenario", "holder"), PAIRINGS if LONG else PAIRINGS[:2])
def test_the_deceiver_plays_its_rung_without_a_fault(scenario: str, holder: str) -> None:
    tally = played(scenario, holder, 2, GLANCED_AT)
    assert tally.faults == ()
    assert {"deploy", "scan", "sensors"} <= set(tally.scores[0].used)


if LONG:

    @pytest.mark.parametrize(("scenario", "holder"), PAIRINGS)
    def test_the_deceiver_beats_whoever_held_its_rung(scenario: str, holder: str) -> None:
        tally = played(scenario, holder, MATCHES[scenario])
        assert tally.faults == ()
        least, _ = tally.scores[0].interval
        assert least > 1 / 2
