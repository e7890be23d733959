"""The replay file `.sgr` for viewers: its header and its layers, without the rules.

What it proves, records and trailer, is passed over here; `sunglare verify` checks it. A file that
is cut, foreign or hostile is read up to its last whole message, and `fault` says in one sentence
what is wrong with the rest.
"""

from typing import Any, Final, NamedTuple, final

from sunglare_protocol.replay.layers import Layers, Message, read_layers
from sunglare_protocol.replay.values import ReplayError, Values

FILE_BYTES_MOST: Final = 64 * 1024 * 1024
"""The largest file that is read."""

RECORD, FRAMES = "sunglare-record", "sunglare-frames"
"""What the header of a file says it is: a whole match, or what one side was sent so far."""

_LAYERED = 4
"""The version of a record file with layers; later ones are unknown here."""


@final
class Replay(NamedTuple):
    """What a file shows: its header, what was sent, and a sentence about what can't be read."""

    header: dict[str, Any]
    layers: Layers

    @property
    def fault(self) -> str:
        """Return why there is no more in it, or nothing.

        Every seat is sent a frame at least: where one has none, something is missing.
        """
        if self.layers.fault or self.header["format"] == FRAMES:
            return self.layers.fault
        lost = [name for name, layer in self.layers.by_name.items() if not layer]
        return f"What was sent to {', '.join(lost)} is missing in it." if lost else ""


def read_replay(data: bytes) -> Replay:
    """Return what a file shows; raise `ReplayError` if it is none, or too large."""
    if len(data) > FILE_BYTES_MOST:
        raise ReplayError(f"This file is too large: {FILE_BYTES_MOST >> 20} MiB are the most.")
    values = Values(data)
    header = _header(values)
    try:
        return Replay(header, _layers(data, values, header))
    except ReplayError as fault:
        return Replay(header, Layers((), (), str(fault)))


def read_header(data: bytes) -> dict[str, Any]:
    """Return the header of a file from its first bytes; raise `ReplayError` if it has none."""
    return _header(Values(data))


def layers_place(data: bytes) -> int:
    """Return where the layers of a record begin, in bytes; raise `ReplayError` if it has none."""
    values = Values(data)
    header = _header(values)
    if header["format"] == FRAMES:
        raise ReplayError("This is no record: the match was not over when it was saved.")
    return _skipped(values, header)


def _layers(data: bytes, values: Values, header: dict[str, Any]) -> Layers:
    """Return what follows on the header; raise `ReplayError` where that shows nothing."""
    if header["format"] == FRAMES:
        return _sent_so_far(values, header)
    return read_layers(data, _skipped(values, header))


def _skipped(values: Values, header: dict[str, Any]) -> int:
    """Return where the layers begin behind a header that was read; raise as `layers_place`."""
    version = header.get("version")
    if not isinstance(version, int) or version < _LAYERED or header.get("trailer") is False:
        raise ReplayError("There is nothing in this file of what was sent.")
    if version > _LAYERED:
        raise ReplayError("This file is newer than this program.")
    # The records, the trailer and its hash.
    for _ in range(_counted(header, "records") + 2):
        values.skip()
    return values.end


def _header(values: Values) -> dict[str, Any]:
    try:
        header = values.next()
    except ReplayError:
        header = None
    if not isinstance(header, dict) or header.get("format") not in (RECORD, FRAMES):
        raise ReplayError("This is no record of a match.")
    return header


def _counted(header: dict[str, Any], key: str) -> int:
    count = header.get(key)
    if not isinstance(count, int) or count < 0:
        raise ReplayError(f"Its header does not count its {key}.")
    return count


def _sent_so_far(values: Values, header: dict[str, Any]) -> Layers:
    """Return the one layer of a file that was saved before the end."""
    name, found, fault = str(header.get("audience")), list[Message](), ""
    try:
        found.extend(Message(name, _message(values)) for _ in range(_counted(header, "frames")))
    except ReplayError as error:
        fault = str(error)
    return Layers(tuple(found), (name,), fault)


def _message(values: Values) -> dict[str, Any]:
    """Return the next message of such a file, which is a binary value."""
    blob = values.next()
    sent = Values(blob).next() if isinstance(blob, bytes) else None
    if not isinstance(sent, dict):
        raise ReplayError("There is something in it that is no message.")
    sent.pop("pad", None)
    return sent
