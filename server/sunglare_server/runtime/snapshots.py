"""Snapshots: a match at the start of a turn now and then, kept so that loading it folds little.

They are a cache and nothing more: without them a match is folded from its first record, to the
same bytes.
"""

import asyncio
from collections.abc import Iterable, Mapping
from typing import final

import msgspec
import structlog

from sunglare_protocol.ids import Audience, MatchId
from sunglare_server.base.tasks import spawn
from sunglare_server.match.clock.presets import NO_DELAY
from sunglare_server.match.data.options import truth_delay
from sunglare_server.match.record import HASH_BYTES, RULES_VERSION, chain
from sunglare_server.match.state import MatchState, Post, Stepped
from sunglare_server.ports.journal import Journal, JournalError
from sunglare_server.runtime.batch import Sealed
from sunglare_server.runtime.feed import Numbered
from sunglare_server.runtime.resume_buffers import ResumeBuffers

SNAPSHOT_VERSION = 3
"""Raised by hand whenever a stored snapshot would be read as another state."""


Sent = Mapping[Audience, Iterable[Numbered]]
"""What each seat was sent and its ring still holds."""

TURNS_SHOWN = 2
"""OWN: of so many turns, the newest one among them, what was sent is made again on loading."""

RECORDS_FOLDED = 32
"""OWN: no turn is kept that begins fewer records after the last one that was, or the opening."""


