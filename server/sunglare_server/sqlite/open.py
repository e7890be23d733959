"""Opens the server's database file for one server alone, set so that a commit is durable."""

import atexit
import os
import sqlite3
import sys
from pathlib import Path
from typing import NamedTuple, final

from sunglare_server.sqlite.filelock import FileLock, lock_file
from sunglare_server.sqlite.schema import (
    DAMAGED_SCHEMA,
    VERSION,
    OpenError,
    SchemaError,
    bring_up_to_date,
    known_version,
)
from sunglare_server.sqlite.wal_marker import (
    WAY_OUT,
    close_as_it_is,
    close_marked,
    fold_in,
    keep_marked,
    log_fault,
    mark_open,
    mark_opening,
    prepare,
)

_SETTINGS = (
    # Its owner's other programs, such as one that copies the log as it grows, may read the file
    # and fold its log in. Where nothing else keeps a second server out, none may.
    f"PRAGMA locking_mode = {'EXCLUSIVE' if sys.platform == 'win32' else 'NORMAL'}",
    "PRAGMA synchronous = FULL",
    # Where a plain fsync stops at the drive's own cache.
    "PRAGMA fullfsync = ON",
    "PRAGMA checkpoint_fullfsync = ON",
    # A forgotten name leaves no copy in free pages.
    "PRAGMA secure_delete = ON",
)

_FULL = (sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR_SHMSIZE)
"""What SQLite says where there is no room: for its files, or for the index over the log."""

_OWNER_ALONE = 0o600

_BUSY_SECONDS = 1.0
"""OWN: how long another program may keep a write waiting before that is refused."""


class InUseError(OpenError):
    """Another process holds the file."""

    def __init__(self, path: Path) -> None:
        """Keep the path."""
        super().__init__(path, "another server or program is using it")


@final
class FullDiskError(OpenError):
    """The disk has no room for what opening a file writes."""


@final
class OpenFile(NamedTuple):
    """A connection and the lock that keeps other servers out; one thread at a time uses them."""

    connection: sqlite3.Connection
    lock: FileLock
    path: Path
    full: str | None = None
    """Why the disk was too full to open the file for more than reading; None if it was not."""

    def opened_again(self) -> "OpenFile":
        """Try once more to open a file for writing that could only be read, and take its place.

        Raise `OpenError` if it can't be opened in either way any more.
        """
        atexit.unregister(self.close)
        self.connection.close()
        return _registered(_opened(self.path, self.lock))

    def fold_in(self) -> bool:
        """Fold the write-ahead log into the file, so that nothing deleted is left in it.

        Return False if another program reads the file and keeps the log as it is.
        """
        self._refuse_if_full()
        return fold_in(self.connection, self.path)

    def keep_marked(self) -> None:
        """See to it, after a commit, that the file says which log is its own."""
        keep_marked(self.connection, self.path)

    def as_it_is(self) -> sqlite3.Connection:
        """Return a further connection, which sees the file as it is now until it is closed."""
        self._refuse_if_full()
        address = f"{self.path.absolute().as_uri()}?mode=ro"
        seen = sqlite3.connect(address, uri=True, isolation_level=None, check_same_thread=False)
        try:
            seen.execute("BEGIN")
            # Only with its first reading it begins to see.
            seen.execute("SELECT count(*) FROM sqlite_master").fetchone()
        except BaseException:
            seen.close()
            raise
        return seen

    def close(self) -> None:
        """Close the connection, then let other servers in."""
        atexit.unregister(self.close)
        try:
            if self.full is None:
                close_marked(self.connection, self.path)
            else:
                self.connection.close()
        finally:
            self.lock.release()

    def _refuse_if_full(self) -> None:
        if self.full is not None:
            raise sqlite3.OperationalError(self.full)


def open_file(path: Path) -> OpenFile:
    """Return the opened file with its tables up to date; OpenError says why it can't be used."""
    _check_name(path)
    try:
        lock = lock_file(path)
    except BlockingIOError as error:
        raise InUseError(path) from error
    except OSError as error:
        raise OpenError(path, error.strerror or str(error)) from error
    try:
        fault = log_fault(path)
        if fault is not None:
            raise OpenError(path, f"{fault}; {WAY_OUT}")
        opened = _opened(path, lock)
    except BaseException:
        lock.release()
        raise
    return _registered(opened)


