"""Tags of messages and records: listed in tags.toml, and written out in the class statement."""

import ast
import importlib
import re
import tomllib
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Final

import msgspec
import pytest

from builders.sources import text_of
from documents.addresses import DISTRIBUTIONS, ROOT, modules_in

LISTED: Final = tomllib.loads(Path(__file__).with_name("tags.toml").read_text(encoding="utf-8"))


@cache
def tagged() -> tuple[type[msgspec.Struct], ...]:
    """Return the tagged structs of the product that are sent or stored, not their bases."""
    # A module may give one struct two names.
    kinds = dict.fromkeys(kind for module in modules() for kind in structs_of(module))
    bases = {base for kind in kinds for base in kind.__mro__[1:]}
    return tuple(
        kind for kind in kinds if kind not in bases and kind.__struct_config__.tag is not None
    )


def modules() -> Iterator[ModuleType]:
    """Import the modules of the product that define structs, or any class with a tag."""
    for path in modules_in(*DISTRIBUTIONS):
        package = path.relative_to(ROOT).with_suffix("").parts[1:]
        if package[0].startswith("sunglare_") and re.search(r"Struct\b|\btag=", text_of(path)):
            yield importlib.import_module(".".join(package).removesuffix(".__init__"))


def structs_of(module: ModuleType) -> list[type[msgspec.Struct]]:
    """Return the structs that a module itself defines, in its order."""
    return [
        kind
        for kind in vars(module).values()
        if isinstance(kind, type)
        and issubclass(kind, msgspec.Struct)
        and kind.__module__ == module.__name__
    ]


def written_tags(text: str) -> dict[str, str]:
    """Return the tags that class statements write out as strings, by class."""
    return {
        node.name: word.value.value
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.ClassDef)
        for word in node.keywords
        if word.arg == "tag"
        and isinstance(word.value, ast.Constant)
        and isinstance(word.value.value, str)
    }


def test_every_tag_of_the_product_is_as_listed() -> None:
    found: defaultdict[str, dict[str, list[str]]] = defaultdict(dict)
    for kind in tagged():
        config = kind.__struct_config__
        found[kind.__module__].setdefault(str(config.tag_field), []).append(str(config.tag))
    assert found == LISTED


def test_every_tag_is_written_out_and_none_is_made_from_the_name_of_its_class() -> None:
    written = {
        module: written_tags(text_of(Path(str(importlib.import_module(module).__file__))))
        for module in LISTED
    }
    derived = [
        f"{kind.__module__}:{kind.__name__}"
        for kind in tagged()
        if written[kind.__module__].get(kind.__name__) != kind.__struct_config__.tag
    ]
    assert derived == []


@pytest.mark.parametrize(
    ("keywords", "written"),
    [
        pytest.param('tag="saw"', {"Seen": "saw"}, id="written out"),
        pytest.param('tag_field="t"', {}, id="no tag"),
        pytest.param("tag=True", {}, id="the name of the class"),
        pytest.param("tag=str.lower", {}, id="made from that name"),
    ],
)
def test_only_a_string_in_the_class_statement_counts_as_written_out(
    keywords: str, written: dict[str, str]
) -> None:
    assert written_tags(f"class Seen(Base, frozen=True, {keywords}): ...") == written
