"""The logs of matches in the engine: one subject each, one message for each append.

Theory of operation. An append says which message it follows, the last one of its subject, and the
engine takes it only if that is so: who has been superseded can't write. It also has an id, so that
the engine takes the same one once. An answer that does not come, or says that the message is still
on its way, settles nothing: the same message is sent again until its outcome is known. When the
engine says that another message is there, it is read: if it has the very bytes of this append, an
earlier copy of it was stored, and only its answer was lost. So an append is reported as stored
when a majority has it on disk, and as refused when another one has its place; in between it waits.

The log of a match lies in one of a fixed number of streams, the shards, by a hash of its id. Their
number is stored when they are made, and never changed.
"""

import asyncio
import hashlib
import re
from typing import Final, NamedTuple, final

import msgspec
import structlog

from sunglare_protocol.ids import MatchId
from sunglare_server.cluster.client.backoff import PATIENCE_MS, Backoff
from sunglare_server.cluster.client.connection import (
    FULL,
    TOO_LARGE,
    EngineRefusedError,
    EngineSilentError,
)
from sunglare_server.cluster.client.engine import NOT_NEXT, Engine, Stored
from sunglare_server.match.record import RecordError, epoch_of
from sunglare_server.ports.journal import JournalError, NumberTakenError

SHARDS = 4
"""OWN: the streams for logs where none are yet; each is led, and written to disk, by itself."""

LAYOUT = "LAYOUT"
"""The stream that holds how many shards there are."""

_SHARDS_SUBJECT = "layout.shards"
_ONE_WORD: Final = re.compile(r"[A-Za-z0-9_-]+")
_HASH_BYTES = 8
_TOLD_AT = 3


