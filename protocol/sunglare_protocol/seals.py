"""The hashes that seal a match: commitment and pledge before it, the chain of frames during it.

Commitment, pledge and match seed are BLAKE2b without a key, 32 bytes long, over the text
"sunglare commitment", "sunglare pledge" or "sunglare seed" and then each part, all of them
preceded by their length in 8 bytes, most significant first. A link of a chain is BLAKE2b of 16
bytes over the link before and the canonical form of the frame, which any client can make from
what it decoded, whatever the subprotocol and whether or not it knows every field.
"""

import hashlib
from typing import Any, final

import msgspec

from sunglare_protocol.codec import Form
from sunglare_protocol.ids import WindowId
from sunglare_protocol.messages.replies import Frame

SEED_BYTES = 32
"""The length of a match seed, and of every labelled hash."""

CHAIN_BYTES = 16
"""The length of a link of a chain."""

CHAIN_START = bytes(CHAIN_BYTES)
"""The link before the first frame."""

PLEDGE_NEWS = "pledge "
"""The beginning of the news of a seat's pledge; the hash in hexadecimal follows."""

REVEAL_NEWS = "reveal"
"""The news that asks the seats for their pledged entropy."""

UNREVEALED_NEWS = "unrevealed"
"""The news that a seat is free again, and the start called off, as its entropy did not come."""


@final
class Link(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """One link of an audience's chain: the frame's number, its window, and the hash."""

    seq: int
    window: WindowId
    hash: bytes


def commitment(seed: bytes) -> str:
    """Return the hexadecimal hash of the server's seed, published before turn 1."""
    return labelled("sunglare commitment", seed).hex()


def pledge(entropy: bytes) -> str:
    """Return the hexadecimal hash by which a seat pledges its entropy before it reveals it.

    Only entropy too long to guess stays secret behind it.
    """
    return labelled("sunglare pledge", entropy).hex()


def canonical(data: bytes | str, form: Form) -> bytes:
    """Return the canonical form of a frame that came as `data`.

    It is the whole map without `pad`, with the keys of every map sorted bytewise and the shortest
    encodings of MessagePack. What is absent stays absent, and unknown keys stay in.
    """
    raw = data.encode() if isinstance(data, str) else data
    found = msgspec.json.decode(raw) if form is Form.JSON else msgspec.msgpack.decode(raw)
    return form_of(found)


def form_of(frame: dict[str, Any]) -> bytes:
    """Return the canonical form of a frame that is decoded already."""
    return _canonical.encode({key: value for key, value in frame.items() if key != "pad"})


def link(before: bytes, frame: Frame) -> bytes:
    """Return the hash of the link that follows `before` when `frame` comes."""
    return linked(before, form_of(msgspec.to_builtins(frame, builtin_types=(bytes,))))


def linked(before: bytes, form: bytes) -> bytes:
    """Return the hash of the link that follows `before` when a frame of this form comes."""
    return hashlib.blake2b(before + form, digest_size=CHAIN_BYTES).digest()


_canonical = msgspec.msgpack.Encoder(order="sorted")


def labelled(label: str, *parts: bytes) -> bytes:
    """Return the hash of a label and its parts.

    The label keeps hashes apart: what is published of one kind never is one of another.
    """
    message = b"".join(counted(part) for part in (label.encode(), *parts))
    return hashlib.blake2b(message, digest_size=SEED_BYTES).digest()


def counted(part: bytes) -> bytes:
    """Return a part preceded by its length in 8 bytes."""
    return len(part).to_bytes(8, "big") + part
