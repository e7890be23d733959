"""The page on the architecture: short, with few words of its own; and the list of new names."""

import re

from documents.doctables import ARCHITECTURE
from documents.roomgraph import ROOT

PAGE = (ROOT / ARCHITECTURE).read_text(encoding="utf-8")
RENAMED = (ROOT / "server" / "RENAMED.md").read_text(encoding="utf-8")
WORDS_MOST = 3_000
GLOSSARY_MOST = 30

GLOSSARY = re.findall(r"^\| ([a-z ]+) \| [^|]+ \|$", PAGE.partition("## Words")[2], re.MULTILINE)

MODULES_TOO = {
    "batch": "The module of the class that does what the word says.",
    "engine": "The module of the connection to one.",
    "intel": "A family of types, and the package that has it.",
    "ledger": "A table, and the package that has it.",
    "record": "What a match is the fold of, and the module of its types.",
    "truth": "A family of types, and the package that has it.",
    "view": "The module of the function that makes one.",
    "window": "A module of the arena that reads one.",
}
"""Words of the glossary that are names of modules as well, each with the reason."""


def test_the_page_has_at_most_three_thousand_words_with_its_tables() -> None:
    assert len(PAGE.split()) <= WORDS_MOST


def test_the_glossary_has_at_most_thirty_words_in_alphabetical_order() -> None:
    assert 0 < len(GLOSSARY) <= GLOSSARY_MOST
    assert sorted(GLOSSARY) == GLOSSARY


def test_a_word_of_the_glossary_is_the_name_of_no_module_but_for_a_reason() -> None:
    stems = {path.stem for path in (ROOT / "server").rglob("*.py")}
    packages = {path.parent.name for path in (ROOT / "server").rglob("__init__.py")}
    named = {word for word in GLOSSARY if word.replace(" ", "_") in stems | packages}
    assert named == set(MODULES_TOO)


def test_each_new_name_of_a_module_is_a_file() -> None:
    rows = re.findall(r"^\| `(sunglare_\w+)` \| `[^`]+` \| `([^`]+)` \|$", RENAMED, re.MULTILINE)
    tops = {"sunglare_client": "client", "sunglare_page": "client", "sunglare_server": "server"}
    assert rows
    paths = [(tops.get(package, "server"), package, file) for package, file in rows]
    assert [row for row in paths if not _is_there(*row)] == []


def _is_there(top: str, package: str, file: str) -> bool:
    """Return whether a file is in its package, or in another one that it names."""
    folders = (ROOT / top / package, ROOT / "client", ROOT / "protocol", ROOT / "server")
    return any((folder / file).is_file() for folder in folders)
