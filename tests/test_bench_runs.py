"""The bench's part that needs no socket runs, on the first turns of a few matches."""

import re
import subprocess
import sys
from pathlib import Path

BENCH = Path(__file__).parent / "bench"
IN_PROCESS = BENCH / "in_process.py"
GROWTH = BENCH / "growth.py"
SLOPE = re.compile(r"  ( ?[\w :]+?) +-?\d+\.\d\d")
HEAD = re.compile(
    r"([\w-]+): \d+ windows/s of step and views \((\d+) matches, (\d+) windows, (\d+) frames\)"
)
PART = re.compile(r"  ( ?[\w :]+?) +\d+ us a window")


def test_the_bench_counts_the_windows_and_frames_of_the_matches_it_plays() -> None:
    command = [sys.executable, str(IN_PROCESS), "--matches", "2", "--windows", "11"]
    shown = subprocess.run(command, capture_output=True, text=True, timeout=50, check=False)
    assert shown.returncode == 0, shown.stderr
    heads = {name: (int(m), int(w), int(f)) for name, m, w, f in HEAD.findall(shown.stdout)}
    assert set(heads) == {"shadow-of-ceres", "four-corners", "redondo"}
    sides = {"shadow-of-ceres": 2, "four-corners": 4, "redondo": 4}
    for name, (matches, windows, frames) in heads.items():
        assert (matches, windows) == (2, 2 * 11)
        # One frame opens the match and one follows each window, for every side.
        assert frames == sides[name] * (windows + matches)
    assert len(PART.findall(shown.stdout)) == 8 * len(heads)


def test_the_bench_tells_what_a_piece_costs_and_how_every_part_grows_with_the_pieces() -> None:
    command = [sys.executable, str(GROWTH), "--windows", "2"]
    shown = subprocess.run(command, capture_output=True, text=True, timeout=100, check=False)
    assert shown.returncode == 0, shown.stderr
    assert "times shadow-of-ceres" in shown.stdout
    assert re.search(r"60: [\d.]+, 120: [\d.]+, 240: [\d.]+", shown.stdout)
    assert len(SLOPE.findall(shown.stdout)) == 8
