"""The mark in a database file's header that says which write-ahead log belongs to it.

What is committed goes to the log first. A file whose log is missing after a crash is whole to
SQLite, and has lost the newest commits without a word; with the log of another file it is spoilt.
So a server writes into the file itself, in the field that SQLite leaves to programs, that it has
the file open and with what number its log began:

- `_CLOSED`: the last server closed it. There is no log, or one that is folded in to the last page.
- `_OPENING`: a server was about to begin a log. Whatever is there is right.
- any other number: a log must be there that began with it or, as SQLite counts them up whenever a
  log begins again, with one of the next `_NEXT`.

Files of programs that knew no marks lack `_OURS`, and are taken as they are. A log that was cut
behind its head, or that is an older copy of the right one, looks like the right one.

Other programs may have the file open at the same time, read it, and fold its log in, such as one
that copies it as it grows. What they begin with a number of their own is marked again with the
next commit; while they have the log open neither the end of a server nor the start of one removes
it.

SQLite itself removes a log when the last connection to its file ends. So where the mark can't be
written before, as on a full disk, the log is left as a crash would leave it.
"""

import os
import sqlite3
from contextlib import closing, suppress
from pathlib import Path
from typing import NamedTuple

_CLOSED = 0
_OPENING = 1
_OURS = 0x53474C52
"""What stands in the header's `application_id` once a server with marks has opened the file."""

_NEXT = 2**20
"""How many times a log may begin again; another file's is taken for ours once in 4,096 cases."""

_HEADER_BYTES = 100
_MARK_AT, _OURS_AT, _PAGE_SIZE_AT = 60, 68, 16
_LOG_HEADER_BYTES, _FRAME_HEADER_BYTES = 32, 24
_READERS_MS = 200
"""OWN: so long a program that is just reading may keep the log from being emptied."""

_SALT_AT = 16
_WORD = 2**32

_REFUSED = (sqlite3.Error, UnicodeDecodeError)
"""What SQLite raises; the second is how a message comes that quotes a damaged schema."""

WAY_OUT = (
    "put the log back that lay beside it (its name ends in -wal) or start on a backup; if there "
    "is neither, `sunglare-server repair` brings the rest into a new file"
)


class _Head(NamedTuple):
    mark: int
    is_ours: bool
    page_size: int


def log_of(path: Path) -> Path:
    """Return where the write-ahead log of a database file lies."""
    whole = path.resolve()
    return whole.with_name(f"{whole.name}-wal")


def log_fault(path: Path) -> str | None:
    """Return why the log of a file is not the one that belongs to it; None if it is.

    The file may not be open anywhere.
    """
    head, salt = _head(path), _salt(path)
    if head is None or not head.is_ours or head.mark == _OPENING:
        return None
    if head.mark == _CLOSED:
        if salt is None or not _would_change(path, head.page_size):
            return None
        return "the write-ahead log beside it is not its own"
    if salt is None:
        return "its write-ahead log is missing, and with it what was stored last"
    if not _follows(salt, head.mark):
        return "the write-ahead log beside it is not its own"
    return None


def prepare(connection: sqlite3.Connection, own: int) -> None:
    """Fold in the log that a crash has left, so that the file stands alone and may be marked.

    Where another program has the log open it stays as it is, and is gone on with. `own` is a
    descriptor of the file that stays open.
    """
    # Asked of SQLite: to open and close the file here would drop its locks.
    if connection.execute("PRAGMA user_version").fetchone() != (_CLOSED,):
        # Before the log goes, or there would be no sign that it was folded in.
        _set(connection, _OPENING)
    try:
        connection.execute("PRAGMA journal_mode = DELETE").fetchone()
    except sqlite3.OperationalError as error:
        if error.sqlite_errorcode != sqlite3.SQLITE_BUSY:
            raise
        if _mark_in(os.pread(own, _HEADER_BYTES, 0)) == _CLOSED:
            # A reader may keep what is written from now on in the log; what stands in the file
            # would say that there is none. SQLite reads this field only to be asked for it.
            os.pwrite(own, _OPENING.to_bytes(4, "big"), _MARK_AT)
            os.fsync(own)


def mark_opening(connection: sqlite3.Connection) -> None:
    """Say that a log is about to begin; part of the caller's transaction."""
    connection.execute(f"PRAGMA application_id = {_OURS}")
    _set(connection, _OPENING)


def mark_open(connection: sqlite3.Connection, path: Path) -> None:
    """Say with what number the log begins that is in use from now on."""
    _set(connection, _OPENING)
    # The first log of a connection begins with a number of chance, also after another program has
    # ended the one before; a connection that has ended one counts from there.
    _emptied(connection)
    # Its head is written with its first commit.
    _set(connection, _OPENING)
    _set(connection, _salt(path) or _OPENING)
    connection.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchall()


def keep_marked(connection: sqlite3.Connection, path: Path) -> None:
    """Mark the log again if another program has begun it with a number of its own."""
    salt = _salt(path)
    ((mark,),) = connection.execute("PRAGMA user_version")
    if salt is not None and mark % _WORD != _OPENING and not _follows(salt, mark):
        mark_open(connection, path)


