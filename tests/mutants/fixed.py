"""What `make test` notices: a fixed list of mutants, and the planted leaks, against its selection.

`python tests/mutants/run.py --fixed` tries them, the same before and after a change of the tests.
Run this file to fill up the list where mutants of it are no more.
"""

import random
import sys
import tomllib
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Final

sys.path.insert(0, str(Path(__file__).parents[1]))

import pytest

from builders.plants import Plant
from mutants.groups import GROUPS, TESTS, sources
from mutants.listed import equivalents, quoted
from mutants.makers import Mutant, Source, mutants_of
from mutants.sessions import Reached, Timed, concerned, likely_first, put_in
from mutants.whole import Outcome, Planting

LIST: Final = Path(__file__).with_name("fixed.toml")

EACH: Final = 30
"""How many mutants of each group are on the list."""

SEED: Final = "fixed mutants 1"
"""From it, and the name of the group, the mutants are drawn."""

HEAD: Final = f"""\
# The mutants that `python tests/mutants/run.py --fixed` tries against the whole selection of
# `make test`: {EACH} of each group, drawn once with the seed "{SEED}" from all that are not in
# listed.toml. `python tests/mutants/fixed.py` fills it up where mutants are no more.
"""

SELECTION: Final = (
    "not proof and not needs_tmux and not needs_node and not needs_sample and not needs_nginx and "
    "not needs_caddy and not needs_prometheus and not needs_litestream and not needs_nats"
)
"""The tests of `make test` but for those that need other programs."""

LEFT_OUT: Final = (
    "foreign",
    "ops",
    "cluster",
    "page",
    "documents",
    "arena/test_arena_ends.py",
    "arena/test_bars.py",
    "arena/test_isolation.py",
    "client/test_authoring.py",
    "client/test_cli*.py",
    "client/test_doctor.py",
    "client/test_parting.py",
    "end_to_end/test_a_foreign_client.py",
    "end_to_end/test_a_private_server.py",
    "end_to_end/test_cheating_server.py",
    "end_to_end/test_copy_restored.py",
    "end_to_end/test_encryption.py",
    "end_to_end/test_full_disk.py",
    "end_to_end/test_halves_killed.py",
    "end_to_end/test_hosting.py",
    "end_to_end/test_json_lines.py",
    "end_to_end/test_just_playing.py",
    "end_to_end/test_load.py",
    "end_to_end/test_replay_in_node.py",
    "end_to_end/test_sealed_dice_over_sockets.py",
    "end_to_end/test_sigkill.py",
    "end_to_end/test_sigterm.py",
    "end_to_end/test_slow_readers.py",
    "end_to_end/test_soak.py",
    "end_to_end/test_speech.py",
    "end_to_end/test_the_demo.py",
    "end_to_end/test_typescript_sample.py",
    "end_to_end/test_upgrading.py",
    "end_to_end/test_waiting_for_a_turn.py",
    "secrecy/test_timing.py",
)
"""Modules and folders that run programs: a fault that is planted in this process isn't in them."""

LIMIT_S: Final = 1200
"""Seconds that a test may take in the run without a fault: the machine may be busy."""

LEAK_SUITES: Final = (
    "secrecy",
    "two_worlds",
    "canary",
    "outlets",
    "match/ledger",
    "second_reading",
    "traps",
)
"""The folders of the tests that look for leaks."""

TRANSPORT: Final = ("transport",)
"""The folder of the tests that look for those of `TRANSPORT_LEAKS`."""

TRANSPORT_LEAKS: Final = frozenset({"transport.plantedfaults"})
"""The modules that plant leaks between a gateway and a worker."""

OTHER_LEAKS: Final = {
    "canary.plants": "PLANTS",
    "outlets.test_outlet_matrix": "PLANTED",
    "two_worlds.test_planted_leaks": "PLANTS",
    "transport.plantedfaults": "PLANTS",
}
"""The tables of the leaks that are not in `planted`, by module."""


def fixed() -> dict[str, list[str]]:
    """Return the list: the names of its mutants by group."""
    return tomllib.loads(LIST.read_text(encoding="utf-8"))


