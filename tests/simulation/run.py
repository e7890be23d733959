"""The command behind `make simulate`: seeds that must pass, bugs that must be found.

Each seed, and the search for each bug, is a piece of work of its own for one of several processes.
"""

import argparse
import contextlib
import logging
import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor
from importlib import import_module
from itertools import repeat
from multiprocessing import get_context
from pathlib import Path
from types import ModuleType
from typing import Final, NamedTuple, final

import pytest
from websockets.asyncio.server import ServerConnection

from simulation.diary import Evidence
from simulation.judge import verdict
from simulation.scenario import Run
from simulation.seeds import FOUND
from simulation.simulated import SimLoop, SimWorld, number_of

PLANTED: Final[dict[str, ModuleType]] = {
    path.stem: import_module(f"simulation.planted.{path.stem}")
    for path in sorted((Path(__file__).parent / "planted").glob("*.py"))
    if path.stem != "__init__"
}
"""The bugs that can be planted."""

TWICE: Final = 20
"""So many of the first seeds are run twice, to the same trace."""

REACHED: Final = (
    *("lives", "refusals", "restarts", "parked", "banks charged", "posts to omni"),
    *("played on", "restarts of those played on"),
)
"""What some of two hundred runs must have come to, or they try less than they seem to."""

TOLD_EACH: Final = 1_000
"""After so many seeds a line of progress is printed."""

ENOUGH: Final = 200
"""So many seeds come to everything."""

LINES_MOST: Final = 5
"""How many faults of a seed are printed."""


@final
class Result(NamedTuple):
    """What a run came to: what is wrong with it, and the hash of all that happened."""

    faults: tuple[str, ...]
    trace: str
    evidence: Evidence | None


@final
class Tried(NamedTuple):
    """What of a result goes from one process to another: what is wrong, and what it reached."""

    faults: tuple[str, ...]
    reached: Counter[str]


def result_of(seed: int, *, is_traced: bool = False) -> Result:
    """Run a seed and return what it came to; the hash of all that happened only if asked."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ServerConnection, "__hash__", number_of)
        return _result_of(seed, is_traced=is_traced)


def _result_of(seed: int, *, is_traced: bool) -> Result:
    # It logs a ping that fails after its line is lost; on a stock loop none comes after that.
    logging.getLogger("websockets").addHandler(logging.NullHandler())
    loop = SimLoop(seed)
    faults: tuple[str, ...] = ()
    evidence: Evidence | None = None
    try:
        evidence = loop.run_until_complete(Run(SimWorld(loop), seed).played())
        faults = tuple(verdict(evidence))
    except Exception as fault:  # noqa: BLE001 - a fault is what is looked for
        faults = (f"{type(fault).__name__}: {fault}",)
    trace = loop.trace_hash() if is_traced else ""
    # How tasks end that were cancelled is no part of the run.
    with contextlib.suppress(Exception):
        loop.finish()
    return Result(faults, trace, evidence)


def tried(seed: int, is_twice: bool) -> Tried:
    """Run a seed, or run it twice, which must come to the same."""
    result = result_of(seed, is_traced=is_twice)
    faults = result.faults
    if is_twice and result_of(seed, is_traced=True) != result:
        faults = (*faults, "run again it is another run")
    return Tried(faults, Counter() if result.evidence is None else result.evidence.reached)


def failing(seeds: Sequence[int], pool: Executor) -> dict[int, tuple[str, ...]]:
    """Return the seeds that fail, with what is wrong; the first of them are run twice."""
    faulty = {}
    reached: Counter[str] = Counter()
    twice = [number < TWICE for number in range(len(seeds))]
    for number, (seed, came_to) in enumerate(
        zip(seeds, pool.map(tried, seeds, twice), strict=True)
    ):
        reached += came_to.reached
        if came_to.faults:
            faulty[seed] = came_to.faults
        if (number + 1) % TOLD_EACH == 0:
            _say(f"  {number + 1} of {len(seeds)} seeds, {len(faulty)} failed")
    _say("  " + ", ".join(f"{name} {times}" for name, times in sorted(reached.items())))
    if len(seeds) >= ENOUGH and (missing := [name for name in REACHED if not reached[name]]):
        faulty[-1] = (f"no run came to: {', '.join(missing)}",)
    return faulty


def finds(name: str, seeds: Iterable[int]) -> tuple[int, str] | None:
    """Plant a bug; return the first seed that finds it and what it says, None if none does."""
    with pytest.MonkeyPatch.context() as patch:
        PLANTED[name].plant(patch)
        for seed in seeds:
            faults = result_of(seed).faults
            if faults:
                return seed, faults[0]
    return None


def main(arguments: Sequence[str] | None = None) -> int:
    """Run what the command line says; return 1 if a seed failed or a bug was not found."""
    given = _parser().parse_args(arguments)
    seeds = range(given.first, given.first + given.seeds)
    is_good = True
    with ProcessPoolExecutor(mp_context=get_context("spawn")) as pool:
        if given.planted in (None, "none"):
            is_good = _clean(seeds, pool)
        names = _named(given.planted)
        for name, found in zip(names, pool.map(finds, names, repeat(seeds)), strict=True):
            is_good &= _is_found(name, found, len(seeds))
    return 0 if is_good else 1


def _named(planted: str | None) -> Sequence[str]:
    if planted == "none":
        return ()
    return tuple(PLANTED) if planted in (None, "all") else planted.split(",")


def _clean(seeds: range, pool: Executor) -> bool:
    every = tuple(dict.fromkeys((*seeds, *FOUND)))
    failed = failing(every, pool)
    for seed, faults in failed.items():
        _say(f"seed {seed} fails: make simulate FIRST={seed} SEEDS=1")
        for fault in faults[:LINES_MOST]:
            _say(f"  {fault[:1000]}")
    _say(f"{len(every)} seeds, {min(len(every), TWICE)} of them run twice, {len(failed)} failed")
    return not failed


def _is_found(name: str, found: tuple[int, str] | None, seeds: int) -> bool:
    if found is None:
        _say(f"{name}: not found in {seeds} seeds")
        return False
    _say(f"{name}: found by seed {found[0]}: {found[1][:200]}")
    return True


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description="Run matches with faults, by seed.")
    parser.add_argument("--seeds", type=int, default=200, help="how many seeds")
    parser.add_argument("--first", type=int, default=0, help="the first of them")
    parser.add_argument("--planted", help="only look for these bugs: names, all, or none")
    return parser


if __name__ == "__main__":
    sys.exit(main())
