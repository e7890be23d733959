"""The golden transcripts: what is told in a match, side by side, stays as it is."""

import pytest

from golden.transcripts import FOLDER, GOLDENS, LINES_MOST, Golden, transcript


@pytest.mark.parametrize("golden", GOLDENS, ids=lambda golden: str(golden.file))
def test_a_match_tells_everybody_what_its_transcript_says(golden: Golden) -> None:
    kept = (FOLDER / golden.file).read_text(encoding="utf-8")
    assert transcript(golden) == kept, "run tests/golden/transcripts.py and read what has changed"
    assert kept.count("\n") <= LINES_MOST


def test_no_side_of_a_transcript_is_told_dice_of_a_search_or_another_side_s_trackers() -> None:
    searches: list[str] = []
    for golden in GOLDENS:
        lines = (FOLDER / golden.file).read_text(encoding="utf-8").splitlines()
        searches += [line for line in lines if " sweeps: " in line or " listens: " in line]
    assert searches
    assert all(line.startswith("omni") for line in searches)


def test_every_transcript_has_a_word_on_what_to_look_for() -> None:
    notes = (FOLDER / "README.md").read_text(encoding="utf-8")
    assert all(f"`{golden.file}`" in notes for golden in GOLDENS)
