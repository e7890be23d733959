"""Mutation: the ledger's table, and a sample of core and shell: a test notices each fault."""

import asyncio
import os
import signal
import subprocess
import sys
import time
import tomllib
from pathlib import Path
from types import ModuleType

import pytest

from builders.ledger import by_hand, off_the_ledger
from mutants import fixed
from mutants.groups import GROUPS, ROOT, TESTS, sources
from mutants.listed import LIST, equivalents, faults
from mutants.makers import mutants_of
from mutants.reachmarks import marked
from mutants.run import names
from mutants.sessions import cleared, forked, put_in
from mutants.table import of_rows
from mutants.whole import Outcome
from secrecy.plantedleaks import LEAKS
from sunglare_server.match.ledger.ledger import ROWS

LONG = bool(os.environ.get("SUNGLARE_LONG"))
SAMPLES = {"core": 25, "shell": 12}
SHORTEST_REASON = 15
LONGEST_S = 1_800
"""The seconds that a sample may take on a machine with much else to do."""


def test_every_mutant_of_the_ledgers_table_is_noticed() -> None:
    used = by_hand()
    mutants = list(of_rows(ROWS))
    assert len(mutants) > 3 * len(ROWS)
    assert [name for name, rows in mutants if not off_the_ledger(rows, used)] == []


if LONG:

    @pytest.mark.timeout(LONGEST_S + 10)
    @pytest.mark.parametrize(("group", "number"), SAMPLES.items(), ids=SAMPLES)
    def test_a_sample_of_the_mutants_is_killed_but_for_those_listed(
        group: str, number: int
    ) -> None:
        program = str(ROOT / "tests" / "mutants/run.py")
        command = [sys.executable, program, "--jobs=1", f"--group={group}", f"--sample={number}"]
        ran = subprocess.run(
            command, cwd=ROOT, capture_output=True, text=True, timeout=LONGEST_S, check=False
        )
        assert ran.returncode == 0, ran.stdout + ran.stderr


def test_every_mutant_that_is_listed_is_one() -> None:
    listed = [(group, name) for group, chosen in fixed.fixed().items() for name in chosen]
    files = {name.split()[0] for name in (*equivalents(), *(name for _, name in listed))}
    there = {
        group: set(names({file: at for file, at in sources(group).items() if file in files}))
        for group in GROUPS
    }
    every = set().union(*there.values())
    assert len(every) > sum(SAMPLES.values())
    assert [name for name in equivalents() if name not in every] == []
    assert [name for group, name in listed if name not in there[group]] == []


def test_no_mutant_is_listed_twice() -> None:
    listed = [entry["name"] for entry in tomllib.loads(LIST.read_text())["equivalent"]]
    assert sorted(listed) == sorted(equivalents())


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
    "a.b = 1": "a.b = 1 => pass",
    "a.b, a[0] = b": "a.b, a[0] = b => pass",
    "del a[b]": "del a[b] => pass",
}


@pytest.mark.parametrize(("line", "expected"), MADE.items(), ids=MADE)
def test_a_small_fault_is_put_into_a_line(tmp_path: Path, line: str, expected: str) -> None:
    path = tmp_path / "module.py"
    path.write_text(f"def fault(a, b):\n    {line}\n")
    assert f"module fault: {expected}" in [mutant.name for mutant in mutants_of(path, "module")]


MADE_OF_COROUTINES = {
    "await f(a)": "await f(a) => pass",
    "return await f(a, b)": "f(.. a, b ..) => swapped",
    "return [c async for c in a if c]": "if c => dropped",
    "async for c in a: f(c)": "f(c) => pass",
    "async with a: await f(1)": "1 => 2",
}


@pytest.mark.parametrize(("line", "expected"), MADE_OF_COROUTINES.items(), ids=MADE_OF_COROUTINES)
def test_a_small_fault_is_put_into_a_line_of_a_coroutine(
    tmp_path: Path, line: str, expected: str
) -> None:
    path = tmp_path / "module.py"
    path.write_text(f"class Maker:\n    async def fault(self, a, b):\n        {line}\n")
    assert f"module Maker.fault: {expected}" in [
        mutant.name for mutant in mutants_of(path, "module")
    ]


IN_A_CLASS = """import contextlib
class Counted(dict):
    def __init__(self, first):
        super().__init__(first)
        self.most = 1

    async def taken(self, key):
        if key in self:
            return self.most
        return 0

    @contextlib.contextmanager
    def lent(self):
        self.most = 7
        yield self.most
"""


@pytest.fixture
def counted(tmp_path: Path) -> tuple[Path, ModuleType]:
    path = tmp_path / "module.py"
    path.write_text(IN_A_CLASS)
    module = ModuleType("module")
    exec(IN_A_CLASS, vars(module))  # noqa: S102 - a module to put faults into
    return path, module


def test_a_mutant_of_a_method_is_put_into_its_class(counted: tuple[Path, ModuleType]) -> None:
    path, module = counted
    found = {mutant.name.partition(": ")[2]: mutant for mutant in mutants_of(path, "module")}
    put_in(found["1 => 2"], module)
    put_in(found["key in self => False"], module)
    made = module.Counted({"a": 5})
    assert (made["a"], made.most) == (5, 2)
    assert asyncio.run(made.taken("a")) == 0