@final
class _Batch(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """The records of one append: the number of the first, and the bytes of each."""

    first: int
    blobs: tuple[bytes, ...]

    @property
    def last(self) -> int:
        return self.first + len(self.blobs) - 1


@final
class _Tail(NamedTuple):
    """The end of a log: the number of its last message, and that of the newest record in it."""

    seq: int
    number: int


@final
class _Log:
    """One match's log: appends to it wait for one another."""

    def __init__(self, stream: str, subject: str) -> None:
        self.stream = stream
        self.subject = subject
        self.turn = asyncio.Lock()
        # None when only the engine knows.
        self.tail: _Tail | None = None


_encoder = msgspec.msgpack.Encoder()
_batches = msgspec.msgpack.Decoder(_Batch)


async def shards_of(engine: Engine, wanted: int = SHARDS) -> int:
    """Return how many shards there are, after making as many as `wanted` if there were none."""
    await engine.ensure(LAYOUT, (_SHARDS_SUBJECT,))
    layout = await engine.newest(LAYOUT, _SHARDS_SUBJECT)
    if layout is None:
        try:
            await engine.patiently(lambda: engine.put(_SHARDS_SUBJECT, b"%d" % wanted, after=0))
        except EngineRefusedError as error:
            # Another worker has settled it meanwhile, or an unanswered try of this one.
            if error.code not in NOT_NEXT:
                raise
        layout = await engine.newest(LAYOUT, _SHARDS_SUBJECT)
    shards = wanted if layout is None else int(layout.data)
    for shard in range(shards):
        await engine.ensure(f"MLOG_{shard}", (f"mlog.{shard}.*",))
    return shards


@final
class MatchLogs:
    """Appends to the logs of matches, and reads them; errors are those of the journal's port."""

    def __init__(self, engine: Engine, shards: int) -> None:
        """Use the streams that `shards_of` has made."""
        self._engine = engine
        self._shards = shards
        self._logs: dict[MatchId, _Log] = {}
        self._log = structlog.get_logger()

    @property
    def streams(self) -> tuple[str, ...]:
        """Return the streams that keep the records."""
        return tuple([f"MLOG_{shard}" for shard in range(self._shards)])

    async def append(self, match: MatchId, first: int, blobs: tuple[bytes, ...]) -> None:
        """Store records in one message; see the port and the theory of operation."""
        log = self._logs.setdefault(match, self._where(match))
        async with log.turn:
            tail = log.tail or await self._tail(log)
            if first != tail.number + 1:
                tail = await self._tail(log)
            if first != tail.number + 1:
                raise NumberTakenError(match, first)
            log.tail = None
            data = _encoder.encode(_Batch(first, blobs))
            name = f"{match}:{first}:{epoch_of(blobs[0]) or 0}"
            seq = await self._stored(log, tail.seq, data, name)
            if seq is None:
                raise NumberTakenError(match, first)
            log.tail = _Tail(seq, first + len(blobs) - 1)

    async def last(self, match: MatchId) -> int:
        """Return the number of the newest record, once no append of this process is under way."""
        if not _ONE_WORD.fullmatch(match):
            # Clients name what they like; no match is called so.
            return 0
        log = self._logs.get(match) or self._where(match)
        try:
            async with asyncio.timeout(PATIENCE_MS / 1_000):
                await log.turn.acquire()
        except TimeoutError:
            raise JournalError(f"an append to {match} waits for the engine") from None
        try:
            return (await self._tail(log)).number
        finally:
            log.turn.release()

    async def delete(self, match: MatchId) -> None:
        """Delete all records of a match."""
        log = self._where(match)
        await self._engine.purge(log.stream, log.subject)
        self.forget(match)

    async def read(self, match: MatchId, after: int, most: int | None) -> tuple[bytes, ...]:
        """Return the first `most` records, or all, above number `after`, in their order."""
        if not _ONE_WORD.fullmatch(match):
            return ()
        log = self._where(match)
        newest = await self._newest(log)
        after = max(after, 0)
        if newest is None or (last := _batch_of(newest)).last <= after or most == 0:
            return ()
        found = newest if last.first <= after + 1 else await self._holding(log, after + 1, newest)
        blobs: list[bytes] = []
        while found is not None and (most is None or len(blobs) < most):
            batch = _batch_of(found)
            blobs += batch.blobs[max(0, after + 1 - batch.first) :]
            if found.seq >= newest.seq:
                break
            found = await self._engine.following(log.stream, log.subject, found.seq + 1)
        return tuple(blobs[:most])

    async def matches(self) -> tuple[MatchId, ...]:
        """Return the matches that have records."""
        found: list[MatchId] = []
        for shard in range(self._shards):
            subjects = await self._engine.subjects(f"MLOG_{shard}", f"mlog.{shard}.*")
            found += [MatchId(subject.rpartition(".")[2]) for subject in subjects]
        return tuple(found)

    async def newest_records(self) -> tuple[bytes, ...]:
        """Return the newest record of each shard."""
        newest = [
            await self._engine.newest(f"MLOG_{shard}", f"mlog.{shard}.*")
            for shard in range(self._shards)
        ]
        return tuple([_batch_of(found).blobs[-1] for found in newest if found is not None])

    def forget(self, match: MatchId) -> None:
        """Keep nothing of a match in memory, unless something is on its way."""
        log = self._logs.get(match)
        if log is not None and not log.turn.locked():
            del self._logs[match]

    async def _stored(self, log: _Log, after: int, data: bytes, name: str) -> int | None:
        """Return the number under which a message is stored; None if another has its place."""
        backoff = Backoff(self._engine.clock, self._engine.entropy)
        while True:
            try:
                ack = await self._engine.put(log.subject, data, after, name)
                # An id may have been given to other bytes, by an append that was given up.
                return await self._seq_of_mine(log, after, data) if ack.is_duplicate else ack.seq
            except EngineSilentError as error:
                why = error.why
            except EngineRefusedError as error:
                why = error.why
                seq = await self._judged(log, after, data, error, is_first=backoff.waits == 0)
                if seq != _UNKNOWN:
                    return seq
            if backoff.waits == _TOLD_AT:
                self._log.warning("append_waiting", record=name, why=why)
            await backoff.wait()

    async def _judged(
        self, log: _Log, after: int, data: bytes, error: EngineRefusedError, *, is_first: bool
    ) -> int | None:
        """Return what `_stored` does after a refusal, `_UNKNOWN` if it is not settled yet."""
        if error.code in TOO_LARGE and is_first:
            raise JournalError(f"the engine refuses: {error.why}") from error
        try:
            seq = await self._seq_of_mine(log, after, data)
        except EngineSilentError:
            return _UNKNOWN
        if error.code in NOT_NEXT or seq != _UNKNOWN:
            return seq
        # Others may have stored what the leader could not, or have an earlier copy still to store.
        is_fatal = error.code in FULL or not is_first
        raise JournalError(f"the engine refuses: {error.why}", fatal=is_fatal) from error

    async def _seq_of_mine(self, log: _Log, after: int, data: bytes) -> int | None:
        """Return the number of the message after `after` if it is mine, None if it is not."""
        found = await self._engine.following(log.stream, log.subject, after + 1)
        if found is not None:
            return found.seq if found.data == data else None
        newest = await self._newest(log)
        # What it should follow is there no more: the log was deleted.
        return None if (newest.seq if newest else 0) < after else _UNKNOWN

    async def _tail(self, log: _Log) -> _Tail:
        newest = await self._newest(log)
        log.tail = _Tail(0, 0) if newest is None else _Tail(newest.seq, _batch_of(newest).last)
        return log.tail

    async def _newest(self, log: _Log) -> Stored | None:
        return await self._engine.newest(log.stream, log.subject)

    async def _holding(self, log: _Log, number: int, newest: Stored) -> Stored | None:
        """Return the message that holds a record before `newest`, found by halves."""
        first = await self._engine.following(log.stream, log.subject, 1)
        if first is None or _batch_of(first).last >= number:
            return first
        low, high = first.seq, newest.seq
        while high - low > 1:
            middle = (low + high) // 2
            found = await self._engine.following(log.stream, log.subject, middle)
            batch = _batch_of(found or newest)
            if batch.first > number:
                high = middle
            elif found is None or batch.last >= number:
                return found
            else:
                low = found.seq
        raise RecordError(number, f"it is not in {log.subject}, where later ones are")

    def _where(self, match: MatchId) -> _Log:
        if not _ONE_WORD.fullmatch(match):
            raise JournalError(f"{match!r} is no id of a match")
        digest = hashlib.blake2b(match.encode(), digest_size=_HASH_BYTES).digest()
        shard = int.from_bytes(digest, "big") % self._shards
        return _Log(f"MLOG_{shard}", f"mlog.{shard}.{match}")


_UNKNOWN: Final = -1


def _batch_of(found: Stored) -> _Batch:
    try:
        return _batches.decode(found.data)
    except msgspec.DecodeError as fault:
        raise RecordError(0, f"message {found.seq} of {found.subject} is no append") from fault
