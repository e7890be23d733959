"""One SQLite file behind one thread, where writes that arrive together are committed together.

Theory of operation. A write is a *unit*: statements that are stored together or not at all. Units
that arrive in the same round of the loop, or while a commit is under way, share the next commit,
so that durability costs one fsync for all matches of a server and not one for each. If a shared
commit is refused because of one of them, they are tried one by one, each in a savepoint, and every
submitter learns of its own unit alone. `submit` returns when the unit is on disk, and not before.

One thread owns the connection, and does its work in the order in which it was given; long reading,
such as a backup, lets the writes of others in between. Reading goes through the same thread, so
what was submitted before is seen. The keeper of a copy learns there of each unit that is on disk,
and has a reader of its own, which sees the file as it was at one moment.

Faults come in two kinds. A full disk, a conflict or a fault of ours refuses what was asked, and
the server goes on. After an I/O error nothing is written any more: what the kernel has dropped
after a failed fsync can't be known, and a second try proves nothing. Then `broken` is set and the
process should end; what was acknowledged is on disk.

On a disk that is full at the start the file is opened for reading alone. Each write tries first
to open it for more, and is refused as on any full disk until that works.
"""

import asyncio
import functools
import itertools
import sqlite3
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple, TypeVar, final

import structlog

from sunglare_server.base.histograms import Histogram
from sunglare_server.base.storage_errors import MediumError
from sunglare_server.base.storage_health import Health, WriteOutcome
from sunglare_server.base.worker import Others, Worker, received
from sunglare_server.sqlite.backup import copy_database
from sunglare_server.sqlite.open import OpenFile, open_file

_T = TypeVar("_T")

Value = str | bytes | int | None
"""What a column holds."""

_FATAL = frozenset({sqlite3.SQLITE_IOERR, sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB})
_PLACE = "database"
_REFUSALS = (sqlite3.Error, ValueError, TypeError, OverflowError)


class DatabaseError(MediumError):
    """The database refused: `why` for the log, `fatal` if the file can't be trusted any more."""


class ConflictError(DatabaseError):
    """A write contradicts what is stored: a key is taken or a row that must exist is missing."""


@final
class Statement(NamedTuple):
    """One SQL statement, run once for each row of values."""

    sql: str
    rows: tuple[tuple[Value, ...], ...]
    must_change: bool = False
    """Whether each row of values has to change exactly one stored row, else ConflictError."""


Unit = tuple[Statement, ...]
"""Statements that are stored together or not at all."""

Hear = Callable[[Unit], None]
"""Called with each unit that is on disk, in their order, on the database's thread."""


class _UnmetError(sqlite3.IntegrityError):
    """A statement that must change a row changed another number of them."""


@final
class _Fault(NamedTuple):
    """Why a unit was refused; a value, so that each waiter raises an exception of its own."""

    why: str
    is_fatal: bool
    is_conflict: bool

    def error(self) -> DatabaseError:
        """Return the exception for one waiter."""
        if self.is_conflict:
            return ConflictError(self.why)
        return DatabaseError(self.why, fatal=self.is_fatal)


@final
class _Entry(NamedTuple):
    unit: Unit
    waiter: asyncio.Future[None]
    since_s: float


