"""The file of a continuous copy: made whole in another place, then written as the database is.

It is, at any moment, a database as it was at some commit. It is written with SQLite's rollback
journal, so that it is one file whenever nothing is being written; what a death amid a write has
left is seen to by its next opener.
"""

import sqlite3
from collections.abc import Callable, Iterable
from contextlib import closing, suppress
from pathlib import Path
from typing import NamedTuple, final

from sunglare_server.sqlite.backup import copy_database, keep_whole, settle
from sunglare_server.sqlite.database import Unit, apply
from sunglare_server.sqlite.schema import OpenError

_SETTINGS = (
    "PRAGMA synchronous = FULL",
    "PRAGMA fullfsync = ON",
    "PRAGMA secure_delete = ON",
)
_NEWEST = "SELECT match, n, CAST(blob AS BLOB) FROM record ORDER BY rowid DESC LIMIT 1"
_SOMEBODY = "SELECT person FROM person ORDER BY person LIMIT 1"


_BUSY_SECONDS = 30.0
"""OWN: so long a program that reads the copy may keep a write waiting before that fails."""


@final
class Newest(NamedTuple):
    """By what a copy is known to be of a database: its newest record, and an account in it."""

    record: tuple[str, int, bytes] | None
    person: str | None


def newest_in(path: Path) -> Newest | None:
    """Return what a copy holds that its database must have; None if there is no copy.

    Raise `OpenError` if the file can't be read as a database.
    """
    if not path.exists():
        return None
    try:
        with closing(sqlite3.connect(path, isolation_level=None)) as file:
            record = file.execute(_NEWEST).fetchone()
            person = file.execute(_SOMEBODY).fetchone()
    except sqlite3.Error as error:
        raise OpenError(path, str(error)) from error
    return Newest(record, None if person is None else str(person[0]))


@final
class CopyFile:
    """An open copy, for one thread at a time."""

    def __init__(self, path: Path) -> None:
        """Open a copy that was made whole."""
        self._file = sqlite3.connect(
            path, isolation_level=None, timeout=_BUSY_SECONDS, check_same_thread=False
        )
        self._is_behind = False
        try:
            for setting in _SETTINGS:
                self._file.execute(setting)
        except BaseException:
            self._file.close()
            raise

    def store(self, units: Iterable[Unit]) -> None:
        """Store what the database has stored; raise `sqlite3.Error` if it can't be, or differs.

        After that nothing is stored any more: it would stand behind a gap.
        """
        if self._is_behind:
            raise sqlite3.OperationalError("an earlier write has failed")
        self._is_behind = True
        apply(self._file, units)
        self._is_behind = False

    def close(self) -> None:
        """Close the file; what is wrong with it is found by its next opener."""
        with suppress(sqlite3.Error):
            self._file.close()


def make_whole(seen: sqlite3.Connection, path: Path, part: Path, go_on: Callable[[], None]) -> int:
    """Make a whole copy of what a connection sees, in place of an older one; return its size.

    It is written to `part` first. `go_on` is called between two pieces, and may raise to end it.
    Raise `OSError`, `sqlite3.Error`, or `OpenError` if the copy is not whole; the older copy is
    left then.
    """
    for left in (part, _journal_of(part)):
        left.unlink(missing_ok=True)
    copy_database(seen, part, go_on)
    try:
        held = keep_whole(part)
        _out_of_the_way(path)
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)
    settle(path.parent)
    return held.size


def _out_of_the_way(path: Path) -> None:
    """See to it that nothing next to an older copy is taken for a part of the one to come."""
    if not path.exists():
        return
    with suppress(sqlite3.Error), closing(sqlite3.connect(path)) as old:
        # What a death has left of a write is undone by reading it.
        old.execute("SELECT count(*) FROM sqlite_master").fetchone()
    if _journal_of(path).exists():
        # It is broken beyond that, and nothing without its log.
        path.unlink(missing_ok=True)
        _journal_of(path).unlink()


def _journal_of(path: Path) -> Path:
    return path.with_name(f"{path.name}-journal")
