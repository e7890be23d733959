"""Paths, dotted names and test ids in the texts of the project, and those that name nothing.

A path counts from the root of the project, or from any folder below it, as `turn/scale.py` does; a
test module may leave its `.py` out. `*` matches as in a shell, and of a path that goes on with a
placeholder, as `data/schema_<version>`, the beginning is looked for; a file called in capitals, as
`bots/NAME.py`, is a placeholder as a whole. After `::` stands a name that the file defines, and
after a dotted module, with a dot or a colon, one that it defines or imports.
"""

import os
import re
from collections.abc import Iterator
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path
from typing import Final

from builders.sources import source_of, text_of
from documents.addresses import DISTRIBUTIONS, ROOT

READ: Final = (
    *(".py", ".toml", ".md", ".js", ".mjs", ".sh", ".yml", ".conf", ".service", ".txt"),
    *("Makefile", "run", "Containerfile", "Caddyfile"),
)
"""How the names of the files end whose texts are looked at."""

_TOPS: Final = (*DISTRIBUTIONS, "tests", ".ci")
_LEFT_OUT: Final = frozenset({"__pycache__", "node_modules"})
_PACKAGE: Final = r"sunglare_(?:protocol|rules|server|arena|gym|client|page)"

_PATH: Final = re.compile(
    r"(?<![\w/.$~:@%-])(?:\.{1,2}/)*"
    r"((?:[\w.*-]+/)+[\w.*-]*)(?:::(\w+(?:\.\w+)*)\b(?!\.\.))?(?=([<{$])?)"
)
_DOTTED: Final = re.compile(rf"(?<![\w./-])({_PACKAGE}(?:\.\w+)+)(?::(\w+))?(?![\w/])")
_TOP: Final = "|".join((*map(re.escape, _TOPS), _PACKAGE))
_OURS: Final = re.compile(rf"(?!.*/[A-Z]+\.py$)(?:(?:{_TOP})/|.*\.py$|.*/test_\w+$)")
_DEFINED: Final = re.compile(r"^\s*(?:async def |def |class |\[+)?(\w+)", re.MULTILINE)


def faults(text: str) -> Iterator[tuple[int, str]]:
    """Yield what a text names and is not there, with the number of its line."""
    for number, line in enumerate(text.split("\n"), start=1):
        if "/" in line:
            yield from ((number, name) for name in _wrong_paths(line))
        if "sunglare_" in line:
            yield from ((number, name) for name in _wrong_names(line))


def _wrong_paths(line: str) -> Iterator[str]:
    for found in _PATH.finditer(line):
        path, name, goes_on = found.groups()
        if _OURS.match(path) and not _leads_somewhere(path, name, is_begun=bool(goes_on)):
            yield found[0]


def _wrong_names(line: str) -> Iterator[str]:
    for found in _DOTTED.finditer(line):
        if not _is_defined(*found.groups()):
            yield found[0]


@cache
def files() -> tuple[str, ...]:
    """Return all files of the project by their paths, but what programs leave in its folders."""
    found = [path.name for path in ROOT.iterdir() if path.is_file()]
    for top in _TOPS:
        for folder, inner, names in os.walk(ROOT / top):
            inner[:] = [name for name in inner if name not in _LEFT_OUT]
            found += [os.path.relpath(os.path.join(folder, name), ROOT) for name in names]
    return tuple(sorted(found))


@cache
def _ends() -> dict[str, str]:
    """Return files and folders by every end of their paths; of several the first in order."""
    ends: dict[str, str] = {}
    for file in files():
        for path in (file, *map(str, Path(file).parents)):
            parts = path.split("/")
            for first in range(len(parts)):
                ends.setdefault("/".join(parts[first:]), path)
    return ends


@cache
def _leads_somewhere(path: str, name: str | None, *, is_begun: bool) -> bool:
    path = path.rstrip("/." if not is_begun else "")
    if is_begun:
        return any(end.startswith(path) for end in _ends())
    if "*" in path:
        return any(fnmatchcase(end, path.replace("**/", "*")) for end in _ends())
    file = _ends().get(path) or _ends().get(f"{path}.py")
    if file is None or name is None:
        return file is not None
    return (ROOT / file).is_file() and {*name.split(".")} <= _begun_lines(ROOT / file)


@cache
def _begun_lines(file: Path) -> frozenset[str]:
    """Return the first words of the lines of a file; `def`, `class` and brackets do not count."""
    return frozenset(_DEFINED.findall(text_of(file)))


@cache
def _is_defined(dotted: str, attribute: str | None) -> bool:
    """Return whether the longest module at the start of a dotted name has what follows."""
    words = dotted.split(".")
    for length in range(len(words), 0, -1):
        module = "/".join(words[:length])
        file = _ends().get(f"{module}.py") or _ends().get(f"{module}/__init__.py")
        if file is not None:
            name = words[length] if length < len(words) else attribute
            return name is None or _has(ROOT / file, name)
        if module in _ends() and length == len(words):
            return True
    return False


def _has(file: Path, name: str) -> bool:
    source = source_of(file)
    imported = {word for one in source.imports for word in (one.name, one.module)}
    return name.startswith("__") or name in source.names | imported
