"""Outer modules reach no truth: they get the handle of a match, not its runner."""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Final

import pytest

from mutants.groups import ROOT

SERVER: Final = ROOT / "server" / "sunglare_server"

INNER: Final = ("app.py", "match", "ports", "runtime")
"""What is not scanned: the runner and the rules themselves, and what wires the whole server."""

HIDDEN: Final = frozenset(
    {
        "truth",
        "intel",
        "seed",
        "server_seed",
        "runner",
        "_runner",
        "runners",
        "_runners",
        "_runner_of",
        "feeds",
        "_feeds",
    }
)
"""Attributes that lead to what nobody outside may know."""

RUNNER: Final = "sunglare_server.runtime.runner"
"""The module of what knows everything of a match."""

PLANTS: Final = {
    "accounts": "accounts/presence.py",
    "api": "api/match_handlers.py",
    "archive": "archive/files.py",
    "base": "base/tasks.py",
    "cluster": "cluster/archive/archivist.py",
    "gateway": "gateway/session.py",
    "gateway/remote": "gateway/remote/session.py",
    "housebots": "housebots/housebots.py",
    "lobby": "lobby/lobby.py",
    "matchmaking": "matchmaking/matchmaker.py",
    "moderation": "moderation/policy.py",
    "ops": "ops/control/overview.py",
    "rooms": "rooms/listing.py",
    "sqlite": "sqlite/store.py",
    "transport": "transport/subjects.py",
    "worker": "worker/gateway_sessions.py",
    "gateway_app.py": "gateway_app.py",
}
"""One module of each outer part, in which a leak is planted."""

SUSPECT: Final = re.compile(rf"[^\x00-\x7f]|\b(?:getattr|{'|'.join(sorted(HIDDEN))})\b")
"""What a module has in it that names something hidden; other letters may stand for plain ones."""

LEAKS: Final = (
    "def leaked(runner):\n    return runner.state.truth\n",
    "from sunglare_server.runtime.runner import Runner\n",
)
"""What is planted."""


def outer_modules(server: Path) -> list[Path]:
    """Return the modules through which things leave the server, or come in."""
    return [
        path
        for path in sorted(server.rglob("*.py"))
        if path.relative_to(server).parts[0] not in INNER
    ]


def hidden_names(source: str) -> Iterator[str]:
    """Yield the attributes and the imports that a module names and should not."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Attribute) and node.attr in HIDDEN:
            yield node.attr
        elif isinstance(node, ast.ImportFrom | ast.Import):
            yield from (name for name in _imported(node) if name.startswith(RUNNER))
        elif isinstance(node, ast.Call) and ast.unparse(node.func) == "getattr":
            yield from (name for name in _words(node) if name in HIDDEN)


def _imported(node: ast.ImportFrom | ast.Import) -> Iterator[str]:
    before = f"{node.module}." if isinstance(node, ast.ImportFrom) else ""
    return (before + alias.name for alias in node.names)


def _words(node: ast.Call) -> Iterator[str]:
    return (
        one.value for one in node.args if isinstance(one, ast.Constant) and one.value in HIDDEN
    )


@cache
def names_what_is_hidden(source: str) -> bool:
    """Return whether a module names anything that it should not; each text is parsed once.

    Without any of these words it need not be parsed: a name stands in a text as it is.
    """
    return SUSPECT.search(source) is not None and any(hidden_names(source))


def leaky(server: Path) -> list[str]:
    """Return the outer modules of the sources in `server` that name something hidden."""
    return [
        path.relative_to(server).as_posix()
        for path in outer_modules(server)
        if names_what_is_hidden(path.read_text(encoding="utf-8"))
    ]


def test_no_outer_module_names_anything_that_is_hidden() -> None:
    assert leaky(SERVER) == []


def test_what_is_not_scanned_is_there() -> None:
    assert [name for name in INNER if not (SERVER / name).exists()] == []


def test_a_leak_is_planted_in_every_outer_package() -> None:
    packages = {path.relative_to(SERVER).parts[0] for path in SERVER.glob("*/*.py")}
    assert packages - {*INNER, *PLANTS} == set()


@pytest.mark.parametrize("leak", LEAKS, ids=["attribute", "import"])
def test_leaks_planted_in_an_outer_module_of_every_package_are_found(
    leak: str, tmp_path: Path
) -> None:
    for where in PLANTS.values():
        source = (SERVER / where).read_text(encoding="utf-8")
        (tmp_path / where).parent.mkdir(exist_ok=True, parents=True)
        (tmp_path / where).write_text(source, encoding="utf-8")
    assert leaky(tmp_path) == []
    for where in PLANTS.values():
        with (tmp_path / where).open("a", encoding="utf-8") as file:
            file.write(f"\n\n{leak}")
    assert leaky(tmp_path) == sorted(PLANTS.values(), key=Path)


@pytest.mark.parametrize(
    "line",
    [
        "return runner.state.truth.ships",
        "return state.intel['A']",
        "return lobby.matches._runners[match]",
        "return a.feeds.told",
        "return step(handle._runner)",
        "return getattr(state, 'truth')",
        "import sunglare_server.runtime.runner",
        "from sunglare_server.runtime import runner",
        "from sunglare_server.runtime.runner import Runner",
    ],
)
def test_a_way_to_what_is_hidden_is_found(line: str) -> None:
    assert [*hidden_names(f"def told(): {line}")]
