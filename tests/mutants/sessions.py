"""The run of mutants inside one collected test session: each in a forked process of its own."""

import contextlib
import ctypes
import faulthandler
import gc
import importlib
import json
import os
import resource
import shutil
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from functools import _lru_cache_wrapper, partial
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any, NamedTuple, TypeAlias, final

import pytest

from builders import matchstore
from mutants.makers import Mutant, Source
from mutants.reachmarks import marked, put_in_code

CPU_S = 20
"""CPU seconds after which a mutant that ends no more counts as killed."""

MEMORY = 4 << 30
"""Bytes that a mutant may take at most."""

STALL_S = 5.0
"""Seconds after which a test that waits counts as failed, with `SLOWER` times what it takes."""

SLOWER = 8
"""How many times as long as without a fault a test may take."""

WRITTEN_FOR_MUTANTS = ("test_core_", "test_shell_")
"""How the names of the modules of tests begin that kill what others have let live."""

OURS = ("sunglare_protocol", "sunglare_rules", "sunglare_server", "sunglare_client")

_PARENT_DEATH_SIGNAL = 1  # prctl(2)

Timed: TypeAlias = tuple[pytest.Item, float]
"""A test with the seconds that it may take."""


@final
class Reached(NamedTuple):
    """What one test reached: lines by file, the seconds that it took, and whether it failed."""

    item: pytest.Item
    lines: dict[str, list[int]]
    seconds: float
    failed: bool

    @property
    def timed(self) -> Timed:
        """Return the test with the seconds that it may take with a fault."""
        return self.item, STALL_S + SLOWER * self.seconds


class MutantRunner:
    """A pytest plugin that runs mutants instead of the tests, and keeps which survived."""

    def __init__(
        self,
        files: dict[str, Source],
        mutants: list[Mutant],
        jobs: int,
        tell: Callable[[str], None],
    ) -> None:
        self.files = files
        self.mutants = mutants
        self.jobs = jobs
        self.tell = tell
        self.survivors: list[str] = []
        self.reached: list[Reached] = []
        self.failed = True

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Run every mutant against the tests that reach its lines."""
        self.reached = recorded(session, self.files)
        failed = [test.item.nodeid for test in self.reached if test.failed]
        for nodeid in failed:
            self.tell(f"fails without any mutant: {nodeid}")
        if failed:
            return True
        ready_to_fork()
        running: dict[int, Mutant] = {}
        try:
            for mutant in self.mutants:
                self._begin(session, mutant, running)
            while running:
                self._reap(running)
        finally:
            for pid in running:
                cleared(pid)
        self.failed = False
        return True

    def _begin(self, session: pytest.Session, mutant: Mutant, running: dict[int, Mutant]) -> None:
        chosen = concerned(mutant, self.reached)
        if not chosen:
            self._ended(mutant, survived=True)
            return
        while len(running) >= self.jobs:
            self._reap(running)
        module = importlib.import_module(self.files[mutant.file].module)
        plant = partial(put_in, mutant, module)
        running[forked(partial(killed, session, plant, chosen))] = mutant

    def _reap(self, running: dict[int, Mutant]) -> None:
        pid, status = os.wait()
        cleared(pid)
        self._ended(running.pop(pid), survived=status == 0)

    def _ended(self, mutant: Mutant, *, survived: bool) -> None:
        if survived:
            self.survivors.append(mutant.name)
        self.tell(f"{'survived' if survived else 'killed'}: {mutant.name}")


def concerned(mutant: Mutant, tests: list[Reached]) -> list[Timed]:
    """Return the tests that reach the mutant's statement, the quickest first.

    Of a constant they are those that reach its module or name it.
    """
    lines = range(mutant.first, mutant.last + 1)
    chosen = []
    for test in tests:
        at = test.lines.get(mutant.file, ())
        if mutant.first:
            is_concerned = any(line in lines for line in at)
        else:
            module = getattr(test.item, "module", None)
            is_concerned = bool(at) or mutant.part in getattr(module, "__dict__", {})
        if is_concerned:
            chosen.append(test.timed)
    return likely_first(chosen)


def recorded(session: pytest.Session, files: dict[str, Source]) -> list[Reached]:
    """Run all tests once without a fault, in a process of its own; return what each reached.

    From then on this process stores no match: it is to hold changed products.
    """
    matchstore.switch_off()
    end, begin = os.pipe()
    pid = forked(lambda: _record(session, files, begin))
    os.close(begin)
    with os.fdopen(end) as stream:
        told = json.load(stream)
    os.waitpid(pid, 0)
    cleared(pid)
    return [Reached(item, *of) for item, of in zip(session.items, told, strict=True)]


def ready_to_fork() -> None:
    """Forget what the project has kept, and leave all objects as they are for the processes."""
    for cache in caches():
        cache.cache_clear()
    gc.freeze()


def likely_first(tests: list[Timed]) -> list[Timed]:
    """Return the tests in the order in which a mutant is tried against them.

    Those written against mutants come first, then of each other one the quickest variant; what
    differs from a test before it in its values alone comes last.
    """
    seen: Counter[str] = Counter()
    ranked = []
    for item, limit_s in sorted(tests, key=lambda timed: timed[1]):
        name = item.nodeid.partition("[")[0]
        seen[name] += 1
        is_written_for = item.path.stem.startswith(WRITTEN_FOR_MUTANTS)
        ranked.append((0 if is_written_for else seen[name], (item, limit_s)))
    return [timed for _, timed in sorted(ranked, key=lambda pair: pair[0])]


def forked(work: Callable[[], int]) -> int:
    """Return the id of a child process that ends with what `work` returns.

    It leads a group of processes and has a folder for its files; `cleared` ends both. It ends with
    this process, as a mutant may never end by itself.
    """
    sys.stdout.flush()
    pid = os.fork()
    if pid:
        return pid
    code = 2
    try:
        os.setpgid(0, 0)
        ctypes.CDLL(None).prctl(_PARENT_DEATH_SIGNAL, signal.SIGKILL, 0, 0, 0)
        folder = _folder(os.getpid())
        folder.mkdir()
        tempfile.tempdir = os.environ["PYTEST_DEBUG_TEMPROOT"] = str(folder)
        silent = os.open(os.devnull, os.O_RDWR)
        os.dup2(silent, 1)
        os.dup2(silent, 2)
        code = work()
    finally:
        os._exit(code)


def _folder(pid: int) -> Path:
    return Path(tempfile.gettempdir()) / f"mutant-{pid}"


def cleared(pid: int) -> None:
    """End whatever the child process has started, and drop its files."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(pid, signal.SIGKILL)
    shutil.rmtree(_folder(pid), ignore_errors=True)


