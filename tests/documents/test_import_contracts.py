"""The import contracts name whole layers of a match, and each of them breaks where it should.

`make check` holds the code to the contracts; these tests hold the contracts to their purpose.
"""

import os
import shutil
import subprocess
import sys
import tomllib
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

import sunglare_server.match
from mutants.groups import ROOT

MATCH = "sunglare_server.match"
PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
CONTRACTS: dict[str, dict[str, Any]] = {
    contract["name"]: contract for contract in PROJECT["tool"]["importlinter"]["contracts"]
}
LAYERS = "a match is made of layers"
HINDSIGHT = {"sunglare_arena.hindsight", "sunglare_arena.invariants"}
"""Who reads the whole record of a match that is over or a game of bots, and so everything."""


OVER = "only what is over is analysed"
"""The contract of what tells no secret any more, but must not be made before the end."""


def rooms() -> set[str]:
    """Return the modules and folders that lie in `match` itself."""
    [folder] = sunglare_server.match.__path__
    files = {path.stem for path in Path(folder).glob("*.py") if path.stem != "__init__"}
    return files | {path.parent.name for path in Path(folder).glob("*/__init__.py")}


def of_match(listed: list[str]) -> set[str]:
    """Return those of a list that lie in `match`, without its name."""
    return {
        module.removeprefix(f"{MATCH}.") for module in listed if module.startswith(f"{MATCH}.")
    }


def test_every_room_of_a_match_stands_in_exactly_one_layer() -> None:
    assert CONTRACTS[LAYERS]["exhaustive"]
    layered = [room for layer in CONTRACTS[LAYERS]["layers"] for room in layer.split(" | ")]
    assert sorted(layered) == sorted(rooms())


def test_a_contract_names_whole_rooms_of_a_match() -> None:
    for name in sorted(set(CONTRACTS) - {LAYERS}):
        for listed in CONTRACTS[name].values():
            if isinstance(listed, list):
                assert of_match(listed) <= rooms(), name


@pytest.mark.parametrize("family", ["truth", "events", "intel"])
def test_a_family_is_protected_as_a_whole(family: str) -> None:
    protected = [
        of_match(contract.get("protected_modules", [])) for contract in CONTRACTS.values()
    ]
    assert {family} in protected


def test_of_other_packages_only_hindsight_reads_what_is_protected_in_a_match() -> None:
    for name, contract in CONTRACTS.items():
        if name != OVER and of_match(contract.get("protected_modules", [])):
            readers = contract["allowed_importers"]
            assert {
                reader for reader in readers if not reader.startswith(f"{MATCH}.")
            } <= HINDSIGHT


def test_only_who_archives_what_is_over_or_checks_it_analyses_it() -> None:
    readers = set(CONTRACTS[OVER]["allowed_importers"]) - {f"{MATCH}.analysis"}
    assert readers == {"sunglare_server.runtime.archiving", "sunglare_arena.refold"}


def test_no_contract_lets_single_imports_through() -> None:
    assert not [name for name, contract in CONTRACTS.items() if contract.get("ignore_imports")]


VIOLATIONS = {
    "the fog reads an event": ("match/fog/view.py", "match.events.cloak", "CloakSwitched"),
    "a fact holds a truth": ("match/facts/space.py", "match.truth.truth", "ShipTruth"),
    "the journal is asked for from the core": ("match/step.py", "ports.journal", "Journal"),
    "a handler holds a runner": ("api/match_handlers.py", "runtime.runner", "Runner"),
    "a module stands beside the layers": ("match/stray.py", "match.ids", "PieceId"),
}
"""Imports that must not be: where, from which module, and what."""


def test_every_module_that_a_contract_names_exists() -> None:
    named = [
        module
        for contract in CONTRACTS.values()
        for key in (
            "source_modules",
            "forbidden_modules",
            "protected_modules",
            "allowed_importers",
        )
        for module in contract.get(key, [])
    ]
    assert any(module.startswith("sunglare_") for module in named)
    assert [module for module in named if not find_spec(module)] == []


@pytest.mark.parametrize("planted", VIOLATIONS.values(), ids=VIOLATIONS)
def test_what_a_planted_import_names_exists(planted: tuple[str, str, str]) -> None:
    _, module, name = planted
    assert hasattr(import_module(f"sunglare_server.{module}"), name)


if os.environ.get("SUNGLARE_LONG"):

    @pytest.mark.parametrize("planted", VIOLATIONS.values(), ids=VIOLATIONS)
    def test_a_planted_import_breaks_the_contracts(
        planted: tuple[str, str, str], tmp_path: Path
    ) -> None:
        where, module, name = planted
        for folder in ("server", "client", "protocol"):
            shutil.copytree(ROOT / folder, tmp_path / folder)
        shutil.copy(ROOT / "pyproject.toml", tmp_path)
        with (tmp_path / "server" / "sunglare_server" / where).open("a") as file:
            file.write(f"\nfrom sunglare_server.{module} import {name}\n")
        path = os.pathsep.join(
            str(tmp_path / folder) for folder in ("server", "client", "protocol")
        )
        linter = Path(sys.executable).with_name("lint-imports")
        ran = subprocess.run(
            [linter, "--no-cache"],
            cwd=tmp_path,
            env={**os.environ, "PYTHONPATH": path},
            capture_output=True,
            text=True,
            check=False,
        )
        assert ran.returncode == 1, ran.stdout + ran.stderr
        assert " BROKEN" in ran.stdout
