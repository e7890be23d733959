"""The layers of a replay: each is what one audience was sent, message by message, in few bytes.

They follow on the head of a file, as a stream of MessagePack values:

- a map: `format` `sunglare-layers`, `version`;
- lists of one, each a part, and lists of two, each a layer's name and a message of it, in the
  order of writing; whatever is long enough in them is a reference to a part before
  (`replay/parts.py`);
- a map, the index: `format` `sunglare-index`; `layers`, which has for each layer its messages as
  lists of place, `seq`, `turn` and `window` (0 and "" where a message has none); `parts`, the
  places of the parts, four bytes each, most significant first; `hash`, BLAKE2b of 16 bytes over
  everything from the first map to here. A place is counted in bytes from the first map on;
- a binary of eight bytes, the place of the index in the same way.

A message has no `pad`, which only hid its length on the way.
"""

import hashlib
from collections.abc import Iterator
from typing import Any, Final, NamedTuple, final

import msgspec

from sunglare_protocol.replay.parts import PartReader, PartWriter
from sunglare_protocol.replay.values import Decoding, ReplayError, Values

LAYERS_FORMAT: Final = "sunglare-layers"
"""What the first value of the layers says it is."""

INDEX_FORMAT: Final = "sunglare-index"
"""What the index says it is."""

LAYERS_VERSION: Final = 1
"""The version of the layers; a reader shows none of another."""

HASH_BYTES = 16

_PART_PLACE_BYTES = 4
_PLACE_BYTES = 8
_PLACE = bytes((0xC4, _PLACE_BYTES))
"""How the place of the index begins."""

_END_BYTES = len(_PLACE) + _PLACE_BYTES


@final
class Message(NamedTuple):
    """A message of a layer: what was sent, as it was decoded, without its `pad`."""

    layer: str
    sent: dict[str, Any]


@final
class Layers(NamedTuple):
    """The layers of a file, as far as they can be read: all messages, in the order of the file.

    `names` are those of the layers that the index lists. `fault` says in a sentence why there is
    no more, or nothing.
    """

    messages: tuple[Message, ...]
    names: tuple[str, ...]
    fault: str

    @property
    def by_name(self) -> dict[str, tuple[dict[str, Any], ...]]:
        """Return what was sent, layer by layer."""
        found: dict[str, list[dict[str, Any]]] = {name: [] for name in self.names}
        for message in self.messages:
            found.setdefault(message.layer, []).append(message.sent)
        return {name: tuple(layer) for name, layer in found.items()}


@final
class LayerWriter:
    """Writes the layers of one file, message by message."""

    def __init__(self) -> None:
        """Begin with the first value.

        `size` is how many bytes there are by now, `unfolded` how many a reader unfolds for them.
        """
        self._parts = PartWriter()
        self._chunks: list[bytes] = []
        self.size = self.unfolded = 0
        self._places: list[int] = []
        self._index: dict[str, list[tuple[int, int, int, str]]] = {}
        self._put({"format": LAYERS_FORMAT, "version": LAYERS_VERSION})

    def layer(self, name: str) -> None:
        """Let there be a layer of this name, even if it has no message."""
        self._index.setdefault(name, [])

    def add(self, layer: str, message: bytes) -> None:
        """Add a message, as MessagePack, to a layer.

        Raise `ReplayError`, and add nothing, if it is larger than readers take.
        """
        sent = msgspec.msgpack.decode(message, type=dict[str, msgspec.Raw])
        sent.pop("pad", None)
        split = self._parts.split(_encode(sent), around=len(_encode([layer])))
        for part in split.parts:
            self._places.append(self.size)
            self._put([msgspec.Raw(part)])
        about = msgspec.msgpack.decode(message, type=_About)
        place = (self.size, about.seq, about.turn, about.window)
        self._index.setdefault(layer, []).append(place)
        self._put([layer, msgspec.Raw(split.short)])
        self.unfolded += split.unfolded

    def finished(self) -> bytes:
        """Return the bytes of all layers, with the index."""
        body = b"".join(self._chunks)
        index = {
            "format": INDEX_FORMAT,
            "layers": self._index,
            "parts": _packed_places(self._places),
            "hash": _hash(body),
        }
        return body + _encode(index) + _encode(len(body).to_bytes(_PLACE_BYTES))

    def _put(self, value: object) -> None:
        data = _encode(value)
        self._chunks.append(data)
        self.size += len(data)