def _check_name(path: Path) -> None:
    """Raise `OpenError` where SQLite would open another file than the locked one, or wait."""
    if str(path).startswith(("file:", ":")):
        right = "name a file such as games.db or /srv/sunglare/games.db"
        raise OpenError(path, f"SQLite reads this name as an address of its own; {right}")
    if path.exists() and not path.is_file():
        raise OpenError(path, "a database is a regular file, no folder, pipe or device")


def _registered(opened: OpenFile) -> OpenFile:
    # A process that ends without closing it has Python do so, which folds in the log and removes
    # it; the mark would still ask for it.
    atexit.register(opened.close)
    return opened


def _opened(path: Path, lock: FileLock) -> OpenFile:
    """Return the file opened for writing or, on a full disk, for reading alone."""
    try:
        return OpenFile(_connected(path, lock), lock, path)
    except FullDiskError as error:
        return OpenFile(_to_read(path, error), lock, path, error.why)


def _to_read(path: Path, full: FullDiskError) -> sqlite3.Connection:
    """Return a connection that reads a file without writing anything; raise `full` if it can't.

    The index over the log is usually a file in shared memory, for which there may be no room
    either. SQLite makes one in its own memory where that file is only to be read, and there.
    """
    try:
        beside = path.resolve().with_name(f"{path.resolve().name}-shm")
        os.close(os.open(beside, os.O_RDWR | os.O_CREAT, _OWNER_ALONE))
        address = f"{path.resolve().as_uri()}?mode=ro&readonly_shm=1"
        connection = sqlite3.connect(
            address, uri=True, isolation_level=None, check_same_thread=False
        )
    except (OSError, sqlite3.Error) as error:
        raise full from error
    connection.text_factory = readable
    try:
        if known_version(connection, path) == VERSION:
            return connection
    except (sqlite3.Error, SchemaError) as error:
        connection.close()
        raise full from error
    connection.close()
    # Its tables are missing or of an earlier version, and can't be made now.
    raise full


def _connected(path: Path, lock: FileLock) -> sqlite3.Connection:
    connection = sqlite3.connect(
        path,
        isolation_level=None,
        timeout=_BUSY_SECONDS,
        # The thread that opened it is gone when the process ends and closes it.
        check_same_thread=False,
    )
    connection.text_factory = readable
    try:
        _set_up(connection, path, lock)
    except sqlite3.Error as error:
        close_as_it_is(connection, path)
        code = getattr(error, "sqlite_errorcode", None)
        if code == sqlite3.SQLITE_BUSY:
            raise InUseError(path) from error
        if code in _FULL:
            raise FullDiskError(path, f"{error} ({error.sqlite_errorname})") from error
        raise OpenError(path, str(error)) from error
    except UnicodeDecodeError as error:
        close_as_it_is(connection, path)
        raise OpenError(path, DAMAGED_SCHEMA) from error
    except BaseException:
        close_as_it_is(connection, path)
        raise
    return connection


def readable(data: bytes) -> str:
    """Return a stored text; a damaged one as far as it can be read, so that no other row waits."""
    return data.decode(errors="backslashreplace")


def _set_up(connection: sqlite3.Connection, path: Path, lock: FileLock) -> None:
    for setting in _SETTINGS:
        connection.execute(setting)
    # A file that we refuse is left as it was, so its tables are looked at before anything changes.
    connection.execute("BEGIN EXCLUSIVE")
    known_version(connection, path)
    connection.execute("COMMIT")
    prepare(connection, lock.own)
    connection.execute("BEGIN EXCLUSIVE")
    bring_up_to_date(connection, path)
    mark_opening(connection)
    connection.execute("COMMIT")
    (mode,) = connection.execute("PRAGMA journal_mode = WAL").fetchone()
    if mode != "wal":
        raise OpenError(path, "its file system does not allow a write-ahead log")
    mark_open(connection, path)
