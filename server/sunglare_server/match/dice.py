"""The dice of a match: every roll follows from the match seed and a key that names the roll.

Source: our own ruling that dice and handles are keyed and no generator keeps a state.

There is nothing to advance: a roll is looked up, never drawn from a sequence, so an unseen event
shifts no other roll. After the end the seed is shown, and anybody can look up every roll again.
What a verifier needs to know:

text      its UTF-8 bytes, preceded by their count
bytes     themselves, preceded by their count
count     an unsigned number of 8 bytes, most significant first; so is every number below

digest    BLAKE2b of 16 bytes, keyed with the 32 bytes of the match seed, over
          purpose (text), viewer (text), piece (text), turn, index, attempt
die       the digest as a number, most significant byte first, with viewer ""; its remainder by
          the number of sides, plus 1. The top end of the range, where not every remainder fits
          once more, is thrown away, and attempt goes up by one from 0
tie key   the digest with purpose "tie", index and attempt 0
handle    number k written in 30 bits is cut in halves of 15. In rounds 0 to 3 (left, right)
          becomes (right, left xor f): f is the low 15 bits of the digest with purpose "handle",
          piece "", turn 0, index = right, attempt = round. Left, then right, as six digits of
          base 32, highest first, a to z and 2 to 7

match seed, commitment and pledge are BLAKE2b without a key, 32 bytes long, over the text
"sunglare seed", "sunglare commitment" or "sunglare pledge" and then each part as bytes.

A step notes its look-ups, each as a `Roll`; they are shown after the end of the match.
"""

import enum
import hashlib
import struct
from collections.abc import Callable
from functools import lru_cache
from typing import final

import msgspec

from sunglare_protocol.seals import SEED_BYTES, counted, labelled

HANDLE_LETTERS = 6
"""The length of a handle token."""

HANDLES_MOST = 32**HANDLE_LETTERS
"""How many tokens a viewer can be given before they would repeat."""

_ALPHABET = "abcdefghijklmnopqrstuvwxyz234567"
_DIGEST_BYTES = 16
_DRAWS = 256**_DIGEST_BYTES
_ROUNDS = 4
_HALF_BITS = 15
_HALF = 2**_HALF_BITS
_TEXTS_KEPT = 4096
"""How many purposes of a roll, each with viewer and piece, are kept as bytes."""


class Purpose(enum.StrEnum):
    """What a roll is for: the closed list, a part of every key."""

    INITIATIVE = "initiative"
    SENSE = "sense"
    FIRE = "fire"
    LAUNCH = "launch"
    SCATTER = "scatter"
    THRESHOLD = "threshold"
    SWEEP = "sweep"
    PASSIVE = "passive"
    JAM = "jam"
    SEARCH = "search"
    PATROL = "patrol"
    FIGHT = "fight"
    MISSION = "mission"
    EVENT = "event"
    TIE = "tie"
    DEPLOY = "deploy"
    ROSTER = "roster"
    HANDLE = "handle"