def test_marks_tell_the_statements_that_are_reached(counted: tuple[Path, ModuleType]) -> None:
    path, module = counted
    lines = marked(path, module)
    made = module.Counted({"a": 5})
    assert lines == {4, 5}
    lines.clear()
    assert asyncio.run(made.taken("b")) == 0
    assert lines == {8, 10}


def test_what_a_decorator_wraps_is_marked_and_changed(counted: tuple[Path, ModuleType]) -> None:
    path, module = counted
    found = {mutant.name.partition(": ")[2]: mutant for mutant in mutants_of(path, "module")}
    put_in(found["7 => 8"], module)
    with module.Counted({}).lent() as most:
        assert most == 8
    lines = marked(path, module)
    with module.Counted({}).lent() as most:
        assert most == 7
    assert lines == {4, 5, 14, 15}


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


def test_a_mutant_ends_with_the_run_that_is_killed() -> None:
    held, holds = os.pipe()

    def endless() -> int:
        os.write(holds, os.getpid().to_bytes(4, "big"))
        time.sleep(600)
        return 0

    run = os.fork()
    if not run:
        try:
            forked(endless)
            time.sleep(600)
        finally:
            os._exit(0)
    os.close(holds)
    mutant = int.from_bytes(os.read(held, 4), "big")
    try:
        os.kill(run, signal.SIGKILL)
        os.waitpid(run, 0)
        # The mutant holds the other end, too: what is read ends with it.
        assert os.read(held, 1) == b""
    finally:
        cleared(mutant)
        os.close(held)


def test_names_stay_when_lines_move(tmp_path: Path) -> None:
    path = tmp_path / "module.py"
    path.write_text("def less(a, b):\n    return a < b\n")
    before = [mutant.name for mutant in mutants_of(path, "module")]
    path.write_text("# a comment\n\n\ndef less(a, b):\n    return a < b\n")
    assert [mutant.name for mutant in mutants_of(path, "module")] == before


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


# The fixed list, and what is printed of it.

EVERY = [f"file.py part: {number} => {number + 1}" for number in range(100)]


def test_the_list_has_its_mutants_of_each_group_and_none_that_is_equivalent() -> None:
    chosen, known = fixed.fixed(), equivalents()
    assert {group: len(set(listed)) for group, listed in chosen.items()} == dict.fromkeys(
        GROUPS, fixed.EACH
    )
    assert [name for listed in chosen.values() for name in listed if name in known] == []


def test_a_list_is_drawn_the_same_each_time_and_in_the_order_of_the_code() -> None:
    drawn = fixed.renewed("core", [], EVERY, ())
    assert drawn == fixed.renewed("core", [], EVERY, ())
    assert drawn == sorted(drawn, key=EVERY.index)
    assert len(drawn) == fixed.EACH
    assert drawn != fixed.renewed("shell", [], EVERY, ())


def test_a_list_keeps_its_mutants_and_is_filled_up_where_some_are_no_more() -> None:
    before = fixed.renewed("core", [], EVERY, ())
    lost, equivalent, *kept = before
    left = [name for name in EVERY if name != lost]
    after = fixed.renewed("core", before, left, {equivalent})
    assert set(kept) < set(after)
    assert not {lost, equivalent} & set(after)
    assert len(after) == fixed.EACH


def test_a_list_is_read_as_it_was_written() -> None:
    listed = {"core": ['a.py f: "x" => "y"', "a.py g: not a => a"], "shell": ["b.py h: 1 => 2"]}
    assert tomllib.loads(fixed.written(listed)) == listed


def test_all_that_is_left_out_of_the_selection_is_there() -> None:
    assert [pattern for pattern in fixed.LEFT_OUT if not list(TESTS.glob(pattern))] == []


def test_every_leak_that_is_planted_is_tried_once() -> None:
    tried = [(group, name) for group, name, _ in fixed.leaks()]
    assert len(set(tried)) == len(tried)
    assert {name for group, name in tried if group == "planted"} == set(LEAKS)
    assert {group for group, _ in tried} == {"planted", *fixed.OTHER_LEAKS}


@pytest.mark.parametrize(
    ("nodeid", "expected"),
    [
        ("tests/a/test_b.py::test_a_planted_fault_is_heard[x]", True),
        ("tests/a/test_b.py::test_a_fault_that_is_planted_is_found", True),
        ("tests/a/test_planted.py::test_the_table_is_whole", False),
        ("tests/a/test_b.py::test_where_nothing_is_planted_nothing_is_found", False),
        ("tests/a/test_b.py::test_names[planted]", False),
    ],
    ids=["planted", "that is planted", "the module", "nothing", "a case"],
)
def test_a_test_that_plants_is_known_by_its_name(nodeid: str, *, expected: bool) -> None:
    assert fixed.plants(nodeid) is expected


def test_the_rows_say_what_noticed_a_fault_and_the_summary_how_many_were() -> None:
    outcomes = [Outcome("core", "a", "test.py::t", 3), Outcome("core", "b", "", 7)]
    assert list(map(fixed.told, outcomes)) == [
        "noticed  | core | a | test.py::t",
        "survived | core | b | 7 tests tried",
    ]
    assert fixed.summary(outcomes) == ["core: 1 of 2 noticed"]
