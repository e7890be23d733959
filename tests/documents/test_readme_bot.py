"""The bot of the README against the random bot: it wins most games, always the same ones.

Game s is that of `sunglare arena gunner.py:Gunner random --games 1 --seed s`;
for an even s the random bot is named first, and so has side A. SUNGLARE_LONG=1 plays all 200 of
which the README speaks.
"""

import os
import re
from pathlib import Path

import pytest

from documents.doctables import README, ROOT, fenced
from sunglare_arena.series import Series, run, scenario_called

LONG = bool(os.environ.get("SUNGLARE_LONG"))

SHARE = 0.6
"""The share of the games that it wins at least."""

GAMES = 200
"""So many games are counted in the README."""

WON = {range(1, 4): 3, range(4, 11): 6, range(11, 21): 10, range(21, 31): 10, range(31, 41): 10}
"""How many games it wins of those with such seeds; the first few are played by `make test`."""

pytestmark = pytest.mark.timeout(3_600 if LONG else 180)


@pytest.fixture
def gunner(tmp_path: Path) -> str:
    """Return the bot of the README as the arena names it."""
    (code,) = fenced(README, "python")
    file = tmp_path / "gunner.py"
    file.write_text(code, encoding="utf-8")
    return f"{file}:Gunner"


def won(gunner: str, seeds: range) -> int:
    """Return how many of these games the bot wins; none of its orders may be refused."""
    scenario, count = scenario_called("shadow-of-ceres"), 0
    for seed in seeds:
        own = (seed + 1) % 2
        bots = (gunner, "random") if own == 0 else ("random", gunner)
        found = run(Series(scenario=scenario, bots=bots, matches=1, seed=seed))
        assert found.faults == ()
        count += found.scores[own].wins
    return count


@pytest.mark.parametrize("seeds", WON, ids=lambda seeds: f"{seeds.start} to {seeds.stop - 1}")
def test_the_bot_of_the_readme_wins_the_same_games_every_time(gunner: str, seeds: range) -> None:
    assert won(gunner, seeds) == WON[seeds]


def test_it_wins_most_of_them() -> None:
    assert sum(WON.values()) >= SHARE * sum(map(len, WON))


def test_the_readme_says_how_many_it_wins_of_all() -> None:
    text = (ROOT / README).read_text(encoding="utf-8")
    (said,) = re.findall(rf"wins (\d+) of {GAMES} games", text)
    assert int(said) >= SHARE * GAMES


if LONG:

    def test_it_wins_as_many_as_the_readme_says(gunner: str) -> None:
        text = (ROOT / README).read_text(encoding="utf-8")
        assert f"wins {won(gunner, range(1, GAMES + 1))} of {GAMES} games" in text
