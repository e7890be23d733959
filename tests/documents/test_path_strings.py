"""Files, modules and tests that a text of the project names: each is there."""

import re
from collections.abc import Iterator
from typing import Final

import pytest

from builders.sources import text_of
from documents.addresses import ROOT
from documents.pathstrings import READ, faults, files
from halves import ONE_PROCESS
from mutants.groups import GROUPS, TESTS
from sunglare_protocol.refusals import Code
from sunglare_server.base.status_texts import AGAIN_TEXT, FAULT_TEXT

MADE_UP: Final = {
    "tests/arena/test_arena.py": r"[abc]/\w+\.py",
    "tests/client/test_authoring.py": r"elsewhere/owl\.py",
    "tests/documents/test_costs.py": r"tests/.*",
    "tests/documents/test_import_contracts.py": r"match/stray\.py",
    "tests/documents/test_match_store.py": r"(server|client|tests)/.*",
    "tests/documents/test_path_strings.py": r".*",
    "tests/documents/test_quick.py": r".*",
    "tests/documents/test_rules_index.py": r".*[/:_]no(\.py.*)?",
    "tests/documents/test_where.py": r".*::X",
    "tests/mutants/test_mutants.py": r"tests/a/.*",
}
"""What tests of tools make up, in folders of their own, by test module."""

RECORDED: Final = ("tests/corpus/", "tests/data/", "tests/golden/")
"""What is recorded stays as it was."""


def named_and_missing() -> Iterator[tuple[str, int, str]]:
    """Yield what a text names and is not there: its file, its line, and the name."""
    codes = {*(code.value for code in Code), AGAIN_TEXT, FAULT_TEXT}
    for file in files():
        if file.endswith(READ) and not file.startswith(RECORDED):
            for line, name in faults(text_of(ROOT / file)):
                if name not in codes:
                    yield file, line, name


def test_every_file_module_and_test_that_a_text_names_is_there() -> None:
    made_up = set()
    missing = []
    for file, line, name in named_and_missing():
        if re.fullmatch(MADE_UP.get(file, ""), name):
            made_up.add(file)
        else:
            missing.append(f"{file}:{line}: {name}")
    assert missing == []
    assert made_up == MADE_UP.keys()


def test_every_place_and_quick_test_of_the_mutants_is_there() -> None:
    places = [place for group in GROUPS.values() for place in group.places]
    assert [at for at in places if not any((ROOT / at[0]).glob(at[1]))] == []
    modules = [module for group in GROUPS.values() for module in group.modules]
    assert [module for module in modules if not any(TESTS.glob(f"{module}.py"))] == []


def test_every_test_that_is_left_out_in_halves_is_there() -> None:
    defined = {
        test
        for file in files()
        if re.match(r"tests/(.+/)?test_\w+\.py", file)
        for test in re.findall(r"def (test_\w+)\(", text_of(ROOT / file))
    }
    assert ONE_PROCESS.keys() - defined == set()


@pytest.mark.parametrize(
    "text",
    [
        "tests/halves.py",
        "see `turn/scale.py`,",
        "(../tests/halves.py)",
        "sunglare_rules/turn/scale.py::within_mu",
        "tests/mutants/groups.py::Group.tests",
        "sunglare_server/data/ships.toml::cruiser",
        "documents/test_path_strings",
        "server/sunglare_server/match/learn/*.py",
        "tests/data/schema_<version>.sql",
        "sunglare_rules.turn.scale.within_mu",
        "sunglare_rules.turn.scale:within_mu",
        "sunglare_rules.turn",
        "bots/NAME.py",
        "/srv/tests/elsewhere.py",
        "and/or",
    ],
)
def test_what_is_there_or_not_of_the_project_is_no_fault(text: str) -> None:
    assert list(faults(text)) == []


@pytest.mark.parametrize(
    "text",
    [
        "tests/no.py",
        "tests/no",
        "turn/no.py",
        "client/test_no",
        "sunglare_rules/turn/scale.py::no",
        "sunglare_server/data/ships.toml::no",
        "tests/mutants/groups.py::Group.no",
        "server/sunglare_server/no/*.py",
        "tests/data/no_",
        "sunglare_rules.turn.no",
        "sunglare_rules.turn.scale.no",
        "sunglare_rules.turn.scale:no",
    ],
)
def test_what_names_nothing_is_found_with_its_line(text: str) -> None:
    assert list(faults(f"first\n{text}")) == [(2, text)]