class _About(msgspec.Struct):
    seq: int = 0
    turn: int = 0
    window: str = ""


def read_layers(data: bytes, start: int = 0) -> Layers:
    """Return the layers that begin at `start`, up to the first place where they can't be read."""
    stream, found, fault = _Stream(data, start), list[Message](), ""
    try:
        found.extend(stream.messages())
    except ReplayError as error:
        fault = str(error)
    return Layers(tuple(found), stream.names, fault)


def has_end(data: bytes) -> bool:
    """Return whether a file ends as layers do: where it can't be read it is damaged, not cut."""
    index = data.rfind(_encode(INDEX_FORMAT))
    is_place = data[-_END_BYTES:].startswith(_PLACE)
    return index >= 0 and is_place and int.from_bytes(data[-_PLACE_BYTES:]) <= index


def written(layers: Layers) -> bytes:
    """Return the bytes of layers as they are written, those of an unchanged file."""
    writer = LayerWriter()
    for name in layers.names:
        writer.layer(name)
    for message in layers.messages:
        writer.add(message.layer, _encode(message.sent))
    return writer.finished()


@final
class _Stream:
    """The values of the layers, one after the other."""

    def __init__(self, data: bytes, start: int) -> None:
        self.names: tuple[str, ...] = ()
        self._data, self._start = data, start
        self._values = Values(data, start)
        self._parts = PartReader()
        self._places: list[int] = []
        self._index: dict[str, list[list[Any]]] = {}

    def messages(self) -> Iterator[Message]:
        """Yield every message; afterwards `names` are there. Raise `ReplayError` at a fault."""
        _check_first(self._values.next())
        while not isinstance(value := self._next(), dict):
            match value:
                case [part]:
                    self._places.append(self._place)
                    self._parts.add(part)
                case [str() as layer, dict() as sent]:
                    about = [sent.get("seq", 0), sent.get("turn", 0), sent.get("window", "")]
                    self._index.setdefault(layer, []).append([self._place, *about])
                    yield Message(layer, sent)
                case _:
                    raise ReplayError("There is something in it that is no message.")
        self._check_end(value)

    @property
    def _place(self) -> int:
        return self._values.place - self._start

    def _next(self) -> Any:
        """Return the next part or message with what it refers to, or the index."""
        size = self._values.skip()
        if self._values.is_map:
            return self._values.decoded(Decoding())
        self._parts.begin(size)
        return self._values.decoded(self._parts)

    def _check_end(self, index: dict[str, Any]) -> None:
        """Raise `ReplayError` unless index, hash and end are those of what was read."""
        layers, place = index.get("layers"), self._values.place
        if index.get("format") != INDEX_FORMAT or not isinstance(layers, dict):
            raise ReplayError("Its index is damaged.")
        self.names = tuple(layers)
        due = {name: self._index.get(name, []) for name in dict.fromkeys([*layers, *self._index])}
        if layers != due or index.get("parts") != _packed_places(self._places):
            raise ReplayError("Its index does not lead to what is in it.")
        if index.get("hash") != _hash(self._data[self._start : place]):
            raise ReplayError("It was changed: what is in it does not have the hash of its index.")
        if self._values.next() != (place - self._start).to_bytes(_PLACE_BYTES):
            raise ReplayError("Its end does not lead to its index.")
        if not self._values.is_last:
            raise ReplayError("There is something behind its end.")


def _check_first(value: object) -> None:
    if not isinstance(value, dict) or value.get("format") != LAYERS_FORMAT:
        raise ReplayError("There is nothing in it of what was sent.")
    if value.get("version") != LAYERS_VERSION:
        raise ReplayError("What was sent is written in a newer way than this program knows.")


def _packed_places(places: list[int]) -> bytes:
    return b"".join(place.to_bytes(_PART_PLACE_BYTES) for place in places)


def _hash(body: bytes) -> bytes:
    return hashlib.blake2b(body, digest_size=HASH_BYTES).digest()


_encode = msgspec.msgpack.encode
