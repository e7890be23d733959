"""Mutation of the secrecy core and of the outer shell: a quick test must notice every small fault.

Run it with `make mutants`. It fails on a mutant that survives and is not listed in `listed.toml`
as equivalent, and on one listed there that is killed or is no more. `smallfaults` says what the
faults are, `groups` where they are put. With `--fixed` it tries a fixed list of mutants and all
planted leaks against the whole selection of `make test` instead, and prints what notices each.

The mutants are our own, not those of mutmut 3: that changes neither decorated functions, which
the makers of views are, nor constants; it needs a copy of the packages side by side; and as it
makes all its mutants first (12,906 in some minutes), no sample of them fits into `make test`.
"""

import argparse
import hashlib
import json
import os
import random
import sys
from collections import Counter
from collections.abc import Callable
from functools import partial
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

import pytest
from hypothesis import HealthCheck, Phase, settings

from mutants import fixed
from mutants.groups import GROUPS, ROOT, Group, sources
from mutants.listed import equivalents, faults, tidied
from mutants.makers import Mutant, Source, mutants_of
from mutants.sessions import MutantRunner
from mutants.whole import Outcome, WholeRunner

SURVIVORS = ROOT / ".mutants" / "survivors.json"

TOLD_EACH = 250
"""After how many mutants a line of progress is shown."""


def names(files: dict[str, Source]) -> list[str]:
    """Return the names of all mutants."""
    return [mutant.name for file, at in files.items() for mutant in mutants_of(at.path, file, ())]


def sampled(every: list[str], number: int, files: dict[str, Source]) -> frozenset[str]:
    """Return a sample that is another one whenever the code has changed."""
    digest = hashlib.sha256(b"".join(file.path.read_bytes() for file in files.values()))
    return frozenset(random.Random(digest.digest()).sample(every, number))


def compiled(files: dict[str, Source], wanted: frozenset[str]) -> list[Mutant]:
    """Return the mutants of these names, compiled."""
    found = [
        mutant
        for file, at in files.items()
        if any(name.startswith(f"{file} ") for name in wanted)
        for mutant in mutants_of(at.path, file, wanted)
    ]
    return [mutant for mutant in found if mutant.code is not None]


def teller(mutants: int) -> Callable[[str], None]:
    """Return what shows how far the run of so many mutants is."""
    done: Counter[str] = Counter()

    def tell(line: str) -> None:
        done[line.split(":")[0]] += 1
        if not line.startswith("killed"):
            print(line, flush=True)
        if done.total() % TOLD_EACH == 0:
            print(f"{done.total()} of {mutants}: {done['killed']} killed", flush=True)

    return tell


def run(group: Group, files: dict[str, Source], mutants: list[Mutant], jobs: int) -> MutantRunner:
    """Return the runner after it has tried these mutants against the quick tests of a group."""
    runner = MutantRunner(files, mutants, jobs, teller(len(mutants)))
    collect(runner, ["-m", group.marker, *group.tests])
    return runner


def collect(runner: object, options: list[str]) -> None:
    """Have pytest collect tests, and this plugin run what it runs instead of them."""
    settings.register_profile(
        "mutants",
        derandomize=True,
        deadline=None,
        max_examples=10,
        phases=(Phase.explicit, Phase.generate),
        database=None,
        suppress_health_check=[HealthCheck.too_slow],
    )
    os.environ["HYPOTHESIS_PROFILE"] = "mutants"
    plain = ("no:randomly", "no:xdist", "no:cacheprovider", "no:warnings")
    plugins = [part for plugin in plain for part in ("-p", plugin)]
    pytest.main([*plugins, "-q", "-s", "--assert=plain", "--tb=no", *options], plugins=[runner])


def run_fixed() -> int:
    """Try the fixed list and the leaks against all tests; return the exit status.

    It is 0 once all were tried, whatever survived: the rows are for a comparison.
    """
    files, wanted = sources(), fixed.fixed()
    mutants = {group: compiled(files, frozenset(names)) for group, names in wanted.items()}
    outcomes: list[Outcome] = []

    def tell(outcome: Outcome) -> None:
        outcomes.append(outcome)
        print(fixed.told(outcome), flush=True)

    runner = WholeRunner(files, partial(fixed.plantings, files, mutants), tell)
    collect(runner, fixed.options())
    made = [mutant.name for of_group in mutants.values() for mutant in of_group]
    listed = [name for names in wanted.values() for name in names]
    lines = [f"no more  | {name}" for name in listed if name not in made]
    lines += [f"left out | {nodeid}" for nodeid in runner.failed]
    lines += [f"plants   | {nodeid}" for nodeid in runner.passed if fixed.plants(nodeid)]
    lines += [f"{len(runner.passed)} tests, {len(runner.failed)} left out"]
    print(*lines, *fixed.summary(outcomes), sep="\n")
    return 0 if outcomes else 1


def chosen_of(files: dict[str, Source], asked: argparse.Namespace) -> list[str]:
    """Return the names of the mutants of these modules that were asked for."""
    wanted = [name for name in names(files) if name.startswith(tuple(asked.only))]
    if asked.again:
        survived = frozenset(json.loads(SURVIVORS.read_text()))
        wanted = [name for name in wanted if name in survived]
    if asked.sample:
        wanted = sorted(sampled(wanted, asked.sample, files))
    return wanted


def arguments() -> argparse.Namespace:
    """Return what was asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--group", choices=GROUPS, help="only the mutants of this group")
    parser.add_argument("--sample", type=int, help="only so many each, chosen by the code's hash")
    parser.add_argument("--only", nargs="*", default=[""], help="only names that begin so")
    parser.add_argument("--jobs", type=int, default=2, help="processes at once")
    parser.add_argument("--again", action="store_true", help="only the last survivors")
    parser.add_argument("--tidy", action="store_true", help="take off the list what is done")
    parser.add_argument("--fixed", action="store_true", help="what does `make test` notice?")
    return parser.parse_args()


def main() -> int:
    """Run the mutants that were asked for; return the exit status."""
    asked = arguments()
    if asked.fixed:
        return run_fixed()
    ran: list[str] = []
    survivors: list[str] = []
    has_failed = False
    for group in [asked.group] if asked.group else GROUPS:
        files = sources(group)
        wanted = chosen_of(files, asked)
        if wanted:
            runner = run(GROUPS[group], files, compiled(files, frozenset(wanted)), asked.jobs)
            ran += wanted
            survivors += runner.survivors
            has_failed |= runner.failed
    every, known = names(sources()), equivalents()
    if asked.tidy and not has_failed:
        known = tidied(known, frozenset(ran) - frozenset(survivors), every)
    wrong = faults(ran, survivors, every, known)
    SURVIVORS.parent.mkdir(exist_ok=True)
    SURVIVORS.write_text(json.dumps(survivors, indent=1))
    alive = Counter(name.split()[0] for name in survivors)
    for file, number in sorted(alive.items()):
        print(f"{number:5} survive in {file}")
    print(*wrong, sep="\n")
    print(
        f"{len(ran)} of {len(every)} mutants: {len(ran) - alive.total()} killed; "
        f"{len(known)} equivalent"
    )
    return 1 if wrong or has_failed else 0


if __name__ == "__main__":
    sys.exit(main())
