"""Mutation: the ledger's table and a sample of the secrecy core, each fault noticed by a test."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from ledgerrigs import by_hand, off_the_ledger
from mutantgroups import ROOT, sources
from mutantlists import equivalents, faults
from mutantmakers import mutants_of
from mutants import names
from sunglare_server.match.ledger import ROWS
from tablemutants import of_rows

LONG = bool(os.environ.get("SUNGLARE_LONG"))
SAMPLE = 50
SHORTEST_REASON = 15


def test_every_mutant_of_the_ledgers_table_is_noticed() -> None:
    used = by_hand()
    mutants = list(of_rows(ROWS))
    assert len(mutants) > 3 * len(ROWS)
    assert [name for name, rows in mutants if not off_the_ledger(rows, used)] == []


if LONG:

    @pytest.mark.timeout(300)
    def test_a_sample_of_the_core_s_mutants_is_killed_but_for_those_listed() -> None:
        program = str(ROOT / "tests" / "mutants.py")
        command = [sys.executable, program, "--jobs=1", f"--sample={SAMPLE}"]
        ran = subprocess.run(
            command, cwd=ROOT, capture_output=True, text=True, timeout=290, check=False
        )
        assert ran.returncode == 0, ran.stdout + ran.stderr


def test_every_mutant_that_is_listed_is_one() -> None:
    there = set(names(sources()))
    assert len(there) > SAMPLE
    assert [name for name in equivalents() if name not in there] == []


def test_no_mutant_is_listed_without_a_reason() -> None:
    assert all(len(reason) >= SHORTEST_REASON for reason in equivalents().values())


MADE = {
    "return a < b": "a < b => a <= b",
    "return a and b": "a and b => a or b",
    "return not a": "not a => a",
    "return a + 1": "1 => 2",
    "return -a": "-a => a",
    "return f(a, b)": "f(.. a, b ..) => swapped",
    "return f(a, c=b)": "c= => dropped",
    "return [a, b]": "element a => dropped",
    "return [c for c in a if c]": "if c => dropped",
    "return b if a else 0": "a => True",
    "f(a)": "f(a) => pass",
    "a += b": "a += b => pass",
}


@pytest.mark.parametrize(("line", "expected"), MADE.items(), ids=MADE)
def test_a_small_fault_is_put_into_a_line(tmp_path: Path, line: str, expected: str) -> None:
    path = tmp_path / "module.py"
    path.write_text(f"def fault(a, b):\n    {line}\n")
    assert f"module fault: {expected}" in [each.name for each in mutants_of(path, "module")]


def test_a_mutant_does_what_its_name_says(tmp_path: Path) -> None:
    path = tmp_path / "module.py"
    path.write_text("def less(a, b):\n    return a < b\n")
    (mutant,) = mutants_of(path, "module")
    assert mutant.code is not None
    scope: dict[str, object] = {}
    exec(mutant.code, scope)  # noqa: S102 - the fault is made to be run
    less = scope["less"]
    assert callable(less)
    assert less(1, 1)
    assert not less(2, 1)


def test_names_stay_when_lines_move(tmp_path: Path) -> None:
    path = tmp_path / "module.py"
    path.write_text("def less(a, b):\n    return a < b\n")
    before = [each.name for each in mutants_of(path, "module")]
    path.write_text("# a comment\n\n\ndef less(a, b):\n    return a < b\n")
    assert [each.name for each in mutants_of(path, "module")] == before


KNOWN = {"e": "nothing can tell it apart"}


@pytest.mark.parametrize(
    ("ran", "survivors", "expected"),
    [
        (["a", "e"], ["e"], []),
        (["a"], [], []),
        (["a"], ["a"], ["survived: a"]),
        (["e"], [], ["listed, but killed: e"]),
    ],
    ids=["as listed", "a sample", "not listed", "an equivalent one killed"],
)
def test_a_run_fails_on_what_the_list_does_not_say(
    ran: list[str], survivors: list[str], expected: list[str]
) -> None:
    every = [*"ae", *map(str, range(40))]
    assert faults(ran, survivors, every, KNOWN) == expected


def test_a_run_fails_on_a_listed_mutant_that_is_no_more() -> None:
    assert faults([], [], list(map(str, range(40))), KNOWN) == ["listed, but no mutant: e"]
