"""The surveyor against the bots that were the strongest before it: it wins, and without a fault.

SUNGLARE_LONG=1 plays against each of them in `shadow-of-ceres` until a sequential test has its
verdict; else a few matches against the sweeper have to do.
"""

import os

import pytest

from builders.strength import assert_beats
from sunglare_arena.series import Series, run, scenario_called

LONG = bool(os.environ.get("SUNGLARE_LONG"))
MATCHES = None if LONG else 6
BEATEN = ("sweeper", "hunter", "prober", "searcher", "admiral") if LONG else ("sweeper",)

GLANCED_AT = 2
"""So many turns of a match of each other scenario are played every time."""

ELSEWHERE = {
    "reference-board": 2,
    "four-corners": 4,
    "blip-parade": 2,
    "picket-line": 2,
    "orlog": 2,
    "proving-ground": 2,
}
"""The other scenarios, with how many sides they have."""

pytestmark = pytest.mark.timeout(7_200 if LONG else 60)


@pytest.mark.parametrize("other", BEATEN)
def test_the_surveyor_beats_the_bots_that_were_the_strongest(other: str) -> None:
    assert_beats("surveyor", other, "shadow-of-ceres", MATCHES)


@pytest.mark.parametrize("scenario", ELSEWHERE if LONG else ["proving-ground"])
def test_no_order_of_the_surveyor_is_refused_elsewhere(scenario: str) -> None:
    bots = ("surveyor", *("random",) * (ELSEWHERE[scenario] - 1))
    turns = None if LONG else GLANCED_AT
    series = Series(
        scenario=scenario_called(scenario), bots=bots, matches=2, turns=turns, swap=True
    )
    assert run(series).faults == ()
