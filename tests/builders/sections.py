"""The lines of a card, and the sections of the rule book that they name."""

import re
from importlib.resources import files

from sunglare_protocol.messages.answers import Card

HEADINGS = frozenset(
    re.findall(
        r"^### (\w+ §\d+):",
        (files("sunglare_rules") / "RULES.md").read_text(encoding="utf-8"),
        re.MULTILINE,
    )
)
"""The numbered sections of RULES.md, as in `turn §5`."""


def lines(card: object) -> tuple[str, ...]:
    """Return the lines of a card."""
    assert isinstance(card, Card), card
    return card.lines


def cited(line: str) -> set[str]:
    """Return the sections that a line names, as in `(turn §5 and §6)`."""
    found: set[str] = set()
    for book, first, more in re.findall(r"\((\w+) (§\d+)(?: (?:and|to) (§\d+))?\)", line):
        found |= {f"{book} {number}" for number in (first, more) if number}
    return found
