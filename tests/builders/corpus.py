"""The stored corpus of real messages, and the kinds of things that are in a message."""

import io
import itertools
from collections.abc import Iterator
from pathlib import Path

import msgpack  # type: ignore[import-untyped]

from sunglare_protocol.codec import Form

FOLDER = Path(__file__).parents[1] / "corpus"

CLIENT = FOLDER / "client"
"""What clients say; `.msgpack` holds one message after the other, `.jsonl` one on each line."""

SERVER = FOLDER / "server"
"""What a server says, likewise."""


def corpus(stem: Path, form: Form) -> list[bytes]:
    """Return the messages of a file in a form."""
    if form is Form.JSON:
        return stem.with_suffix(".jsonl").read_bytes().splitlines()
    data = stem.with_suffix(".msgpack").read_bytes()
    reader = msgpack.Unpacker(io.BytesIO(data), max_buffer_size=len(data))
    ends = [0, *(reader.tell() for _ in reader)]
    return [data[start:end] for start, end in itertools.pairwise(ends)]


def kinds_of(value: object, at: str = "") -> list[str]:
    """Return every kind of map in a message, as a path of fields to its `t` and its keys."""
    return list(dict.fromkeys(_kinds(value, at)))


def _kinds(value: object, at: str) -> Iterator[str]:
    if isinstance(value, dict):
        tag = value.get("t", "")
        yield f"{at}:{tag}"
        for key, part in value.items():
            yield from _kinds(part, f"{at}.{key}" if isinstance(key, str) else at)
    elif isinstance(value, list):
        for part in value:
            yield from _kinds(part, at)
