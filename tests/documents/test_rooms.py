"""The rooms of each package: no arrow between them leads back, and each says what it holds."""

import re
from collections import Counter
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

from builders.sources import source_of
from documents.doctables import ARCHITECTURE
from documents.roomgraph import PACKAGES, ROOT, graph_of

MODULES = [
    path
    for package in ("server", "client", "protocol")
    for path in sorted((ROOT / package).glob("sunglare_*/**/*.py"))
]


@pytest.mark.parametrize("package", PACKAGES)
def test_no_arrow_between_the_rooms_of_a_package_leads_back(package: str) -> None:
    graph = graph_of(package)
    assert sum(map(len, graph.values())) > 0
    # Raises CycleError, which names the circle.
    assert set(TopologicalSorter(graph).static_order()) == set(graph)


def test_a_module_says_what_it_holds_and_is_no_part_of_another() -> None:
    assert not [str(path.relative_to(ROOT)) for path in MODULES if not _says_what_it_holds(path)]


def _says_what_it_holds(path: Path) -> bool:
    first = source_of(path).docstring.partition("\n")[0].lower()
    of_another = (" part of `", " parts of `", "see `")
    return bool(first) and not any(phrase in first for phrase in of_another)


FILES_MOST = 30
LARGE_FOLDERS = {
    "server/sunglare_server/match/resolve": "One module for each system and step of the turn.",
}
"""Folders with more modules than that, each with the reason."""


def test_no_folder_has_more_than_thirty_modules_but_for_a_reason() -> None:
    counts = Counter(path.parent.relative_to(ROOT).as_posix() for path in MODULES)
    assert {folder for folder, count in counts.items() if count > FILES_MOST} == set(LARGE_FOLDERS)


NAMED = sorted(set(re.findall(r"`([a-z_/]+\.py)`", (ROOT / ARCHITECTURE).read_text("utf-8"))))
"""The modules that the page on the architecture names."""


def test_the_page_on_the_architecture_names_modules() -> None:
    assert len(NAMED) > 10


def test_a_module_that_the_page_on_the_architecture_names_exists() -> None:
    homes = (ROOT / "server" / "sunglare_server", ROOT / "protocol", ROOT / "client")
    assert not [name for name in NAMED if not any((home / name).is_file() for home in homes)]


@pytest.mark.parametrize("distribution", ["protocol", "server", "client"])
def test_no_two_public_classes_of_a_distribution_have_the_same_name(distribution: str) -> None:
    places: dict[str, list[str]] = {}
    for path in sorted((ROOT / distribution).rglob("*.py")):
        for name in source_of(path).classes:
            if not name.startswith("_"):
                places.setdefault(name, []).append(path.relative_to(ROOT).as_posix())
    assert places
    assert [found for found in places.values() if len(found) > 1] == []
