"""What a run of the tests cost, and the tables that are printed of it."""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple, final

DEAREST: Final = 300
"""So many tests stand in the long table."""


@final
class Cost(NamedTuple):
    """Seconds of a test or of several: CPU of the processes that run tests, and of their children.

    `wall` is the time on the wall, which says nothing of the cost on a busy machine.
    """

    own: float = 0.0
    children: float = 0.0
    wall: float = 0.0

    @property
    def cpu(self) -> float:
        """Return the CPU seconds of all processes."""
        return self.own + self.children

    def plus(self, other: "Cost") -> "Cost":
        """Return the sum of two costs."""
        return Cost(self.own + other.own, self.children + other.children, self.wall + other.wall)

    def since(self, earlier: "Cost") -> "Cost":
        """Return what was spent between two readings."""
        return self.plus(Cost(-earlier.own, -earlier.children, -earlier.wall))


@final
class Run(NamedTuple):
    """What a run cost in CPU seconds: its yardstick, all processes, each collection, each test."""

    yardstick: float
    total: float
    wall: float
    collections: tuple[float, ...]
    tests: Mapping[str, Cost]


def run_lines(run: Run) -> list[str]:
    """Return the tables of a run: the whole, the suites, and the dearest tests."""
    return [
        "",
        f"Yardstick: {run.yardstick:.3f} CPU s (a fixed loop in Python, the median of five).",
        f"All processes: {_in_both(run.total, run.yardstick)}, in {run.wall:.0f} s on the wall.",
        *_collection_lines(run),
        "",
        *suite_lines(run.tests),
        "",
        *dearest_lines(run.tests, DEAREST),
    ]


def _in_both(seconds: float, yardstick: float) -> str:
    return f"{seconds:.1f} CPU s ({seconds / yardstick:.0f} yardsticks)"


def _collection_lines(run: Run) -> Iterator[str]:
    for number, seconds in enumerate(run.collections, start=1):
        yield f"Start and collection of process {number}: {_in_both(seconds, run.yardstick)}."


def suite_lines(tests: Mapping[str, Cost]) -> list[str]:
    """Return the table of the suites, the dearest first; a suite is a folder of `tests/`."""
    costs: dict[str, Cost] = defaultdict(Cost)
    counts: dict[str, int] = defaultdict(int)
    for test, cost in tests.items():
        suite = suite_of(test)
        costs[suite] = costs[suite].plus(cost)
        counts[suite] += 1
    rows = [
        f"{cost.own:9.2f} {cost.children:9.2f} {counts[suite]:6}  {suite}"
        for suite, cost in sorted(costs.items(), key=lambda row: -row[1].cpu)
    ]
    all_of_them = sum_of(tests)
    last = f"{all_of_them.own:9.2f} {all_of_them.children:9.2f} {len(tests):6}  all suites"
    return ["CPU s own  children  tests  suite", *rows, last]


def suite_of(test: str) -> str:
    """Return the folder of `tests/` in which a test stands, by its node id."""
    folders = test.partition("::")[0].split("/")[:-1]
    return folders[1] if len(folders) > 1 else "."


def sum_of(tests: Mapping[str, Cost]) -> Cost:
    """Return what all tests cost together."""
    total = Cost()
    for cost in tests.values():
        total = total.plus(cost)
    return total


def dearest_lines(tests: Mapping[str, Cost], most: int) -> list[str]:
    """Return a line for each of the dearest tests, at most so many, below a line that says so."""
    dearest = sorted(tests.items(), key=lambda row: (-row[1].cpu, row[0]))[:most]
    total = sum_of(tests).cpu
    part = sum(cost.cpu for _, cost in dearest)
    return [
        f"The {len(dearest)} dearest tests in CPU s, {part:.1f} of the {total:.1f} of all tests:",
        *(f"{cost.cpu:9.2f}  {test}" for test, cost in dearest),
    ]