@final
class Database:
    """Owns the connection and its thread; belongs to the event loop it was opened in.

    Two units submitted at the same time are stored in the order of submitting. A cancelled
    submit that no commit has picked up yet is dropped.
    """

    def __init__(self, opened: OpenFile, worker: Worker) -> None:
        """Take over an open file and the thread that opened it."""
        self.broken = asyncio.Event()
        """Set by an I/O error: nothing is written any more, the process should end."""
        self.commits = 0
        """How many transactions were made durable."""
        self.waits = Histogram()
        """How long units waited for a commit to pick them up."""
        self.health = Health()
        """Whether what is written is stored."""
        if opened.full is not None:
            self.health.note_refusal(_PLACE)
        self._opened = opened
        self._worker = worker
        self._loop = asyncio.get_running_loop()
        self._waiting: list[_Entry] = []
        self._idle = asyncio.Event()
        self._idle.set()
        self._is_closed = False
        self._hear: Hear | None = None

    @property
    def queue(self) -> int:
        """Return how many units wait for a commit to pick them up."""
        return len(self._waiting)

    @property
    def queue_age_ms(self) -> float:
        """Return how long the oldest unit has waited for that; 0 without any."""
        return self._age_ms(self._waiting[0]) if self._waiting else 0.0

    @classmethod
    async def open(cls, path: Path) -> "Database":
        """Return the database of this file, created if missing; OpenError names what's wrong."""
        worker = Worker("database")
        try:
            opened = await worker.run(lambda: open_file(path))
        except BaseException:
            worker.end()
            raise
        if opened.full is not None:
            structlog.get_logger().error("disk_full", why=opened.full)
        return cls(opened, worker)

    async def submit(self, unit: Unit) -> None:
        """Store the unit and return once it is durable; ConflictError or DatabaseError if not."""
        self._refuse_if_unusable()
        waiter = self._loop.create_future()
        self._waiting.append(_Entry(unit, waiter, self._loop.time()))
        if self._idle.is_set():
            self._idle.clear()
            # Soon, not now: other writers in this round of the loop share the commit.
            self._loop.call_soon(self._start_batch)
        with self.health.writing(_PLACE, _judged):
            await waiter

    async def query(self, sql: str, values: tuple[Value, ...] = ()) -> list[tuple[Any, ...]]:
        """Return the rows that a reading statement finds; DatabaseError if it fails."""
        if self._is_closed:
            raise DatabaseError("the database is closed")
        try:
            return await self._worker.run(
                lambda: self._opened.connection.execute(sql, values).fetchall()
            )
        except _REFUSALS as error:
            # What cannot be read concerns its reader; the others can go on.
            raise DatabaseError(_fault(error).why) from error

    @property
    def is_full(self) -> bool:
        """Return whether the disk was too full to open the file for more than reading."""
        return self._opened.full is not None

    async def run(self, work: Callable[[sqlite3.Connection], _T]) -> _T:
        """Return what `work` does with the connection, on the thread; DatabaseError if it fails.

        It is for what no statement of a unit can do. A transaction that it begins it ends too.
        """
        if self._is_closed:
            raise DatabaseError("the database is closed")

        def done() -> _T:
            found = work(self._opened.connection)
            if (fault := self._marked()) is not None:
                raise fault
            return found

        try:
            return await self._worker.run(done)
        except _REFUSALS as error:
            raise DatabaseError(_fault(error).why) from error

    async def fold_in(self) -> None:
        """Fold the write-ahead log into the file, so that what was deleted is not in it any more.

        Where another program reads the file that is left to time, and logged. DatabaseError if it
        fails.
        """
        if self._is_closed:
            raise DatabaseError("the database is closed")
        try:
            is_gone = await self._worker.run(self._opened.fold_in)
        except _REFUSALS as error:
            raise DatabaseError(_fault(error).why) from error
        if not is_gone:
            structlog.get_logger().warning("deleted_rows_in_wal")

    async def copy_to(self, path: Path) -> None:
        """Copy everything to a new database file, while writes go on; DatabaseError if it fails.

        The copy is the database as it was at one moment, near the end of the copying.
        """
        if self._is_closed:
            raise DatabaseError("the database is closed")

        def copied(others: Others) -> None:
            def between() -> None:
                if self._is_closed:
                    raise ValueError("the database is being closed")
                others()

            copy_database(self._opened.connection, path, between)

        try:
            await self._worker.run_beside(copied)
        except (*_REFUSALS, OSError) as error:
            raise DatabaseError(_fault(error).why) from error

    async def as_it_is(self) -> sqlite3.Connection:
        """Return a connection that sees what is stored now and nothing later; DatabaseError.

        It is for one thread of the caller's, who closes it.
        """
        if self._is_closed:
            raise DatabaseError("the database is closed")
        try:
            return await received(self._worker.run(self._opened.as_it_is), _closed)
        except _REFUSALS as error:
            raise DatabaseError(_fault(error).why) from error

    async def follow(self, hear: Hear | None) -> sqlite3.Connection | None:
        """Have `hear` called with all that is stored from now on, and the one before no more.

        Return a connection that sees what is stored at this moment and nothing later, for one
        thread of the caller's, who closes it; None if `hear` is None. DatabaseError if that can't
        be had.
        """
        if self._is_closed:
            raise DatabaseError("the database is closed")

        def begun() -> sqlite3.Connection | None:
            self._hear = None
            seen = None if hear is None else self._opened.as_it_is()
            self._hear = hear
            return seen

        try:
            return await received(self._worker.run(begun), _closed)
        except _REFUSALS as error:
            raise DatabaseError(_fault(error).why) from error

    async def close(self) -> None:
        """Finish what was submitted, then release the file; once more does nothing."""
        if self._is_closed:
            return
        self._is_closed = True
        await self._idle.wait()
        await self._worker.settled()
        try:
            await self._worker.run(self._opened.close)
        finally:
            self._worker.end()

    def _refuse_if_unusable(self) -> None:
        if self._is_closed:
            raise DatabaseError("the database is closed")
        if self.broken.is_set():
            raise DatabaseError("the database failed before and is not written again", fatal=True)

    def _start_batch(self) -> None:
        batch = [entry for entry in self._waiting if not entry.waiter.done()]
        self._waiting = []
        if not batch:
            self._idle.set()
            return
        for entry in batch:
            self.waits.note(self._age_ms(entry))
        units = tuple(entry.unit for entry in batch)
        commit = self._worker.run(lambda: self._stored(units))
        commit.add_done_callback(functools.partial(self._answer, batch))

    def _age_ms(self, entry: _Entry) -> float:
        return (self._loop.time() - entry.since_s) * 1000

    def _stored(self, units: tuple[Unit, ...]) -> tuple[_Fault | None, ...]:
        """Store units, on the thread; return for each None, or why it is not stored."""
        if self._opened.full is not None:
            self._opened = self._opened.opened_again()
        if (why := self._opened.full) is not None:
            return (_Fault(why, is_fatal=False, is_conflict=False),) * len(units)
        faults = _commit(self._opened.connection, units)
        if self._hear is not None:
            for unit, fault in zip(units, faults, strict=True):
                if fault is None:
                    self._hear(unit)
        if (error := self._marked()) is not None:
            return (_fault(error),) * len(units)
        return faults

    def _marked(self) -> sqlite3.Error | None:
        """See to the mark after a commit; return why the file can't be trusted any more, if so."""
        if self._opened.full is not None:
            return None
        try:
            self._opened.keep_marked()
        except sqlite3.Error as error:
            return error if _fault(error).is_fatal else None
        return None

    def _answer(
        self, batch: list[_Entry], commit: asyncio.Future[tuple[_Fault | None, ...]]
    ) -> None:
        faults = _outcome(commit, len(batch))
        if None in faults:
            self.commits += 1
        for entry, fault in zip(batch, faults, strict=True):
            if fault is not None and fault.is_fatal:
                self.broken.set()
            _resolve(entry.waiter, fault)
        if self.broken.is_set():
            self._drop_waiting()
        # After the waiters have run, so that what they write next shares the next commit.
        self._loop.call_soon(self._start_batch)

    def _drop_waiting(self) -> None:
        for entry in self._waiting:
            _resolve(entry.waiter, _Fault("the database failed", is_fatal=True, is_conflict=False))


