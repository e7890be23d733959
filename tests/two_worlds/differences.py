"""The words for where what two worlds send differs."""

import json
from collections.abc import Iterator

import msgspec

from sunglare_protocol.codec import Form, decode_server

SHOWN = 12
"""How many differing places of a message a failure lists."""


_ROW = (list, tuple)


def difference(ours: list[bytes], theirs: list[bytes]) -> str:
    """Return in words where two lists of messages first differ, with the places that differ."""
    for index, (a, b) in enumerate(zip(ours, theirs, strict=False)):
        if a != b:
            first, second = _plain(a), _plain(b)
            places = list(_differing("$", first, second))[:SHOWN]
            shown = "\n".join(f"  {place}" for place in places)
            return (
                f"message {index} of {len(ours)} and {len(theirs)}, {len(a)} and {len(b)} bytes:"
                f"\n{shown}\n  stage: {_stage(first)}"
            )
    return f"{len(ours)} messages here, {len(theirs)} there"


def _stage(message: object) -> str:
    """Return where the match stood in a frame; the whole frame is there in a replay."""
    view = message.get("view") if isinstance(message, dict) else None
    return json.dumps(view.get("stage") if isinstance(view, dict) else message)


def _plain(data: bytes) -> object:
    return msgspec.to_builtins(decode_server(data, Form.PACKED))


def _differing(path: str, a: object, b: object) -> Iterator[str]:
    if isinstance(a, dict) and isinstance(b, dict):
        for key in dict.fromkeys((*a, *b)):
            yield from _differing(f"{path}.{key}", a.get(key), b.get(key))
    elif isinstance(a, _ROW) and isinstance(b, _ROW) and len(a) == len(b):
        for index, (left, right) in enumerate(zip(a, b, strict=True)):
            yield from _differing(f"{path}[{index}]", left, right)
    elif isinstance(a, _ROW) and isinstance(b, _ROW):
        yield from (f"{path}: only here: {json.dumps(line)}" for line in a if line not in b)
        yield from (f"{path}: only there: {json.dumps(line)}" for line in b if line not in a)
        yield f"{path}: {len(a)} here, {len(b)} there"
    elif a != b:
        yield f"{path}: {json.dumps(a)} | {json.dumps(b)}"
