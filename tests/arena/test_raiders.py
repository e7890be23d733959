"""The raider against the hunter on the picket line, and what two raiders do there to each other.

SUNGLARE_LONG=1 plays each pairing until a sequential test has its verdict, instead of a few
matches.
"""

import os
from functools import cache

import pytest

from builders.strength import assert_beats
from sunglare_arena.tally import Tally

LONG = bool(os.environ.get("SUNGLARE_LONG"))
MATCHES = None if LONG else 30

pytestmark = pytest.mark.timeout(3_600 if LONG else 120)


@cache
def played(other: str) -> Tally:
    """Return what a series against another bot comes to, which the raider wins."""
    return assert_beats("raider", other, "picket-line", MATCHES)


@pytest.mark.parametrize("other", ["hunter", "admiral"] if LONG else ["hunter"])
def test_the_raider_beats_who_held_the_picket_line_before(other: str) -> None:
    assert played(other).faults == ()


def test_raiders_scan_sweep_fire_and_switch_their_cloaks_in_play() -> None:
    raider, _ = played("hunter").scores
    assert {"cloak", "scan", "sense", "sweep", "fire", "thrust", "turn"} <= set(raider.used)
    # Of the seats of one match, at least one has something to scan for or to hide from.
    assert raider.used["scan"] >= raider.matches
    assert raider.used["cloak"] >= raider.matches / 4
