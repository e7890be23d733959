"""What an operator may be shown: fields of rows, names of figures and their labels; all of them.

The complete list is `rows.toml`, with the table of figures in OPERATIONS.md.
"""

import re
import tomllib
from functools import cache
from pathlib import Path
from typing import Any, Final, final

import msgspec
from msgspec.inspect import StructType, type_info

from builders.sources import text_of
from sunglare_server.ops.control.answers import Answer

HERE: Final = Path(__file__).parent

PAGE: Final = HERE.parents[1] / "server" / "OPERATIONS.md"

_NAME: Final = re.compile(r"\b(?:sunglare|process)_[a-z_]+\b")
_SAMPLE: Final = re.compile(r"((?:sunglare|process)_[a-z_]+)(?:\{(.*)\})? ")
_LABEL: Final = re.compile(r'([a-z_]+)="')
_ENDINGS: Final = re.compile(r"_(?:bucket|count|sum)$")


@final
class Listed(msgspec.Struct, frozen=True):
    """The list: the fields of each row by its class, and the labels of figures."""

    fields: dict[str, list[str]]
    labels: dict[str, list[str]]


@cache
def listed() -> Listed:
    """Return the list."""
    return msgspec.convert(tomllib.loads(text_of(HERE / "rows.toml")), Listed)


def shown() -> dict[str, list[str]]:
    """Return the fields of all that an answer of the control socket can hold, by class."""
    found: dict[str, list[str]] = {}
    _add(type_info(Answer), found)
    return dict(sorted(found.items()))


def _add(info: Any, found: dict[str, list[str]]) -> None:
    """Note the fields of a struct, and what they, or the items of a container, may be."""
    if isinstance(info, StructType):
        if info.cls.__name__ in found:
            return
        found[info.cls.__name__] = [field.name for field in info.fields]
        for field in info.fields:
            _add(field.type, found)
    for part in ("types", "item_types"):
        for inner in getattr(info, part, ()):
            _add(inner, found)
    for part in ("item_type", "key_type", "value_type"):
        if (one := getattr(info, part, None)) is not None:
            _add(one, found)


@cache
def figures_listed() -> frozenset[str]:
    """Return the names of the figures that the operators' page has a row of."""
    chapter = text_of(PAGE).partition("### Figures for Prometheus\n")[2].partition("\n### ")[0]
    return frozenset(_NAME.findall(chapter))


def unlisted_figures(exposition: str) -> list[str]:
    """Return the figures, and the labels of figures, that are shown and stand in no list."""
    faults: list[str] = []
    for line in exposition.splitlines():
        sample = _SAMPLE.match(line)
        if sample is None:
            continue
        name = _ENDINGS.sub("", sample[1])
        labels = set(_LABEL.findall(sample[2] or "")) - set(listed().labels.get(name, ()))
        faults += [name] if name not in figures_listed() else []
        faults += [f"{name}: {label}" for label in sorted(labels)]
    return faults
