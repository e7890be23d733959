"""A private copy of a database file that is not in use, so that the file itself is never written.

To open a file that a crash has left is to fold its write-ahead log in: to look, or to take out
what can be saved, use a copy.
"""

import errno
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple, final

from sunglare_server.sqlite.filelock import lock_to_read
from sunglare_server.sqlite.schema import OpenError
from sunglare_server.sqlite.wal_marker import log_fault, log_of

if sys.platform != "win32":
    import fcntl

PREFIX = ".check-"
"""How the name of the folder of a copy begins."""

_LOCK_START, _LOCK_BYTES = 0x40000000, 512
"""Where SQLite's locks lie in a file."""


@final
class Copied(NamedTuple):
    """A copy of a file, and why the log found with the file does not belong to it, if so.

    Such a log is not copied.
    """

    path: Path
    log_fault: str | None


@contextmanager
def private_copy(path: Path, folder: Path) -> Iterator[Copied]:
    """Give a copy of a file, and of its log, that lasts as long as the block.

    It is made in `folder`, or among the temporary files if that can't be written. Raise
    `OpenError` if there is no such file, or it is in use.
    """
    if not path.is_file():
        raise OpenError(path, "there is no such file")
    try:
        with _alone(path.resolve()), _folder(folder) as name:
            # SQLite looks for the log under the name of the file that a link leads to.
            copy = Path(name) / path.resolve().name
            shutil.copyfile(path, copy)
            fault = log_fault(path)
            if fault is None and log_of(path).exists():
                shutil.copyfile(log_of(path), log_of(copy))
            yield Copied(copy, fault)
    except OSError as error:
        raise OpenError(path, error.strerror or str(error)) from error


def _folder(folder: Path) -> "tempfile.TemporaryDirectory[str]":
    try:
        return tempfile.TemporaryDirectory(prefix=PREFIX, dir=folder)
    except OSError:
        return tempfile.TemporaryDirectory(prefix=PREFIX)


@contextmanager
def _alone(path: Path) -> Iterator[None]:
    """Keep servers and other programs out for as long as the block lasts."""
    held: tuple[int, ...] = ()
    try:
        held = lock_to_read(path)
        _keep_sqlite_out(path, held[-1])
        yield
    except OSError as error:
        if error.errno in (errno.EACCES, errno.EAGAIN):
            raise OpenError(path, "a server or another program is using it") from error
        raise
    finally:
        for descriptor in held:
            os.close(descriptor)


def _keep_sqlite_out(path: Path, held: int) -> None:
    """Lock that part of an open file by which SQLite keeps others out."""
    if sys.platform == "win32":
        return
    kind = fcntl.LOCK_EX if os.access(path, os.W_OK) else fcntl.LOCK_SH
    fcntl.lockf(held, kind | fcntl.LOCK_NB, _LOCK_BYTES, _LOCK_START)
