"""The archive of a finished match: what every audience was sent, and what its trailer says.

A match is a fold of its records, which only a program with the same rules can make. The archive is
made by the program that played the match, and given out by those that come after it: a part for
each audience, one for the analysis, and one that sums the match up. Each part begins with the hash
of the rest.
"""

import zlib
from collections import deque
from collections.abc import Iterable
from typing import Final, NamedTuple, TypeVar, final

import msgspec

from sunglare_protocol.codec import Form, encode_server
from sunglare_protocol.ids import Audience, Side
from sunglare_protocol.messages.replies import ClassCard, Over, Result, ScenarioCard
from sunglare_server.match.data.options import MatchOptions
from sunglare_server.match.data.scenario import Scenario
from sunglare_server.match.frames import Posted
from sunglare_server.match.record import HASH_BYTES, RULES_VERSION, Opened, chain
from sunglare_server.match.trailer import Trailer, TrailerDraft
from sunglare_server.ports.cards import class_cards, scenario_card
from sunglare_server.ports.journal import Archive

ARCHIVE_VERSION = 1
"""Raised by hand whenever a stored part would be read as something else."""

SUMMARY: Final = ""
"""The name of the part that sums a match up; the others are called as the layers of a replay."""

SEGMENT_BYTES = 1024 * 1024
"""OWN: so many bytes of messages are packed together; the oldest go as whole segments."""

AUDIENCE_BYTES_MOST = 2 * 1024 * 1024
"""OWN: what is kept of one audience, packed; the longest shipped matches need a tenth."""

UNPACKED_BYTES_MOST = 16 * SEGMENT_BYTES
"""The most that a segment is unpacked to: the longest message and what stands before it."""

_LEVEL = 6


@final
class Summary(msgspec.Struct, frozen=True, kw_only=True):
    """What a match was and how it ended; `head` is the hash of the record that ended it.

    `trailer` is the one of its record file but for the hash of the header; without it the match
    was ended by a program of other rules than its own, which could not fold it.
    """

    v: int = ARCHIVE_VERSION
    rules: int
    result: Result
    head: bytes
    card: ScenarioCard | None
    classes: dict[Side, tuple[ClassCard, ...]] = {}
    trailer: Trailer | None = None


@final
class Sent(NamedTuple):
    """A message that an audience was sent, packed, with its number in the audience's sequence."""

    seq: int
    data: bytes


class _Segments(msgspec.Struct, frozen=True):
    v: int
    packed: tuple[bytes, ...]


Read = TypeVar("Read", Summary, _Segments)


def summary_of(
    scenario: Scenario, options: MatchOptions, draft: TrailerDraft, last: bytes
) -> Summary:
    """Return the summary of a match that is over; `last` is the hash of its last record."""
    state = draft.state
    if state is None or state.result is None:
        raise ValueError("a match that is not over has no summary")
    return Summary(
        rules=RULES_VERSION,
        result=state.result,
        head=draft.head,
        card=scenario_card(scenario, options),
        classes=classes_of(scenario),
        trailer=draft.trailer(b"", last),
    )


def bare_summary(rules: int, result: Result, head: bytes, opened: Opened | None) -> Summary:
    """Return the summary of a match that cannot be folded, as far as its opening can be read."""
    card = None if opened is None else scenario_card(opened.scenario, opened.options)
    is_whole = opened is not None and bool(opened.scenario.classes)
    classes = classes_of(opened.scenario) if opened is not None and is_whole else {}
    return Summary(rules=rules, result=result, head=head, card=card, classes=classes)


def classes_of(scenario: Scenario) -> dict[Side, tuple[ClassCard, ...]]:
    """Return the classes of every side of a scenario, each for its owner."""
    return {side: class_cards(scenario, side) for side in scenario.sides}


def packed_summary(summary: Summary) -> Archive:
    """Return the archive that holds a summary alone."""
    return ((SUMMARY, _sealed(summary)),)


def read_summary(blob: bytes | None) -> Summary | None:
    """Return a summary; None if there is none, or one that is damaged or of another version."""
    return _read(blob, Summary)


def read_sent(blob: bytes | None) -> tuple[Sent, ...]:
    """Return what is kept of an audience; nothing if that is damaged or of another version."""
    found = _read(blob, _Segments)
    if found is None:
        return ()
    try:
        return tuple([sent for part in found.packed for sent in _unpacked(part)])
    except (zlib.error, msgspec.DecodeError):
        return ()


@final
class Archiver:
    """Takes what a match gives out, step by step, and packs it as it comes."""

    def __init__(self) -> None:
        """Begin before the first record."""
        self._kept: dict[Audience, _Kept] = {}

    def take(self, draft: TrailerDraft) -> None:
        """Take what the newest step of `draft` gave out."""
        for audience, posts in draft.sent.items():
            kept = self._kept.setdefault(audience, _Kept())
            for post in posts:
                kept.add(with_head(post, draft.head))

    def archive(self, summary: Summary) -> Archive:
        """Return the archive of the match."""
        parts = tuple([(str(audience), kept.packed()) for audience, kept in self._kept.items()])
        return (*packed_summary(summary), *parts)


def packed_sent(messages: Iterable[Sent]) -> bytes:
    """Return messages as a part of an archive, but for the oldest of very many."""
    kept = _Kept()
    for message in messages:
        kept.put(message)
    return kept.packed()


class _Kept:
    """What one audience was sent: packed segments, and the messages that fill the next one."""

    def __init__(self) -> None:
        self._segments: deque[bytes] = deque()
        self._open: list[Sent] = []
        self._size = 0

    def add(self, post: Posted) -> None:
        self.put(Sent(post.seq, encode_server(post, Form.PACKED)))

    def put(self, message: Sent) -> None:
        self._open.append(message)
        self._size += len(message.data)
        if self._size >= SEGMENT_BYTES:
            self._pack()

    def packed(self) -> bytes:
        self._pack()
        return _sealed(_Segments(ARCHIVE_VERSION, tuple(self._segments)))

    def _pack(self) -> None:
        if self._open:
            self._segments.append(zlib.compress(msgspec.msgpack.encode(self._open), _LEVEL))
        self._open, self._size = [], 0
        while sum(map(len, self._segments)) > AUDIENCE_BYTES_MOST and len(self._segments) > 1:
            self._segments.popleft()


def with_head(post: Posted, head: bytes) -> Posted:
    """Return a message with the hash of the record that ended the match, if it is the end."""
    return msgspec.structs.replace(post, head=head.hex()) if isinstance(post, Over) else post


def _unpacked(segment: bytes) -> list[Sent]:
    opener = zlib.decompressobj()
    data = opener.decompress(segment, UNPACKED_BYTES_MOST)
    return msgspec.msgpack.decode(data, type=list[Sent])


def _sealed(part: Summary | _Segments) -> bytes:
    body = msgspec.msgpack.encode(part)
    return chain(body) + body


def is_whole(blob: bytes) -> bool:
    """Return whether a part of an archive has the hash that was stored with it."""
    return chain(blob[HASH_BYTES:]) == blob[:HASH_BYTES]


def _read(blob: bytes | None, kind: type[Read]) -> Read | None:
    if blob is None or not is_whole(blob):
        return None
    try:
        found = msgspec.msgpack.decode(blob[HASH_BYTES:], type=kind)
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        return None
    return found if found.v == ARCHIVE_VERSION else None
