"""Copies of the server's database: made while it is written, and checked before they count."""

import errno
import os
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

from sunglare_server.sqlite.damaged_table_names import is_set_aside
from sunglare_server.sqlite.schema import OpenError, known_version
from sunglare_server.sqlite.wal_marker import mark_closed

PAGES_AT_ONCE = 64
"""How many pages of 4 KiB are copied before what waits for the database is done."""

_OWNER_ALONE = 0o600

_TABLES = "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name"


class BackedUp(NamedTuple):
    """What a backup holds: its size in bytes, and how many matches."""

    size: int
    matches: int


def copy_database(source: sqlite3.Connection, path: Path, others: Callable[[], None]) -> None:
    """Copy an open database into a new file; `others` is called between any two pieces.

    Raise `OSError` if the file is there or can't be made, and `sqlite3.Error` as SQLite does.
    Writes to `source` by this thread before the last piece get into the copy.
    """
    os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR, _OWNER_ALONE))
    try:
        with closing(sqlite3.connect(path)) as target:
            source.backup(target, pages=PAGES_AT_ONCE, progress=lambda *_: others())
    except BaseException:
        path.unlink(missing_ok=True)
        raise


def make_room(path: Path, part: Path) -> None:
    """Raise `OSError` if a backup can't become `path`; remove what a broken one has left."""
    if path.exists() or path.is_symlink() or not path.name:
        raise FileExistsError(errno.EEXIST, "there is such a file already; name a new one")
    part.unlink(missing_ok=True)


def keep_copy(part: Path, path: Path) -> BackedUp:
    """Check a copy and give it its name, durably; say what it holds.

    Raise `OpenError` if it is not whole and `OSError` if the name is taken; then it is removed.
    """
    try:
        held = keep_whole(part)
        # A link fails where a renaming would overwrite.
        os.link(part, path)
    finally:
        part.unlink(missing_ok=True)
    settle(path.parent)
    return held


def settle(folder: Path) -> None:
    """Have the names in a folder on disk."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def keep_whole(path: Path) -> BackedUp:
    """Make a copy one file that a server may start on, and check it; say what it holds.

    Raise `OpenError` if it is not whole.
    """
    with closing(sqlite3.connect(path, isolation_level=None)) as copy:
        try:
            # One file that needs no write-ahead log.
            copy.execute("PRAGMA journal_mode = DELETE").fetchone()
            mark_closed(copy)
            known_version(copy, path)
            found = _fault(copy)
            ((matches,),) = copy.execute("SELECT count(*) FROM record WHERE n = 1")
        except sqlite3.Error as error:
            raise OpenError(path, str(error)) from error
    if found is not None:
        raise OpenError(path, found)
    return BackedUp(path.stat().st_size, int(matches))


def _fault(copy: sqlite3.Connection) -> str | None:
    """Return what SQLite finds wrong with a copy, but for tables that are set aside as damaged."""
    names = [str(name) for (name,) in copy.execute(_TABLES)]
    sound = [name for name in names if not is_set_aside(name)]
    checks = ["1"] if sound == names else [f'"{name}"' for name in sound]
    for check in checks:
        for (line,) in copy.execute(f"PRAGMA integrity_check({check})"):
            if line != "ok":
                return str(line)
    return None
