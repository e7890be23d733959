"""The tests nearest to a change: what reaches it by imports, fixtures or names, and what runs."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from costtables import Cost
from importgraph import distances, facts_of, read_project
from quick import (
    BUDGET_S,
    COLLECTION_S,
    FEWEST,
    UsageError,
    choice,
    costs_by_module,
    files_that_differ,
    named_files,
    report,
)

ROOT = Path(__file__).parents[2]

FEED = "server/sunglare_server/feed.py"

TREE = {
    FEED: "",
    "server/sunglare_server/__init__.py": "",
    "server/sunglare_server/runner.py": "from sunglare_server import feed\n",
    "server/sunglare_server/__main__.py": "import sunglare_server.runner\n",
    "tests/builders/servers.py": 'COMMAND = ["-m", "sunglare_server.__main__"]\n',
    "tests/host/test_feed.py": "from sunglare_server.feed import Feed\n",
    "tests/host/test_runner.py": "def test_run():\n    from sunglare_server.runner import run\n",
    "tests/net/conftest.py": "from builders.servers import running\n",
    "tests/net/test_socket.py": "async def test_it_answers(running): ...\n",
    "tests/net/test_address.py": "def test_it_is_read(text): ...\n",
    "tests/rules/test_dice.py": 'SCENARIOS = ["orlog", "redondo"]\n',
    "tests/rules/test_board.py": 'PAGE = "show.js"\n',
}
"""A small project, by path."""


def project_in(folder: Path) -> Path:
    """Write the small project into a folder and return it."""
    for name, code in TREE.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(code, encoding="utf-8")
    return folder


REACHED: dict[str, dict[str, int]] = {
    FEED: {"host/test_feed": 1, "host/test_runner": 2, "net/test_socket": 5},
    "tests/builders/servers.py": {"net/test_socket": 2},
    "tests/host/test_feed.py": {"host/test_feed": 0},
    "tests/net/conftest.py": {"net/test_address": 1, "net/test_socket": 1},
    "server/sunglare_server/data/orlog.toml": {"rules/test_dice": 1},
    "client/sunglare_page/show.js": {"rules/test_board": 1},
    "client/sunglare_page/w.js": {},
}
"""What reaches a file, with its distance."""


@pytest.mark.parametrize("changed", REACHED)
def test_a_test_module_reaches_what_it_imports_asks_for_or_names(
    tmp_path: Path, changed: str
) -> None:
    project = read_project(project_in(tmp_path))
    found = distances(project, [changed])
    wanted = {f"tests/{module}.py": distance for module, distance in REACHED[changed].items()}
    assert found == wanted


def test_a_package_that_changes_counts_as_all_its_modules(tmp_path: Path) -> None:
    project = read_project(project_in(tmp_path))
    found = distances(project, ["server/sunglare_server/__init__.py"])
    modules = {"host/test_feed": 1, "host/test_runner": 1, "net/test_socket": 3}
    assert found == {f"tests/{module}.py": distance for module, distance in modules.items()}


def test_what_imported_a_deleted_module_reaches_it(tmp_path: Path) -> None:
    (project_in(tmp_path) / FEED).unlink()
    found = distances(read_project(tmp_path), [FEED])
    assert found["tests/host/test_feed.py"] == 1


def test_a_module_that_has_changed_since_the_last_time_is_read_again(tmp_path: Path) -> None:
    kept = tmp_path / "kept" / "imports.json"
    first = read_project(project_in(tmp_path), kept)
    assert read_project(tmp_path, kept) == first
    (tmp_path / "tests" / "rules" / "test_dice.py").write_text("import sunglare_server.feed\n")
    again = read_project(tmp_path, kept)
    assert again.facts["tests/rules/test_dice.py"].imports == ["sunglare_server.feed"]


def test_a_module_that_is_no_python_is_named(tmp_path: Path) -> None:
    (project_in(tmp_path) / FEED).write_text("def\n")
    with pytest.raises(SyntaxError) as caught:
        read_project(tmp_path)
    assert caught.value.filename == FEED


def test_only_tests_and_fixtures_ask_for_fixtures() -> None:
    facts = facts_of(
        "def test_a(venue): ...\ndef helper(match): ...\n@pytest.fixture\ndef app(clock): ...\n"
    )
    assert facts.asks == ["clock", "venue"]
    assert facts.fixtures == ["app", "test_a"]


NEAR = {
    f"tests/test_{name}.py": distance
    for name, distance in zip("abcdef", (0, 0, 1, 1, 1, 2), strict=True)
}


def test_changed_modules_and_the_nearest_run_whatever_they_cost() -> None:
    costs = dict.fromkeys(NEAR, 2 * BUDGET_S)
    chosen = choice(NEAR, [], costs, BUDGET_S)
    assert chosen.modules == ("tests/test_a.py", "tests/test_b.py", "tests/test_c.py")
    assert len(chosen.modules) == FEWEST
    assert chosen.further == 3


def test_cheap_modules_come_before_dear_ones_that_are_as_near_while_they_fit() -> None:
    costs = {"tests/test_c.py": 4.0, "tests/test_d.py": 3.0, "tests/test_e.py": 9.0}
    costs |= {"tests/test_a.py": 1.0, "tests/test_b.py": 1.0, "tests/test_f.py": 0.5}
    chosen = choice(NEAR, [], costs, 10.0)
    assert [module[-4] for module in chosen.modules] == ["a", "b", "d", "c", "f"]
    assert chosen.seconds == pytest.approx(9.5 + 5 * COLLECTION_S)
    assert chosen.further == 1


def test_a_module_named_after_a_changed_file_comes_before_cheaper_ones() -> None:
    near = {"tests/test_feed.py": 1, "tests/test_a.py": 1}
    chosen = choice(near, [FEED], {"tests/test_feed.py": 5.0, "tests/test_a.py": 1.0}, BUDGET_S)
    assert chosen.modules == ("tests/test_feed.py", "tests/test_a.py")


def test_what_is_known_of_quick_modules_is_no_guess_for_others() -> None:
    near = {f"tests/test_{number}.py": 1 for number in range(300)}
    chosen = choice(near, [], {"tests/test_0.py": 0.01}, BUDGET_S)
    assert len(chosen.modules) < 25


def test_the_cost_of_a_module_is_that_of_its_tests() -> None:
    tests = {"tests/a.py::one": Cost(1.0, 2.0, 9.0), "tests/a.py::two[x::y]": Cost(0.5, 0.0, 9.0)}
    assert costs_by_module(tests) == {"tests/a.py": 3.5}


def test_the_report_says_how_many_more_modules_make_test_runs() -> None:
    near = dict.fromkeys(NEAR, 1)
    assert "all that reach the change" in report(choice(near, [], {}, BUDGET_S))
    short = report(choice(near, [], {}, 0.0))
    assert short.startswith("3 test modules run (about 3 CPU s); 3 further ones")


def test_a_folder_stands_for_its_files_without_what_programs_leave_there(tmp_path: Path) -> None:
    left = project_in(tmp_path) / "tests" / "net" / "__pycache__" / "x.pyc"
    left.parent.mkdir()
    left.touch()
    found = named_files(["tests/net", FEED], tmp_path)
    net = {f"tests/net/{name}.py" for name in ("conftest", "test_address", "test_socket")}
    assert found == {*net, FEED}


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("nope.py", "there is no file nope.py"),
        ("..", "lies outside"),
        ("empty", "no file lies in"),
    ],
)
def test_a_name_that_stands_for_no_file_is_refused(tmp_path: Path, name: str, why: str) -> None:
    (tmp_path / "empty").mkdir()
    with pytest.raises(UsageError, match=why):
        named_files([name], tmp_path)


def test_changed_deleted_and_unknown_files_differ_from_head(tmp_path: Path) -> None:
    def git(*arguments: str) -> None:
        who = ("-c", "user.name=a", "-c", "user.email=a@b.invalid")
        subprocess.run(["git", *who, *arguments], cwd=tmp_path, check=True, capture_output=True)

    project_in(tmp_path)
    git("init", "-q")
    with pytest.raises(UsageError, match="git does not say"):
        files_that_differ(tmp_path)
    git("add", ".")
    git("commit", "-qm", "all")
    with pytest.raises(UsageError, match="nothing differs from HEAD"):
        files_that_differ(tmp_path)
    (tmp_path / FEED).unlink()
    (tmp_path / "tests" / "rules" / "test_dice.py").write_text("import os\n")
    (tmp_path / "new name.py").touch()
    assert files_that_differ(tmp_path) == {FEED, "tests/rules/test_dice.py", "new name.py"}


def test_the_program_ends_with_2_and_a_sentence_for_a_file_that_does_not_exist() -> None:
    command = [sys.executable, str(ROOT / "tests" / "quick.py"), "nope.py"]
    environment = os.environ | {"PYTHONPATH": ""}
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    assert (done.returncode, done.stderr) == (2, "quick: there is no file nope.py.\n")
