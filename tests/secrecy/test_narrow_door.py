"""Connections and the operator reach no truth: they get the front of a match, not its runner."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from mutants.groups import ROOT

SERVER = ROOT / "server" / "sunglare_server"
OUTER = [path for folder in ("net", "ops") for path in sorted((SERVER / folder).glob("*.py"))]
"""The modules through which things leave the server, or come in."""

HIDDEN = frozenset(
    {"truth", "intel", "seed", "server_seed", "runner", "runners", "runner_of", "feeds"}
)
"""Attributes that lead to what nobody outside may know."""


def hidden_names(source: str) -> Iterator[str]:
    """Yield the attributes that a module names and should not."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Attribute) and node.attr in HIDDEN:
            yield node.attr
        elif isinstance(node, ast.ImportFrom) and node.module == "sunglare_server.host.runner":
            yield node.module


@pytest.mark.parametrize("path", OUTER, ids=lambda path: path.name)
def test_an_outer_module_names_nothing_that_is_hidden(path: Path) -> None:
    assert [*hidden_names(path.read_text(encoding="utf-8"))] == []


@pytest.mark.parametrize(
    "line",
    [
        "runner.state.truth.ships",
        "state.intel['A']",
        "lobby.matches.runners[match]",
        "a.feeds.told",
    ],
)
def test_a_way_to_what_is_hidden_is_found(line: str) -> None:
    assert [*hidden_names(f"def told(): return {line}")]
