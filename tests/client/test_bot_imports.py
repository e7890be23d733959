"""The names that bots import: each is listed in botimports.toml, and stays where it is."""

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

import sunglare_client
import sunglare_gym
from builders.sources import text_of
from documents.addresses import ROOT, modules_in
from documents.doctables import BOTS, README, fenced
from sunglare_client import bots, kit

LISTED: Final[dict[str, list[str]]] = tomllib.loads(
    Path(__file__).with_name("botimports.toml").read_text(encoding="utf-8")
)

SHIPPED: Final = "client/sunglare_client/bots"
AUTHORING: Final = ROOT / "client/sunglare_client/authoring"
MADE_FOR_TESTS: Final = ("tests/builders/badbots.py", "tests/builders/strangers.py")

IMPORT: Final = re.compile(r"\bfrom (sunglare_\w+(?:\.\w+)*) import (\([^)]*\)|[\w, ]+)")


def imported(text: str) -> set[tuple[str, str]]:
    """Return what a text imports of the project: module and name."""
    return {
        (found[1], name)
        for found in IMPORT.finditer(text)
        for name in re.findall(r"(\w+)(?: as \w+)?", re.sub(r"#.*", "", found[2]))
    }


def of_authors() -> Iterator[str]:
    """Yield what bots outside of the client are: those of pages, samples, templates and tests."""
    for page in (README, BOTS):
        yield from fenced(page, "python")
    for path in modules_in("client/samples"):
        yield text_of(path)
    for path in sorted((AUTHORING / "templates").iterdir()):
        yield text_of(path)
    yield from re.findall(r'"[^"\n]+"', text_of(AUTHORING / "writing.py"))
    for name in MADE_FOR_TESTS:
        yield text_of(ROOT / name)


def of_shipped_bots() -> set[tuple[str, str]]:
    """Return what the shipped bots import, but from one another."""
    own = SHIPPED.removeprefix("client/").replace("/", ".")
    return {
        (module, name)
        for path in modules_in(SHIPPED)
        for module, name in imported(text_of(path))
        if not module.startswith(own)
    }


def listed() -> set[tuple[str, str]]:
    """Return the names of the list with their modules."""
    return {(module, name) for module, names in LISTED.items() for name in names}


def test_every_name_that_bots_import_is_listed() -> None:
    named = {pair for text in of_authors() for pair in imported(text)} | of_shipped_bots()
    for package in (sunglare_client, bots, kit, sunglare_gym):
        named |= {(package.__name__, name) for name in package.__all__}
    assert sorted(named - listed()) == []


def test_every_listed_name_is_imported_from_where_bots_import_it() -> None:
    missing = [
        f"{module}:{name}"
        for module, name in sorted(listed())
        # As `from ... import` does, this takes a module in a package for a name, too.
        if not hasattr(__import__(module, fromlist=(name,)), name)
    ]
    assert missing == []


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("from sunglare_client import Bot, run\n", {"Bot", "run"}),
        ("from sunglare_client import (\n    Bot,  # the base\n    run,\n)\n", {"Bot", "run"}),
        ("    from sunglare_client import Bot as Base\n", {"Bot"}),
        ('"from sunglare_client import Bot\\nfrom elsewhere import run"', {"Bot"}),
        ("from elsewhere import Bot\n", set()),
    ],
)
def test_an_import_is_found_in_any_text(text: str, names: set[str]) -> None:
    assert imported(text) == {("sunglare_client", name) for name in names}
