"""A search by names alone: which modules a noun of the field leads to, as a file finder would.

A module is known by its folders, its file and its public classes, each cut into words. A word of
the noun counts where one of these has the same stem. No docstring and no list of synonyms helps.
"""

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple, final

from builders.sources import source_of
from mutants.groups import ROOT

PACKAGES: Final = ("server/sunglare_server", "client/sunglare_client")

PLUMBING: Final = Path(__file__).with_name("WHERE.md")

_NOUN: Final = re.compile(r"^\| \d+ \| ([^.|][^|]*) \| `(sunglare_[^`:]+)` \|$", re.MULTILINE)
_WORDS: Final = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z0-9]+")
_ENDINGS: Final = ("ings", "ing", "ers", "er", "ies", "ed", "s", "e", "ation")


@final
class Module(NamedTuple):
    """A module: its file from the package on, and the stems of each of its names."""

    file: str
    folders: frozenset[str]
    names: tuple[tuple[str, ...], ...]


def nouns() -> tuple[tuple[str, str], ...]:
    """Return the nouns of the page, each with its file."""
    return tuple(_NOUN.findall(PLUMBING.read_text(encoding="utf-8")))


def found(noun: str) -> list[str]:
    """Return the files that a noun leads to, the best first.

    A name is better the more of the noun's words it has, and then the fewer others.
    """
    wanted = stems(noun)
    ranked = [(_rank(module, wanted), module.file) for module in modules()]
    return [file for rank, file in sorted(ranked) if rank[0] < 0]


def _rank(module: Module, wanted: tuple[str, ...]) -> tuple[int, int, int, int]:
    """Return how well a module fits, the least first."""
    whole = "".join(wanted)
    hits = []
    for number, name in enumerate(module.names):
        common = len({*wanted} & {*name})
        common = len(wanted) if "".join(name) == whole else common
        hits.append((-common, len(name) - common, number))
    best = min(hits)
    in_folders = len({*wanted} & module.folders)
    return (best[0] or -in_folders, best[1], -in_folders, best[2])


@cache
def modules() -> tuple[Module, ...]:
    """Return the modules of server and client."""
    return tuple(_modules())


def _modules() -> Iterator[Module]:
    for package in PACKAGES:
        for path in sorted((ROOT / package).rglob("*.py")):
            if path.stem.startswith("__"):
                continue
            file = path.relative_to((ROOT / package).parent)
            classes = [name for name in source_of(path).classes if not name.startswith("_")]
            names = tuple(stems(name) for name in (file.stem, *classes))
            folders = frozenset(stem for part in file.parts[1:-1] for stem in stems(part))
            yield Module(file.as_posix(), folders, names)


def stems(text: str) -> tuple[str, ...]:
    """Return the stems of the words in a noun, a file's or a class's name."""
    return tuple(_stem(word.lower()) for word in _WORDS.findall(text))


def _stem(word: str) -> str:
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) > len(ending) + 3:
            return word.removesuffix(ending)
    return word
