"""How the protocol page writes the types of fields, and tables in general."""

import enum
import inspect
import types
from collections.abc import Iterable
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

import msgspec

from sunglare_protocol.geometry import Square, Vector
from sunglare_protocol.messages.answers import AnswerBody
from sunglare_protocol.notices import Notice, PublicNotice
from sunglare_protocol.orders import Order
from sunglare_protocol.surface import Cell, Site
from sunglare_protocol.views import TruthView, View

PLAIN: dict[Any, str] = {
    int: "integer",
    str: "text",
    bool: "boolean",
    bytes: "bytes",
    Square: "[x, y]",
    Vector: "[dx, dy]",
    Cell: "[column, row]",
    Site: "[body, environs]",
}
"""The words for types that are no class of the protocol."""

FIRST = ("id", "ship")
"""The fields that are written first: whose message or order it is."""

UNIONS: dict[frozenset[Any], str] = {
    frozenset(get_args(Order)): "order",
    frozenset(get_args(Notice)): "notice",
    frozenset(get_args(PublicNotice)): "public notice",
    frozenset(get_args(AnswerBody)): "answer",
    frozenset((View, TruthView)): "view",
}
"""The words for the closed families."""


def row(*cells: object) -> str:
    """Return one line of a table."""
    return "| " + " | ".join(str(cell).replace("|", "\\|") for cell in cells) + " |"


def table(heads: Iterable[str], rows: Iterable[tuple[object, ...]]) -> str:
    """Return a whole table."""
    heads = tuple(heads)
    return "\n".join([row(*heads), row(*("---" for _ in heads)), *(row(*cells) for cells in rows)])


def said(kind: type) -> str:
    """Return the description of a class in one line."""
    return " ".join(inspect.cleandoc(kind.__doc__ or "").split())


def tag(kind: type) -> str:
    """Return the value of `t` of a message class."""
    return str(getattr(kind, "__struct_config__").tag)  # noqa: B009 - mypy knows no such name


def field_names(kind: type) -> tuple[str, ...]:
    """Return the names of a class's fields as they are on the wire."""
    return tuple(field.encode_name for field in msgspec.structs.fields(kind))


def fields(kind: type) -> str:
    """Return every field of a class with its type, and its default if it may be absent."""
    hints = get_type_hints(kind, include_extras=True)
    ordered = sorted(msgspec.structs.fields(kind), key=lambda field: field.name not in FIRST)
    found = [
        f"`{field.encode_name}` {_type(hints[field.name])}{_default(field)}" for field in ordered
    ]
    return ", ".join(found) or "none"


def _type(hint: Any) -> str:
    if get_origin(hint) is Annotated:
        return _limited(hint)
    if hint in PLAIN:
        return PLAIN[hint]
    if get_origin(hint) in (Union, types.UnionType):
        return _union(get_args(hint))
    if get_origin(hint) is tuple:
        return f"list of {_type(get_args(hint)[0])}"
    if get_origin(hint) is dict:
        key, value = get_args(hint)
        return f"map of {_type(key)} to {_type(value)}"
    if get_origin(hint) is Literal:
        return " or ".join(f"`{part}`" for part in get_args(hint))
    return str(hint.__name__)


def _limited(hint: Any) -> str:
    base, *metas = get_args(hint)
    words = _type(base)
    for meta in metas:
        if isinstance(meta, msgspec.Meta) and meta.max_length is not None:
            words += f" ≤ {meta.max_length}"
        elif isinstance(meta, msgspec.Meta) and meta.ge is not None and meta.le is not None:
            words += f" {meta.ge} to {meta.le}"
    return words


def _union(parts: tuple[Any, ...]) -> str:
    known = [part for part in parts if part is not types.NoneType]
    family = UNIONS.get(frozenset(known))
    for members, name in UNIONS.items():
        if family is None and members < frozenset(known):
            family = " or ".join([name, *(_type(kind) for kind in known if kind not in members)])
    return family or " or ".join(_type(kind) for kind in known)


def _default(field: msgspec.structs.FieldInfo) -> str:
    """Return what an absent field means: `?` for nothing at all, else the value."""
    if field.required:
        return " or null" if types.NoneType in get_args(field.type) else ""
    value = field.default
    if isinstance(value, enum.Enum):
        value = value.value
    if isinstance(value, Vector):
        value = list(value)
    if isinstance(value, str | int | list):
        return f" = `{msgspec.json.encode(value).decode()}`"
    return "?"