@final
class _Snapshot(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """The state after a record, that record's hash and time, what it gave out."""

    v: int
    rules: int
    head: bytes
    at_ms: int
    posts: tuple[Post, ...]
    state: MatchState
    rings: tuple[bytes, ...] = ()


class _Rings(msgspec.Struct, frozen=True):
    """Of a snapshot, only the rings."""

    rings: tuple[bytes, ...] = ()


_encoder = msgspec.msgpack.Encoder()
_decoder: msgspec.msgpack.Decoder[_Snapshot] = msgspec.msgpack.Decoder(_Snapshot)
_rings = msgspec.msgpack.Decoder(_Rings)


def packed_snapshot(sealed: Sealed, rings: tuple[bytes, ...] = ()) -> bytes:
    """Return the bytes of a snapshot of the state after a record: their hash, then the rest.

    `rings` is what the seats were sent up to then, or a little longer.
    """
    stepped = sealed.stepped
    made = _Snapshot(
        v=SNAPSHOT_VERSION,
        rules=RULES_VERSION,
        head=sealed.head,
        at_ms=sealed.at_ms,
        posts=stepped.posts,
        state=stepped.state,
        rings=rings,
    )
    body = _encoder.encode(made)
    return chain(body) + body


def unpacked_snapshot(blob: bytes, record: bytes, head: bytes) -> Sealed | None:
    """Return the record `record`, whose hash is `head`, with the state that was kept after it.

    None if the snapshot is of another record, of another version, or damaged.
    """
    stored, body = blob[:HASH_BYTES], blob[HASH_BYTES:]
    if chain(body) != stored:
        return None
    try:
        found = _decoder.decode(body)
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        return None
    is_ours = (found.v, found.rules, found.head) == (SNAPSHOT_VERSION, RULES_VERSION, head)
    # What is read and written again as other bytes is another state than was kept.
    if not is_ours or _encoder.encode(found) != body:
        return None
    return Sealed(record, head, Stepped(found.state, posts=found.posts), found.at_ms)


def stored_rings(blob: bytes) -> tuple[bytes, ...]:
    """Return the seats' rings that a usable snapshot has."""
    return _rings.decode(blob[HASH_BYTES:]).rings


def starts_turn(before: MatchState | None, sealed: Sealed) -> bool:
    """Return whether a record shows the first window of a turn."""
    after = sealed.stepped.state
    return (before is None or before.standing.turn != after.standing.turn) and sealed.shows_frame


def is_due(number: int, last: int) -> bool:
    """Return whether a turn is kept that record `number` begins, if the last kept one is `last`.

    0 stands for none. Between them a match folds as quickly as it is read from a snapshot.
    """
    return number - last >= RECORDS_FOLDED


@final
class _Kept(msgspec.Struct, frozen=True):
    number: int
    turn: int
    release_ms: int


@final
class Snapshots:
    """Keeps the snapshots of one match: the newest, and those that a delayed feed still needs."""

    def __init__(self, match: MatchId, journal: Journal) -> None:
        """Keep them in `journal`."""
        self._match = match
        self._journal = journal
        self._kept: list[_Kept] = []
        self._begun: list[tuple[int, Sealed]] = []
        self._rings = ResumeBuffers()
        self._newest = 0
        self._writing: asyncio.Task[None] | None = None
        self._log = structlog.get_logger().bind(match=match)

    def know(self, number: int, state: MatchState) -> None:
        """Note that a snapshot of the state after record `number` is kept."""
        self._kept.append(_Kept(number, state.standing.turn, state.opened_ms))
        self._newest = max(self._newest, number)

    def take_over(self, kept: Iterable[tuple[int, MatchState]], rings: ResumeBuffers) -> None:
        """Go on from the snapshots that are kept, with the rings of the newest."""
        self._rings = rings
        for number, state in kept:
            self.know(number, state)

    def note(self, number: int, before: MatchState | None, sealed: Sealed) -> None:
        """Note record `number`, to be kept by the next `write` if it begins a turn that is due.

        A match that begins with the past of another one is kept at once: that folds slowly.
        """
        is_played_on = before is None and sealed.stepped.state.standing.turn > 1
        if starts_turn(before, sealed) and (is_due(number, self._newest) or is_played_on):
            self._begun.append((number, sealed))
            self._newest = number

    @property
    def has_begun(self) -> bool:
        """Return whether a turn has begun that `write` is to keep."""
        return bool(self._begun)

    def write(self, rings: Sent) -> None:
        """Keep the turns that have begun, with what `rings` says was sent to the seats."""
        while self._begun:
            self.keep(*self._begun.pop(0), rings)

    def keep(self, number: int, sealed: Sealed, rings: Sent | None = None) -> None:
        """Keep the state after record `number` in the background, and drop what is not needed."""
        state = sealed.stepped.state
        self.know(number, state)
        self._kept = _needed(self._kept, state)
        blob = packed_snapshot(sealed, self._rings.note(rings or {}))
        write = self._write(number, blob, self._kept[0].number, self._writing)
        self._writing = spawn(write, f"snapshot of {self._match}")

    @property
    def firsts(self) -> dict[Audience, int]:
        """Return the number of the first post that each seat's ring is to hold."""
        return self._rings.firsts

    async def settled(self) -> None:
        """Return once nothing is on its way to the journal."""
        if self._writing is not None:
            await asyncio.wait([self._writing])

    async def _write(
        self, number: int, blob: bytes, least: int, earlier: asyncio.Task[None] | None
    ) -> None:
        if earlier is not None:
            await asyncio.wait([earlier])
        try:
            await self._journal.keep_snapshot(self._match, number, blob, least)
        except JournalError as error:
            # Without it the match is folded from an earlier one.
            self._log.warning("snapshot_not_stored", record=number, why=error.why)


def _needed(kept: list[_Kept], state: MatchState) -> list[_Kept]:
    """Return those from which the delayed feed and all others can be made again.

    The first is the newest that the delay lets out by now, and that the turns shown begin with.
    """
    delay, newest = truth_delay(state.options) or NO_DELAY, kept[-1]
    # At the start of a turn the movement is still to come that ends the delay of the one before.
    held_back = 0 if delay == NO_DELAY else max(delay.turns, 1) + 1
    turn = newest.turn - max(held_back, TURNS_SHOWN - 1)
    released_ms = newest.release_ms - delay.seconds * 1000
    out = [past for past in kept if past.turn <= turn and past.release_ms <= released_ms]
    return kept[len(out) - 1 :] if out else kept
