"""The lease in a bucket of the engine: a message for each match, and a beat for each worker.

Under `m.<match>` stands who owns a match, and the number of that message is the epoch; it is
replaced only by who knows its number. Under `w.<worker>` stands the newest beat of a worker. What
they mean is `leasebook.py`'s to say.
"""

import asyncio
import contextlib
import time
from collections.abc import Callable, Iterator
from typing import Final, final

import nats.errors
import structlog

from sunglare_protocol.ids import MatchId
from sunglare_server.base.entropy import base32_id
from sunglare_server.base.tasks import kept_up, spawn
from sunglare_server.cluster.client.backoff import Backoff, jittered_ms
from sunglare_server.cluster.client.connection import (
    EngineError,
    EngineRefusedError,
    EngineSilentError,
)
from sunglare_server.cluster.client.engine import NOT_NEXT, Engine
from sunglare_server.cluster.client.task_cancel import ended
from sunglare_server.cluster.client.watch import Watch
from sunglare_server.cluster.lease.lease_table import GONE, Holder, LeaseBook, held_by, holder_in
from sunglare_server.matchmaking.queue_store import QUEUE
from sunglare_server.ports.lease import LeaseError, Lost

TTL_MS = 2_000
"""OWN: how long a lease lives after the last beat of its owner."""

OFFER_MS = 200
"""OWN: how much later each next worker tries, and the most that chance adds to it."""

FIRST_BEAT_S = 15.0
"""OWN: how long the first beat may take to be heard."""

BUCKET: Final = "KV_lease"
"""The stream of the bucket."""

_PREFIX = "$KV.lease."
_MATCHES = f"{_PREFIX}m."
_WORKERS = f"{_PREFIX}w."
_RANK_MOST = 3
_NS_PER_MS = 1_000_000
_FREE = b""

Free = Callable[[MatchId], None]
"""Called when a match has no owner and it is this worker's turn to claim it; it must not raise."""


