"""A worker's table of all leases: the owner of each match, its signs of life, its expiry.

Theory of operation. Every worker beats: it writes a message of its own, again and again, and reads
all messages in the order in which they were stored. An owner is gone when no beat of it was heard
for the time to live. That time counts only while the engine takes beats, which a worker knows from
its own: whenever it hears one of them, the time since the one before it has passed, but never more
than `GAP_PART` of the time to live. So an engine that elects a new leader, or a worker that stood
still, makes no worker look gone. No wall clock is read, and none of another machine.

A worker holds what it owns as long as one of its own beats, sent less than `RENEWED_PART` of the
time to live ago, was heard: whatever was stored before that beat was heard before it, another
one's claim among it.
"""

import hashlib
from typing import Final, NamedTuple, final

from sunglare_protocol.ids import MatchId
from sunglare_server.ports.lease import RENEWED_PART

BEATS: Final = 4
"""How often a worker beats within the time to live."""

GAP_PART: Final = 0.5
"""The most of the time to live that counts between two beats that are heard."""

GONE: Final = b"-"
"""Stands for a worker that has ended, or a match that is over, until the message is deleted."""

_SCORE_BYTES = 8


@final
class Holder(NamedTuple):
    """A worker in one of its lives: a process that begins again under its name is another one."""

    worker: str
    life: str


@final
class _Beat(NamedTuple):
    life: str
    revision: int
    # When it was heard, in time that counts.
    heard_ms: float


@final
class Entry(NamedTuple):
    """The newest message about a match: its number, and the holder, None if there is none."""

    revision: int
    holder: Holder | None


def held_by(holder: Holder) -> bytes:
    """Return how a lease says whose it is."""
    return f"{holder.worker} {holder.life}".encode()


def holder_in(data: bytes) -> Holder | None:
    """Return whose a lease is; None for one without an owner."""
    worker, _, life = data.decode().partition(" ")
    return Holder(worker, life) if life else None


@final
class LeaseBook:
    """Takes every message of the bucket in order; times are of one monotonic clock, in ms."""

    def __init__(self, me: Holder, ttl_ms: int) -> None:
        """Know nothing yet."""
        self.me = me
        self.ttl_ms = ttl_ms
        self.entries: dict[MatchId, Entry] = {}
        # The matches of each holder: there may be many, and few holders.
        self._held: dict[Holder | None, dict[MatchId, None]] = {}
        self._beats: dict[str, _Beat] = {}
        self._sent_ms: dict[int, float] = {}
        self._count = 0
        self._renewed_ms: float | None = None
        self._heard_ms: float | None = None
        self._counted_ms = 0.0
        self._began_ms = 0.0

    @property
    def beat_ms(self) -> int:
        """Return how long it is from beat to beat."""
        return self.ttl_ms // BEATS

    def beat(self, now_ms: float) -> bytes:
        """Return the next beat, which is sent now."""
        self._count += 1
        self._sent_ms[self._count] = now_ms
        # What is not heard of for so long is not waited for.
        self._sent_ms.pop(self._count - 4 * BEATS, None)
        return f"{self.me.life} {self._count}".encode()

    def hear_beat(self, worker: str, revision: int, data: bytes, now_ms: float) -> bool:
        """Take the newest beat of a worker; return whether it is a new one of this one's own."""
        if data == GONE:
            self._beats.pop(worker, None)
            return False
        life, _, count = data.decode().partition(" ")
        before = self._beats.get(worker)
        if before is None or before.revision != revision:
            self._beats[worker] = _Beat(life, revision, self._most_ms(now_ms))
        if (worker, life) != self.me:
            return False
        return self._hear_own(int(count), now_ms)

    def hear_entry(self, match: MatchId, revision: int, data: bytes) -> None:
        """Take the newest message about a match."""
        self._forget(match)
        if data != GONE:
            entry = self.entries[match] = Entry(revision, holder_in(data))
            self._held.setdefault(entry.holder, {})[match] = None

    def keep_only(self, matches: frozenset[MatchId], workers: frozenset[str]) -> None:
        """Forget what is there no more, after all that is there was heard."""
        for match in [match for match in self.entries if match not in matches]:
            self._forget(match)
        self._beats = {worker: beat for worker, beat in self._beats.items() if worker in workers}

    def is_renewed(self, now_ms: float) -> bool:
        """Return whether this worker holds what it owns."""
        renewed_ms = self._renewed_ms
        return renewed_ms is not None and now_ms - renewed_ms < RENEWED_PART * self.ttl_ms

    def beat_age_ms(self, now_ms: float) -> float:
        """Return how long ago the newest beat of its own was sent that was heard."""
        return now_ms - (self._began_ms if self._renewed_ms is None else self._renewed_ms)

    def begin(self, now_ms: float) -> None:
        """Note that all that is there is heard again from now on."""
        self._began_ms = now_ms

    def is_deaf(self, now_ms: float) -> bool:
        """Return whether none of its own beats was heard for longer than the time to live."""
        return now_ms - max(self._heard_ms or 0.0, self._began_ms) > self.ttl_ms

    def is_gone(self, holder: Holder) -> bool:
        """Return whether a holder has ended, begun another life, or has not beaten in its time."""
        beat = self._beats.get(holder.worker)
        if beat is None or beat.life != holder.life:
            return True
        return holder != self.me and self._counted_ms - beat.heard_ms >= self.ttl_ms

    def is_beat(self, holder: Holder, revision: int) -> bool:
        """Return whether the newest beat that was heard of a holder is this one."""
        beat = self._beats.get(holder.worker)
        return beat is not None and (beat.life, beat.revision) == (holder.life, revision)

    def is_free(self, match: MatchId) -> bool:
        """Return whether a match has a lease, and no living owner."""
        entry = self.entries.get(match)
        return entry is not None and (entry.holder is None or self.is_gone(entry.holder))

    def doubtful(self) -> tuple[MatchId, ...]:
        """Return the matches whose leases have no owner, one that is gone, or this worker."""
        return tuple(
            [
                match
                for holder, matches in self._held.items()
                if holder is None or holder == self.me or self.is_gone(holder)
                for match in matches
            ]
        )

    def rank(self, match: MatchId) -> int:
        """Return how many living workers are to take a match rather than this one."""
        mine = _score(self.me.worker, match)
        living = [
            worker
            for worker, beat in self._beats.items()
            if not self.is_gone(Holder(worker, beat.life))
        ]
        return sum(_score(worker, match) > mine for worker in living)

    def _forget(self, match: MatchId) -> None:
        entry = self.entries.pop(match, None)
        if entry is not None:
            del self._held[entry.holder][match]
            if not self._held[entry.holder]:
                del self._held[entry.holder]

    def _hear_own(self, count: int, now_ms: float) -> bool:
        sent_ms = self._sent_ms.pop(count, None)
        if sent_ms is None:
            return False
        self._counted_ms = self._most_ms(now_ms)
        self._heard_ms = now_ms
        self._renewed_ms = sent_ms
        return True

    def _most_ms(self, now_ms: float) -> float:
        """Return the time that counts if a beat of its own were heard now."""
        if self._heard_ms is None:
            return self._counted_ms
        passed_ms = min(now_ms - self._heard_ms, GAP_PART * self.ttl_ms)
        return self._counted_ms + passed_ms


def _score(worker: str, match: MatchId) -> int:
    """Return a number by which the same worker comes first for a match, for every asker."""
    digest = hashlib.blake2b(f"{worker} {match}".encode(), digest_size=_SCORE_BYTES).digest()
    return int.from_bytes(digest, "big")
