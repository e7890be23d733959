"""Addresses in the product, as `sunglare_rules/turn/scale.py::within_mu`, and their faults.

An address is a file by its package, folders and name, a module or a data file; after `::` may
follow a public name that the module defines, or a table of the data file. A method is named with
its class, as in `Dice.token`.
"""

import tomllib
from functools import lru_cache
from pathlib import Path
from typing import Final

from builders.sources import source_of

ROOT: Final = Path(__file__).parents[2]

DISTRIBUTIONS: Final = ("protocol", "server", "client")
"""The folders in which the packages lie."""


def modules_in(*folders: str) -> list[Path]:
    """Return all files of Python below some folders of the project, in order."""
    return sorted(path for folder in folders for path in (ROOT / folder).rglob("*.py"))


def fault_of(address: str) -> str | None:
    """Return why an address leads nowhere, or None if it leads somewhere."""
    file, _, name = address.partition("::")
    path = path_of(file)
    if path is None:
        return f"there is no {file}"
    if not name:
        return None
    if any(part.startswith("_") for part in name.split(".")):
        return f"{name} is private to {file}"
    return None if name in names_of(path) else f"{file} defines no {name}"


def path_of(file: str) -> Path | None:
    """Return the path of a file of the product, or None if there is none."""
    paths = (ROOT / folder / file for folder in DISTRIBUTIONS)
    return next((path for path in paths if path.is_file()), None)


@lru_cache(maxsize=1024)
def names_of(path: Path) -> frozenset[str]:
    """Return the names that a module itself defines, or the tables of a data file."""
    if path.suffix == ".toml":
        return frozenset(tomllib.loads(path.read_text(encoding="utf-8")))
    return source_of(path).names
