"""A line of JSON, as the subcommands print it for programs."""

import json

import msgspec


def json_line(value: object) -> str:
    """Return a value, perhaps a message of the protocol, as one line of JSON.

    It is ASCII: whatever the stream can show, and however its reader parts lines, it fits.
    """
    return json.dumps(msgspec.to_builtins(value), separators=(",", ":"))