def _judged(error: MediumError) -> WriteOutcome:
    """Return how a write ended; one that contradicts what is stored shows that the file works."""
    return WriteOutcome.ANSWERED if isinstance(error, ConflictError) else WriteOutcome.REFUSED


def _resolve(waiter: asyncio.Future[None], fault: _Fault | None) -> None:
    if waiter.done():
        return
    if fault is None:
        waiter.set_result(None)
    else:
        waiter.set_exception(fault.error())


def _outcome(
    commit: asyncio.Future[tuple[_Fault | None, ...]], count: int
) -> tuple[_Fault | None, ...]:
    if commit.cancelled():
        why = "the database thread was stopped"
    elif (error := commit.exception()) is not None:
        why = f"the database thread failed: {error!r}"
    else:
        return commit.result()
    return (_Fault(why, is_fatal=True, is_conflict=False),) * count


def _closed(seen: sqlite3.Connection | None) -> None:
    if seen is not None:
        seen.close()


def _fault(error: Exception) -> _Fault:
    code = getattr(error, "sqlite_errorcode", None)
    name = getattr(error, "sqlite_errorname", type(error).__name__)
    return _Fault(
        why=f"{error} ({name})",
        # After a failed fsync the kernel may have dropped the pages: a second try proves nothing.
        is_fatal=code is not None and code & 0xFF in _FATAL,
        is_conflict=isinstance(error, sqlite3.IntegrityError),
    )


