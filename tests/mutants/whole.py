"""A run of faults against a whole selection of tests, which says what test notices each.

Unlike `MutantRunner` it leaves out tests that fail without a fault, as some do in one process, and
repeats every failure without the fault: only a test that passes then has noticed it.
"""

import mmap
import os
from collections.abc import Callable, Iterable
from typing import NamedTuple, TypeAlias, final

import pytest

from mutants.makers import Source
from mutants.sessions import Reached, Timed, cleared, forked, killed, ready_to_fork, recorded

PATIENCE_S = 55.0
"""Seconds that each test may take beyond those of `Reached.timed`: the machine may be busy."""

UNPLANTED = "the planting itself"
"""What is said to have noticed a fault that could not be planted."""

_BYTES = 4


@final
class Planting(NamedTuple):
    """A fault: its group and name, what plants it in this process, and the tests in order."""

    group: str
    name: str
    plant: Callable[[], None]
    tests: list[Timed]


@final
class Outcome(NamedTuple):
    """The outcome of a fault: the test that failed, "" if none did, and how many were tried."""

    group: str
    name: str
    test: str
    tried: int


Plantings: TypeAlias = Callable[[list[Reached]], Iterable[Planting]]
"""Makes the faults from the tests that pass without one."""


@final
class WholeRunner:
    """A pytest plugin that plants faults instead of running the tests; it keeps the outcomes."""

    def __init__(
        self, files: dict[str, Source], plantings: Plantings, tell: Callable[[Outcome], None]
    ) -> None:
        self.files = files
        self.plantings = plantings
        self.tell = tell
        self.passed: list[str] = []
        self.failed: list[str] = []

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Run all tests once, then those that each fault concerns, until one fails."""
        tests = [_tried_again(session, test) for test in recorded(session, self.files)]
        self.passed = [test.item.nodeid for test in tests if not test.failed]
        self.failed = [test.item.nodeid for test in tests if test.failed]
        ready_to_fork()
        for planting in self.plantings([test for test in tests if not test.failed]):
            self.tell(_outcome(session, planting))
        return True


def _tried_again(session: pytest.Session, test: Reached) -> Reached:
    """Return a test that has failed as one that passes, if it does so alone."""
    alone = [_patient(test.timed)]
    if test.failed and _first_failing(session, _nothing, alone) is None:
        return test._replace(failed=False)
    return test


def _patient(timed: Timed) -> Timed:
    item, limit_s = timed
    return item, limit_s + PATIENCE_S


def _outcome(session: pytest.Session, planting: Planting) -> Outcome:
    """Return which test notices a fault: it fails with it, and alone without it not."""
    group, name, plant, timed = planting
    tests = [_patient(each) for each in timed]
    begin = 0
    while (failing := _first_failing(session, plant, tests[begin:])) is not None:
        if failing < 0:
            return Outcome(group, name, UNPLANTED, begin)
        end = begin + failing + 1
        if _first_failing(session, _nothing, tests[end - 1 : end]) is None:
            return Outcome(group, name, tests[end - 1][0].nodeid, end)
        begin = end
    return Outcome(group, name, "", len(tests))


def _nothing() -> None:
    """Plant nothing."""


def _first_failing(
    session: pytest.Session, plant: Callable[[], None], tests: list[Timed]
) -> int | None:
    """Return the number of the first test that fails, in a process of its own.

    It is None if all pass, and -1 if the fault can't be planted.
    """
    if not tests:
        return None
    with mmap.mmap(-1, _BYTES) as shared:

        def begins(number: int) -> None:
            shared[:] = number.to_bytes(_BYTES, "little", signed=True)

        begins(-1)
        pid = forked(lambda: killed(session, plant, tests, begins))
        _, status = os.waitpid(pid, 0)
        cleared(pid)
        return int.from_bytes(shared[:], "little", signed=True) if status else None
