"""The index of rules: how it is read, what pytest collects, and what may be wrong with it."""

import subprocess
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import final

import msgspec
import pytest

from documents.addresses import fault_of

ROOT = Path(__file__).parents[2]
INDEX = ROOT / "tests" / "rules_index.toml"
RULES = ROOT / "protocol" / "sunglare_rules"

COLLECTED = pytest.StashKey[tuple[str, ...]]()
"""The tests that were collected for a run, those included that it then leaves out."""

FAMILIES = {
    "arcs/W{}": range(1, 19),
    "blips/A{}": range(1, 2),
    "blips/B{}": range(1, 6),
    "blips/D{}": range(1, 8),
    "blips/E{}": range(1, 5),
    "blips/H{}": range(1, 3),
    "blips/R{}": range(1, 4),
    "blips/S{}": range(1, 4),
    "blips/SR{}": range(1, 3),
    "blips/ST{}": range(1, 3),
    "blips/V{}": range(1, 5),
    "blips/1.1/{}": range(1, 13),
    "capital/K{}": range(1, 13),
    "cloak/decision-{}": range(1, 11),
    "search/decision-{}": range(1, 3),
    "search/cause-{}": range(1, 7),
    "search/row-{}": range(1, 10),
    "sensors/6/rule-{}": range(1, 8),
    "sensors/row-{}": (*range(6), "6a", "6b", *range(7, 13)),
    "sensors/4/scan-{}": range(1, 4),
    "turn/4/row-{}": range(2),
}
"""Numbered rules of which the index must hold every one."""

OF_NO_RULE = {
    "sunglare_rules/fire/shots.py": "the form of what a shot does; every weapon fills it",
    "sunglare_rules/sensors/masks.py": "what sectors and sunlight say, for all squares",
}
"""Modules of the rule book that need no rule in the index, with the reason."""


