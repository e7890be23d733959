"""The privateer against the bots that fight best in its scenarios, and its orders elsewhere.

SUNGLARE_LONG=1 plays each pairing until a sequential test has its verdict; else eight matches
against the raider have to do.
"""

import os

import pytest

from builders.strength import assert_beats
from sunglare_arena.series import Series, run, scenario_called

LONG = bool(os.environ.get("SUNGLARE_LONG"))
MATCHES = None if LONG else 8
BEATEN = ("raider", "admiral", "marshal") if LONG else ("raider",)
SMALL = ("smugglers-moon", "two-harbours")

GLANCED_AT = 2
"""So many turns of a match of `redondo` are played every time."""

ELSEWHERE = {"redondo": 4, "orlog": 2, "picket-line": 2, "blip-parade": 2, "proving-ground": 2}
"""The other scenarios, with how many sides they have."""

pytestmark = pytest.mark.timeout(7_200 if LONG else 60)


@pytest.mark.parametrize("scenario", SMALL if LONG else ["two-harbours"])
@pytest.mark.parametrize("other", BEATEN)
def test_the_privateer_beats_who_does_not_land(other: str, scenario: str) -> None:
    assert_beats("privateer", other, scenario, MATCHES)


@pytest.mark.parametrize("scenario", ELSEWHERE if LONG else ["proving-ground"])
def test_no_order_of_the_privateer_is_refused_elsewhere(scenario: str) -> None:
    bots = ("privateer", *("random",) * (ELSEWHERE[scenario] - 1))
    turns = None if LONG else GLANCED_AT
    series = Series(scenario=scenario_called(scenario), bots=bots, matches=1, turns=turns)
    assert run(series).faults == ()
