"""Ears at everything that leaves a server: each knows what it may hear and cries out otherwise."""

import base64
import io
import re
from collections.abc import Iterator
from typing import final

import msgpack  # type: ignore[import-untyped]
import msgspec

from builders.wires import Talker
from canary.grants import CanaryError, Grants, words_in
from canary.words import Words
from sunglare_protocol.codec import Form, decode_server, encode_server
from sunglare_protocol.messages import Piece, Ping, Pong, ServerMessage

_NUMBER = re.compile(rb'(?:"(\w+)":|[\[,])(\d{3,})(?=[,}\]])')
_HANDLE = re.compile(rb"\b[a-z2-7]{6}\b")
_LONG = re.compile(rb"[0-9A-Za-z_+/-]{24,}")

_CLOCKS = ("closes_ms", "time_ms", "since_ms")
_COUNTS = ("seq", "mean_hundredths", "frames", "from_byte", "message_bytes", "orders", "chat")
_PRICES = ("cost", "ask_points", "answer_bytes")
PLAIN = (*_CLOCKS, *_COUNTS, *_PRICES)
"""Fields whose numbers are times, counts, means or prices and may come to anything."""

_SQUARES = re.compile(rb'"candidates":\[[\d,]*\],?')
"""Counts of the squares of a map, of which a sheet has hundreds."""

UNUSUAL_FROM = 2**45
"""Revisions and command ids of the seats are numbers from here on, higher than any time."""

RANGE = 2**20
"""How many such numbers each seat has for itself."""


_LONG_BYTES = 20
_BASE64 = 26
"""So much of what is written in base 64 does not depend on what follows."""


@final
class Secret(msgspec.Struct, frozen=True):
    """Something that only the ears called `heard_by` may hear, in every way of writing it."""

    name: str
    written: tuple[bytes, ...]
    heard_by: tuple[str, ...] = ()

    def is_in(self, raw: bytes, long: bytes) -> bool:
        """Return whether it stands in a message as it is, or among its long words as text."""
        if self.written[0] in raw:
            return True
        return bool(long) and any(map(long.__contains__, self.written[1:]))


def _written(data: bytes) -> tuple[bytes, ...]:
    """Return bytes as they are, and long ones in hexadecimal and base 64 as well."""
    if len(data) < _LONG_BYTES:
        return (data,)
    return (data, data, data.hex().encode(), base64.b64encode(data)[:_BASE64])


@final
class Vault:
    """Everything secret on a server beside the words: keys and tickets, handles, numbers."""

    def __init__(self, words: Words) -> None:
        """Begin with the words alone."""
        self.words = words
        self.secrets: list[Secret] = []
        self.handles: dict[str, frozenset[bytes]] = {}
        self.spoken: dict[str, tuple[str, ...]] = {}

    def keep(self, name: str, data: bytes | str, *heard_by: str) -> None:
        """Keep a secret."""
        whole = data.encode() if isinstance(data, str) else data
        self.secrets.append(Secret(name, _written(whole), heard_by))

    def say(self, kind: str, *heard_by: str) -> str:
        """Return a new word that people write, for these ears."""
        word = self.words.fresh(kind, "")
        self.spoken[word] = heard_by
        return word

    def may_hear(self, name: str, word: str) -> bool:
        """Return whether the ear called `name` may hear a word that people wrote."""
        return name in self.spoken.get(word, ()) or self.spoken.get(word) == ("*",)


@final
class Ear:
    """One connection or other outlet: `name` is who listens, with the grants of its audience."""

    def __init__(
        self,
        name: str,
        vault: Vault,
        talker: Talker | None = None,
        grants: Grants | None = None,
        audience: str = "",
        numbers: int = 0,
    ) -> None:
        """Listen; `numbers` is the range of unusual numbers that are this ear's own."""
        self.name = name
        self.talker = talker
        self.grants = grants
        self.audience = audience
        self.numbers = numbers
        self.heard = 0
        self._vault = vault
        self._done = 0
        self._file = b""

    async def listen(self) -> None:
        """Check all that came since the last time, up to an answer that comes after it."""
        assert self.talker is not None
        await self.talker.expect(Pong, Ping)
        self.take_in()

    def take_in(self) -> None:
        """Check what is there by now, which is all if the connection has ended."""
        assert self.talker is not None
        fresh = self.talker.messages[self._done :]
        for raw, message in zip(self.talker.raw[self._done :], fresh, strict=True):
            self.hear(raw, message)
        self._done = len(self.talker.messages)
        edges = (self.talker.socket.response, self.talker.ending)
        self.hear_bytes(repr(edges).encode(), repr(edges).encode())

    def hear(self, raw: bytes, message: ServerMessage) -> None:
        """Check one message: its bytes, itself written out, and what it carries."""
        self.hear_bytes(raw, encode_server(message, Form.JSON))
        if isinstance(message, Piece):
            self._file += message.data
            self.hear_bytes(message.data, b"")
        if isinstance(message, Piece) and message.last:
            whole, self._file = self._file, b""
            for carried in _carried(whole):
                self.hear(encode_server(carried, Form.PACKED), carried)

    def hear_bytes(self, raw: bytes, text: bytes) -> None:
        """Check bytes, and the same written out as text."""
        self.heard += 1
        for word in words_in(raw) | words_in(text):
            # What base 64 happens to write like a word is none that was ever given.
            known = self._vault.words.known.get(word)
            if known is not None and not self._may_hear(word):
                raise CanaryError(f"{self.name} heard {word}: {known}: {text[:200]!r}")
        self._check_secrets(raw, text)
        self._check_handles(text)
        self._check_numbers(text)

    def _may_hear(self, word: str) -> bool:
        granted = frozenset[str]() if self.grants is None else self.grants.of(self.audience)
        return word in granted or self._vault.may_hear(self.name, word)

    def _check_secrets(self, raw: bytes, text: bytes) -> None:
        long = b" ".join(_LONG.findall(text))
        for secret in self._vault.secrets:
            if self.name not in secret.heard_by and secret.is_in(raw, long):
                raise CanaryError(f"{self.name} heard the {secret.name}: {text[:200]!r}")

    def _check_handles(self, text: bytes) -> None:
        found = frozenset(_HANDLE.findall(text))
        for owner, handles in self._vault.handles.items():
            if owner != self.name and not found.isdisjoint(handles):
                raise CanaryError(
                    f"{self.name} heard {found & handles} of {owner}: {text[:200]!r}"
                )

    def _check_numbers(self, text: bytes) -> None:
        hulls = frozenset[int]() if self.grants is None else self.grants.hulls(self.audience)
        for field, digits in _NUMBER.findall(_SQUARES.sub(b"", text)):
            number = int(digits)
            is_foreign = number >= UNUSUAL_FROM and number // RANGE != self.numbers
            is_hull = number in self._vault.words.hulls and number not in hulls
            if field.decode() not in PLAIN and (is_foreign or is_hull):
                raise CanaryError(f"{self.name} heard {number} as {field!r}: {text[:200]!r}")


def _carried(data: bytes) -> Iterator[ServerMessage]:
    """Yield the messages in a file of own frames."""
    for carried in msgpack.Unpacker(io.BytesIO(data), max_buffer_size=len(data)):
        if isinstance(carried, bytes):
            yield decode_server(carried, Form.PACKED)
