"""Types for TypeScript, made of the JSON Schema of the messages."""

import json
import re
from collections.abc import Iterator
from typing import Any, Final

Schema = dict[str, Any]

HEAD: Final = """\
// Made of the types of the protocol by `make schema`: change nothing here.
"""

_PLAIN: Final = {
    "string": "string",
    "integer": "number",
    "number": "number",
    "boolean": "boolean",
    "null": "null",
}
_NAME: Final = re.compile(r"[A-Za-z_]\w*")


def types_of(schema: Schema) -> str:
    """Return the declarations of every shape among the `$defs` of a JSON Schema.

    Bytes, which JSON has as base 64, are bytes in MessagePack: the declarations name both.
    """
    shapes = schema["$defs"].items()
    return HEAD + "".join(f"\n{_declared(name, shape)}" for name, shape in shapes)


def _declared(name: str, shape: Schema) -> str:
    said = _comment(shape, "")
    if "properties" not in shape:
        return f"{said}export type {name} = {_type(shape)};\n"
    fields = "".join(_fields(shape))
    return f"{said}export interface {name} {{\n{fields}}}\n"


def _fields(shape: Schema) -> Iterator[str]:
    needed = shape.get("required", ())
    for key, part in shape["properties"].items():
        name = key if _NAME.fullmatch(key) else json.dumps(key)
        yield f"  {name}{'' if key in needed else '?'}: {_type(part)};\n"


def _comment(shape: Schema, indent: str) -> str:
    said = shape.get("description", "").replace("*/", "* /")
    return f"{indent}/** {said} */\n" if said else ""


def _type(part: Schema) -> str:
    """Return how TypeScript writes a schema."""
    if "$ref" in part:
        return str(part["$ref"]).rpartition("/")[2]
    if "anyOf" in part:
        return " | ".join(dict.fromkeys(_type(option) for option in part["anyOf"]))
    if "enum" in part:
        return " | ".join(json.dumps(word) for word in part["enum"])
    match part.get("type"):
        case "array":
            return _list(part)
        case "object":
            inner = part.get("additionalProperties")
            value = _type(inner) if isinstance(inner, dict) else "unknown"
            return f"{{ [key: string]: {value} }}"
        case "string" if part.get("contentEncoding") == "base64":
            return "string | Uint8Array"
        case str(kind):
            return _PLAIN[kind]
        case _:
            return "unknown"


def _list(part: Schema) -> str:
    if "prefixItems" in part:
        return f"[{', '.join(map(_type, part['prefixItems']))}]"
    inner = _type(part["items"]) if "items" in part else "unknown"
    return f"({inner})[]" if " | " in inner else f"{inner}[]"
