"""The tables that the documents take from the code: run this file to write them anew.

A page marks the place of a table with two comments; what stands between them is made here.
"""

import re
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from documents.apitables import API_TABLES
from documents.booktables import BOOK_TABLES
from documents.roomgraph import ROOM_TABLES
from documents.ruletables import RULE_TABLES
from documents.viewfields import VIEW_TABLES
from documents.wiretables import WIRE_TABLES

ROOT = Path(__file__).parents[2]

README = "README.md"
PLAYING = "client/PLAYING.md"
LEARNING = "client/LEARNING.md"
PROTOCOL = "protocol/PROTOCOL.md"
RULES = "protocol/sunglare_rules/RULES.md"
OPERATIONS = "server/OPERATIONS.md"
BOTS = "client/BOTS.md"
VIEW = "client/VIEW.md"
CHANGELOG = "CHANGELOG.md"
ARCHITECTURE = "server/ARCHITECTURE.md"
PAGES = (
    README,
    PLAYING,
    LEARNING,
    PROTOCOL,
    RULES,
    OPERATIONS,
    BOTS,
    VIEW,
    ARCHITECTURE,
    CHANGELOG,
)
"""Every document of the project."""

TABLES: dict[str, Callable[[], str]] = {
    **WIRE_TABLES,
    **RULE_TABLES,
    **API_TABLES,
    **ROOM_TABLES,
    **VIEW_TABLES,
    **BOOK_TABLES,
}
"""What makes each table, by the name in its marks."""

_BLOCK = re.compile(r"(<!-- table: ([a-z -]+) -->\n)(.*?)(<!-- end of table -->)", re.DOTALL)


@cache
def text_of(page: str) -> str:
    """Return the text of a page, as it was when it was first read."""
    return (ROOT / page).read_text(encoding="utf-8")


@cache
def tables_in(page: str) -> dict[str, str]:
    """Return what stands in the marked places of a page, by the name of the table."""
    return {name: body.strip() for _, name, body, _ in _BLOCK.findall(text_of(page))}


def renewed(text: str) -> str:
    """Return the text of a page with every marked table made anew."""
    return _BLOCK.sub(lambda found: f"{found[1]}\n{TABLES[found[2]]()}\n\n{found[4]}", text)


def fenced(page: str, language: str) -> list[str]:
    """Return the code blocks of a page that are written in this language."""
    return re.findall(rf"^```{language}\n(.*?)^```$", text_of(page), re.DOTALL | re.MULTILINE)


def main() -> None:
    """Write the tables of all pages anew."""
    for page in PAGES:
        (ROOT / page).write_text(renewed(text_of(page)), encoding="utf-8")


if __name__ == "__main__":
    main()
