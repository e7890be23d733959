"""What a run prints of its costs, what it keeps of them, and how a failed test is run again."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from costs import COST, keep_costs, kept_costs
from costtables import Cost, Run, dearest_lines, run_lines, suite_lines, suite_of
from repeating import command_of, venv_of
from reports import PHASES, merged

ROOT = Path(__file__).parents[2]

TESTS = {
    "tests/host/test_feed.py::test_a": Cost(1.0, 0.5, 3.0),
    "tests/host/match/test_b.py::test_b[x/y]": Cost(0.25, 0.0, 3.0),
    "tests/net/test_http.py::test_c": Cost(0.5, 4.0, 3.0),
}


def test_costs_are_added_up_by_folder_of_the_tests_the_dearest_first() -> None:
    assert suite_lines(TESTS)[1:] == [
        "     0.50      4.00      1  net",
        "     1.25      0.50      2  host",
        "     1.75      4.50      3  all suites",
    ]
    assert suite_of("tests/test_top.py::test_d") == "."


def test_the_dearest_tests_stand_first_with_what_they_are_of_the_whole() -> None:
    lines = dearest_lines(TESTS, 2)
    assert "The 2 dearest tests in CPU s, 6.0 of the 6.2 of all tests" in lines[0]
    assert [line.split()[1] for line in lines[1:]] == [
        "tests/net/test_http.py::test_c",
        "tests/host/test_feed.py::test_a",
    ]


def test_a_run_is_printed_in_seconds_and_in_multiples_of_its_yardstick() -> None:
    text = "\n".join(run_lines(Run(0.5, 100.0, 60.0, (8.0, 9.0), TESTS)))
    assert "Yardstick: 0.500 CPU s" in text
    assert "All processes: 100.0 CPU s (200 yardsticks), in 60 s on the wall." in text
    assert "Start and collection of process 2: 9.0 CPU s (18 yardsticks)." in text


def test_costs_are_kept_beside_those_of_other_tests_but_not_of_absent_modules(
    tmp_path: Path,
) -> None:
    kept = tmp_path / "times" / "tests.json"
    assert kept_costs(kept) == {}
    for name in ("a", "b"):
        (tmp_path / f"{name}.py").touch()
        keep_costs(kept, {f"{name}.py::test": Cost(1.0), "b.py::again": Cost(3.0)})
    (tmp_path / "a.py").unlink()
    keep_costs(kept, {"b.py::test": Cost(2.0, 1.0, 4.0)})
    assert kept_costs(kept) == {"b.py::test": Cost(2.0, 1.0, 4.0), "b.py::again": Cost(3.0)}
    assert [path.name for path in kept.parent.iterdir()] == ["tests.json"]


NODE_IDS = [
    "tests/host/test_feed.py::test_a",
    "tests/a.py::test_b[x-[y]]",
    'tests/a.py::test_b[two words, it\'s "said" # {so} (here)]',
    "tests/a.py::test_b[$HOME $(BIN) $$ ${X} `id`]",
    r"tests/a.py::test_b[a\nb \\ \' \" \$]",
    "tests/a.py::test_b[wow! !! 'x' $y]",
    "tests/a.py::test_b[~ * ? | ; & < > % = @ \u00e9]",
]


@pytest.mark.parametrize("test", NODE_IDS)
def test_make_and_the_shell_hand_the_node_id_of_the_command_on_as_it_is(
    test: str, tmp_path: Path
) -> None:
    python = tmp_path / "python"
    python.write_text(f'#!/bin/sh\nprintf "%s\\0" "$@" >{tmp_path}/arguments\n')
    python.chmod(0o755)
    # A stamp that is newer than the lock, so that nothing is installed.
    (tmp_path / ".installed").touch()
    places = f"BIN={tmp_path} STAMP={tmp_path}/.installed"
    command = command_of(test, 7, {}, "").replace("make test", f"make test {places}", 1)
    environment = {name: os.environ[name] for name in os.environ if "MAKE" not in name}
    subprocess.run(["/bin/sh", "-c", command], cwd=ROOT, env=environment, check=True)
    arguments = (tmp_path / "arguments").read_text(encoding="utf-8").split("\0")
    chosen = ["-n", "0", "-m", "", "-p", "randomly", "--randomly-seed=7", test, ""]
    assert arguments[-len(chosen) :] == chosen


def test_the_command_names_the_environment_that_changes_what_a_test_does() -> None:
    environment = {"HYPOTHESIS_PROFILE": "again", "SUNGLARE_HALVES": "1", "HOME": "/h"}
    command = command_of("tests/a.py::test_b", 7, environment, ".venv313")
    assert command == (
        "HYPOTHESIS_PROFILE=again SUNGLARE_HALVES=1 make test VENV=.venv313 "
        "PYTEST_ARGS=\"-n 0 -m '' -p randomly --randomly-seed=7 tests/a.py::test_b\""
    )
    assert "-p no:randomly" in command_of("tests/a.py::test_b", None, {}, ".venv")


def test_only_an_environment_below_the_root_has_a_name(tmp_path: Path) -> None:
    assert venv_of(tmp_path / ".venv313", tmp_path) == ".venv313"
    assert venv_of(Path(sys.prefix), tmp_path) == ""


SMALL = """
import subprocess
import sys
import pytest

