"""Frames on the line are filled up just as far as the protocol says, in every form and feed.

A listener on the line sees lengths alone. What is filled up further than that, for any feed,
has a length that something else has decided.
"""

from collections import Counter
from collections.abc import Iterable
from typing import Any, Final

import msgspec

STEP: Final = 256
"""PROTOCOL.md: the bytes of a filled message are a multiple of this."""

CHANGE_LEAST: Final = 1024
"""PROTOCOL.md: a filled change has at least so many."""

LEAST: Final = {"frame": 0, "change": CHANGE_LEAST}
"""The kinds of message that are filled up, and how many bytes they have at least."""


KEY: Final = 4
"""The bytes of the key `pad` in MessagePack."""

TEXTS: Final = ((1, 1, 31), (2, 32, 255), (3, 256, 65_535))
"""The bytes of the head of a text there, and how few and many letters it may then have."""


def length_of(bare: int, least: int) -> int:
    """Return how long a message of `bare` bytes is that is filled up.

    What the key and the head of the text take lets some lengths not be reached; then it is a
    step longer.
    """
    whole = max(least, bare + -bare % STEP)
    while whole != bare and not _reaches(whole - bare):
        whole += STEP
    return whole


def _reaches(gap: int) -> bool:
    return any(first <= gap - KEY - head <= last for head, first, last in TEXTS)


def check_filled(came: Iterable[bytes]) -> Counter[str]:
    """Return how many of the packed messages are filled up, by kind, and check how far.

    Raise `AssertionError` at one that is not, or with anything else than dots.
    """
    count = Counter[str]()
    for data in came:
        plain: dict[str, Any] = msgspec.msgpack.decode(data)
        if (kind := plain["t"]) in LEAST:
            bare = len(data) - _filling(data, plain.get("pad", ""))
            text = f"a {kind} of {bare} bytes is filled up to {len(data)}"
            assert len(data) == length_of(bare, LEAST[kind]), text
            count[kind] += 1
    return count


def _filling(data: bytes, pad: str) -> int:
    """Return how many bytes at the end of a message are its `pad`, key and all."""
    assert set(pad) <= {"."}
    assert data.endswith(pad.encode())
    heads = [head for head, first, last in TEXTS if first <= len(pad) <= last]
    return KEY + heads[0] + len(pad) if heads else 0
