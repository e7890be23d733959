"""Replay is exact: the core of a match never depends on the order in which a set is walked.

Even a sorted set is none: a list or a dictionary of the same keeps the order that it was given.
"""

from pathlib import Path

import pytest

from builders.truths import A, B, C, ship, truth_of
from match.setwalks import Project

ROOT = Path(__file__).parents[2]
CORE = ("server/sunglare_server/match", "protocol/sunglare_rules")
READ = (*CORE, "protocol/sunglare_protocol")
"""The words of the protocol say which attributes are sets."""


def modules(*folders: str) -> dict[str, Path]:
    """Return the modules in these folders by their dotted names."""
    return {
        ".".join(path.relative_to(ROOT).with_suffix("").parts[1:]).removesuffix(".__init__"): path
        for folder in folders
        for path in sorted((ROOT / folder).rglob("*.py"))
    }


def walked(source: str, **others: str) -> list[int]:
    """Return the lines of a module that walk over a set."""
    return list(Project({"here": source, **others}).walks("here"))


def test_the_core_of_a_match_walks_over_no_set() -> None:
    project = Project({name: path.read_text() for name, path in modules(*READ).items()})
    core = modules(*CORE)
    assert len(core) > 100
    found = [f"{path}:{line}" for name, path in core.items() for line in project.walks(name)]
    assert not found


@pytest.mark.parametrize(
    "planted",
    [
        "for x in {1, 2}: pass",
        "[x for x in {y for y in z}]",
        "sorted(set(z))",
        "tuple(frozenset(z))",
        "[*{1, 2}]",
        "f(*{1, 2})",
        "(x,) = {1}",
        "','.join({a, b})",
        "dict.fromkeys({1, 2})",
        "max({1, 2}, key=f)",
        "{1, 2}.pop()",
        "f'{ {1, 2} }'",
        "s = set()\nfor x in s: pass",
        "s = set()\ndef f():\n    return [x for x in s]",
        "a, b = set(), 1\nlist(a)",
        "def f(s: set[int]) -> None:\n    yield from s",
        "def f(s: frozenset[int] | None) -> None:\n    list(s or ())",
        "def f(s: 'set[int]', t: list[int]) -> None:\n    list(s - t)",
        "list(a.keys() & b)",
        "list(a.union(b))",
        "d: dict[int, set[int]] = {}\nlist(d[1])",
        "d: dict[int, set[int]] = {}\nfor s in d.values():\n    for x in s: pass",
        "d: dict[int, set[int]] = {}\n[x for k, s in d.items() for x in s]",
        "d: dict[int, set[int]] = {}\nfor k, s in sorted(d.items()):\n    list(s)",
        "d: dict[int, set[int]] = {}\nsorted(d.setdefault(1, set()))",
        "T = frozenset[int]\nclass C:\n    t: T\ndef f(c: C) -> None:\n    list(c.t)",
        "class C:\n    @property\n    def t(self) -> set[int]: ...\nlist(C().t)",
        "def s() -> set[int]: ...\nlist(s())",
        "def f(z: Iterable[int]) -> None: ...\nf({1, 2})",
        "from there import S\nlist(S)",
        "g = lambda: [x for x in {1, 2}]",
        "class C:\n    def f(self) -> None:\n        list({1, 2})",
        "def f(s):\n    s = set(s)\n    def g():\n        list(s)",
    ],
)
def test_a_walk_over_a_set_is_found(planted: str) -> None:
    assert walked(planted, there="S = frozenset((1, 2))") == [planted.count("\n") + 1]


@pytest.mark.parametrize(
    "allowed",
    [
        "x in {1, 2}",
        "s = set(z)\nlen(s), s <= {1}, s.isdisjoint(z), s.add(1)",
        "{*{1, 2}, 3}",
        "s = {1} | set(z)\n[x for x in z if x in s]",
        "for x in dict.fromkeys(z): pass",
        "d: dict[int, set[int]] = {}\nfor x in d: pass",
        "class C:\n    t: set[int]\nclass D:\n    t: list[int]\nlist(D().t)",
        "def f(z: Container[int]) -> None: ...\nf({1, 2})",
        "def f(x: int) -> bool: ...\nf({1, 2})",
        "def f():\n    s = set()\ndef g(s):\n    list(s)",
        "s = set()\ndef f(z):\n    s = sorted(z)\n    list(s)",
        "def s() -> list[int]: ...\nclass C:\n    def s(self) -> set[int]: ...\nlist(s())",
    ],
)
def test_asking_a_set_for_a_member_is_no_walk(allowed: str) -> None:
    assert walked(allowed) == []


def test_sides_come_in_their_own_order_and_once_however_they_were_gathered() -> None:
    truth = truth_of(ship(A, 1, (5, 5)), ship(B, 1, (9, 9)), ship(C, 1, (3, 9)))
    assert truth.in_order({C}, [B, C, B], {A: True}) == (A, B, C)
    assert truth.in_order([C, A]) == (A, C)
    assert truth.in_order() == ()
