"""The rooms of each package: no arrow between them leads back, and each says what it holds."""

import ast
from collections.abc import Iterator
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

from mutants import ROOT

PACKAGES = {
    "sunglare_protocol": "protocol",
    "sunglare_rules": "protocol",
    "sunglare_rules.advice": "protocol",
    "sunglare_server": "server",
    "sunglare_server.match": "server",
    "sunglare_arena": "server",
    "sunglare_client": "client",
}
"""Packages by the folder of their distribution; the rooms of one are what lies in it itself."""

MODULES = [
    path
    for package in ("server", "client", "protocol")
    for path in sorted((ROOT / package).glob("sunglare_*/**/*.py"))
]


def imports_of(path: Path) -> Iterator[str]:
    """Yield what a module imports, by dotted names."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module:
            yield from (f"{node.module}.{each.name}" for each in node.names)
        elif isinstance(node, ast.Import):
            yield from (each.name for each in node.names)


def graph_of(package: str) -> dict[str, set[str]]:
    """Return by room of a package the rooms from which it imports."""
    home = ROOT / PACKAGES[package] / Path(*package.split("."))
    graph: dict[str, set[str]] = {}
    for path in sorted(home.rglob("*.py")):
        room = path.relative_to(home).with_suffix("").parts[0]
        wanted = [name for name in imports_of(path) if name.startswith(f"{package}.")]
        rooms = {name.removeprefix(f"{package}.").split(".")[0] for name in wanted}
        there = {
            each for each in rooms if (home / each).is_dir() or (home / f"{each}.py").exists()
        }
        graph.setdefault(room, set()).update(there - {room})
    return graph


@pytest.mark.parametrize("package", PACKAGES)
def test_no_arrow_between_the_rooms_of_a_package_leads_back(package: str) -> None:
    graph = graph_of(package)
    assert sum(map(len, graph.values())) > 0
    # Raises CycleError, which names the circle.
    assert set(TopologicalSorter(graph).static_order()) == set(graph)


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_module_says_what_it_holds_and_is_no_part_of_another(path: Path) -> None:
    said = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8")))
    assert said
    first = said.splitlines()[0]
    assert not [each for each in (" part of `", " parts of `", "See `") if each in first]
