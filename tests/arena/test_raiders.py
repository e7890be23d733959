"""The raider against the hunter on the picket line, and what raiders do there.

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


def test_raiders_listen_sweep_scan_and_fire_from_an_ambush_and_fly_under_their_cloaks() -> None:
    raider, _ = played("hunter").scores
    assert {"listen", "sweep", "scan", "sense", "fire", "thrust", "turn"} <= set(raider.used)
    # Of the seats of one match one lies in wait, and the other must come to rest and go home.
    assert raider.used["listen"] >= raider.matches
    assert raider.used["thrust"] >= raider.matches
