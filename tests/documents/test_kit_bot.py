"""The bot of the page on bots that is made with the kit: it plays without fault, and wins.

SUNGLARE_LONG=1 plays all the games of which the page speaks.
"""

import os
import re
from pathlib import Path

import pytest

from documents.doctables import BOTS, fenced, text_of
from sunglare_arena.series import Series, run, scenario_called
from sunglare_arena.tally import Tally

LONG = bool(os.environ.get("SUNGLARE_LONG"))

SEED = 3
"""The seed of the series on the page."""

pytestmark = pytest.mark.timeout(1_800 if LONG else 180)


@pytest.fixture
def tracker(tmp_path: Path) -> str:
    """Return the bot of the page as the arena names it."""
    (code,) = (block for block in fenced(BOTS, "python") if "class Tracker(Seeker)" in block)
    file = tmp_path / "tracker.py"
    file.write_text(code, encoding="utf-8")
    return f"{file}:Tracker"


def played(tracker: str, scenario: str, matches: int) -> Tally:
    """Return the first matches of a series against the random bot, seats swapped."""
    found = scenario_called(scenario)
    return run(
        Series(scenario=found, bots=(tracker, "random"), matches=matches, seed=SEED, swap=True)
    )


def said() -> tuple[int, int]:
    """Return how many games the page says it wins, and of how many."""
    (won, of) = re.findall(r"It wins (\d+) of these (\d+) games", text_of(BOTS))[0]
    return int(won), int(of)


def test_the_bot_of_the_kit_wins_its_first_games_without_a_fault(tracker: str) -> None:
    won, of = said()
    games = of if LONG else 4
    tally = played(tracker, "shadow-of-ceres", games)
    score = tally.scores[0]
    assert tally.faults == ()
    assert score.wins + score.draws == games
    assert score.wins == won if LONG else score.wins >= games - 1


def test_it_plays_a_scenario_with_launches_and_blips_without_a_fault(tracker: str) -> None:
    assert played(tracker, "proving-ground", 2).faults == ()


def test_the_page_shows_the_series_of_which_it_tells() -> None:
    line = f"sunglare arena tracker.py random --games {said()[1]} --seed {SEED}\n"
    assert line in text_of(BOTS)
