"""The lists of mutants that survive: which nothing can tell from the code, and which are to do."""

import json
import tomllib
from collections.abc import Collection, Sequence
from itertools import groupby
from pathlib import Path
from typing import NamedTuple, final

LISTS = Path(__file__).with_name("mutants.toml")

HEAD = """\
# Mutants of the secrecy core that no quick test kills. `equivalent`: nothing can tell them from
# the code, each with the reason. `todo`: gaps, by module; a test that kills one takes it off here.
# A mutant that survives and stands in neither list fails the run, and so does a listed one that
# is killed or is no more. `python tests/mutants.py --tidy` takes such entries off.
"""

EQUIVALENT_MOST = 0.03
"""How many of all mutants may be listed as equivalent."""


@final
class Lists(NamedTuple):
    """What `mutants.toml` holds: the equivalent mutants with reasons, and what is still to do."""

    equivalent: dict[str, str]
    todo: frozenset[str]


def lists() -> Lists:
    """Return the lists of mutants that survive."""
    read = tomllib.loads(LISTS.read_text(encoding="utf-8"))
    equivalent = {each["name"]: each["reason"] for each in read.get("equivalent", ())}
    todo = [name for names in read.get("todo", {}).values() for name in names]
    return Lists(equivalent, frozenset(todo))


def faults(ran: list[str], survivors: list[str], every: list[str], known: Lists) -> list[str]:
    """Return what is wrong: survivors that no list holds, and entries that hold no more."""
    alive = frozenset(survivors)
    killed = frozenset(ran) - alive
    listed = [*known.equivalent, *sorted(known.todo)]
    gone = frozenset(listed) - frozenset(every)
    told = [f"survived: {each}" for each in survivors if each not in listed]
    told += [f"listed, but killed: {each}" for each in listed if each in killed]
    told += [f"listed, but no mutant: {each}" for each in listed if each in gone]
    most = int(len(every) * EQUIVALENT_MOST)
    if len(known.equivalent) > most:
        told.append(f"{len(known.equivalent)} are listed as equivalent; {most} may be")
    return told


def tidied(known: Lists, killed: Collection[str], every: Sequence[str]) -> Lists:
    """Return the lists without what is killed or is no more, and write them so."""
    left = frozenset(every) - frozenset(killed)
    kept = {name: reason for name, reason in known.equivalent.items() if name in left}
    after = Lists(kept, known.todo & left)
    lines = [HEAD]
    for name in (each for each in every if each in kept):
        lines += ["[[equivalent]]", f"name = {_text(name)}", f"reason = {_text(kept[name])}", ""]
    lines.append("[todo]")
    todo = [each for each in every if each in after.todo]
    for file, names in groupby(todo, key=lambda name: name.split()[0]):
        lines += [f"{_text(file)} = [", *(f"    {_text(name)}," for name in names), "]"]
    LISTS.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return after


def _text(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)
