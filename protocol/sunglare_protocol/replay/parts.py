"""Parts: values of MessagePack in which whatever was written before is only referred to.

Theory of operation. Most of a frame is what the frame before it said already: the board, the own
ships that did not move, contacts as they were. So each map, list or text that is long enough is
written once, as a part of its own, and numbered from 0 in the order of writing. In whatever comes
later it is a reference, the extension type 1 whose four bytes are the number, most significant
first. A reference always leads back, so a reader needs no more than the parts so far, and decoders
with a hook for that extension get whole values. Nothing is a difference to anything else: each
message is complete with its parts, whatever stands before it.

A short file can refer to much: a reader counts how many bytes a value has unfolded, and how many
all have, and how deep they are, and stops. The writer counts in the same way, so that it writes
nothing that a reader would not take.
"""

import hashlib
from typing import Any, Final, NamedTuple, final

import msgspec

from sunglare_protocol.replay.values import Decoding, ReplayError

REFERENCE: Final = 1
"""The extension type of a reference to a part."""

PART_LEAST = 24
"""OWN: a value of fewer bytes is no part; a reference takes six."""

UNFOLDED_BYTES_MOST = 1 << 20
"""OWN: the most that one message is unfolded; the largest of a shipped match needs a twentieth."""

UNFOLDED_ALL_MOST = 1 << 30
"""OWN: the most that all of a file is unfolded; the longest shipped match needs a fiftieth."""

_KEY_BYTES = 16
_NUMBER_BYTES = 4


class _Short(NamedTuple):
    """A value with references in place of its parts; of how many bytes those are, unfolded."""

    data: bytes
    referred: int


class _Known(NamedTuple):
    """A part that is written: its number, and of how many bytes it is, unfolded."""

    number: int
    size: int


@final
class Split(NamedTuple):
    """The new parts of a value, in their order, and the value with references.

    `unfolded` is how many bytes a reader unfolds for all of these.
    """

    parts: list[bytes]
    short: bytes
    unfolded: int


@final
class PartWriter:
    """Splits values into parts, and remembers which of them are written."""

    def __init__(self) -> None:
        """Begin before the first part."""
        self._known: dict[bytes, _Known] = {}

    def split(self, data: bytes, around: int) -> Split:
        """Return a value split, which is written with so many bytes `around` it.

        `data` is its MessagePack; the value itself is no part. Raise `ReplayError`, and remember
        nothing of it, if readers would not take it.
        """
        new: list[_Short] = []
        before = len(self._known)
        short = self._inside(data, new)
        size = around + len(short.data) + short.referred
        if size > UNFOLDED_BYTES_MOST:
            for key in [*self._known][before:]:
                del self._known[key]
            raise ReplayError("Unfolded it is larger than any message.")
        return Split([part.data for part in new], short.data, size + sum(map(_part_bytes, new)))

    def _inside(self, data: bytes, new: list[_Short]) -> _Short:
        """Return a value with references in the place of what is in it."""
        if _is_map(data[0]):
            fields, referred = _map.decode(data), 0
            for name, value in fields.items():
                if len(value) >= PART_LEAST:
                    short = self._reference(bytes(value), new)
                    fields[name] = msgspec.Raw(short.data)
                    referred += short.referred
            return _Short(_encode(fields), referred)
        if _is_list(data[0]):
            parts, referred = _list.decode(data), 0
            for place, value in enumerate(parts):
                if len(value) >= PART_LEAST:
                    short = self._reference(bytes(value), new)
                    parts[place] = msgspec.Raw(short.data)
                    referred += short.referred
            return _Short(_encode(parts), referred)
        return _Short(data, 0)

    def _reference(self, data: bytes, new: list[_Short]) -> _Short:
        """Return a reference to a value that is long enough, which is written if it is new."""
        key = hashlib.blake2b(data, digest_size=_KEY_BYTES).digest()
        known = self._known.get(key)
        if known is None:
            part = self._inside(data, new)
            new.append(part)
            known = self._known[key] = _Known(len(self._known), _part_bytes(part))
        reference = msgspec.msgpack.Ext(REFERENCE, known.number.to_bytes(_NUMBER_BYTES))
        return _Short(_encode(reference), known.size)


def _part_bytes(part: _Short) -> int:
    """Return what a reader unfolds for a part, which stands in a list of its own."""
    return 1 + len(part.data) + part.referred


class _Part(NamedTuple):
    """A part with what it needs when it is whole: bytes, and lists and maps within each other."""

    value: Any
    size: int
    height: int


@final
class PartReader(Decoding):
    """Puts the parts back while values are decoded, each after its `begin`."""

    def __init__(self) -> None:
        """Begin before the first value."""
        super().__init__()
        self._parts: list[_Part] = []
        self._bytes = self._all = 0

    def begin(self, size: int) -> None:
        """Begin a value of so many bytes: nothing of it is unfolded yet."""
        self.clear()
        self._bytes = 0
        self._unfold(size)

    def extension(self, code: int, data: bytes) -> Any:
        """Return the part that an extension refers to; raise `ReplayError` if there is none."""
        number = int.from_bytes(data)
        if code != REFERENCE or len(data) != _NUMBER_BYTES or number >= len(self._parts):
            raise ReplayError("It refers to something that does not stand before it.")
        part = self._parts[number]
        self._unfold(part.size)
        self.put(part.value, part.height)
        return part.value

    def add(self, value: object) -> None:
        """Take what was just decoded as the next part."""
        self._parts.append(_Part(value, self._bytes, self.height(value)))

    def _unfold(self, size: int) -> None:
        self._bytes += size
        self._all += size
        if self._bytes > UNFOLDED_BYTES_MOST:
            raise ReplayError("Unfolded it is larger than any message.")
        if self._all > UNFOLDED_ALL_MOST:
            raise ReplayError("Unfolded it is larger than any match.")


def _is_map(head: int) -> bool:
    return head & 0xF0 == 0x80 or head in (0xDE, 0xDF)


def _is_list(head: int) -> bool:
    return head & 0xF0 == 0x90 or head in (0xDC, 0xDD)


_map = msgspec.msgpack.Decoder(dict[str, msgspec.Raw])
_list = msgspec.msgpack.Decoder(list[msgspec.Raw])
_encode = msgspec.msgpack.encode
