"""Replays made by hand: layers of given messages, and streams that no writer makes."""

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple, final

import msgpack  # type: ignore[import-untyped]
from hypothesis import strategies as st

from builders.records import link
from sunglare_protocol.replay.layers import Layers, LayerWriter

Sent = dict[str, Any]

FIRST = {"format": "sunglare-layers", "version": 1}
"""The first value of layers."""

END_BYTES = 10
"""How many bytes the place of the index takes at the end, as a value."""

_TEXTS = ("the board and all that stands on it", "an own ship that did not move " * 3, "short")

_PLAIN = (
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**64 - 1)
    | st.floats(allow_nan=False)
    | st.text(max_size=40)
    | st.sampled_from(_TEXTS)
)

_VALUES = st.recursive(
    _PLAIN,
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4)
    ),
    max_leaves=12,
)

_NUMBERS = st.fixed_dictionaries(
    {},
    optional={
        "seq": st.integers(0, 2**32),
        "turn": st.integers(0, 99),
        "window": st.sampled_from(("1.plot", "12.scan.2")),
        "pad": st.text(max_size=60),
    },
)

_FIELDS = st.dictionaries(
    st.text(max_size=8).filter(lambda key: key not in {"seq", "turn", "window", "pad"}),
    _VALUES,
    max_size=5,
)

MESSAGES = st.lists(
    st.tuples(
        st.sampled_from(("A", "B", "public", "omni")),
        st.builds(lambda numbers, fields: {**numbers, **fields}, _NUMBERS, _FIELDS),
    ),
    max_size=8,
)
"""Any messages with the layer of each; some of what is in them repeats."""


def packed(*values: object) -> bytes:
    """Return values as a stream, by another make than the product's."""
    return b"".join(map(msgpack.packb, values))


def values_of(data: bytes) -> list[Any]:
    """Return the values of a stream, with references as they stand."""
    unpacker = msgpack.Unpacker(max_buffer_size=max(1, len(data)))
    unpacker.feed(data)
    return list(unpacker)


def layers(messages: Iterable[tuple[str, Sent]]) -> bytes:
    """Return the layers of these messages, in their order."""
    writer = LayerWriter()
    for name, sent in messages:
        writer.add(name, packed(sent))
    return writer.finished()


def unpadded(sent: Sent) -> Sent:
    """Return a message without its `pad`."""
    return {key: value for key, value in sent.items() if key != "pad"}


def bare(message: bytes) -> bytes:
    """Return a message as it was sent but for its `pad`."""
    (sent,) = values_of(message)
    return packed(unpadded(sent))


def exact(found: Layers) -> list[tuple[str, bytes]]:
    """Return what was read as bytes, in which 1, 1.0 and true differ, as does the order."""
    return [(layer, packed(sent)) for layer, sent in found.messages]


def reference(number: int) -> msgpack.ExtType:
    """Return a reference to a part."""
    return msgpack.ExtType(1, number.to_bytes(4, "big"))


@final
class Placed(NamedTuple):
    """A value of a stream, with references as they stand, and where it begins and ends."""

    value: Any
    begin: int
    end: int


def placed(data: bytes) -> list[Placed]:
    """Return the values of a stream with their places."""
    unpacker = msgpack.Unpacker(max_buffer_size=max(1, len(data)))
    unpacker.feed(data)
    found: list[Placed] = []
    for value in unpacker:
        found.append(Placed(value, found[-1].end if found else 0, unpacker.tell()))
    return found


def message_ends(data: bytes) -> list[int]:
    """Return where each message of some layers ends."""
    return [end for value, _, end in placed(data) if isinstance(value, list) and len(value) == 2]


def indexed(data: bytes, change: Callable[[dict[str, Any]], object]) -> bytes:
    """Return layers with a change of their index."""
    *_, (index, begin, _), _ = placed(data)
    change(index)
    return data[:begin] + packed(index, begin.to_bytes(8, "big"))


def is_sentence(text: str) -> bool:
    """Return whether a text is one line that says something."""
    return text.isprintable() and text.endswith(".") and 20 < len(text) < 300


def nested(depth: int, inner: object = 1) -> object:
    """Return a value within so many lists."""
    value = inner
    for _ in range(depth):
        value = [value]
    return value


def handmade(*values: list[Any]) -> bytes:
    """Return layers of these parts and messages, with the index and the end that they take."""
    body, found, numbers = packed(FIRST), dict[str, list[Any]](), list[int]()
    for value in values:
        if is_message(value):
            name, sent = value
            about = [sent.get("seq", 0), sent.get("turn", 0), sent.get("window", "")]
            found.setdefault(name, []).append([len(body), *about])
        else:
            numbers.append(len(body))
        body += packed(value)
    index = {
        "format": "sunglare-index",
        "layers": found,
        "parts": b"".join(number.to_bytes(4, "big") for number in numbers),
        "hash": link(body),
    }
    return body + packed(index, len(body).to_bytes(8, "big"))


def is_part(value: object) -> bool:
    """Return whether a value of layers is a part."""
    return isinstance(value, list) and len(value) == 1


def is_message(value: object) -> bool:
    """Return whether a value of layers is a message."""
    return isinstance(value, list) and len(value) == 2


@final
class Sought:
    """Reads one message by the end, the index and its places, and only the parts it needs."""

    def __init__(self, data: bytes) -> None:
        """Read the index, to which the eight last bytes lead."""
        self._data = data
        self.needed: set[int] = set()
        self.index = self._value(int.from_bytes(data[-8:], "big"))

    def message(self, name: str, number: int) -> Sent:
        """Return a message of a layer, which must be what the index says of it."""
        place, *about = self.index["layers"][name][number]
        layer, sent = self._value(place)
        assert layer == name
        assert about == [sent.get("seq", 0), sent.get("turn", 0), sent.get("window", "")]
        return dict(sent)

    def _value(self, place: int) -> Any:
        unpacker = msgpack.Unpacker(ext_hook=self._part, max_buffer_size=len(self._data))
        unpacker.feed(self._data[place:])
        return unpacker.unpack()

    def _part(self, _: int, data: bytes) -> object:
        number = int.from_bytes(data, "big")
        self.needed.add(number)
        place = self.index["parts"][4 * number : 4 * number + 4]
        (part,) = self._value(int.from_bytes(place, "big"))
        return part
