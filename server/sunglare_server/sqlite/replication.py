"""The continuous copy: a second file, elsewhere, that is a second or so behind the database.

Theory of operation. The copy is made whole once: a reader of the database sees it as it is at one
moment, and from that moment on every unit that is on disk is put into a queue, in order. When the
whole copy stands in its place, the queue is emptied into it once a second, as one transaction of
its own. So it costs what the changes cost, and is at any moment the database as it was at some
commit, a second and the time of that write ago.

The database never waits for its copy. All that may hang, as a folder of another machine may, is
done by a thread that is never waited for, and of what it has not taken only so much is kept. If
more comes, or anything fails, the copy is made again; the older one stays in its place until then.

A copy is never put in the place of something that is no earlier state of the same database:
a server started on an empty file after a disk was lost would destroy the copy too. So the
newest record of what lies there must be in the database, or the server does not start.
"""

import asyncio
import os
import sqlite3
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Final, NamedTuple, TypeVar, final

import structlog

from sunglare_protocol.errors import SunglareError
from sunglare_server.base.clock import Clock
from sunglare_server.base.deterministic_clock import aside
from sunglare_server.base.storage_errors import MediumError
from sunglare_server.base.worker import SideWorker, received
from sunglare_server.sqlite.database import Database
from sunglare_server.sqlite.filelock import lock_name
from sunglare_server.sqlite.replica_file import CopyFile, Newest, make_whole, newest_in
from sunglare_server.sqlite.replication_queue import Changes, TornError
from sunglare_server.sqlite.schema import OpenError

COPY_MS: Final = 1_000
"""How long after one write of the copy the next one follows."""

AGAIN_MS: Final = 10_000
"""OWN: a copy that failed is made again after so long."""

END_S: Final = 5.0
"""OWN: so long an end of the server waits for the last write."""

START_S: Final = 10.0
"""OWN: so long a start waits to see what lies in the folder."""

HANG_S: Final = 10.0
"""OWN: a write that takes longer is logged, and waited for all the same."""

_T = TypeVar("_T")

_RECORD = "SELECT 1 FROM record WHERE match = ? AND n = ? AND blob = ?"
_PERSON = "SELECT 1 FROM person WHERE person = ?"


class CopyError(SunglareError):
    """A copy must not be made where it is to be: `path` is the place, `why` the reason."""

    def __init__(self, path: Path, why: str) -> None:
        """Keep the facts."""
        super().__init__(path, why)
        self.path = path
        self.why = why

    def __str__(self) -> str:
        """Say where and why."""
        return f"cannot copy the database to {self.path}: {self.why}"


@final
class CopyStanding(NamedTuple):
    """How a copy is doing: `behind_ms` since when all that was stored was in it; None: never yet.

    `why` is what has failed, until it works again.
    """

    path: Path
    behind_ms: int | None
    why: str | None


_Failed = (OSError, sqlite3.Error, OpenError, MediumError, TornError, CopyError)


