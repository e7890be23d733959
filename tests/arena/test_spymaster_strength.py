"""The spymaster against the bots that were the strongest on `orlog` before it, and elsewhere.

SUNGLARE_LONG=1 plays against each of them until a sequential test has its verdict; else two
matches against the drifter have to do.
"""

import os

import pytest

from builders.strength import assert_beats
from sunglare_arena.series import Series, run, scenario_called

LONG = bool(os.environ.get("SUNGLARE_LONG"))
MATCHES = None if LONG else 2
BEATEN = ("searcher", "drifter") if LONG else ("drifter",)

GLANCED_AT = 2
"""So many turns of a match of `redondo` are played every time."""

ELSEWHERE = {
    "redondo": 4,
    "blip-parade": 2,
    "picket-line": 2,
    "proving-ground": 2,
    "reference-board": 2,
    "shadow-of-ceres": 2,
    "four-corners": 4,
}
"""The other scenarios, with how many sides they have."""

pytestmark = pytest.mark.timeout(7_200 if LONG else 60)


@pytest.mark.parametrize("other", BEATEN)
def test_the_spymaster_beats_the_bots_that_were_the_strongest(other: str) -> None:
    assert_beats("spymaster", other, "orlog", MATCHES)


@pytest.mark.parametrize("scenario", ELSEWHERE if LONG else ["redondo"])
def test_no_order_of_the_spymaster_is_refused_elsewhere(scenario: str) -> None:
    bots = ("spymaster", *("random",) * (ELSEWHERE[scenario] - 1))
    turns = None if LONG else GLANCED_AT
    matches = 2 if LONG else 1
    series = Series(
        scenario=scenario_called(scenario), bots=bots, matches=matches, turns=turns, swap=LONG
    )
    assert run(series).faults == ()