@final
class Roll(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """One look-up: its key, the sides of the die, and the result.

    A tie key has no sides and its digest in hexadecimal as the result; a handle has no sides, its
    number as the index, and its six letters as the result.
    """

    purpose: str
    viewer: str
    piece: str
    turn: int
    index: int
    sides: int
    result: int | str


@final
class Dice(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """All dice of one match, by its seed; one key (turn, purpose, piece, index) is one die.

    A caller that passes a list as `noted` finds every look-up in it, in order.
    """

    seed: bytes
    noted: list[Roll] | None = None

    def __post_init__(self) -> None:
        """Raise `ValueError` unless the seed is 32 bytes long: an empty key would be no key."""
        if len(self.seed) != SEED_BYTES:
            raise ValueError(f"a match seed has {SEED_BYTES} bytes, not {len(self.seed)}")

    def __repr__(self) -> str:
        """Return a text without the seed, which no log or traceback may show."""
        return "Dice(seed=...)"

    def roll(self, sides: int, turn: int, purpose: Purpose, piece: str, index: int) -> int:
        """Return the die of that key, 1 to `sides`; raise `ValueError` for an impossible die.

        Two dice of different sides under one key are not independent: give each its own index.
        """
        if not 1 <= sides <= _DRAWS:
            raise ValueError(f"no die has {sides} sides")
        fair = _DRAWS - _DRAWS % sides
        attempt = 0
        while (draw := self._number(purpose, "", piece, turn, index, attempt)) >= fair:
            attempt += 1
        rolled = draw % sides + 1
        if self.noted is not None:
            self.noted.append(Roll(purpose.value, "", piece, turn, index, sides, rolled))
        return rolled

    def d6(self, turn: int, purpose: Purpose, piece: str, index: int = 0) -> int:
        """Return the six-sided die of that key."""
        return self.roll(6, turn, purpose, piece, index)

    def two_d6(self, turn: int, purpose: Purpose, piece: str, pair: int = 0) -> tuple[int, int]:
        """Return the `pair`-th two dice of that key: those of index 2 * pair and the next."""
        first = 2 * pair
        return self.d6(turn, purpose, piece, first), self.d6(turn, purpose, piece, first + 1)

    def stream(self, turn: int, purpose: Purpose, piece: str) -> Callable[[int], int]:
        """Return the function from an index to the six-sided die of that key."""

        def roll(index: int) -> int:
            return self.d6(turn, purpose, piece, index)

        return roll

    def tie(self, turn: int, viewer: str, piece: str) -> bytes:
        """Return an opaque sort key that orders pieces which tie, for this viewer and turn."""
        key = self._digest(Purpose.TIE, viewer, piece, turn, 0, 0)
        if self.noted is not None:
            self.noted.append(Roll(Purpose.TIE.value, viewer, piece, turn, 0, 0, key.hex()))
        return key

    def token(self, viewer: str, k: int) -> str:
        """Return six letters (a-z, 2-7) for the viewer's `k`-th handle, from 0.

        They are a keyed shuffle of all numbers, so no viewer gets the same token twice. Raise
        `ValueError` when `k` is outside the numbers that six letters can hold.
        """
        if not 0 <= k < HANDLES_MOST:
            raise ValueError(f"no viewer has a handle number {k}")
        left, right = divmod(k, _HALF)
        for number in range(_ROUNDS):
            mask = self._number(Purpose.HANDLE, viewer, "", 0, right, number) % _HALF
            left, right = right, left ^ mask
        token = _letters(left * _HALF + right)
        if self.noted is not None:
            self.noted.append(Roll(Purpose.HANDLE.value, viewer, "", 0, k, 0, token))
        return token

    def _number(
        self, purpose: Purpose, viewer: str, piece: str, turn: int, index: int, attempt: int
    ) -> int:
        digest = self._digest(purpose, viewer, piece, turn, index, attempt)
        return int.from_bytes(digest, "big")

    def _digest(
        self, purpose: Purpose, viewer: str, piece: str, turn: int, index: int, attempt: int
    ) -> bytes:
        texts = _counted_texts(purpose, viewer, piece)
        message = texts + _THREE_NUMBERS.pack(turn, index, attempt)
        return hashlib.blake2b(message, key=self.seed, digest_size=_DIGEST_BYTES).digest()


def match_seed(server_seed: bytes, entropies: tuple[bytes, ...]) -> bytes:
    """Return the seed of a match from the server's seed and the seats' entropies, in seat order.

    A seat that pledged nothing adds nothing.
    """
    return labelled("sunglare seed", server_seed, *entropies)


@lru_cache(maxsize=_TEXTS_KEPT)
def _counted_texts(*texts: str) -> bytes:
    return b"".join([counted(text.encode()) for text in texts])


_THREE_NUMBERS = struct.Struct(">QQQ")


def _letters(number: int) -> str:
    places = range(HANDLE_LETTERS - 1, -1, -1)
    return "".join(_ALPHABET[number // 32**place % 32] for place in places)
