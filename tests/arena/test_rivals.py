"""The bots against one another, each where its style is the stronger one.

SUNGLARE_LONG=1 plays each pairing until a sequential test has its verdict, instead of a few
matches.
"""

import os
from functools import cache

import pytest

from builders.strength import assert_beats
from sunglare_arena.tally import Tally

LONG = bool(os.environ.get("SUNGLARE_LONG"))

PAIRINGS = {
    ("scout", "lurker", "shadow-of-ceres"): 6,
    ("raider", "hunter", "picket-line"): 30,
    ("raider", "hunter", "two-harbours"): 8,
    ("raider", "lurker", "orlog"): 2,
}
"""Who beats whom in which scenario, and in how many matches that shows every time."""

RARELY = (
    ("scout", "hunter", "shadow-of-ceres"),
    ("admiral", "scout", "blip-parade"),
    ("raider", "hunter", "smugglers-moon"),
)
"""The same, of matches that take long."""

pytestmark = pytest.mark.timeout(7_200 if LONG else 600)


@cache
def played(bot: str, other: str, scenario: str) -> Tally:
    """Return what a series comes to, which the first bot wins."""
    matches = None if LONG else PAIRINGS[bot, other, scenario]
    return assert_beats(bot, other, scenario, matches)


@pytest.mark.parametrize(("bot", "other", "scenario"), [*PAIRINGS, *(RARELY if LONG else ())])
def test_a_bot_beats_another_where_its_style_is_the_stronger_one(
    bot: str, other: str, scenario: str
) -> None:
    assert played(bot, other, scenario).faults == ()


def test_raiders_listen_sweep_scan_and_fire_from_an_ambush_and_fly_under_their_cloaks() -> None:
    raider, _ = played("raider", "hunter", "picket-line").scores
    assert {"listen", "sweep", "scan", "sense", "fire", "thrust", "turn"} <= set(raider.used)
    # Of the seats of one match one lies in wait, and the other must come to rest and go home.
    assert raider.used["listen"] >= raider.matches
    assert raider.used["thrust"] >= raider.matches
