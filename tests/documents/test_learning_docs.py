"""The programs of the page on learning bots run as they stand, and its script stays short."""

import re
import runpy
import warnings
from pathlib import Path

import pytest

from documents.doctables import BOTS, ROOT, fenced
from sunglare_arena.entrants import bot_called, games
from sunglare_arena.playing import play
from sunglare_arena.series import limited, scenario_called

SCRIPT = ROOT / "client" / "samples" / "learning" / "train.py"


def program(words: str, folder: Path) -> Path:
    """Return a file with the one program of the page that has these words in it."""
    [code] = [code for code in fenced(BOTS, "python") if words in code]
    file = folder / "program.py"
    file.write_text(code, encoding="utf-8")
    return file


def test_the_program_with_both_environments_plays_a_match_in_each(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with warnings.catch_warnings():
        # Gymnasium says of spaces that they should be flat, which is a matter of taste.
        warnings.simplefilter("ignore")
        runpy.run_path(str(program("SunglareParallel(", tmp_path)))
    assert re.fullmatch(
        r"all seats: \{'A': \S+, 'B': \S+\}\none seat: \S+ (A|B|nobody)\n",
        capsys.readouterr().out,
    )


def test_the_bot_that_was_taught_beats_the_random_bot(tmp_path: Path) -> None:
    taught, scenario = bot_called(str(program("class Taught", tmp_path))), "shadow-of-ceres"
    drawn = games(scenario_called(scenario).sides, 2, 2, 3, swap=True)
    outcomes = [
        play(limited(scenario_called(scenario), 10), game, (taught, bot_called("random")))
        for game in drawn
    ]
    assert not [fault for outcome in outcomes for fault in outcome.faults]
    assert 0 in [outcome.winner for outcome in outcomes]
    assert 1 not in [outcome.winner for outcome in outcomes]


def test_the_training_script_has_at_most_a_hundred_lines_and_names_what_it_needs() -> None:
    text = SCRIPT.read_text(encoding="utf-8")
    assert len(text.splitlines()) <= 100
    wanted = (SCRIPT.parent / "requirements.txt").read_text(encoding="utf-8")
    for package in ("torch", "sb3_contrib"):
        assert f"import {package}" in text or f"from {package}" in text
        assert package.replace("_", "-") in wanted