def renewed(
    group: str, before: Sequence[str], every: Sequence[str], known: Collection[str]
) -> list[str]:
    """Return the list of a group: what is left of it, filled up from `every` by the seed.

    Mutants that are known to be equivalent are never on it.
    """
    able = frozenset(every) - frozenset(known)
    drawn = random.Random(f"{SEED} {group}").sample(sorted(able), len(able))
    kept = [name for name in before if name in able]
    chosen = frozenset([*kept, *(name for name in drawn if name not in kept)][:EACH])
    return [name for name in every if name in chosen]


def written(names: dict[str, list[str]]) -> str:
    """Return the list as it is written into its file."""
    lines = [HEAD]
    for group, chosen in names.items():
        lines += [f"{group} = [", *(f"    {quoted(name)}," for name in chosen), "]", ""]
    return "\n".join(lines)


def options() -> list[str]:
    """Return how pytest is to be called for the selection."""
    paths = [path for pattern in LEFT_OUT for path in sorted(TESTS.glob(pattern))]
    limit = ["-o", f"timeout={LIMIT_S}"]
    return [*limit, "-m", SELECTION, *(f"--ignore={path}" for path in paths), str(TESTS)]


def plantings(
    files: dict[str, Source], mutants: dict[str, list[Mutant]], tests: list[Reached]
) -> Iterator[Planting]:
    """Yield mutants, with the tests that reach them, and leaks, with those that look for them."""
    for group, of_group in mutants.items():
        for mutant in of_group:
            put = partial(put_in, mutant, import_module(files[mutant.file].module))
            yield Planting(group, mutant.name, put, concerned(mutant, tests))
    for group, name, plant in leaks():
        chosen = leak_tests(tests, TRANSPORT if group in TRANSPORT_LEAKS else LEAK_SUITES)
        yield Planting(group, name, partial(plant, pytest.MonkeyPatch()), chosen)


def leak_tests(tests: list[Reached], folders: Sequence[str]) -> list[Timed]:
    """Return the tests for a leak, the quickest first: those of the folders that look for it.

    Tests that plant faults themselves are none of them.
    """
    rooms = tuple(f"tests/{folder}/" for folder in folders)
    own = [test for test in tests if not plants(test.item.nodeid)]
    return likely_first([test.timed for test in own if test.item.nodeid.startswith(rooms)])


def plants(nodeid: str) -> bool:
    """Return whether a test plants a fault itself, going by its name."""
    name = nodeid.partition("[")[0].rpartition("::")[2]
    return "planted" in name and "nothing_is_planted" not in name


def leaks() -> Iterator[tuple[str, str, Plant]]:
    """Yield every leak that can be planted once: where it is from, its name and what plants it.

    The modules are imported here, not above: they are not to be read before pytest has begun.
    """
    planted = import_module("secrecy.plantedleaks")
    tables = {module: vars(import_module(module))[table] for module, table in OTHER_LEAKS.items()}
    yield from (("planted", name, planted.plant_of(name)) for name in planted.LEAKS)
    seen: set[int] = set()
    for module, table in tables.items():
        for name, row in table.items():
            plant = row[0] if isinstance(row, tuple) else row
            if id(plant) not in seen:
                yield module, name, plant
            seen.add(id(plant))


def told(outcome: Outcome) -> str:
    """Return the row of an outcome: the fault, and the test that noticed it."""
    fault = f"{outcome.group} | {outcome.name}"
    if outcome.test:
        return f"noticed  | {fault} | {outcome.test}"
    return f"survived | {fault} | {outcome.tried} tests tried"


def summary(outcomes: Sequence[Outcome]) -> list[str]:
    """Return, group by group, how many of the faults were noticed."""
    noticed = Counter(outcome.group for outcome in outcomes if outcome.test)
    every = Counter(outcome.group for outcome in outcomes)
    return [f"{group}: {noticed[group]} of {number} noticed" for group, number in every.items()]


def main() -> None:
    """Fill up the list, and write it."""
    known, before = equivalents(), fixed() if LIST.exists() else {}
    names = {
        group: renewed(group, before.get(group, []), _names(group), known) for group in GROUPS
    }
    LIST.write_text(written(names), encoding="utf-8")


def _names(group: str) -> list[str]:
    files = sources(group)
    return [mutant.name for file, at in files.items() for mutant in mutants_of(at.path, file, ())]


if __name__ == "__main__":
    main()
