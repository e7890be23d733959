"""The documents of the wire for other languages, made of its types; run it with a folder to write.

Theory of operation. The codec reads and writes the classes of `messages`; msgspec turns the same
classes into JSON Schema, so what stands in the documents can't be anything else than what is
spoken. Three files are made: the JSON Schema (2020-12) of all messages; an AsyncAPI 3 document
with the channel and its two directions; and types for TypeScript (`typescript`). Docstrings are
the descriptions. What a client sends is closed (`additionalProperties` is false), what a server
sends is open, as it may grow. The order of messages, deadlines and coming back stand in no schema,
but in PROTOCOL.md.
"""

import inspect
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, get_args

import msgspec

from sunglare_protocol.compact import Change
from sunglare_protocol.messages import (
    PROTOCOL_VERSION,
    SUBPROTOCOL,
    SUBPROTOCOL_COMPACT,
    SUBPROTOCOL_JSON,
    ClientMessage,
    ServerMessage,
)
from sunglare_protocol.typescript import types_of

Schema = dict[str, Any]
"""A JSON Schema, or another map of a document."""

DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"
"""The dialect of JSON Schema in which the messages are described."""

SAID: Final = "Everything a client may say."
HEARD: Final = "Everything the server may say. In the compact form a frame may come as a Change."

_DIRECTIONS: Final = {
    "ClientMessage": (SAID, get_args(ClientMessage)),
    "ServerMessage": (HEARD, (*get_args(ServerMessage), Change)),
}


def message_schema() -> Schema:
    """Return the JSON Schema of every message: `ClientMessage`, `ServerMessage` and all of it."""
    shapes = _shapes("#/$defs/{name}")
    tops = {
        name: {"title": name, "description": about, **_any_of(classes, "#/$defs/{name}")}
        for name, (about, classes) in _DIRECTIONS.items()
    }
    return {
        "$schema": DIALECT,
        "title": f"The Sunglare protocol, version {PROTOCOL_VERSION}",
        "description": "A message of a client or of the server; `t` names its kind.",
        "anyOf": [{"$ref": f"#/$defs/{name}"} for name in tops],
        "$defs": tops | shapes,
    }


def asyncapi() -> Schema:
    """Return the AsyncAPI document of a server: one channel, what it takes and what it sends."""
    shapes = {name: _of_draft_7(shape) for name, shape in _shapes(_SHAPE_REF).items()}
    return {
        "asyncapi": "3.1.0",
        "info": {
            "title": "Sunglare",
            "version": f"{PROTOCOL_VERSION}.0.0",
            "description": _ABOUT,
            "license": {"name": "MIT"},
        },
        "defaultContentType": "application/msgpack",
        "servers": {"local": {"host": "127.0.0.1:8765", "protocol": "ws"}},
        "channels": {"play": _channel()},
        "operations": {
            "take": _operation("receive", "ClientMessage"),
            "tell": _operation("send", "ServerMessage"),
        },
        "components": {
            "messages": {kind.__name__: _message(kind) for kind in _all_kinds()},
            "schemas": shapes,
        },
    }


_SHAPE_REF: Final = "#/components/schemas/{name}"

_ABOUT: Final = f"""\
Matches between players who must not know everything, over one WebSocket. The subprotocol decides \
the form: `{SUBPROTOCOL}` is MessagePack in binary frames, `{SUBPROTOCOL_JSON}` the same as JSON \
text, with bytes as base 64, and `{SUBPROTOCOL_COMPACT}` MessagePack in which a frame may come as \
a change of the one before it. Which message answers which, deadlines, numbers and coming back \
are described in PROTOCOL.md."""


def _channel() -> Schema:
    return {
        "address": "/play",
        "description": "The WebSocket on which everything is said.",
        "messages": {
            kind.__name__: {"$ref": f"#/components/messages/{kind.__name__}"}
            for kind in _all_kinds()
        },
        "bindings": {"ws": {"method": "GET"}},
    }


def _operation(action: str, direction: str) -> Schema:
    about, kinds = _DIRECTIONS[direction]
    refs = [{"$ref": f"#/channels/play/messages/{kind.__name__}"} for kind in kinds]
    channel = {"$ref": "#/channels/play"}
    return {"action": action, "channel": channel, "summary": about, "messages": refs}


def _message(kind: type) -> Schema:
    return {
        "name": _tag_of(kind),
        "title": kind.__name__,
        "summary": inspect.cleandoc(kind.__doc__ or "").partition("\n")[0],
        "payload": {"$ref": _SHAPE_REF.format(name=kind.__name__)},
    }


def _all_kinds() -> list[type]:
    return [kind for _, kinds in _DIRECTIONS.values() for kind in kinds]


def _tag_of(kind: type) -> str:
    return str(msgspec.inspect.type_info(kind).tag)  # type: ignore[attr-defined]


def _any_of(kinds: tuple[type, ...], ref: str) -> Schema:
    refs = {_tag_of(kind): ref.format(name=kind.__name__) for kind in kinds}
    return {
        "anyOf": [{"$ref": target} for target in refs.values()],
        "discriminator": {"propertyName": "t", "mapping": refs},
    }


def _shapes(ref: str) -> dict[str, Schema]:
    """Return the schema of every class and word of the wire by its name, sorted."""
    _, found = msgspec.json.schema_components(_all_kinds(), ref_template=ref)
    return {name: _everywhere(_with_whole_text, found[name]) for name in sorted(found)}


def _with_whole_text(part: Schema) -> Schema:
    # A docstring comes as it stands in the code, with the indents of its lines.
    if isinstance(text := part.get("description"), str):
        return part | {"description": " ".join(inspect.cleandoc(text).split())}
    return part


def _of_draft_7(shape: Schema) -> Schema:
    """Return a schema in the dialect that AsyncAPI has by itself.

    There `discriminator` is a text, while each kind pins its `t` anyway, and the items of a
    fixed list are `items`.
    """
    return _everywhere(_older, shape)


def _older(part: Schema) -> Schema:
    return {
        "items" if key == "prefixItems" else key: value
        for key, value in part.items()
        if not (key == "discriminator" and isinstance(value, dict) and "mapping" in value)
    }


def _everywhere(change: Callable[[Schema], Schema], value: Schema) -> Schema:
    """Return a schema with every map in it changed, itself the last."""
    inner = {key: _within(change, part) for key, part in value.items()}
    return change(inner)


def _within(change: Callable[[Schema], Schema], value: Any) -> Any:
    if isinstance(value, dict):
        return _everywhere(change, value)
    return [_within(change, part) for part in value] if isinstance(value, list) else value


def documents() -> dict[str, str]:
    """Return the text of every document by the name of its file."""
    schema = message_schema()
    return {
        "messages.schema.json": _text(schema),
        "asyncapi.json": _text(asyncapi()),
        "messages.d.ts": types_of(schema),
    }


def _text(document: Schema) -> str:
    return f"{json.dumps(document, indent=1, ensure_ascii=False)}\n"


def main(arguments: list[str] | None = None) -> int:
    """Write the documents to the folder that is named; return the exit code."""
    words = sys.argv[1:] if arguments is None else arguments
    if len(words) != 1 or not Path(words[0]).is_dir():
        sys.stderr.write("usage: python -m sunglare_protocol.schema FOLDER, one that exists\n")
        return 2
    for name, text in documents().items():
        (Path(words[0]) / name).write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