@final
class Rule(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One rule: a test holds it, or it waits for one, or there is nothing of ours to test."""

    id: str
    rule: str
    code: str | tuple[str, ...] = ()
    test: str | tuple[str, ...] = ()
    cases: int | None = None
    waits: str = ""
    background: str = ""

    @property
    def tests(self) -> tuple[str, ...]:
        """Return the tests that hold the rule."""
        return (self.test,) if isinstance(self.test, str) else self.test

    @property
    def places(self) -> tuple[str, ...]:
        """Return the addresses of the rule in the product, if it names any itself."""
        return (self.code,) if isinstance(self.code, str) else self.code


@final
class Section(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The rules of one section of our rule book."""

    book: str
    title: str
    code: str = ""
    rules: tuple[Rule, ...]

    @property
    def chapter(self) -> str:
        """Return the chapter that the section belongs to."""
        return self.book.split(" §")[0]

    def places_of(self, rule: Rule) -> tuple[str, ...]:
        """Return where one of the rules stands in the product; one without a test may nowhere."""
        if rule.places or not (rule.tests and self.code):
            return rule.places
        return (self.code,)


@final
class Index(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The whole index."""

    section: tuple[Section, ...]

    @property
    def rules(self) -> tuple[Rule, ...]:
        """Return every rule, in the order of the file."""
        return tuple(rule for section in self.section for rule in section.rules)

    @property
    def places(self) -> dict[str, tuple[str, ...]]:
        """Return the addresses of every rule in the product, by its id."""
        return {
            rule.id: section.places_of(rule) for section in self.section for rule in section.rules
        }


def read_index(text: str) -> Index:
    """Return the index that a TOML text holds; raise `msgspec.ValidationError` if it is none."""
    return msgspec.toml.decode(text, type=Index)


@cache
def whole_index() -> Index:
    """Return the index of the project, read once."""
    return read_index(INDEX.read_text(encoding="utf-8"))


def counted(found: Iterable[str]) -> Counter[str]:
    """Return collected tests by name: one with parameters counts under its bare name too."""
    names = list(found)
    return Counter(name.split("[")[0] for name in names) + Counter(
        name for name in names if "[" in name
    )


def collected(index: Index) -> Counter[str]:
    """Return the tests of every module that the index names, as a pytest of its own finds them."""
    return collected_of(test for rule in index.rules for test in rule.tests)


def collected_of(tests: Iterable[str]) -> Counter[str]:
    """Return all tests of the modules in which these are, as a pytest of its own finds them.

    A module that does not exist has no tests.
    """
    named = {test.split("::")[0] for test in tests}
    modules = sorted(name for name in named if (ROOT / name).is_file())
    if not modules:
        return Counter()
    options = ["--collect-only", "-q", "--assert=plain", "-p", "no:randomly", "-p", "no:xdist"]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", *options, "-p", "no:cacheprovider", *modules],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode != 0:
        raise ValueError(done.stdout + done.stderr)
    return counted(line for line in done.stdout.splitlines() if "::" in line)


def faults(index: Index, there: Counter[str]) -> Iterator[str]:
    """Yield a sentence for everything that is wrong with the index."""
    ids = Counter(rule.id for rule in index.rules)
    yield from (f"{name} stands {times} times" for name, times in ids.items() if times > 1)
    for section in index.section:
        for rule in section.rules:
            if rule.id.split("/")[0] != section.chapter:
                yield f"{rule.id} stands in a section of {section.chapter}"
            yield from _faults_of(rule, there)


def astray(index: Index) -> Iterator[str]:
    """Yield a sentence for every rule with a test whose code cannot be found by its addresses."""
    places = index.places
    for rule in index.rules:
        if rule.tests and not places[rule.id]:
            yield f"{rule.id} does not say where its code is"
        problems = map(fault_of, places[rule.id])
        yield from (f"{rule.id}: {problem}" for problem in problems if problem is not None)
    for section in index.section:
        if section.code and all(rule.places or not rule.tests for rule in section.rules):
            yield f"{section.book} has a code that none of its rules needs"


def unnamed(index: Index) -> list[str]:
    """Return the modules of the rule book that no rule names; `advice` states no rules."""
    named = {place.split("::")[0] for places in index.places.values() for place in places}
    modules = (path.relative_to(RULES.parent).as_posix() for path in sorted(RULES.rglob("*.py")))
    return [
        module
        for module in modules
        if module not in named
        and not module.endswith("/__init__.py")
        and not module.startswith("sunglare_rules/advice/")
    ]


def missing(index: Index) -> list[str]:
    """Return the numbered rules that the index leaves out."""
    there = {rule.id for rule in index.rules}
    wanted = [name.format(member) for name, family in FAMILIES.items() for member in family]
    return [name for name in wanted if name not in there and not _in_section(name, there)]


def _in_section(name: str, there: set[str]) -> bool:
    # A family may be named by its chapter alone: search/cause-1 is search/2/cause-1.
    chapter, _, rest = name.partition("/")
    return any(rule.startswith(f"{chapter}/") and rule.endswith(f"/{rest}") for rule in there)


def _faults_of(rule: Rule, there: Counter[str]) -> Iterator[str]:
    ways = [bool(rule.tests), bool(rule.waits), bool(rule.background)]
    if ways.count(True) != 1:
        yield f"{rule.id} must have one of test, waits and background"
    yield from (f"{rule.id}: there is no {test}" for test in rule.tests if not there[test])
    if rule.cases is None:
        return
    if len(rule.tests) != 1 or "[" in rule.tests[0]:
        yield f"{rule.id} has cases, and so must name one whole test"
    elif there[rule.tests[0]] != rule.cases:
        yield f"{rule.id} says {rule.cases} cases, the test has {there[rule.tests[0]]}"


def summary(index: Index) -> str:
    """Return a table of how many rules of each chapter are tested, wait, or are background."""
    lines = [f"{'rules':<10}{'listed':>8}{'tested':>8}{'waiting':>9}{'background':>12}"]
    chapters = dict.fromkeys(section.chapter for section in index.section)
    for chapter in (*chapters, "all"):
        rules = [
            rule
            for section in index.section
            for rule in section.rules
            if chapter in (section.chapter, "all")
        ]
        tested = sum(bool(rule.tests) for rule in rules)
        waiting = sum(bool(rule.waits) for rule in rules)
        rest = len(rules) - tested - waiting
        lines.append(f"{chapter:<10}{len(rules):>8}{tested:>8}{waiting:>9}{rest:>12}")
    return "\n".join(lines)
