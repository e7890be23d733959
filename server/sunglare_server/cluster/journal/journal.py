"""The journal in streams of the engine, which keeps copies of each record on several machines."""

import asyncio
import contextlib
from collections.abc import Iterator
from typing import final

from sunglare_protocol.ids import MatchId
from sunglare_server.base.heartbeat import latest_ms
from sunglare_server.base.tasks import spawn
from sunglare_server.cluster.client.connection import EngineError
from sunglare_server.cluster.client.engine import Engine
from sunglare_server.cluster.client.task_cancel import ended
from sunglare_server.cluster.journal.match_archives import Archives
from sunglare_server.cluster.journal.match_streams import SHARDS, MatchLogs, shards_of
from sunglare_server.match.record import time_of
from sunglare_server.ports.journal import Archive, JournalError

CLOSE_S = 10.0
"""OWN: for so long a close waits for appends under way; their outcome is then unknown."""

_SIGNS = "SIGNS"
_ALIVE = "signs.alive"


@final
class NatsJournal:
    """Keeps records, archives and snapshots in an engine, which others may share."""

    def __init__(self, engine: Engine, logs: MatchLogs, archives: Archives) -> None:
        """Use streams that are there; `open` makes them.

        `appended` counts the records that were stored, `refused` the appends that were not.
        """
        self.engine = engine
        self._logs = logs
        self._archives = archives
        self._under_way: dict[asyncio.Task[None], MatchId] = {}
        self._is_closed = False
        self.appended = 0
        self.refused = 0

    @classmethod
    async def open(cls, engine: Engine, shards: int = SHARDS) -> "NatsJournal":
        """Return the journal that an engine keeps, begun with so many shards if it is new.

        Raise `EngineError` if the engine does not do what is needed.
        """
        archives = Archives(engine)
        await archives.prepare()
        await engine.ensure(_SIGNS, (_ALIVE,), max_msgs_per_subject=1)
        return cls(engine, MatchLogs(engine, await shards_of(engine, shards)), archives)

    @property
    def streams(self) -> tuple[str, ...]:
        """Return the streams that keep the records."""
        return self._logs.streams

    @property
    def queue(self) -> int:
        """Return how many appends are under way."""
        return len(self._under_way)

    async def append(self, match: MatchId, first: int, blobs: tuple[bytes, ...]) -> None:
        """Store the blobs as records `first`, `first` + 1, …; see the port for the refusals."""
        self._refuse_if_closed()
        if not blobs:
            return
        # A caller that cancels this does not stop the append: `last` waits for it, and knows.
        task = spawn(
            self._append(match, first, blobs), f"append to {match}", awaited=(JournalError,)
        )
        self._under_way[task] = match
        task.add_done_callback(self._under_way.pop)
        try:
            await asyncio.shield(task)
        except asyncio.CancelledError:
            if not task.cancelled():
                raise
            raise JournalError("closed before the engine answered", fatal=True) from None

    async def read(
        self, match: MatchId, after: int = 0, most: int | None = None
    ) -> tuple[bytes, ...]:
        """Return the first `most` records, or all, above number `after`, in their order."""
        with self._in_words_of_the_port():
            return await self._logs.read(match, after, most)

    async def last(self, match: MatchId) -> int:
        """Return the number of the newest record, 0 if there is none."""
        with self._in_words_of_the_port():
            return await self._logs.last(match)

    async def matches(self) -> tuple[MatchId, ...]:
        """Return the matches that have records and are not finished, in the order of their ids."""
        with self._in_words_of_the_port():
            begun = await self._logs.matches()
            finished = await self._archives.finished()
        return tuple(sorted([match for match in begun if match not in finished]))

    async def finish(self, match: MatchId, archive: Archive = ()) -> None:
        """Mark a match as over and keep its archive, both durably or none; its records stay."""
        with self._in_words_of_the_port():
            await self._archives.finish(match, archive)
        self._logs.forget(match)

    async def finished(self) -> tuple[MatchId, ...]:
        """Return the matches that are finished, in the order of their ids."""
        with self._in_words_of_the_port():
            return tuple(sorted(await self._archives.finished()))

    async def mark_leaving(self, match: MatchId) -> None:
        """Note durably that a finished match is to be deleted; `drop` does that."""
        with self._in_words_of_the_port():
            await self._archives.mark_leaving(match)

    async def leaving(self) -> tuple[MatchId, ...]:
        """Return the matches that are marked for deletion and are still there."""
        with self._in_words_of_the_port():
            return await self._archives.leaving()

    async def drop(self, match: MatchId) -> None:
        """Delete the records of a match and all that is kept of it, the mark last.

        Once more, or where it broke off, changes nothing else.
        """
        with self._in_words_of_the_port():
            # First the records: without its end, a match that has some would seem to go on.
            await self._logs.delete(match)
            await self._archives.drop(match)

    async def archived(self, match: MatchId, part: str) -> bytes | None:
        """Return a part of the archive of a match; None if it is not kept."""
        with self._in_words_of_the_port():
            return await self._archives.archived(match, part)

    async def keep_snapshot(self, match: MatchId, number: int, blob: bytes, least: int) -> None:
        """Keep a snapshot of a match after record `number`, and none of records before `least`."""
        with self._in_words_of_the_port():
            await self._archives.keep_snapshot(match, number, blob, least)

    async def snapshots(self, match: MatchId) -> tuple[tuple[int, bytes], ...]:
        """Return the snapshots of a match with their records' numbers, in the order of these."""
        with self._in_words_of_the_port():
            return await self._archives.snapshots(match)

    async def expire(self, match: MatchId) -> None:
        """Delete the records and snapshots of a match; that it is over and its archive stay.

        Raise `JournalError` if it is not over.
        """
        with self._in_words_of_the_port():
            if not await self._archives.is_finished(match):
                raise JournalError(f"{match} is not over")
            await self._archives.delete_snapshots(match)
            await self._logs.delete(match)

    async def mark_alive(self, at_ms: int) -> None:
        """Keep `at_ms` as a sign of life of the server, in place of the one before it."""
        with self._in_words_of_the_port():
            await self.engine.patiently(lambda: self.engine.put(_ALIVE, b"%d" % at_ms))

    async def alive_ms(self) -> int | None:
        """Return when a server last showed a sign of life: a mark, or a record of any match."""
        with self._in_words_of_the_port():
            mark = await self.engine.newest(_SIGNS, _ALIVE)
            newest = await self._logs.newest_records()
        marked_ms = None if mark is None else int(mark.data)
        return latest_ms(marked_ms, *[time_of(record) for record in newest])

    async def close(self, within_s: float = CLOSE_S) -> None:
        """Wait for the appends under way, for a bounded time, and refuse everything from now on.

        The engine stays open for those who share it.
        """
        self._is_closed = True
        if not self._under_way:
            return
        await asyncio.wait(self._under_way, timeout=within_s)
        await ended(tuple(self._under_way))

    async def _append(self, match: MatchId, first: int, blobs: tuple[bytes, ...]) -> None:
        try:
            with _told_as_journal_error():
                await self._logs.append(match, first, blobs)
        except JournalError:
            self.refused += 1
            raise
        self.appended += len(blobs)

    @contextlib.contextmanager
    def _in_words_of_the_port(self) -> Iterator[None]:
        self._refuse_if_closed()
        with _told_as_journal_error():
            yield

    def _refuse_if_closed(self) -> None:
        if self._is_closed:
            raise JournalError("the journal is closed")


@contextlib.contextmanager
def _told_as_journal_error() -> Iterator[None]:
    try:
        yield
    except EngineError as error:
        raise JournalError(error.why) from error
