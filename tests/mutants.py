"""Mutation of the secrecy core: every small fault put into it must be noticed by a quick test.

Run it with `make mutants`. It fails on a mutant that survives and is not listed in `mutants.toml`
as equivalent, and on one listed there that is killed or is no more. `smallfaults` says what the
faults are.

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
from pathlib import Path

import pytest
from hypothesis import Phase, settings

from mutantlists import equivalents, faults, tidied
from mutantmakers import Mutant, mutants_of
from mutantruns import MutantRunner, Source
from secrecyfast import MODULES

ROOT = Path(__file__).resolve().parents[1]
TESTS = ROOT / "tests"
SURVIVORS = ROOT / ".mutants" / "survivors.json"

TOLD_EACH = 250
"""After how many mutants a line of progress is shown."""

# The other modules of the ledger hold rows alone, which `tablemutants` takes.
CORE = (
    ("server/sunglare_server/match", "perceive/*.py"),
    ("server/sunglare_server/match", "own*.py"),
    ("server/sunglare_server/match", "*fog.py"),
    ("server/sunglare_server/match", "ledger.py"),
    ("protocol/sunglare_rules", "advice/*.py"),
)


def sources() -> dict[str, Source]:
    """Return the modules of the secrecy core by the names that mutants give them."""
    found = {}
    for folder, pattern in CORE:
        for path in sorted((ROOT / folder).glob(pattern)):
            parts = path.relative_to(ROOT).with_suffix("").parts[1:]
            found[f"{parts[-2]}/{path.name}"] = Source(path, ".".join(parts))
    return found


def names(files: dict[str, Source]) -> list[str]:
    """Return the names of all mutants."""
    return [each.name for file, at in files.items() for each in mutants_of(at.path, file, ())]


def sampled(every: list[str], number: int, files: dict[str, Source]) -> frozenset[str]:
    """Return a sample that is another one whenever the code has changed."""
    digest = hashlib.sha256(b"".join(each.path.read_bytes() for each in files.values()))
    return frozenset(random.Random(digest.digest()).sample(every, number))


def compiled(files: dict[str, Source], wanted: frozenset[str]) -> list[Mutant]:
    """Return the mutants of these names, compiled."""
    found = [
        each
        for file, at in files.items()
        if any(name.startswith(f"{file} ") for name in wanted)
        for each in mutants_of(at.path, file, wanted)
    ]
    return [each for each in found if each.code is not None]


def run(files: dict[str, Source], mutants: list[Mutant], jobs: int) -> MutantRunner:
    """Return the runner after it has tried these mutants against the quick tests."""
    settings.register_profile(
        "mutants",
        derandomize=True,
        deadline=None,
        max_examples=10,
        phases=(Phase.explicit, Phase.generate),
        database=None,
    )
    os.environ["HYPOTHESIS_PROFILE"] = "mutants"
    done: Counter[str] = Counter()

    def tell(line: str) -> None:
        done[line.split(":")[0]] += 1
        if not line.startswith("killed"):
            print(line, flush=True)
        if done.total() % TOLD_EACH == 0:
            print(f"{done.total()} of {len(mutants)}: {done['killed']} killed", flush=True)

    runner = MutantRunner(files, mutants, jobs, tell)
    plain = ("no:randomly", "no:xdist", "no:cacheprovider", "no:warnings")
    options = [part for each in plain for part in ("-p", each)]
    options += ["-q", "-s", "--assert=plain", "--tb=no", "-m", "secrecy_fast"]
    modules = sorted({path for each in MODULES for path in TESTS.glob(f"{each}.py")})
    pytest.main([*options, *map(str, modules)], plugins=[runner])
    return runner


def main() -> int:
    """Run the mutants that were asked for; return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sample", type=int, help="only so many, chosen by the code's hash")
    parser.add_argument("--only", nargs="*", default=[""], help="only names that begin so")
    parser.add_argument("--jobs", type=int, default=2, help="processes at once")
    parser.add_argument("--again", action="store_true", help="only the last survivors")
    parser.add_argument("--tidy", action="store_true", help="take off the list what is done")
    chosen = parser.parse_args()
    files = sources()
    every = names(files)
    wanted = [name for name in every if name.startswith(tuple(chosen.only))]
    if chosen.again:
        survived = frozenset(json.loads(SURVIVORS.read_text()))
        wanted = [name for name in wanted if name in survived]
    if chosen.sample:
        wanted = sorted(sampled(wanted, chosen.sample, files))
    runner = run(files, compiled(files, frozenset(wanted)), chosen.jobs)
    known = equivalents()
    if chosen.tidy and not runner.failed:
        known = tidied(known, frozenset(wanted) - frozenset(runner.survivors), every)
    wrong = faults(wanted, runner.survivors, every, known)
    SURVIVORS.parent.mkdir(exist_ok=True)
    SURVIVORS.write_text(json.dumps(runner.survivors, indent=1))
    alive = Counter(name.split()[0] for name in runner.survivors)
    for file, number in sorted(alive.items()):
        print(f"{number:5} survive in {file}")
    print(*wrong, sep="\n")
    print(
        f"{len(wanted)} of {len(every)} mutants: {len(wanted) - alive.total()} killed; "
        f"{len(known)} equivalent"
    )
    return 1 if wrong or runner.failed else 0


if __name__ == "__main__":
    sys.exit(main())
