"""The index of traps, leaks of other systems: how it is read, and what may be wrong with it."""

from collections import Counter
from collections.abc import Iterator
from typing import final

import msgspec

from documents.rulesindex import ROOT

INDEX = ROOT / "tests" / "traps" / "traps.toml"

FAMILIES: dict[str, tuple[str, ...]] = {
    "3": tuple(str(number) for number in range(1, 67)),
    "4": tuple(f"M{number}" for number in range(1, 17)),
    "4.3": tuple(str(number) for number in range(1, 41)),
    "5": (
        "intercept-questions",
        "intercept-silence",
        "intercept-order",
        "cloak-value",
        "cloak-sweep-dice",
        "cloak-nearest",
        "cloak-trackers",
        "cloak-jam",
        "search-threshold",
        "search-contagion",
        "blips-movement",
        "blips-asking",
        "arcs",
    ),
}
"""The cases of which the index must hold every one, by the list in which they stand.

Of these 3 lists defects of other systems, 4 what was read in the source of a double-blind
server, 4.3 what was reported of it, and 5 what our own rules would give away.
"""

REASONS_MOST = 3
"""No more than one trap in so many may have a reason instead of a test."""


@final
class Trap(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One leak: tests hold it, or there is a reason why it cannot happen here."""

    id: str
    rule: str
    tests: tuple[str, ...] = ()
    reason: str = ""


@final
class Traps(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The whole list."""

    trap: tuple[Trap, ...]


def read_traps(text: str) -> tuple[Trap, ...]:
    """Return the traps of a TOML text; raise `msgspec.ValidationError` if it holds none."""
    return msgspec.toml.decode(text, type=Traps).trap


def faults(traps: tuple[Trap, ...], there: Counter[str]) -> Iterator[str]:
    """Yield a sentence for everything that is wrong with a list; `there` are the tests."""
    wanted = [f"{section}/{case}" for section, cases in FAMILIES.items() for case in cases]
    ids = Counter(trap.id for trap in traps)
    yield from (f"{name} is missing" for name in wanted if name not in ids)
    yield from (f"{name} is no case of the lists" for name in ids if name not in wanted)
    yield from (f"{name} stands {times} times" for name, times in ids.items() if times > 1)
    for trap in traps:
        if bool(trap.tests) == bool(trap.reason):
            yield f"{trap.id} must have either tests or a reason"
        yield from (f"{trap.id}: there is no {test}" for test in trap.tests if not there[test])
    reasons = sum(bool(trap.reason) for trap in traps)
    if reasons * REASONS_MOST > len(traps):
        yield f"{reasons} of {len(traps)} traps have a reason instead of a test"


def summary(traps: tuple[Trap, ...]) -> str:
    """Return how many traps of each list are held by tests, and by how many, a line each."""
    lines = []
    for section, cases in FAMILIES.items():
        mine = [trap for trap in traps if trap.id.rpartition("/")[0] == section]
        held = sum(bool(trap.tests) for trap in mine)
        lines.append(f"{section:>4}: {len(cases)} traps, {held} held by tests")
    tests = {test for trap in traps for test in trap.tests}
    reasons = sum(bool(trap.reason) for trap in traps)
    return "\n".join([*lines, f"{len(tests)} tests, {reasons} reasons"])
