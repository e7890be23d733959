"""Opens the server's database file for one process alone, set so that a commit is durable."""

import atexit
import os
import sqlite3
import sys
from pathlib import Path
from typing import NamedTuple, final

from sunglare_server.host.logmark import (
    WAY_OUT,
    close_marked,
    fold_in,
    log_fault,
    mark_open,
    mark_opening,
    prepare,
)
from sunglare_server.host.schema import OpenError, bring_up_to_date, known_version

if sys.platform != "win32":
    import fcntl

_SETTINGS = (
    # Other programs must not write, nor read the truth of a running match, while we hold the file.
    "PRAGMA locking_mode = EXCLUSIVE",
    "PRAGMA synchronous = FULL",
    # Where a plain fsync stops at the drive's own cache.
    "PRAGMA fullfsync = ON",
    "PRAGMA checkpoint_fullfsync = ON",
    # A forgotten name leaves no copy in free pages.
    "PRAGMA secure_delete = ON",
)

_BUSY_SECONDS = 1.0
_OWNER_ALONE = 0o600


class InUseError(OpenError):
    """Another process holds the file."""

    def __init__(self, path: Path) -> None:
        """Keep the path."""
        super().__init__(path, "another server or program is using it")


@final
class OpenFile(NamedTuple):
    """A connection and the lock that keeps other servers out; one thread at a time uses them."""

    connection: sqlite3.Connection
    lock: int
    path: Path

    def fold_in(self) -> None:
        """Fold the write-ahead log into the file, so that nothing deleted is left in it."""
        fold_in(self.connection, self.path)

    def close(self) -> None:
        """Close the connection, then let other servers in."""
        atexit.unregister(self.close)
        try:
            close_marked(self.connection, self.path)
        finally:
            os.close(self.lock)


def open_file(path: Path) -> OpenFile:
    """Return the opened file with its tables up to date; OpenError says why it can't be used."""
    try:
        # By its own name, so that a link to the file leads to the same lock.
        lock = _locked(path.resolve())
    except BlockingIOError as error:
        raise InUseError(path) from error
    except OSError as error:
        raise OpenError(path, error.strerror or str(error)) from error
    try:
        fault = log_fault(path)
        if fault is not None:
            raise OpenError(path, f"{fault}; {WAY_OUT}")
        opened = OpenFile(_connected(path), lock, path)
    except BaseException:
        os.close(lock)
        raise
    # A process that ends without closing it has Python do so, which folds in the log and removes
    # it; the mark would still ask for it.
    atexit.register(opened.close)
    return opened


def _locked(path: Path) -> int:
    """Return the lock's descriptor; the kernel drops the lock with the process, however it ends.

    It stands on a file of its own, since closing any descriptor of the database would drop
    SQLite's locks. That file is never removed: two servers could then lock two files.
    """
    lock = _opened(path.with_name(f"{path.name}.lock"))
    try:
        if sys.platform != "win32":
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        # Before SQLite creates it, so that nobody else may ever read it.
        os.close(_opened(path))
    except BaseException:
        os.close(lock)
        raise
    return lock


def _opened(path: Path) -> int:
    return os.open(path, os.O_RDWR | os.O_CREAT, _OWNER_ALONE)


def _connected(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(
        path,
        isolation_level=None,
        timeout=_BUSY_SECONDS,
        # The thread that opened it is gone when the process ends and closes it.
        check_same_thread=False,
    )
    connection.text_factory = readable
    try:
        _set_up(connection, path)
    except sqlite3.Error as error:
        connection.close()
        if getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_BUSY:
            raise InUseError(path) from error
        raise OpenError(path, str(error)) from error
    except BaseException:
        connection.close()
        raise
    return connection


def readable(data: bytes) -> str:
    """Return a stored text; a damaged one as far as it can be read, so that no other row waits."""
    return data.decode(errors="backslashreplace")


def _set_up(connection: sqlite3.Connection, path: Path) -> None:
    for setting in _SETTINGS:
        connection.execute(setting)
    # A file that we refuse is left as it was, so its tables are looked at before anything changes.
    connection.execute("BEGIN EXCLUSIVE")
    known_version(connection, path)
    connection.execute("COMMIT")
    prepare(connection)
    connection.execute("BEGIN EXCLUSIVE")
    bring_up_to_date(connection, path)
    mark_opening(connection)
    connection.execute("COMMIT")
    (mode,) = connection.execute("PRAGMA journal_mode = WAL").fetchone()
    if mode != "wal":
        raise OpenError(path, "its file system does not allow a write-ahead log")
    mark_open(connection, path)
