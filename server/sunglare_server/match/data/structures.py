"""The shape of a table of a data file: every flaw with its key and what would be right.

A table is held against the structure that it is to become, field by field, so that all of its
flaws are found at once and each names its key.
"""

import enum
import types
import typing
from collections.abc import Iterable, Iterator
from functools import cache

import msgspec

from sunglare_protocol.text import NAME_MOST, clean

Table = dict[str, object]
"""A table of a data file, as it was parsed."""


TOP = "(top)"
"""Stands for the key of a file's topmost table."""


class Flaw(typing.NamedTuple):
    """A flaw at a key, and what would be right; `too_many` is the table with such a key."""

    key: str
    why: str
    too_many: tuple[Table, str] | None = None


def flaws(raw: object, kind: object, key: str = "") -> Iterator[Flaw]:
    """Yield what keeps a value from being of that type, which may be a structure or a list."""
    kind = _without_none(kind)
    if isinstance(kind, type) and issubclass(kind, msgspec.Struct) and isinstance(raw, dict):
        yield from _table_flaws(raw, kind, key)
    elif _is_list(kind) and isinstance(raw, list):
        for index, part in enumerate(raw):
            yield from flaws(part, typing.get_args(kind)[0], f"{key}[{index}]")
    elif typing.get_origin(kind) is dict and isinstance(raw, dict):
        for name, part in raw.items():
            yield from flaws(part, typing.get_args(kind)[1], _under(key, name))
    elif words := words_of(kind):
        if raw not in words:
            yield Flaw(key or TOP, unknown(raw, words))
    else:
        yield from _plain_flaw(raw, kind, key)


def unknown(wrong: object, right: Iterable[object]) -> str:
    """Return that a word is not known here, and those that are."""
    return f"{wrong!r} is not known here; known are {', '.join(map(str, right))}"


@cache
def words_of(kind: object) -> tuple[object, ...]:
    """Return the words that a type takes; none if it takes more than words."""
    if isinstance(kind, type) and issubclass(kind, enum.Enum):
        return tuple(member.value for member in kind)
    return typing.get_args(kind) if typing.get_origin(kind) is typing.Literal else ()


def without_unknown(found: Iterable[Flaw]) -> tuple[Flaw, ...]:
    """Take the keys too many out of their tables; return the flaws that are left."""
    left = []
    for flaw in found:
        if flaw.too_many is None:
            left.append(flaw)
        else:
            table, name = flaw.too_many
            del table[name]
    return tuple(left)


def _table_flaws(raw: Table, kind: type[msgspec.Struct], key: str) -> Iterator[Flaw]:
    fields = _fields(kind)
    for name in raw:
        if name not in fields:
            yield Flaw(_under(key, name), unknown(name, fields), (raw, name))
    for name, field in fields.items():
        if name in raw:
            yield from flaws(raw[name], field.type, _under(key, name))
        elif field.required:
            yield Flaw(_under(key, name), f"the key {name!r} is missing")


@cache
def _fields(kind: type[msgspec.Struct]) -> dict[str, msgspec.structs.FieldInfo]:
    """Return the fields of a structure by the keys that a file has for them."""
    return {field.encode_name: field for field in msgspec.structs.fields(kind)}


def _plain_flaw(raw: object, kind: object, key: str) -> Iterator[Flaw]:
    try:
        msgspec.convert(raw, kind)
    except msgspec.ValidationError as fault:
        why, mark, at = str(fault).rpartition(" - at `$")
        yield Flaw((f"{key}{at.rstrip('`')}" if mark else key) or TOP, why if mark else at)


@cache
def _without_none(kind: object) -> object:
    """Return the type other than None of an optional one: a file leaves a key out instead."""
    if typing.get_origin(kind) not in (typing.Union, types.UnionType):
        return kind
    others = [part for part in typing.get_args(kind) if part is not type(None)]
    return others[0] if len(others) == 1 else kind


@cache
def _is_list(kind: object) -> bool:
    return typing.get_origin(kind) is tuple and typing.get_args(kind)[1:] == (Ellipsis,)


def _under(key: str, name: object) -> str:
    plain = name if clean(str(name), NAME_MOST) == name else repr(name)
    return f"{key}.{plain}" if key else str(plain)