def killed(
    session: pytest.Session,
    plant: Callable[[], None],
    tests: list[Timed],
    begins: Callable[[int], None] = lambda _: None,
) -> int:
    """Return 1 if a test fails with what is planted, else 0; a fault in planting it kills it too.

    A test that takes longer than the seconds beside it ends the process as one that fails. Before
    each test `begins` is called with its number.
    """
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    plant()
    following = [item for item, _ in tests[1:]]
    for number, ((item, limit_s), after) in enumerate(zip(tests, [*following, None], strict=True)):
        begins(number)
        spent_s = int(time.process_time())
        resource.setrlimit(resource.RLIMIT_CPU, (spent_s + CPU_S, resource.RLIM_INFINITY))
        faulthandler.dump_traceback_later(limit_s, exit=True)
        session.config.hook.pytest_runtest_protocol(item=item, nextitem=after)
        if session.testsfailed:
            return 1
    return 0


def _record(session: pytest.Session, files: dict[str, Source], out: int) -> int:
    """Run every test, and write what each reached, its seconds and whether it failed."""
    marks = {
        file: marked(at.path, importlib.import_module(at.module)) for file, at in files.items()
    }
    clears = [cache.cache_clear for cache in caches()]
    told = []
    for item, following in zip(session.items, [*session.items[1:], None], strict=True):
        for forget in (*clears, *(lines.clear for lines in marks.values())):
            forget()
        failed, begun = session.testsfailed, time.monotonic()
        session.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
        reached = {file: sorted(lines) for file, lines in marks.items() if lines}
        told.append((reached, time.monotonic() - begun, session.testsfailed > failed))
    with os.fdopen(out, "w") as stream:
        json.dump(told, stream)
    return 0


def our_modules() -> Iterator[ModuleType]:
    """Yield every module of the project that has been imported."""
    for name, module in tuple(sys.modules.items()):
        if name.split(".")[0] in OURS:
            yield module


def caches() -> list[Any]:
    """Return every function of the project that keeps what it has answered."""
    return [
        value
        for module in our_modules()
        for value in vars(module).values()
        if isinstance(value, _lru_cache_wrapper)
    ]


def put_in(mutant: Mutant, module: ModuleType) -> None:
    """Bring a mutant about in this process: in one function, or in the constants of a module."""
    assert mutant.code is not None
    if mutant.first:
        put_in_code(mutant.part, mutant.code, module)
    else:
        _renew(module, mutant.code)


def _renew(module: ModuleType, code: CodeType) -> None:
    """Set constants of a module anew, here and where they have been imported."""
    before = dict(vars(module))
    exec(code, vars(module))  # noqa: S102 - the fault is made to be run
    changed = {name for name, value in before.items() if vars(module)[name] is not value}
    for other in tuple(sys.modules.values()):
        names = getattr(other, "__dict__", {})
        for name in changed & names.keys():
            if names[name] is before[name]:
                names[name] = vars(module)[name]