def _commit(connection: sqlite3.Connection, units: tuple[Unit, ...]) -> tuple[_Fault | None, ...]:
    """Return for each unit None if it is durable, else why it is not stored."""
    try:
        apply(connection, units)
    except _REFUSALS as error:
        fault = _fault(error)
        if fault.is_fatal or len(units) == 1:
            return (fault,) * len(units)
    else:
        return (None,) * len(units)
    try:
        return _one_by_one(connection, units)
    except _REFUSALS as error:
        return (_fault(error),) * len(units)


def _one_by_one(
    connection: sqlite3.Connection, units: tuple[Unit, ...]
) -> tuple[_Fault | None, ...]:
    with Transaction(connection):
        return tuple([_alone(connection, unit) for unit in units])


def _alone(connection: sqlite3.Connection, unit: Unit) -> _Fault | None:
    connection.execute("SAVEPOINT unit")
    try:
        for statement in unit:
            _run(connection, statement)
    except _REFUSALS as error:
        fault = _fault(error)
        # Some errors end the whole transaction; then the other units are not stored either.
        if fault.is_fatal or not connection.in_transaction:
            raise
        connection.execute("ROLLBACK TO unit")
        connection.execute("RELEASE unit")
        return fault
    connection.execute("RELEASE unit")
    return None


def apply(connection: sqlite3.Connection, units: Iterable[Unit]) -> None:
    """Store units in one transaction; raise `sqlite3.Error` if any of them does not fit."""
    with Transaction(connection):
        for statement in _merged(itertools.chain.from_iterable(units)):
            _run(connection, statement)


def _merged(statements: Iterable[Statement]) -> Iterator[Statement]:
    """Return neighbours with the same SQL as one statement: many appends become one call."""
    for (sql, must_change), same in itertools.groupby(
        statements, key=lambda statement: (statement.sql, statement.must_change)
    ):
        rows = tuple(row for statement in same for row in statement.rows)
        yield Statement(sql, rows, must_change)


def _run(connection: sqlite3.Connection, statement: Statement) -> None:
    changed = connection.executemany(statement.sql, statement.rows).rowcount
    if statement.must_change and changed != len(statement.rows):
        raise _UnmetError("a row that must exist is missing")


@final
class Transaction:
    """Commits at the end of its block, or leaves no trace of it when the block or that fails."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        """Begin with the block, so that nothing else writes meanwhile."""
        self._connection = connection

    def __enter__(self) -> None:
        self._connection.execute("BEGIN IMMEDIATE")

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        try:
            if kind is None:
                self._connection.execute("COMMIT")
        finally:
            if self._connection.in_transaction:
                self._connection.execute("ROLLBACK")
