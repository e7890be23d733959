"""The long form of the two-worlds test: it counts, goes on where it was, and shows leaks again."""

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from two_worlds import leaks
from two_worlds.course import Course
from two_worlds.leakruns import Goals, Leak, Progress, code_hash, loaded, save
from two_worlds.match import Depth, Plan, Tally, plan_of, played
from two_worlds.twistplaces import PLACES
from two_worlds.twists import CATALOGUE

ROOT = Path(__file__).parents[2]
NAMES = [twist.name for twist in CATALOGUE]
PLANTED = "counter"
"""A leak that shows in the first match."""

LONG = bool(os.environ.get("SUNGLARE_LONG"))


def run(folder: Path, *arguments: str) -> list[str]:
    """Return the command of a run that keeps its progress in a folder."""
    return [
        sys.executable,
        str(ROOT / "tests/two_worlds/leaks.py"),
        "--folder",
        str(folder),
        *arguments,
    ]


def small(folder: Path, *arguments: str) -> list[str]:
    """Return the command of a run of a few matches."""
    return run(folder, "--windows", "300", "--each", "0", *arguments)


def kept(folder: Path) -> Progress:
    """Return the progress kept in a folder."""
    [path] = folder.glob("*.json")
    return loaded(path, leaks.SEED)


# What a match comes to, and which is next.


def test_the_same_plan_plays_the_same_match() -> None:
    plan, depth = Plan("four-corners", 1, 5), Depth(windows_most=12)
    first, second = played(plan, depth), played(plan, depth)
    assert first == second
    assert first.pairs > 10
    assert first.windows >= sum(first.covered.values()) > 50


def test_to_ask_more_plays_the_same_match() -> None:
    plan = Plan("duel", 1, 5)
    often, rarely = (Depth(windows_most=12, answers_every=number) for number in (1, 50))
    assert played(plan, often) == played(plan, rarely)


@pytest.mark.parametrize("twists", [(), ("mute",), ("rename", "move_nova")])
def test_the_words_of_a_plan_name_it(twists: tuple[str, ...]) -> None:
    plan = Plan("four-corners", 7, 31, twists)
    assert plan_of(plan.words) == plan


@pytest.mark.parametrize(
    "words", ["", "duel", "nowhere 1/2 all", "duel 1 all", "duel 1/x all", "duel 1/2 nothing"]
)
def test_words_that_name_no_match_are_refused(words: str) -> None:
    with pytest.raises(ValueError, match="is no match"):
        plan_of(words)


def test_a_match_for_some_twists_covers_no_others() -> None:
    tally = played(Plan("four-corners", 1, 5, ("mute", "rename")), Depth(windows_most=12))
    assert set(tally.covered) == {"mute", "rename"}


def test_every_twist_has_a_place_where_it_is_sought() -> None:
    assert list(PLACES) == NAMES
    assert all(set(places) <= set(Course(1).names) for places in PLACES.values())


def test_the_rarest_twist_is_sought_where_it_finds_a_place() -> None:
    course, covered = Course(1), {**dict.fromkeys(NAMES, 9), "move_nova": 1, "mute": 2}
    plans = [course.plan(number, covered, 9) for number in range(100, 108)]
    sought = [plan for plan in plans if plan.twists]
    assert len(sought) == 6
    assert all(plan.twists[0] == "move_nova" for plan in sought)
    assert {plan.scenario for plan in sought} <= set(PLACES["move_nova"])


def test_every_scenario_has_its_turn_first() -> None:
    course = Course(1)
    plans = [course.plan(number, {}, 9) for number in range(len(course.names))]
    assert [plan.scenario for plan in plans] == list(course.names)
    assert not any(plan.twists for plan in plans)


# The counting.


@given(st.permutations(range(9)))
def test_numbers_done_in_any_order_are_kept_as_ranges(numbers: list[int]) -> None:
    progress = Progress(seed=1)
    for count, number in enumerate(numbers, start=1):
        progress.add(number, Tally(pairs=2, windows=5, covered={"mute": 3}))
        assert progress.matches == count
        assert all(a[1] + 1 < b[0] for a, b in zip(progress.done, progress.done[1:], strict=False))
    assert progress.done == [(0, 8)]
    assert (progress.pairs, progress.windows, progress.covered["mute"]) == (18, 45, 27)


def test_the_next_number_is_the_lowest_that_is_not_done_and_not_under_way() -> None:
    progress = Progress(seed=1, done=[(0, 2), (4, 5)])
    assert progress.next_number([]) == 3
    assert progress.next_number([3, 6]) == 7