@final
class NatsLease:
    """One worker's leases; it beats from `open` until `close`."""

    def __init__(
        self,
        engine: Engine,
        worker: str,
        ttl_ms: int = TTL_MS,
        steady_ns: Callable[[], int] = time.monotonic_ns,
    ) -> None:
        """Be `worker`, a word; two processes must not have the same at once."""
        self._engine = engine
        self._steady_ns = steady_ns
        self._me = Holder(worker, base32_id(engine.entropy))
        self._book = LeaseBook(self._me, ttl_ms)
        self._watch = Watch(engine, BUCKET, self)
        self._owned: dict[MatchId, int] = {}
        # Which lease of a match was offered last, and when it is offered again.
        self._offers: dict[MatchId, tuple[int, float]] = {}
        # Until when a match that was given away is not offered here.
        self._given: dict[MatchId, float] = {}
        # Matches whose lease this worker is changing.
        self._busy: dict[MatchId, int] = {}
        self._seen: dict[str, None] = {}
        self._is_whole = False
        self._renewed = asyncio.Event()
        self._lost: Lost = _hear_nothing
        self._free: Free = _hear_nothing
        self._chores: tuple[asyncio.Task[None], ...] = ()
        self._log = structlog.get_logger()
        engine.health.has_matches = lambda: any(match != QUEUE for match in self._owned)

    @classmethod
    async def open(
        cls,
        engine: Engine,
        worker: str,
        ttl_ms: int = TTL_MS,
        steady_ns: Callable[[], int] = time.monotonic_ns,
    ) -> "NatsLease":
        """Return the leases of a worker whose first beat was heard; raise `LeaseError` if none."""
        made = cls(engine, worker, ttl_ms, steady_ns)
        try:
            await engine.ensure(
                BUCKET,
                (f"{_PREFIX}>",),
                max_msgs_per_subject=1,
                allow_rollup_hdrs=True,
                deny_delete=True,
                allow_direct=True,
            )
            made._begin()
            async with asyncio.timeout(FIRST_BEAT_S):
                await made._renewed.wait()
        except (EngineError, TimeoutError) as error:
            await made.close()
            raise LeaseError(f"the leases can't be kept: {error}") from error
        return made

    @property
    def beat_age_ms(self) -> float:
        """Return how long ago the newest beat of this worker was sent that it has heard."""
        return self._book.beat_age_ms(self._now_ms())

    async def claim(self, match: MatchId) -> int | None:
        """Own a match and return the epoch of this ownership; see the port."""
        with self._changing(match):
            backoff = Backoff(self._engine.clock, self._engine.entropy)
            began_ms = self._engine.clock.now_ms()
            while match not in self._owned:
                try:
                    if not await self._try(match):
                        return None
                except EngineError as error:
                    if isinstance(error, EngineRefusedError) or backoff.has_lasted(began_ms):
                        raise LeaseError(f"{match} can't be claimed: {error.why}") from error
                    await backoff.wait()
            return self._owned[match]

    async def release(self, match: MatchId) -> None:
        """Own a match no more, so that another one can claim it at once; it goes on there."""
        if match not in self._owned:
            return
        # This worker gives it away: others come first. What another one has taken is no gift, and
        # if that one dies this worker may be the next.
        self._given[match] = self._now_ms() + 2 * self._book.ttl_ms
        if await self._give_up(match, _FREE) is None:
            self._given.pop(match, None)

    async def drop(self, match: MatchId) -> None:
        """Forget a match that is over; errors as for `release`."""
        seq = await self._give_up(match, GONE)
        if seq is not None:
            try:
                await self._engine.purge(BUCKET, _MATCHES + match, before=seq + 1)
            except EngineError as error:
                raise LeaseError(f"the lease of {match} is not deleted: {error.why}") from error

    def is_held(self, match: MatchId) -> bool:
        """Return whether a match is owned, and this worker's beats are heard in time."""
        return match in self._owned and self._book.is_renewed(self._now_ms())

    def knows(self, match: MatchId) -> bool:
        """Return whether a match has a lease, with or without an owner."""
        return match in self._book.entries

    def on_lost(self, lost: Lost) -> None:
        """Call `lost` once for each match whose lease another one has taken."""
        self._lost = lost

    def on_free(self, free: Free) -> None:
        """Call `free` for each match that has a lease and no living owner, again and again.

        Of several workers each hears it at another time. The last one given hears it.
        """
        self._free = free
        self._offer_all()

    async def close(self) -> None:
        """Beat no more, and say so: whatever is still owned can be claimed at once."""
        if not self._chores:
            return
        chores, self._chores = self._chores, ()
        await ended(chores)
        self._owned.clear()
        try:
            seq = (await self._engine.put(_WORKERS + self._me.worker, GONE)).seq
            await self._engine.purge(BUCKET, _WORKERS + self._me.worker, before=seq + 1)
        except EngineError as error:
            self._log.warning("worker_end_unannounced", why=error.why)

    def begin(self) -> None:
        """Hear that the watch begins again."""
        self._seen = {}
        self._is_whole = False
        self._book.begin(self._now_ms())

    def hear(self, subject: str, revision: int, data: bytes) -> None:
        """Take in a message of the bucket."""
        if not self._is_whole:
            self._seen[subject] = None
        if subject.startswith(_MATCHES):
            self._hear_match(MatchId(subject.removeprefix(_MATCHES)), revision, data)
        elif subject.startswith(_WORKERS):
            worker = subject.removeprefix(_WORKERS)
            if self._book.hear_beat(worker, revision, data, self._now_ms()):
                self._engine.health.note_beat(self._book.beat_ms)
                self._offer_all()
                self._renewed.set()

    def all_heard(self) -> None:
        """Note that the watch has delivered all that is there."""
        self._is_whole = True
        self._book.keep_only(
            frozenset([MatchId(one.removeprefix(_MATCHES)) for one in self._seen]),
            frozenset([one.removeprefix(_WORKERS) for one in self._seen]),
        )
        self._seen = {}
        self._offer_all()

    def _begin(self) -> None:
        clock = self._engine.clock
        self._chores = (
            kept_up(self._watch.follow, "watch the leases", clock),
            kept_up(self._beat, "beat", clock),
        )

    async def _beat(self) -> None:
        clock, client = self._engine.clock, self._engine.connection.client
        while True:
            now_ms = self._now_ms()
            if self._book.is_deaf(now_ms):
                self._watch.renew()
            try:
                # It is heard of by the watch, so no answer is waited for.
                await client.publish(_WORKERS + self._me.worker, self._book.beat(now_ms))
            except nats.errors.Error as error:
                self._log.debug("heartbeat_unsent", why=str(error))
            await clock.sleep_until_ms(clock.now_ms() + self._book.beat_ms)

    async def _try(self, match: MatchId) -> bool:
        """Claim a match once; return whether to look again, False if another worker owns it."""
        entry = await self._engine.newest(BUCKET, _MATCHES + match)
        holder = None if entry is None or entry.data == GONE else holder_in(entry.data)
        if entry is not None and holder == self._me:
            # An earlier claim whose answer was lost.
            return self._own(match, entry.seq)
        if holder is not None and not await self._is_gone(holder):
            return False
        try:
            ack = await self._engine.put(
                _MATCHES + match, held_by(self._me), after=entry.seq if entry else 0
            )
        except EngineRefusedError as error:
            if error.code not in NOT_NEXT:
                raise
            return True
        return self._own(match, ack.seq)

    def _own(self, match: MatchId, epoch: int) -> bool:
        known = self._book.entries.get(match)
        if known is not None and known.revision > epoch and known.holder != self._me:
            # An owner that stood still in between has lost it already.
            return False
        self._owned[match] = epoch
        return True

    async def _is_gone(self, holder: Holder) -> bool:
        """Return whether a holder is gone, by what was heard and by what is stored now."""
        beat = await self._engine.newest(BUCKET, _WORKERS + holder.worker)
        if beat is None or beat.data == GONE:
            return True
        if beat.data.decode().partition(" ")[0] != holder.life:
            return True
        return self._book.is_beat(holder, beat.seq) and self._book.is_gone(holder)

    async def _give_up(self, match: MatchId, data: bytes) -> int | None:
        """Replace the lease of a match that is owned; return the number of what is there then."""
        epoch = self._owned.pop(match, None)
        if epoch is None:
            return None
        try:
            with self._changing(match):
                return await self._engine.patiently(lambda: self._replaced(match, epoch, data))
        except EngineError as error:
            raise LeaseError(f"{match} can't be given up: {error.why}") from error

    async def _replaced(self, match: MatchId, epoch: int, data: bytes) -> int | None:
        try:
            return (await self._engine.put(_MATCHES + match, data, after=epoch)).seq
        except EngineRefusedError as error:
            if error.code not in NOT_NEXT:
                raise
        # An earlier try of this was stored, or another worker has taken it.
        kept = await self._engine.newest(BUCKET, _MATCHES + match)
        if kept is not None and kept.seq == epoch:
            raise EngineSilentError("the lease is being replaced")
        return kept.seq if kept is not None and kept.data == data else None

    def _hear_match(self, match: MatchId, revision: int, data: bytes) -> None:
        self._book.hear_entry(match, revision, data)
        epoch = self._owned.get(match)
        if epoch is not None and revision > epoch and holder_in(data) != self._me:
            del self._owned[match]
            self._lost(match)
        if match not in self._book.entries:
            self._offers.pop(match, None)
        elif self._is_whole:
            self._look_at(match)

    def _offer_all(self) -> None:
        if self._is_whole:
            for match in self._book.doubtful():
                self._look_at(match)

    def _look_at(self, match: MatchId) -> None:
        entry = self._book.entries[match]
        if entry.holder == self._me and match not in self._owned and match not in self._busy:
            # It could not be given up, or not be known to be owned, when that was tried.
            spawn(self._tidy(match, entry.revision), f"give up {match}")
        elif self._book.is_free(match) and self._given.get(match, 0.0) <= self._now_ms():
            self._given.pop(match, None)
            self._offer(match, entry.revision)

    def _offer(self, match: MatchId, revision: int) -> None:
        """Offer a free match after this worker's delay, unless it was offered a while ago."""
        now_ms = self._now_ms()
        offered, again_ms = self._offers.get(match, (0, now_ms))
        if offered == revision and again_ms > now_ms:
            return
        rank = min(self._book.rank(match), _RANK_MOST)
        delay_ms = rank * OFFER_MS
        if rank:
            delay_ms += jittered_ms(self._engine.entropy, 0, OFFER_MS)
        self._offers[match] = (revision, now_ms + delay_ms + self._book.ttl_ms)
        spawn(self._tell_free(match, delay_ms), f"offer {match}")

    async def _tell_free(self, match: MatchId, delay_ms: int) -> None:
        clock = self._engine.clock
        await clock.sleep_until_ms(clock.now_ms() + delay_ms)
        if self._chores and self._is_whole and self._book.is_free(match):
            self._free(match)

    async def _tidy(self, match: MatchId, epoch: int) -> None:
        with self._changing(match):
            try:
                await self._replaced(match, epoch, _FREE)
            except EngineError as error:
                # It is tried again at the next beat.
                self._log.info("lease_release_failed", match=match, why=error.why)

    @contextlib.contextmanager
    def _changing(self, match: MatchId) -> Iterator[None]:
        self._busy[match] = self._busy.get(match, 0) + 1
        try:
            yield
        finally:
            self._busy[match] -= 1
            if not self._busy[match]:
                del self._busy[match]

    def _now_ms(self) -> float:
        return self._steady_ns() / _NS_PER_MS


def _hear_nothing(_: MatchId) -> None:
    pass
