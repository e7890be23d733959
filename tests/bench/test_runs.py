"""The parts of the bench run, on the first turns of a few matches."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from builders.servers import SOURCES

BENCH = Path(__file__).parent

LONGEST_S = 500
"""The seconds that a part of the bench may take on a machine with much else to do."""

pytestmark = pytest.mark.timeout(LONGEST_S + 60)

SLOPE = re.compile(r"  ( ?[\w :]+?) +-?\d+\.\d\d")
HEAD = re.compile(
    r"([\w-]+): \d+ windows/s of step and views \((\d+) matches, (\d+) windows, (\d+) frames\)"
)
PART = re.compile(r"  ( ?[\w :]+?) +\d+ us a window")


def shown_by(program: str, *arguments: str) -> str:
    """Return what a program of the bench prints."""
    path = os.pathsep.join((SOURCES, str(BENCH.parent)))
    ran = subprocess.run(
        [sys.executable, str(BENCH / program), *arguments],
        capture_output=True,
        text=True,
        timeout=LONGEST_S,
        check=False,
        env={**os.environ, "PYTHONPATH": path},
    )
    assert ran.returncode == 0, ran.stderr
    return ran.stdout


def test_the_bench_counts_the_windows_and_frames_of_the_matches_it_plays() -> None:
    shown = shown_by("in_process.py", "--matches", "2", "--windows", "11")
    heads = {name: (int(m), int(w), int(f)) for name, m, w, f in HEAD.findall(shown)}
    assert set(heads) == {"shadow-of-ceres", "four-corners", "redondo"}
    sides = {"shadow-of-ceres": 2, "four-corners": 4, "redondo": 4}
    for name, (matches, windows, frames) in heads.items():
        assert (matches, windows) == (2, 2 * 11)
        # One frame opens the match and one follows each window, for every side.
        assert frames == sides[name] * (windows + matches)
    assert len(PART.findall(shown)) == 8 * len(heads)
    longest = re.findall(r"the longest step +(\d+) us, in (?:\d+\.\w+|the opening)", shown)
    assert len(longest) == len(heads)
    assert min(map(int, longest)) > 0


def test_the_bench_tells_what_a_piece_costs_and_how_every_part_grows_with_the_pieces() -> None:
    shown = shown_by("growth.py", "--windows", "2")
    assert "times shadow-of-ceres" in shown
    assert re.search(r"\d+: [\d.]+, \d+: [\d.]+, \d+: [\d.]+", shown)
    assert len(SLOPE.findall(shown)) == 8


def test_the_bench_tells_what_padding_slots_and_keyed_dice_cost() -> None:
    shown = shown_by("secrecy_cost.py", "--matches", "1", "--windows", "20")
    sizes = re.findall(r"us and (\d+) bytes a frame", shown)
    bare, padded = map(int, sizes)
    assert bare < padded <= bare + 512
    sealed, slots = map(float, re.findall(r"([\d.]+) frames and \d+ bytes a turn", shown))
    assert sealed < slots
    draws = re.findall(r"(\w+) dice .* \(([\d.]+) draws", shown)
    assert [name for name, _ in draws] == ["plain", "keyed"]
    assert draws[0][1] == draws[1][1] != "0.0"


def test_the_bench_counts_the_releases_on_the_beat_and_those_that_slipped() -> None:
    shown = shown_by("on_beat.py", "--matches", "2", "--windows", "4")
    # An opening frame and the frames after four windows of either match at least.
    releases = re.search(r"2 matches with windows of one beat: (\d+) releases", shown)
    assert releases is not None
    assert int(releases[1]) >= 2 + 2 * 2
    assert re.search(r"slips, which must be 0 +\d+$", shown, re.MULTILINE)


def test_the_bench_tells_when_a_server_listens_again_and_what_loading_a_match_costs() -> None:
    shown = shown_by("restart.py", "--matches", "3", "--turns", "1")
    assert re.match(r"restart with 3 matches of 1 turns: listens after \d+\.\d\d s", shown)
    assert re.search(r"\d+\.\d ms of CPU time with snapshots .* \d+\.\d ms without", shown)


def test_the_bench_tells_what_a_spectator_costs_and_whether_another_match_notices() -> None:
    shown = shown_by("fanout.py", "--viewers", "20", "--windows", "4", "--runs", "1")
    assert re.match(r"20 spectators of one match, a frame of \d+ bytes", shown)
    costs = re.findall(r"  (Sunglare|websockets\.broadcast\(\)) +-?\d+\.\d us", shown)
    assert costs == ["Sunglare", "websockets.broadcast()"]
    assert len(re.findall(r"ms at p50 +\d+\.\d ms at p99  ", shown)) == 2
    # Each of the two frames takes three slices.
    slices = re.search(r"(\d+) slices of sends", shown)
    assert slices is not None
    assert int(slices[1]) >= 2 * 3


def test_the_bench_tells_how_large_a_record_file_is() -> None:
    shown = shown_by("replay_size.py", "--scenario", "shadow-of-ceres")
    assert re.search(r"messages to 5 layers, \d+ bytes as they were sent", shown)
    assert re.search(
        r"record file of \d+ bytes, .*: 1 byte for \d+\.\d$", shown.strip(), re.DOTALL
    )


def test_the_bench_tells_what_is_wanted_beside_what_it_came_to() -> None:
    shown = shown_by("wanted.py", "--windows", "1", "--games", "1", "--factors", "1", "2")
    rows = re.findall(
        r"^  (\S.*?) {2,}(at (?:most|least) .*?) {2,}(-?[\d.]+.*)$", shown, re.MULTILINE
    )
    figures = [figure for figure, _, _ in rows]
    assert len(figures) == len(set(figures)) == 11
    assert all(float(found.split()[0]) >= 0 for figure, _, found in rows if "slope" not in figure)


@pytest.mark.needs_nats
def test_the_bench_tells_how_long_an_append_takes() -> None:
    shown = shown_by("appends_nats.py", "--matches", "5", "--each", "2")
    rows = re.findall(
        r"  (\S.*?) +(?:\d+/s|as .*) +\d+/s  p50 \d+\.\d\d ms  p99 \d+\.\d\d ms", shown
    )
    media = ["SQLite", "NATS, 1 server, 1 copy", "NATS, 3 servers, 3 copies"]
    assert rows == [medium for medium in media for _ in range(3)]


@pytest.mark.needs_nats
def test_the_bench_tells_what_gateways_and_workers_cost_and_how_soon_a_match_is_taken_over() -> (
    None
):
    small = ("--matches", "2", "--windows", "3", "--viewers", "3", "--kills", "2", "--rounds", "1")
    shown = shown_by("cluster.py", *small)
    sites = re.findall(r"^  (\S.*?) {2,}p50 +[\d.]+ ms  p99 +[\d.]+ ms  CPU", shown, re.MULTILINE)
    roads = ["Unix socket", "NATS, 1 copy", "NATS, 3 copies"]
    crowds = [f"{workers} of 4 workers, 1 gateway" for workers in range(1, 5)]
    one = "one process, SQLite"
    assert sites == [one, *(f"gateway and worker, {road}" for road in roads), *crowds]
    assert "9 frames came to 3 spectators" in shown
    assert re.findall(r"lease of (\d+) ms: 2 takeovers", shown) == ["2000", "600"]
