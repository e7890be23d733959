"""Measures what tests cost in CPU seconds, and prints and keeps the figures.

Each phase of a test (set-up, call, teardown) carries in its report the CPU seconds that its
process spent in it, and those of the child processes that it waited for. Reports of workers reach
the controller as all others do, so that one table covers the run. What a fixture of a module or
session costs is counted with the test that first asks for it, and its end with the last test.

CPU seconds differ between machines, so that figures are compared in multiples of a yardstick: the
CPU seconds of a fixed loop, taken in the same run.
"""

import json
import os
import statistics
import time
from collections import defaultdict
from collections.abc import Generator, Mapping
from pathlib import Path
from typing import Any, Final, final

import pytest

from costtables import Cost, Run, dearest_lines, run_lines

KEPT: Final = Path(__file__).parents[1] / ".test-times"
"""The folder of the figures, which git ignores."""

RUN: Final = "run.json"
"""All figures of the last run with `--test-times`."""

TESTS: Final = "tests.json"
"""What each test cost when `make test`, or a part of it, last ran it: own, children, wall."""

MANY: Final = 200
"""The dearest tests are printed after a run of more tests than this."""

SELECTION: Final = "not proof"
"""The markers that `make test` selects; what another selection costs is not kept."""

COST: Final = "cost"
"""The property of a report that says what its phases cost: own, children, wall."""

_COLLECTION: Final = "cost_of_collection"


def spent() -> Cost:
    """Return the seconds of this process so far, of the children it waited for, on the wall."""
    used = os.times()
    children = used.children_user + used.children_system
    return Cost(time.process_time(), children, time.monotonic())


LOOPS: Final = 5
"""How often the loop of the yardstick is run; the median counts."""


def yardstick(loops: int) -> float:
    """Return the CPU seconds of a loop over integers and a dictionary, the median of `loops`."""
    return statistics.median(_loop() for _ in range(loops))


def _loop() -> float:
    began = time.process_time()
    counts: dict[int, int] = {}
    check = 0
    for n in range(1_000_000):
        key = (n * 2654435761) & 0xFFFF
        counts[key] = counts.get(key, 0) + n
        check ^= counts[key]
    return time.process_time() - began


def kept_costs(path: Path) -> dict[str, Cost]:
    """Return what tests cost when they were last run, by node id; nothing without a file."""
    if not path.exists():
        return {}
    found: dict[str, list[float]] = json.loads(path.read_text(encoding="utf-8"))
    return {test: Cost(*figures) for test, figures in found.items()}


def keep_costs(path: Path, measured: Mapping[str, Cost]) -> None:
    """Store what tests cost, beside what is known of others; those of absent modules go."""
    root = path.parents[1]
    known = kept_costs(path) | dict(measured)
    modules = {test.partition("::")[0] for test in known}
    there = {module for module in modules if (root / module).exists()}
    _write(path, {test: cost for test, cost in known.items() if test.partition("::")[0] in there})


def _write(path: Path, figures: Mapping[str, Any]) -> None:
    """Write a file whole or not at all, so that another run never reads half of it."""
    path.parent.mkdir(exist_ok=True)
    written = path.with_suffix(f".{os.getpid()}")
    written.write_text(json.dumps(figures, indent=0), encoding="utf-8")
    written.replace(path)


@final
class Costs:
    """A plugin that measures each test, and in the controller prints what the run cost."""

    def __init__(self, config: pytest.Config, loops: int = LOOPS) -> None:
        """Measure a session; take the median of `loops` loops for its yardstick, if it has one."""
        self._config = config
        self._loops = loops
        self._is_controller = not hasattr(config, "workerinput")
        self._is_asked_for: bool = config.getoption("test_times")
        self._mark = Cost()
        self._tests: dict[str, Cost] = defaultdict(Cost)
        self._collections: list[float] = []
        self._began = time.monotonic()
        self._yardstick = 0.0
        self._aside = Cost()

    def pytest_sessionstart(self) -> None:
        """Take the yardstick before any worker is started, in a run that prints the tables."""
        if self._is_asked_for and self._is_controller:
            before = spent()
            self._yardstick = yardstick(self._loops)
            self._aside = spent().since(before)
            self._began = time.monotonic()

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_protocol(self) -> Generator[None, object, object]:
        """Begin to measure a test before anything is set up for it."""
        self._mark = spent()
        return (yield)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(
        self,
    ) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        """Note in the report of a phase what was spent since the phase before it."""
        report = yield
        now = spent()
        cost, self._mark = now.since(self._mark), now
        report.user_properties.append((COST, [round(seconds, 4) for seconds in cost]))
        return report

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Add up the phases of a test, in the process that prints the end."""
        for name, figures in report.user_properties:
            if name == COST and isinstance(figures, list):
                self._tests[report.nodeid] = self._tests[report.nodeid].plus(Cost(*figures))

    @pytest.hookimpl(trylast=True)
    def pytest_collection_finish(self) -> None:
        """Note what this process has spent until its tests were collected, its start included."""
        used = spent().since(self._aside).own
        if self._is_controller:
            self._collections.append(used)
        else:
            self._config.workeroutput[_COLLECTION] = used  # type: ignore[attr-defined]

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: object) -> None:
        """Take what a worker says that its collection cost; one that crashed says nothing."""
        output: Mapping[str, float] = getattr(node, "workeroutput", {})
        if _COLLECTION in output:
            self._collections.append(output[_COLLECTION])

    @pytest.hookimpl(trylast=True)
    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Print and keep what the run cost, of processes that have ended and were waited for."""
        run = self._run()
        for line in self._lines(run):
            terminalreporter.write_line(line)
        try:
            self._keep(run)
        except OSError as error:
            terminalreporter.write_line(f"The costs of the tests are not kept: {error}")
        terminalreporter.write_line(
            f"Took {run.wall:.0f} s and {run.total / 60:.1f} minutes of processor time."
        )

    def _run(self) -> Run:
        now = spent().since(self._aside)
        wall = time.monotonic() - self._began
        return Run(self._yardstick, now.cpu, wall, tuple(self._collections), dict(self._tests))

    def _lines(self, run: Run) -> list[str]:
        if self._is_asked_for:
            return run_lines(run)
        return dearest_lines(run.tests, 10) if len(run.tests) > MANY else []

    def _keep(self, run: Run) -> None:
        if self._is_asked_for:
            _write(KEPT / RUN, run._asdict())
        is_long = bool(os.environ.get("SUNGLARE_LONG"))
        if self._config.getoption("markexpr") == SELECTION and run.tests and not is_long:
            keep_costs(KEPT / TESTS, run.tests)