def test_a_run_is_complete_once_all_windows_and_those_of_every_twist_are_there() -> None:
    goals = Goals(windows=100, per_twist=2)
    covered = dict.fromkeys(NAMES, 2)
    assert Progress(seed=1, windows=100, covered=covered).is_complete(goals)
    assert not Progress(seed=1, windows=99, covered=covered).is_complete(goals)
    assert not Progress(seed=1, windows=100, covered={**covered, "mute": 1}).is_complete(goals)


def test_the_share_counts_no_twist_beyond_its_goal() -> None:
    covered = dict.fromkeys(NAMES, 0) | {NAMES[0]: 10**6}
    progress = Progress(seed=1, windows=10**6, covered=covered)
    assert progress.share(Goals(windows=10, per_twist=100)) == pytest.approx(1 / len(NAMES))


def test_progress_is_read_back_as_it_was_kept(tmp_path: Path) -> None:
    progress = Progress(seed=3, done=[(0, 4)], leaks=[Leak("duel 1/2 all", "text")])
    save(tmp_path / "deep" / "state.json", progress)
    assert loaded(tmp_path / "deep" / "state.json", 3) == progress
    assert loaded(tmp_path / "deep" / "state.json", 4) == Progress(seed=4)


def test_a_damaged_file_begins_the_run_anew(tmp_path: Path) -> None:
    path = tmp_path / "state.json"
    path.write_text('{"seed": 3, "do')
    assert loaded(path, 3) == Progress(seed=3)


def test_another_state_of_the_code_has_another_hash(tmp_path: Path) -> None:
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "a.py").write_text("one")
    first = code_hash(tmp_path)
    (tmp_path / "tests" / "notes.md").write_text("no code")
    assert code_hash(tmp_path) == first
    (tmp_path / "tests" / "a.py").write_text("two")
    assert code_hash(tmp_path) != first


# The program.


def test_a_run_that_is_complete_prints_the_table_and_plays_nothing_more(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / f"{code_hash()}.json"
    save(path, Progress(seed=leaks.SEED, windows=10, covered=dict.fromkeys(NAMES, 3)))
    assert leaks.main(["--folder", str(tmp_path), "--windows", "10", "--each", "3"]) == 0
    printed = capsys.readouterr().out
    assert all(re.search(rf"^ +3  {name}$", printed, re.MULTILINE) for name in NAMES)
    assert "Nothing hidden reached the wire" in printed
    assert kept(tmp_path).matches == 0


@pytest.mark.timeout(240)
@pytest.mark.parametrize("end", [signal.SIGINT, signal.SIGKILL] if LONG else [signal.SIGKILL])
def test_an_interrupted_run_goes_on_where_it_was(tmp_path: Path, end: signal.Signals) -> None:
    endless = run(tmp_path, "--windows", str(10**9), "--processes", "1")
    with subprocess.Popen(endless, stderr=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        until = time.monotonic() + 50
        while not list(tmp_path.glob("*.json")) and time.monotonic() < until:
            time.sleep(0.05)
        process.send_signal(end)
        _, errors = process.communicate(timeout=30)
    before = kept(tmp_path)
    assert before.matches > 0
    if end is signal.SIGINT:
        assert process.returncode == leaks.INTERRUPTED
        assert b"goes on from here" in errors
    again = leaks.Run(next(tmp_path.glob("*.json")), Goals(before.windows + 1, 0), 1, "")
    try:
        again.go()
    finally:
        again.end()
    after = kept(tmp_path)
    assert after.done == [(0, before.matches)]
    assert after.windows > before.windows


@pytest.mark.timeout(240)
def test_a_planted_leak_is_printed_with_the_command_that_shows_it_again(tmp_path: Path) -> None:
    command = small(tmp_path, "--planted", PLANTED, "--processes", "1")
    found = subprocess.run(command, capture_output=True, text=True, timeout=220, cwd=ROOT)
    assert found.returncode == leaks.FOUND
    assert "bank_ms" in found.stdout
    [again] = re.findall(r"^Again: \S+ (.*) --replay '(.*)'$", found.stdout, re.MULTILINE)
    replayed = subprocess.run(
        [sys.executable, *again[0].split(), "--replay", again[1]],
        capture_output=True,
        text=True,
        timeout=60,
        cwd=ROOT,
        env={**os.environ},
    )
    assert replayed.returncode == leaks.FOUND
    assert "bank_ms" in replayed.stdout
    assert [leak.words for leak in kept(tmp_path).leaks] == [again[1]]


def test_the_line_of_progress_says_how_far_the_run_is_and_which_twist_is_rarest() -> None:
    progress = Progress(seed=1, windows=500, covered=dict.fromkeys(NAMES, 50) | {"mute": 20})
    line = leaks.line(progress, Goals(windows=1000, per_twist=100), 120.0)
    assert line.startswith(f"[{'#' * 11}")
    assert "500 windows, least mute 20 of 100, about 2 min left" in line
