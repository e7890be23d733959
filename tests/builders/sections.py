"""The sections of the rule book, and those that a line of a card names."""

import re
from pathlib import Path

HEADINGS = frozenset(
    re.findall(
        r"^### (\w+ §\d+):",
        (Path(__file__).parents[2] / "server" / "RULES.md").read_text(encoding="utf-8"),
        re.MULTILINE,
    )
)
"""The numbered sections of RULES.md, as in `turn §5`."""


def cited(line: str) -> set[str]:
    """Return the sections that a line names, as in `(turn §5 and §6)`."""
    found: set[str] = set()
    for book, first, more in re.findall(r"\((\w+) (§\d+)(?: (?:and|to) (§\d+))?\)", line):
        found |= {f"{book} {number}" for number in (first, more) if number}
    return found
