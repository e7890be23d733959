"""The demonstration as a newcomer sees it: a real server, two real bots, and no terminal."""

import re
import subprocess
import sys
import time
from pathlib import Path

import pytest

from builders.records import read_record
from sunglare_arena.verify import verified

SEED = "s24"
"""A match in which everything there is to see happens."""

LONGEST_S = 60.0


@pytest.fixture(scope="module")
def shown(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, Path, float]:
    """Return what one demonstration printed, the folder it ran in, and the seconds it took."""
    folder = tmp_path_factory.mktemp("demo")
    command = [sys.executable, "-m", "sunglare_client", "demo", "--seed", SEED]
    began = time.monotonic()
    done = subprocess.run(
        command,
        cwd=folder,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=LONGEST_S,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout, folder, time.monotonic() - began


Shown = tuple[str, Path, float]


def test_the_demonstration_shows_a_line_for_every_window_of_every_turn(shown: Shown) -> None:
    turns = [
        int(turn) for turn in re.findall(r"^-- turn (\d+) of 20: ENGAGE", shown[0], re.MULTILINE)
    ]
    assert turns == list(range(1, len(turns) + 1))
    assert len(turns) > 5
    for turn in turns:
        for phase in ("PLOT", "SCAN, slot of A", "SCAN, slot of B", "DETECT", "ENGAGE"):
            assert f"-- turn {turn} of 20: {phase}" in shown[0]


def test_every_scan_comes_with_its_questions_answers_and_gloss(shown: Shown) -> None:
    lines = shown[0].splitlines()
    scans = [at for at, line in enumerate(lines) if re.match(r"  [AB] scans ", line)]
    assert len(scans) > 20
    for at in scans:
        assert re.search(r"\| glare\? (yes|no) \| from or touching a well\? ", lines[at])
        assert re.search(r"\| blocked: .* \| -> [+-]\d+$", lines[at])
        assert re.search(r"^     gloss: glare .* squares? left$", lines[at + 1])


@pytest.mark.parametrize(
    "seen",
    [
        r"  A: CONTACT B\.S\d at \d+,\d+ [A-H]\d by \w+",
        r"  A: TRACKED B\.S\d at ",
        r"  A: COASTING B\.S\d at ",
        r"  A: LOST B\.S\d at ",
        r"  A\.S\d\.\w+ fires at B\.S\d( through the \w+ arc)?: HITS for \d+ \(dice [\d ]+\)",
        r"  [AB]\.S\d is out: fire",
        r"THE END: A \(scout\) wins; ",
        r"points: A \(scout\) \d+, B \(lurker\) \d+",
    ],
    ids=["gained", "tracked", "missed", "lost", "hits", "destroyed", "result", "points"],
)
def test_contacts_hits_and_the_result_are_shown(shown: Shown, seen: str) -> None:
    assert re.search(seen, shown[0])


def test_the_record_lies_where_the_last_lines_say(shown: Shown) -> None:
    said = re.search(r"Saved the record in (\S+\.sgr)", shown[0])
    assert said is not None
    data = (shown[1] / said[1]).read_bytes()
    assert data == (shown[1] / ".demo" / "match.sgr").read_bytes()
    file = read_record(data)
    assert file.header["format"] == "sunglare-record"
    assert len(file.blobs) == file.header["records"] > 100
    assert f"{len(file.blobs)}: each follows from the last" in verified(data)[1]


def test_it_ends_by_itself_within_a_minute(shown: Shown) -> None:
    assert shown[2] < LONGEST_S
