"""Recorded sessions: who said and heard what on which line, step by step, with the bytes.

A session is a file of JSON lines in `sunglare_protocol/sessions`, one for each step, so that a
program of any language can read it. A step has a `line`, and one of these:

- `does`: `open` (with the subprotocol as `form`), `drop` (the line is lost, without a word) or
  `close`;
- `says`: a message of the client, and its bytes in hexadecimal as `hex`;
- `hears`: a message of the server, likewise.

What a line hears are two sequences, each in its own order: answers, which have an `id`, and posts.
An answer and a post may come in either order, as PROTOCOL.md says.
"""

import json
from collections.abc import Iterable
from importlib import resources
from typing import Any, Final, final

import msgspec

from sunglare_protocol.codec import Form
from sunglare_protocol.errors import SunglareError

Message = dict[str, Any]
"""A message as JSON has it: bytes are base 64."""

NAMES: Final = ("match", "resume", "refusals")
"""The sessions that are shipped, in the order in which they are played."""

OPEN, DROP, CLOSE = "open", "drop", "close"


class SessionError(SunglareError):
    """A file that holds no session; the text says where and why."""


@final
class SessionStep(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One step of a session; of `does`, `says` and `hears` it has one."""

    line: str
    does: str = ""
    form: str = ""
    says: Message = {}
    hears: Message = {}
    hex: str = ""


def recorded(name: str) -> list[SessionStep]:
    """Return a session that is shipped."""
    file = resources.files("sunglare_protocol") / "sessions" / f"{name}.jsonl"
    return read(file.read_text(encoding="utf-8"), name)


def read(text: str, name: str) -> list[SessionStep]:
    """Return the steps in the text of a session; raise `SessionError` if it is none."""
    steps = []
    for number, line in enumerate(text.splitlines(), 1):
        try:
            steps.append(msgspec.json.decode(line, type=SessionStep))
        except msgspec.DecodeError as fault:
            raise SessionError(f"{name}, line {number}: {fault}") from None
    return steps


def written(steps: Iterable[SessionStep]) -> str:
    """Return the text of a session."""
    return "".join(f"{msgspec.json.encode(step).decode()}\n" for step in steps)


def plain(data: bytes | str, form: Form) -> Message:
    """Return the message in some bytes as JSON has it; raise `SessionError` if there is none."""
    try:
        if form is Form.JSON:
            found = json.loads(data)
        else:
            packed = data.encode() if isinstance(data, str) else data
            found = msgspec.json.decode(msgspec.json.encode(msgspec.msgpack.decode(packed)))
    except (ValueError, msgspec.DecodeError, RecursionError) as fault:
        raise SessionError(f"no message: {fault}") from None
    if not isinstance(found, dict):
        raise SessionError("no message: it is no map")
    return found


def hex_of(data: bytes | str) -> str:
    """Return bytes, or the bytes of a text, in hexadecimal."""
    return (data.encode() if isinstance(data, str) else data).hex()
