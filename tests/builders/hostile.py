"""Hostile changes to real messages: of bytes, and of the values in them."""

from collections.abc import Callable, Iterator, Sequence
from random import Random

import msgspec
from hypothesis import strategies as st

from sunglare_protocol.codec import Form

Cut = Callable[[Random, bytes, Sequence[bytes]], bytes]
"""Changes some bytes; the last argument are other messages, of which parts may be taken."""

LONGEST = 40_000
"""How much a repetition adds at most."""

PACKED_PARTS = (
    b"\x91" * 64,
    b"\x81\xa1a" * 64,
    b"\xc0",
    b"\xc1",
    b"\xc2",
    b"\xcf" + b"\xff" * 8,
    b"\xcb\x7f\xf0" + b"\x00" * 6,
    b"\xd3\x80" + b"\x00" * 7,
    b"\xdc\xff\xff",
    b"\xdd\xff\xff\xff\xff",
    b"\xde\xff\xff",
    b"\xdf\xff\xff\xff\xff",
    b"\xd9\xff",
    b"\xdb\xff\xff\xff\xff",
    b"\xc6\xff\xff\xff\xff",
    b"\xc9\xff\xff\xff\xff\x05",
    b"\xd6\xff\x00\x00\x00\x00",
    b"\xa2\xc3\x28",
    b"\xa3\xed\xa0\x80",
    b"\xa1t\xa4ping",
    b"\xa2id\x00",
    b"\xa6orders\xdd\x00\xff\xff\xff",
)
"""Pieces of MessagePack that decoders have stumbled over: depth, claimed lengths, odd texts."""

JSON_PARTS = (
    b"[" * 200,
    b'{"a":' * 100,
    b"null",
    b"NaN",
    b"1e999",
    b"-0",
    b"9" * 400,
    b'"\\ud800"',
    b'"\\u0000"',
    b"\xff",
    b"\xed\xa0\x80",
    b'"t":"ping",',
    b'"id":0,',
    b'"id":1e3,',
    b"\\",
    b'"',
    b"}",
    b"]",
    b",",
    b"\xef\xbb\xbf",
)
"""Likewise of JSON."""

PARTS = {Form.PACKED: PACKED_PARTS, Form.JSON: JSON_PARTS, Form.COMPACT: PACKED_PARTS}


def mutated(rng: Random, data: bytes, donors: Sequence[bytes], form: Form, most: int) -> bytes:
    """Return `data` after one to four changes of its bytes, at most `most` of them long."""
    for _ in range(rng.randrange(1, 5)):
        data = rng.choice(_CUTS)(rng, data, (*PARTS[form], rng.choice(donors)))
    return data[:most]


def _flipped(rng: Random, data: bytes, _: Sequence[bytes]) -> bytes:
    if not data:
        return data
    at = rng.randrange(len(data))
    return data[:at] + bytes([data[at] ^ 1 << rng.randrange(8)]) + data[at + 1 :]


def _overwritten(rng: Random, data: bytes, parts: Sequence[bytes]) -> bytes:
    at, part = rng.randrange(len(data) + 1), rng.choice(parts)
    return data[:at] + part + data[at + rng.choice((0, 1, len(part))) :]


def _noisy(rng: Random, data: bytes, _: Sequence[bytes]) -> bytes:
    at = rng.randrange(len(data) + 1)
    return data[:at] + rng.randbytes(rng.randrange(1, 9)) + data[at + rng.randrange(9) :]


def _cut(rng: Random, data: bytes, _: Sequence[bytes]) -> bytes:
    start, end = sorted(rng.randrange(len(data) + 1) for _ in range(2))
    return data[:start] + data[end:]


def _cut_off(rng: Random, data: bytes, _: Sequence[bytes]) -> bytes:
    return data[: rng.randrange(len(data) + 1)]


def _repeated(rng: Random, data: bytes, _: Sequence[bytes]) -> bytes:
    start, end = sorted(rng.randrange(len(data) + 1) for _ in range(2))
    most = LONGEST // max(1, end - start)
    times = min(most, rng.choice((1, 2, 8, LONGEST)))
    return data[:end] + data[start:end] * times + data[end:]


def _crossed(rng: Random, data: bytes, parts: Sequence[bytes]) -> bytes:
    other = rng.choice(parts)
    return data[: rng.randrange(len(data) + 1)] + other[rng.randrange(len(other) + 1) :]


_CUTS: tuple[Cut, ...] = (
    _flipped,
    _flipped,
    _overwritten,
    _overwritten,
    _noisy,
    _cut,
    _cut_off,
    _repeated,
    _crossed,
)

SCALARS = (
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**64 - 1)
    | st.floats()
    | st.text(max_size=8)
    | st.sampled_from(("x" * 600, "", "\u202e", "A", "omni", "1.plot", "orders"))
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4)
    ),
    max_leaves=8,
)
"""Values of any shape that both forms can write."""


def changed(message: object, chooser: st.DataObject) -> object:
    """Return a message as plain values in which something is another value, gone or added."""
    places = [place for place in _places(message) if place]
    at = chooser.draw(st.sampled_from(places)) if places else ()
    deed = chooser.draw(st.sampled_from(("put", "put", "drop", "add")))
    return _put(message, at, deed, chooser.draw(VALUES))


def _places(value: object) -> Iterator[tuple[str | int, ...]]:
    yield ()
    if isinstance(value, dict):
        for key, part in value.items():
            yield from ((key, *rest) for rest in _places(part))
    elif isinstance(value, list):
        for number, part in enumerate(value[:20]):
            yield from ((number, *rest) for rest in _places(part))


def _put(value: object, at: tuple[str | int, ...], deed: str, new: object) -> object:
    if not at:
        return new
    key, *rest = at
    if isinstance(value, dict):
        copy = dict(value)
        if not rest and deed == "drop":
            del copy[key]
        elif not rest and deed == "add":
            copy[f"{key}_"] = new
        else:
            copy[key] = _put(value[key], tuple(rest), deed, new)
        return copy
    assert isinstance(value, list)
    assert isinstance(key, int)
    if not rest and deed == "drop":
        return value[:key] + value[key + 1 :]
    if not rest and deed == "add":
        return [*value[:key], new, *value[key:]]
    return [*value[:key], _put(value[key], tuple(rest), deed, new), *value[key + 1 :]]


def as_bytes(value: object, form: Form) -> bytes:
    """Return plain values as the bytes of a form."""
    return msgspec.msgpack.encode(value) if form is not Form.JSON else msgspec.json.encode(value)
