"""Matches that are kept are record files like a server's: checked, shown and read as those are."""

import re
from pathlib import Path

import pytest

from sunglare_arena.__main__ import OK, main
from sunglare_arena.verify import verified
from sunglare_client.__main__ import main as client
from sunglare_client.replays.recording import read_recording

FEW = ("--games", "2", "--jobs", "1")


@pytest.fixture(scope="module")
def lost(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the kept matches of a bot that loses all."""
    kept = tmp_path_factory.mktemp("arena") / "lost"
    words = ("random", "scout", *FEW, "--turns", "8", "--keep", str(kept))
    assert main(words) == OK
    return kept


def test_a_match_that_the_first_bot_lost_is_kept_as_a_record_that_fits(lost: Path) -> None:
    files = sorted(lost.iterdir())
    assert files
    for file in files:
        assert re.fullmatch(
            r"0000[01]-shadow-of-ceres-(random-scout|scout-random)\.sgr", file.name
        )
        found = verified(file.read_bytes())
        assert any(line.startswith("orders   legal") for line in found)
        assert any(" wins (" in line for line in found)


def test_a_kept_match_is_a_replay_with_the_names_of_the_bots_and_everybodys_eyes(
    lost: Path,
) -> None:
    for file in lost.iterdir():
        recording = read_recording(file.read_bytes())
        assert recording.fault == ""
        seats = file.stem.removeprefix(file.stem[:6]).removeprefix("shadow-of-ceres-").split("-")
        assert recording.names == {
            side: f"{name} (bot)" for side, name in zip("AB", seats, strict=True)
        }
        assert recording.eyes == ("omni", "A", "B", "public")
        assert recording.over is not None


def test_the_terminal_shows_a_kept_match(lost: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = min(lost.iterdir())
    assert client(("replay", str(file), "--plain")) == 0
    assert "scout" in capsys.readouterr().out


def test_matches_that_were_won_without_a_fault_are_not_kept(tmp_path: Path) -> None:
    words = ("scout", "random", *FEW, "--turns", "8", "--keep", str(tmp_path / "lost"))
    assert main(words) == OK
    assert list((tmp_path / "lost").iterdir()) == []


SCRIBE = '''
"""A bot that does nothing but note it."""

from sunglare_client import Bot


class Scribe(Bot):
    def on_start(self, match):
        self.note(f"plays {match.side}")

    def on_window(self, view, advice):
        self.note(f"nothing in {view.stage.window}")
        return []

    def on_end(self, over):
        self.note("lost")
'''


def test_a_kept_match_has_what_each_bot_noted_in_a_layer_of_its_side(tmp_path: Path) -> None:
    (tmp_path / "scribe.py").write_text(SCRIBE)
    scribe, kept = str(tmp_path / "scribe.py"), tmp_path / "kept"
    words = (f"{scribe}:Scribe", "scout", *FEW, "--turns", "8", "--keep", str(kept))
    assert main(words) == OK
    for file in kept.iterdir():
        recording = read_recording(file.read_bytes())
        (side,) = (side for side, name in recording.names.items() if name != "scout (bot)")
        assert list(recording.notes) == [side]
        told = [note for noted in recording.notes[side].values() for note in noted]
        assert [note.seq for note in told] == list(range(1, len(told) + 1))
        assert [told[0].text, told[-1].text] == [f"plays {side}", "lost"]
        assert {note.text for note in told[1:-1]} == {
            f"nothing in {note.window}" for note in told[1:-1]
        }
        assert any(line.startswith(f"notes    {side} ") for line in verified(file.read_bytes()))
    assert list(kept.iterdir())