def fold_in(connection: sqlite3.Connection, path: Path) -> bool:
    """Fold the log into the file and begin another, so that nothing deleted is left in it.

    Return False if another program reads the file, and so keeps the log as it is.
    """
    _set(connection, _OPENING)
    is_empty = _emptied(connection)
    mark_open(connection, path)
    return is_empty


def mark_closed(connection: sqlite3.Connection) -> None:
    """Say that the file is closed, with the last commit before it is."""
    _set(connection, _CLOSED)


def close_marked(connection: sqlite3.Connection, path: Path) -> None:
    """Close a file so that the next start knows it: no other server may open it meanwhile."""
    try:
        _set(connection, _OPENING)
    except _REFUSED:
        # Without room or on a damaged file. The log keeps the mark that asks for it.
        close_as_it_is(connection, path)
        return
    with suppress(*_REFUSED):
        # All else before the mark: a crash amid the folding must not find it in the file. Where
        # another program has the log open, that stays, and is gone on with at the next start.
        if _emptied(connection):
            mark_closed(connection)
    connection.close()
    _mark_folded(path)


def close_as_it_is(connection: sqlite3.Connection, path: Path) -> None:
    """Close a file and leave it and its log as they lie, as the end of the process would.

    SQLite folds the log in and removes it when the last connection ends, so another one outlasts
    this one; it can only read, and so cannot fold in either.
    """
    with suppress(*_REFUSED):
        if connection.in_transaction:
            connection.execute("ROLLBACK")
    with suppress(*_REFUSED), closing(_reader(path)) as reader:
        with suppress(*_REFUSED):
            reader.execute("SELECT count(*) FROM sqlite_master").fetchone()
        connection.close()
    connection.close()
    _mark_folded(path)


def _reader(path: Path) -> sqlite3.Connection:
    address = f"{path.absolute().as_uri()}?mode=ro"
    return sqlite3.connect(address, uri=True, timeout=0, isolation_level=None)


def _mark_folded(path: Path) -> None:
    """Take back a mark that asks for a log which is folded in and gone all the same."""
    head = _head(path)
    if head is None or not head.is_ours or head.mark in (_CLOSED, _OPENING):
        return
    if _salt(path) is not None:
        return
    with suppress(OSError), path.open("r+b") as file:
        file.seek(_MARK_AT)
        file.write(bytes(4))
        file.flush()
        os.fsync(file.fileno())


def _emptied(connection: sqlite3.Connection) -> bool:
    """Fold the whole log in and empty it; return whether no other program prevents that."""
    ((patience_ms,),) = connection.execute("PRAGMA busy_timeout")
    connection.execute(f"PRAGMA busy_timeout = {_READERS_MS}")
    try:
        ((is_busy, _, _),) = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    finally:
        connection.execute(f"PRAGMA busy_timeout = {patience_ms}")
    return not is_busy


def _follows(salt: int, mark: int) -> bool:
    """Return whether a log that begins with `salt` may come after the one that is marked."""
    return (salt - mark) % _WORD < _NEXT


def _set(connection: sqlite3.Connection, mark: int) -> None:
    signed = mark - _WORD if mark >= _WORD // 2 else mark
    connection.execute(f"PRAGMA user_version = {signed}")


def _head(path: Path) -> _Head | None:
    """Return what the file itself says, whatever its log does; None if it has no header."""
    try:
        with path.open("rb") as file:
            data = file.read(_HEADER_BYTES)
    except OSError:
        return None
    if len(data) < _HEADER_BYTES:
        return None
    size = int.from_bytes(data[_PAGE_SIZE_AT : _PAGE_SIZE_AT + 2], "big")
    return _Head(
        mark=_mark_in(data),
        is_ours=int.from_bytes(data[_OURS_AT : _OURS_AT + 4], "big") == _OURS,
        page_size=65536 if size == 1 else size,
    )


def _mark_in(header: bytes) -> int:
    return int.from_bytes(header[_MARK_AT : _MARK_AT + 4], "big")


def _salt(path: Path) -> int | None:
    """Return the number with which the log of a file began; None without a log."""
    try:
        with log_of(path).open("rb") as file:
            data = file.read(_LOG_HEADER_BYTES)
    except OSError:
        return None
    if len(data) < _LOG_HEADER_BYTES:
        return None
    return int.from_bytes(data[_SALT_AT : _SALT_AT + 4], "big")


def _would_change(path: Path, page_size: int) -> bool:
    """Return whether a log holds any page that the file does not have already.

    A server that is killed while it closes may leave the log that it has just folded in.
    """
    log = log_of(path).read_bytes()
    pages: dict[int, bytes] = {}
    frame_bytes = _FRAME_HEADER_BYTES + page_size
    for start in range(_LOG_HEADER_BYTES, len(log) - frame_bytes + 1, frame_bytes):
        frame = log[start : start + frame_bytes]
        # Frames of an earlier round lie behind those of the last one.
        if frame[8:16] == log[_SALT_AT : _SALT_AT + 8]:
            pages[int.from_bytes(frame[:4], "big")] = frame[_FRAME_HEADER_BYTES:]
    with path.open("rb") as file:
        for number, page in pages.items():
            file.seek((number - 1) * page_size)
            if file.read(page_size) != page:
                return True
    return False
