"""The command for runs of several workers: seeds that must pass, bugs that must be found."""

import argparse
import contextlib
import sys
from collections import Counter
from collections.abc import Callable, Coroutine, Iterable, Sequence
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any, Final, NamedTuple, final

import pytest
from structlog.testing import capture_logs

from simulation.workers.places import PlaceLoop
from simulation.workers.queueing import QueueRun
from simulation.workers.scenario import Run
from simulation.workers.verdict import verdict
from sunglare_server.match import past

PLANTED: Final[dict[str, ModuleType]] = {
    path.stem: import_module(f"simulation.workers.planted.{path.stem}")
    for path in sorted((Path(__file__).parent / "planted").glob("*.py"))
    if path.stem != "__init__"
}
"""The bugs that can be planted."""

TWICE: Final = 5
"""So many of the first seeds are run twice, to the same records."""

LINES_MOST: Final = 5
"""How many faults of a seed are printed."""


@final
class Result(NamedTuple):
    """What a run came to: what is wrong with it, its records, and what it was there for.

    Of the queue it has who plays where in their place.
    """

    faults: tuple[str, ...]
    records: tuple[bytes, ...] = ()
    reached: Counter[str] = Counter()  # noqa: RUF012 - never changed


def result_of(seed: int) -> Result:
    """Run a match by a seed and return what it came to."""
    return _result(_match, seed)


def queue_of(seed: int) -> Result:
    """Run the queue of quick matches by a seed and return what it came to."""
    return _result(_queue, seed)


async def _match(seed: int) -> Result:
    found = await Run(seed).played()
    evidence = found.evidence
    return Result(tuple(verdict(found)), evidence.plays[0].records, evidence.reached)


async def _queue(seed: int) -> Result:
    outcome = await QueueRun(seed).played()
    matches = tuple(f"{name} {match}".encode() for name, match in outcome.matches.items())
    return Result(outcome.faults, matches, outcome.reached)


def _result(play: Callable[[int], Coroutine[Any, Any, Result]], seed: int) -> Result:
    # A process that begins has folded no past yet.
    past._folded.clear()  # noqa: SLF001
    loop = PlaceLoop()
    loop.set_exception_handler(lambda _, __: None)
    try:
        return loop.run_until_complete(play(seed))
    except Exception as fault:  # noqa: BLE001 - a fault is what is looked for
        return Result((f"{type(fault).__name__}: {fault}",))
    finally:
        with contextlib.suppress(Exception), capture_logs():
            # How tasks end that were cancelled is no part of the run.
            loop.finish()


def failing(
    seeds: Sequence[int], run: Callable[[int], Result] = result_of
) -> dict[int, tuple[str, ...]]:
    """Return the seeds that fail, with what is wrong; the first of them are run twice."""
    faulty = {}
    reached: Counter[str] = Counter()
    for number, seed in enumerate(seeds):
        result = run(seed)
        faults = result.faults
        reached += result.reached
        if number < TWICE and run(seed) != result:
            faults = (*faults, "run again it is another run")
        if faults:
            faulty[seed] = faults
    say("  " + ", ".join(f"{name} {times}" for name, times in sorted(reached.items())))
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
    parser = argparse.ArgumentParser(description="Run matches at several workers, by seed.")
    parser.add_argument("--seeds", type=int, default=100, help="how many seeds")
    parser.add_argument("--first", type=int, default=0, help="the first of them")
    parser.add_argument("--planted", help="only look for these bugs: names, all, or none")
    given = parser.parse_args(arguments)
    seeds = range(given.first, given.first + given.seeds)
    is_good = True
    if given.planted in (None, "none"):
        for run, name in ((result_of, "several workers"), (queue_of, "the queue")):
            failed = failing(seeds, run)
            for seed, faults in failed.items():
                say(f"seed {seed} of {name} fails")
                for fault in faults[:LINES_MOST]:
                    say(f"  {fault[:1000]}")
            say(f"{len(seeds)} seeds of {name}, {len(failed)} failed")
            is_good &= not failed
    names = () if given.planted == "none" else given.planted or "all"
    for name in tuple(PLANTED) if names == "all" else names and names.split(","):
        found = finds(name, seeds)
        is_good &= found is not None
        told = f"found by seed {found[0]}: {found[1][:200]}" if found else "not found"
        say(f"{name}: {told}")
    return 0 if is_good else 1


def say(line: str) -> None:
    """Print a line at once."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