@final
class Copier:
    """Keeps a copy of a database; `prepare`, then `run` for as long as it is written, `finish`."""

    def __init__(
        self,
        database: Database,
        path: Path,
        clock: Clock,
        changes: Callable[[], Changes] = Changes,
    ) -> None:
        """Copy to the file `path`; nothing is done yet. `changes` makes the queue."""
        self._database = database
        self._path = path
        self._clock = aside(clock)
        self._new_changes = changes
        self._changes = changes()
        self._worker = SideWorker("copy")
        self._file: CopyFile | None = None
        self._lock: int | None = None
        self._is_ours = False
        self._is_ending = False
        self._whole_ms: int | None = None
        self._why: str | None = None
        self._log = structlog.get_logger()

    @property
    def standing(self) -> CopyStanding:
        """Return how the copy is doing now."""
        since_ms = self._whole_ms
        behind_ms = None if since_ms is None else self._clock.now_ms() - since_ms
        return CopyStanding(self._path, behind_ms, self._why)

    async def prepare(self) -> None:
        """Raise `CopyError` if something else lies in the copy's place, or another server's copy.

        A place that can't be looked at now keeps no server from starting.
        """
        try:
            async with asyncio.timeout(START_S):
                await self._claim()
        except TimeoutError:
            self._fail(TimeoutError(f"it has not answered for {START_S:g} s"))
        except (OSError, OpenError, MediumError) as error:
            self._fail(error)

    async def run(self) -> None:
        """Keep the copy, and make it again after each failure, until cancelled."""
        while True:
            try:
                await self._make()
                while True:
                    await self._clock.sleep_until_ms(self._clock.now_ms() + COPY_MS)
                    await self._write()
            except _Failed as error:
                self._fail(error)
            await self._give_up()
            await self._clock.sleep_until_ms(self._clock.now_ms() + AGAIN_MS)

    async def finish(self) -> None:
        """Write what is left, if that can be done soon; the copy is not kept after that.

        The caller of `run` cancels it first.
        """
        try:
            async with asyncio.timeout(END_S):
                await self._end()
        except TimeoutError:
            self._fail(TimeoutError(f"the last write has taken longer than {END_S:g} s"))
        except _Failed as error:
            self._fail(error)
        self._is_ending = True
        await self._let_go()
        self._worker.end()

    async def _end(self) -> None:
        if self._is_ours and self._file is None and self._why is None:
            # It was about to be made: what an older one lacks is a whole life of the server.
            await self._make()
        await self._write()

    async def _let_go(self) -> None:
        """Close what is open, without waiting for good."""
        with suppress(MediumError):
            await self._database.follow(None)
        closing: list[asyncio.Future[None]] = []
        if (file := self._file) is not None:
            closing.append(self._begun(file.close))
        if (lock := self._lock) is not None:
            closing.append(self._begun(lambda: os.close(lock)))
        self._file = self._lock = None
        if closing:
            await asyncio.wait(closing, timeout=END_S)

    async def _claim(self) -> None:
        """See to it that the place is ours, and no other server copies to it."""
        if self._lock is None:
            try:
                self._lock = await self._done(lambda: lock_name(self._path))
            except BlockingIOError:
                raise CopyError(self._path, "another server or program is using it") from None
        if self._is_ours:
            return
        newest = await self._done(lambda: newest_in(self._path))
        if newest is not None:
            await self._compare(newest)
        self._is_ours = True

    async def _compare(self, newest: Newest) -> None:
        is_known = True
        if newest.record is not None:
            is_known = bool(await self._database.query(_RECORD, newest.record))
        elif newest.person is not None:
            is_known = bool(await self._database.query(_PERSON, (newest.person,)))
        if not is_known:
            raise CopyError(self._path, _what_else(newest))

    async def _make(self) -> None:
        await self._claim()
        self._changes = self._new_changes()
        began_ms = self._clock.now_ms()
        seen = await self._database.follow(self._changes.put)
        assert seen is not None  # noqa: S101 - there is a listener
        part = self._path.with_name(f"{self._path.name}.part")

        def made() -> tuple[int, CopyFile]:
            try:
                size = make_whole(seen, self._path, part, self._end_early)
            finally:
                seen.close()
            return size, CopyFile(self._path)

        # That may take long.
        whole = await received(self._begun(made), _dropped)
        size, self._file = whole
        await self._write()
        took_ms = self._clock.now_ms() - began_ms
        self._log.info("copy_complete", path=str(self._path), bytes=size, ms=took_ms)

    def _end_early(self) -> None:
        # On the thread: a large file is not copied to its end when the server ends.
        if self._is_ending:
            raise OSError("the server ends")

    async def _write(self) -> None:
        file = self._file
        if file is None:
            return
        now_ms = self._clock.now_ms()
        if units := self._changes.take():
            await self._done(lambda: file.store(units))
        self._whole_ms, self._why = now_ms, None

    async def _done(self, work: Callable[[], _T]) -> _T:
        """Have the thread do something, even if the waiter gives up; log it if it hangs."""
        job = self._begun(work)
        await asyncio.wait([job], timeout=HANG_S)
        if not job.done():
            self._fail(TimeoutError(f"it has not answered for {HANG_S:g} s"))
        return await asyncio.shield(job)

    def _begun(self, work: Callable[[], _T]) -> asyncio.Future[_T]:
        job = self._worker.run(work)
        # A caller that has given up waiting gets no fault.
        job.add_done_callback(lambda done: done.cancelled() or done.exception())
        return job

    async def _give_up(self) -> None:
        with suppress(MediumError):
            await self._database.follow(None)
        if (file := self._file) is not None:
            self._file = None
            await self._done(file.close)

    def _fail(self, error: Exception) -> None:
        why = (error.strerror if isinstance(error, OSError) else None) or str(error)
        if why != self._why:
            self._log.error("copy_failed", path=str(self._path), why=why)
        self._why = why


def _dropped(made: tuple[int, CopyFile]) -> None:
    _, file = made
    file.close()


def _what_else(newest: Newest) -> str:
    if newest.record is None:
        held = "somebody's account"
    else:
        match, number, _ = newest.record
        held = f"record {number} of {match}"
    return (
        f"what lies there is no copy of this database: it has {held}, which is lacking here; start"
        " on a copy of that file if it is the one you want, or move it away"
    )
