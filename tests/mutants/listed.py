"""The list of mutants that survive, because nothing can tell them from the code."""

import json
import tomllib
from collections.abc import Collection, Sequence
from pathlib import Path

LIST = Path(__file__).with_name("listed.toml")

HEAD = """\
# Mutants of core and shell that no test kills, as nothing can tell them from the code, each with
# the reason. A mutant that survives and does not stand here fails the run, and so does one that
# stands here and is killed or is no more. `python tests/mutants/run.py --tidy` takes such entries
# off.
"""

EQUIVALENT_MOST = 0.03
"""How many of all mutants may be listed."""


def equivalents() -> dict[str, str]:
    """Return the mutants listed as equivalent, with the reasons."""
    read = tomllib.loads(LIST.read_text(encoding="utf-8"))
    return {entry["name"]: entry["reason"] for entry in read.get("equivalent", ())}


def faults(
    ran: list[str], survivors: list[str], every: list[str], known: dict[str, str]
) -> list[str]:
    """Return what is wrong: survivors that are not listed, and entries that hold no more."""
    killed = frozenset(ran) - frozenset(survivors)
    gone = frozenset(known) - frozenset(every)
    told = [f"survived: {survivor}" for survivor in survivors if survivor not in known]
    told += [f"listed, but killed: {name}" for name in known if name in killed]
    told += [f"listed, but no mutant: {name}" for name in known if name in gone]
    most = int(len(every) * EQUIVALENT_MOST)
    if len(known) > most:
        told.append(f"{len(known)} are listed as equivalent; {most} may be")
    return told


def tidied(known: dict[str, str], killed: Collection[str], every: Sequence[str]) -> dict[str, str]:
    """Return the list without what is killed or is no more, and write it so."""
    left = frozenset(every) - frozenset(killed)
    kept = {name: known[name] for name in every if name in known and name in left}
    lines = [HEAD]
    for name, reason in kept.items():
        lines += ["[[equivalent]]", f"name = {quoted(name)}", f"reason = {quoted(reason)}", ""]
    LIST.write_text("\n".join(lines), encoding="utf-8")
    return kept


def quoted(text: str) -> str:
    """Return a text as it stands in a file in TOML."""
    return json.dumps(text, ensure_ascii=False)
