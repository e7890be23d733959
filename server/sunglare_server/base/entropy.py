"""Where ids, tokens, tickets and seeds get their randomness, and how they are written."""

import base64
import hashlib
import secrets
from typing import Protocol, final

ID_BYTES = 16
"""The randomness of an id: 128 bits, written as 26 letters."""

GENERATION_BYTES = 6
"""The randomness of a stay, which is counted on from there and must go into 63 bits."""

TICKET_BYTES = 32
"""The randomness of a ticket or token: 256 bits, written as 43 letters."""

_BLOCK_BYTES = 64
_COUNTER_BYTES = 8


class Entropy(Protocol):
    """A source of bytes that can't be guessed outside the server."""

    def token(self, nbytes: int) -> bytes:
        """Return `nbytes` fresh bytes."""
        ...


ENTROPY_BYTES_MOST = 64
"""The most entropy a seat may reveal."""


@final
class SystemEntropy:
    """The operating system's source."""

    def token(self, nbytes: int) -> bytes:
        """Return `nbytes` fresh bytes."""
        return secrets.token_bytes(nbytes)


@final
class SeededEntropy:
    """The same bytes for the same seed and calls, for tests and shows; it keeps no secret."""

    def __init__(self, seed: bytes) -> None:
        """Take a seed of any length."""
        self._key = hashlib.blake2b(seed).digest()
        self._blocks = 0

    def token(self, nbytes: int) -> bytes:
        """Return the next `nbytes`; every call starts a block of its own."""
        blocks = [self._block() for _ in range(0, nbytes, _BLOCK_BYTES)]
        return b"".join(blocks)[:nbytes]

    def _block(self) -> bytes:
        self._blocks += 1
        count = self._blocks.to_bytes(_COUNTER_BYTES, "big")
        return hashlib.blake2b(count, key=self._key).digest()


def beside(entropy: Entropy) -> Entropy:
    """Return a source for what must not move the bytes that are drawn from this one.

    What a seed gives, in tests and shows, stays the same whatever is drawn from the other.
    """
    return entropy if isinstance(entropy, SystemEntropy) else SeededEntropy(b"beside")


def base32_id(entropy: Entropy) -> str:
    """Return a fresh id: 26 letters out of a to z and 2 to 7."""
    return base64.b32encode(entropy.token(ID_BYTES)).decode().rstrip("=").lower()


def drawn_generation(entropy: Entropy) -> int:
    """Return with which stay a process begins: one that no other of its name has had."""
    return int.from_bytes(entropy.token(GENERATION_BYTES), "big") + 1


def ticket_text(entropy: Entropy) -> str:
    """Return a fresh ticket or token: 43 letters of the URL-safe base 64."""
    return base64.urlsafe_b64encode(entropy.token(TICKET_BYTES)).decode().rstrip("=")


def revealed_bytes(text: str) -> bytes | None:
    """Return the entropy that a seat reveals as hexadecimal digits; None if it is none."""
    try:
        revealed = bytes.fromhex(text)
    except ValueError:
        return None
    return revealed if 0 < len(revealed) <= ENTROPY_BYTES_MOST else None
