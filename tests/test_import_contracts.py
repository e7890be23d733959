"""The import contracts leave out no module of a match: each is in one group, lists take groups.

`make check` holds the code to the contracts; these tests hold the contracts to the code.
"""

import tomllib
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

import sunglare_server.match
from mutantgroups import ROOT

MATCH = "sunglare_server.match"
PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
GROUPS: dict[str, list[str]] = PROJECT["tool"]["sunglare"]["match"]
CONTRACTS: dict[str, dict[str, Any]] = {
    each["name"]: each for each in PROJECT["tool"]["importlinter"]["contracts"]
}
HINDSIGHT = {"sunglare_arena.hindsight", "sunglare_arena.invariants"}
"""Who reads the whole record of a match that is over or a game of bots, and so everything."""

SECRET = ("truth", "events", "resolve", "apply", "perceive", "own", "omniscient", "ledger")
LISTS: dict[tuple[str, str], tuple[str, ...]] = {
    ("the truth has few readers", "protected_modules"): ("truth",),
    ("the truth has few readers", "allowed_importers"): (
        "truth", "resolve", "apply", "perceive", "own", "omniscient", "start", "state",
    ),
    ("events have few readers", "protected_modules"): ("events",),
    ("events have few readers", "allowed_importers"): (
        "events", "resolve", "apply", "perceive", "ledger", "state", "flow",
    ),
    ("true names go no further than intel", "protected_modules"): ("names",),
    ("true names go no further than intel", "allowed_importers"): (
        "truth", "names", "events", "resolve", "apply", "perceive", "own", "facts", "intel",
        "omniscient", "start",
    ),
    ("intel has one writer and few readers", "protected_modules"): ("intel",),
    ("intel has one writer and few readers", "allowed_importers"): (
        "perceive", "own", "intel", "fog", "start", "state",
    ),
    ("truth, intel and views are separate families", "source_modules"): (
        "facts", "intel", "fog",
    ),
    ("truth, intel and views are separate families", "forbidden_modules"): (
        *SECRET, "start", "state", "flow", "course",
    ),
    ("what is neutral knows nothing of a match", "source_modules"): ("neutral",),
    ("what is neutral knows nothing of a match", "forbidden_modules"): tuple(
        group for group in GROUPS if group != "neutral"
    ),
    ("views have few makers", "allowed_importers"): ("fog", "omniscient"),
}  # fmt: skip
"""By contract and list the groups of which it is made."""


def modules() -> set[str]:
    """Return the modules and folders of `match`."""
    [folder] = sunglare_server.match.__path__
    files = {path.stem for path in Path(folder).glob("*.py") if path.stem != "__init__"}
    return files | {path.parent.name for path in Path(folder).glob("*/__init__.py")}


def of_match(listed: list[str]) -> list[str]:
    """Return those of a list that lie in `match`, without its name."""
    return [each.removeprefix(f"{MATCH}.") for each in listed if each.startswith(f"{MATCH}.")]


def test_every_module_of_a_match_stands_in_exactly_one_group() -> None:
    grouped = Counter(module for group in GROUPS.values() for module in group)
    assert sorted(grouped) == sorted(modules())
    assert set(grouped.values()) == {1}


@pytest.mark.parametrize(("contract", "key"), LISTS, ids=str)
def test_a_contract_lists_whole_groups(contract: str, key: str) -> None:
    wanted = [module for group in LISTS[contract, key] for module in GROUPS[group]]
    assert sorted(of_match(CONTRACTS[contract][key])) == sorted(wanted)


def test_every_list_that_names_modules_of_a_match_is_made_of_groups() -> None:
    named = {
        (name, key)
        for name, contract in CONTRACTS.items()
        for key, listed in contract.items()
        if isinstance(listed, list) and of_match(listed)
    }
    assert named == set(LISTS)


def test_beside_the_groups_only_hindsight_reads_what_is_protected() -> None:
    for contract, key in LISTS:
        if key == "allowed_importers" and contract != "views have few makers":
            others = {
                each for each in CONTRACTS[contract][key] if not each.startswith(f"{MATCH}.")
            }
            assert others <= HINDSIGHT


def test_no_contract_lets_single_imports_through() -> None:
    assert not [name for name, each in CONTRACTS.items() if each.get("ignore_imports")]
