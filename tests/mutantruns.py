"""The run of mutants inside one collected test session: each in a forked process of its own."""

import gc
import importlib
import json
import os
import resource
import sys
import time
from collections.abc import Callable, Iterator
from functools import _lru_cache_wrapper, partial
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any, NamedTuple, final

import coverage
import pytest

from mutantmakers import Mutant

CPU_S = 20
"""CPU seconds after which a mutant that ends no more counts as killed."""

MEMORY = 4 << 30
"""Bytes that a mutant may take at most."""

OURS = ("sunglare_protocol", "sunglare_rules", "sunglare_server", "sunglare_client")


@final
class Source(NamedTuple):
    """A module that gets mutants: where it stands, and its name when imported."""

    path: Path
    module: str


@final
class Reached(NamedTuple):
    """What one test reached: lines by file, and its CPU time in seconds."""

    lines: dict[str, list[int]]
    seconds: float


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
        self.items: list[pytest.Item] = []
        self.failed = False

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Run every mutant against the tests that reach its lines."""
        self.items = session.items
        self.failed = not self._recorded(session)
        if self.failed:
            return True
        for cache in caches():
            cache.cache_clear()
        gc.freeze()
        running: dict[int, Mutant] = {}
        for mutant in self.mutants:
            chosen = self._chosen(mutant)
            if not chosen:
                self._ended(mutant, survived=True)
                continue
            while len(running) >= self.jobs:
                self._reap(running)
            module = importlib.import_module(self.files[mutant.file].module)
            running[_forked(partial(_killed, session, module, mutant, chosen))] = mutant
        while running:
            self._reap(running)
        return True

    def _reap(self, running: dict[int, Mutant]) -> None:
        pid, status = os.wait()
        self._ended(running.pop(pid), survived=status == 0)

    def _ended(self, mutant: Mutant, *, survived: bool) -> None:
        if survived:
            self.survivors.append(mutant.name)
        self.tell(f"{'survived' if survived else 'killed'}: {mutant.name}")

    def _chosen(self, mutant: Mutant) -> list[int]:
        """Return the tests that reach the mutant's statement, the quickest first.

        Of a constant they are those that reach its module or name it.
        """
        path = str(self.files[mutant.file].path)
        lines = range(mutant.first, mutant.last + 1)
        chosen = []
        for index, (item, reached) in enumerate(zip(self.items, self.reached, strict=True)):
            at = reached.lines.get(path, ())
            if mutant.first:
                is_concerned = any(line in lines for line in at)
            else:
                is_concerned = bool(at) or mutant.part in vars(getattr(item, "module", self))
            if is_concerned:
                chosen.append(index)
        return sorted(chosen, key=lambda index: self.reached[index].seconds)

    def _recorded(self, session: pytest.Session) -> bool:
        """Run all tests once without a fault; return whether they passed."""
        end, begin = os.pipe()
        pid = _forked(
            lambda: _record(session, [str(each.path) for each in self.files.values()], begin)
        )
        os.close(begin)
        with os.fdopen(end) as stream:
            told = json.load(stream)
        os.waitpid(pid, 0)
        self.reached = [Reached(lines, seconds) for lines, seconds, _ in told]
        for item, (_, _, failed) in zip(session.items, told, strict=True):
            if failed:
                self.tell(f"fails without any mutant: {item.nodeid}")
        return not any(failed for _, _, failed in told)


def _forked(work: Callable[[], int]) -> int:
    """Return the id of a child process that ends with what `work` returns."""
    sys.stdout.flush()
    pid = os.fork()
    if pid:
        return pid
    code = 2
    try:
        silent = os.open(os.devnull, os.O_RDWR)
        os.dup2(silent, 1)
        os.dup2(silent, 2)
        code = work()
    finally:
        os._exit(code)


def _run_one(session: pytest.Session, index: int, following: pytest.Item | None) -> None:
    item = session.items[index]
    session.config.hook.pytest_runtest_protocol(item=item, nextitem=following)


def _killed(session: pytest.Session, module: ModuleType, mutant: Mutant, chosen: list[int]) -> int:
    """Return 1 if a test fails with the mutant, else 0; a fault in putting it in kills it too."""
    resource.setrlimit(resource.RLIMIT_CPU, (CPU_S, CPU_S))
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    put_in(mutant, module)
    for index, following in zip(chosen, [*chosen[1:], None], strict=True):
        _run_one(session, index, None if following is None else session.items[following])
        if session.testsfailed:
            return 1
    return 0


def _record(session: pytest.Session, files: list[str], out: int) -> int:
    """Run every test, and write what each reached, its seconds and whether it failed."""
    clears = [each.cache_clear for each in caches()]
    seconds, failures = [], []
    measured = coverage.Coverage(data_file=None, include=files, config_file=False)
    measured.start()
    for index in range(len(session.items)):
        for clear in clears:
            clear()
        failed, begun = session.testsfailed, time.process_time()
        measured.switch_context(str(index))
        following = session.items[index + 1] if index + 1 < len(session.items) else None
        _run_one(session, index, following)
        seconds.append(time.process_time() - begun)
        failures.append(session.testsfailed > failed)
    measured.stop()
    reached = _reached(measured.get_data(), len(session.items))
    with os.fdopen(out, "w") as stream:
        json.dump(list(zip(reached, seconds, failures, strict=True)), stream)
    return 0


def _reached(data: coverage.CoverageData, tests: int) -> list[dict[str, list[int]]]:
    """Return the lines that each test reached, by file."""
    reached: list[dict[str, list[int]]] = [{} for _ in range(tests)]
    for file in data.measured_files():
        for line, contexts in data.contexts_by_lineno(file).items():
            for context in contexts:
                if context:
                    reached[int(context)].setdefault(file, []).append(line)
    return reached


def our_modules() -> Iterator[ModuleType]:
    """Yield every module of the project that has been imported."""
    for name, module in tuple(sys.modules.items()):
        if name.split(".")[0] in OURS:
            yield module


def caches() -> list[Any]:
    """Return every function of the project that keeps what it has answered."""
    return [
        each
        for module in our_modules()
        for each in vars(module).values()
        if isinstance(each, _lru_cache_wrapper)
    ]


def put_in(mutant: Mutant, module: ModuleType) -> None:
    """Bring a mutant about in this process: in one function, or in the constants of a module."""
    assert mutant.code is not None
    if mutant.first:
        scope = dict(vars(module))
        exec(mutant.code, scope)  # noqa: S102 - the fault is made to be run
        *above, name = mutant.part.split(".")
        holder = vars(vars(module)[above[0]]) if above else vars(module)
        function(holder[name]).__code__ = scope[name].__code__
    else:
        _renew(module, mutant.code)


def function(each: Any) -> FunctionType:
    """Return the plain function below a cache, a property or a method without a self."""
    if isinstance(each, property):
        each = each.fget
    while not isinstance(each, FunctionType):
        each = each.__wrapped__ if hasattr(each, "__wrapped__") else each.__func__
    return each


def _renew(module: ModuleType, code: CodeType) -> None:
    """Set constants of a module anew, here and where they have been imported."""
    before = dict(vars(module))
    exec(code, vars(module))  # noqa: S102 - the fault is made to be run
    changed = {name for name, each in before.items() if vars(module)[name] is not each}
    for other in tuple(sys.modules.values()):
        names = getattr(other, "__dict__", {})
        for name in changed & names.keys():
            if names[name] is before[name]:
                names[name] = vars(module)[name]