def test_own():
    sum(n for n in range(300_000))

def test_children():
    subprocess.run([sys.executable, "-c", "sum(n for n in range(1_000_000))"], check=True)

@pytest.mark.parametrize("name", [f"t{n}" for n in range(12)])
def test_fails(name):
    assert not name
"""


@pytest.fixture
def small_project(tmp_path: Path) -> Path:
    """Give a test a folder with tests of its own that are measured as ours are."""
    tests = tmp_path / "tests"
    tests.mkdir()
    for name in ("costs.py", "costtables.py", "repeating.py", "reports.py"):
        shutil.copy(ROOT / "tests" / name, tests)
    (tests / "conftest.py").write_text(CONFTEST)
    (tests / "test_small.py").write_text(SMALL)
    (tmp_path / "pytest.ini").write_text("[pytest]\npythonpath = tests\n")
    return tmp_path


def printed_by_a_run(folder: Path, *options: str) -> list[str]:
    """Run the small project, of which tests fail, and return the lines that it prints."""
    command = [sys.executable, "-m", "pytest", "-q", "-m", "not proof", *PLUGINS, *options]
    environment = os.environ | PLAIN
    done = subprocess.run(
        command, cwd=folder, capture_output=True, text=True, check=False, env=environment
    )
    assert done.returncode == 1, done.stderr
    return done.stdout.splitlines()


def test_a_run_measures_its_tests_and_says_how_failed_ones_are_run_again(
    small_project: Path,
) -> None:
    seed = ("-p", "pytest_randomly", "--randomly-seed=5")
    lines = printed_by_a_run(small_project, "-n", "0", *seed)
    again = [line for line in lines if "make test PYTEST_ARGS=" in line]
    kept = kept_costs(small_project / ".test-times" / "tests.json")
    own, children = (kept[f"tests/test_small.py::{name}"] for name in NAMES)
    assert len(again) == 10
    assert all("--randomly-seed=5 'tests/test_small.py::test_fails[t" in line for line in again)
    assert "  … and 2 more." in lines
    assert len(kept) == 14
    assert own.own > own.children == 0
    assert min(children.children, children.own) > 0


def test_the_figures_of_a_run_cover_all_its_processes_and_each_collection(
    small_project: Path,
) -> None:
    lines = printed_by_a_run(small_project, "-n", "2", "--test-times")
    run = json.loads((small_project / ".test-times" / "run.json").read_text())
    assert len(run["collections"]) == 2
    assert len(run["tests"]) == 14
    own, children = (Cost(*run["tests"][f"tests/test_small.py::{name}"]) for name in NAMES)
    assert own.own > own.children == 0
    assert min(children.children, children.own) > 0
    assert run["total"] > sum(run["collections"]) + own.cpu + children.cpu
    assert run["yardstick"] > 0
    assert lines.count("CPU s own  children  tests  suite") == 1
    assert [line for line in lines if line.startswith("Took ")]
    assert "  … and 2 more." in lines


def reports(*, last: str = "passed", printed: str = "") -> list[pytest.TestReport]:
    """Return the reports of a test's three phases, of which each cost two seconds."""
    outcomes = zip(PHASES, ("passed", "passed", last), ("", "", printed), strict=True)
    return [
        pytest.TestReport(
            "a.py::b",
            ("a.py", 1, "b"),
            {"b": 1},
            outcome,  # type: ignore[arg-type]
            None,
            when,  # type: ignore[arg-type]
            [("Captured stdout", text)] if text else (),
            user_properties=[("table", "of b"), (COST, [1.5, 0.5, 2.0])],
        )
        for when, outcome, text in outcomes
    ]


def test_of_a_passed_test_a_worker_sends_one_report_with_the_costs_of_all_phases() -> None:
    (sent,) = merged(reports())
    assert (sent.when, sent.outcome) == ("call", "passed")
    assert sent.user_properties == [("table", "of b"), (COST, [4.5, 1.5, 6.0])]


@pytest.mark.parametrize("other", [{"last": "failed"}, {"printed": "late"}], ids=str)
def test_a_test_that_fails_at_its_end_or_prints_there_is_reported_in_full(
    other: dict[str, str],
) -> None:
    assert [report.when for report in merged(reports(**other))] == PHASES


NAMES = ("test_own", "test_children")

PLUGINS = ("-p", "no:cacheprovider", "-p", "xdist")

PLAIN = {
    "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
    "PYTHONPATH": "",
    "SUNGLARE_LONG": "",
    "PYTEST_ADDOPTS": "",
}

CONFTEST = """
from costs import Costs
from repeating import Repeating
from reports import OneReport

def pytest_addoption(parser):
    parser.addoption("--test-times", action="store_true")

def pytest_configure(config):
    config.pluginmanager.register(Costs(config, loops=1))
    config.pluginmanager.register(Repeating(config))
    if hasattr(config, "workerinput"):
        config.pluginmanager.register(OneReport())
"""
