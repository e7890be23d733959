"""The lock that keeps two servers off one database file, by whatever name each knows it.

Theory of operation. It is made of two locks of the kernel that end with their process, however
that ends (`flock`). One stands on a file next to the database that is never removed, or two
servers could lock two files. It is asked first, and knows of a server in the same process and of
those of earlier versions. The other stands on the database file itself, so that a hard link leads
to it too.

SQLite's own locks are of another kind (`fcntl`), and other programs may take them at the same
time. To close any descriptor of a file drops all locks of that kind which the process has on it:
so ours is opened before SQLite opens the file, and closed after it has closed it, and nothing else
in a process that serves a file may open and close it meanwhile.
"""

import os
import sys
from pathlib import Path
from typing import NamedTuple, final

if sys.platform != "win32":
    import fcntl

_OWNER_ALONE = 0o600


@final
class FileLock(NamedTuple):
    """The descriptors that hold the lock: of the file next to the database, and of itself."""

    beside: int
    own: int

    def release(self) -> None:
        """Let others in."""
        os.close(self.own)
        os.close(self.beside)


def lock_file(path: Path) -> FileLock:
    """Lock a database file, created if missing, for its owner alone.

    Raise `BlockingIOError` if another process has it, and `OSError` if it can't be opened.
    """
    # By its own name, so that a link to the file leads to the same lock.
    whole = path.resolve()
    beside = _locked(_beside(whole))
    try:
        # Before SQLite creates it, so that no other user may ever read it.
        return FileLock(beside, _locked(whole))
    except BaseException:
        os.close(beside)
        raise


def lock_name(path: Path) -> int:
    """Lock the name of a database file that need not be there; return the descriptor that does.

    Raise as `lock_file`.
    """
    return _locked(_beside(path.resolve()))


def lock_to_read(path: Path) -> tuple[int, ...]:
    """Return descriptors that keep servers off a file that is there, until they are closed.

    Nothing is written. Raise as `lock_file`.
    """
    held: list[int] = []
    try:
        for file in (_beside(path.resolve()), path.resolve()):
            if file.exists():
                held.append(os.open(file, os.O_RDWR if os.access(file, os.W_OK) else os.O_RDONLY))
                _lock(held[-1])
    except BaseException:
        for descriptor in held:
            os.close(descriptor)
        raise
    return tuple(held)


def _beside(path: Path) -> Path:
    return path.with_name(f"{path.name}.lock")


def _locked(path: Path) -> int:
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT, _OWNER_ALONE)
    try:
        _lock(descriptor)
    except BaseException:
        os.close(descriptor)
        raise
    return descriptor


def _lock(descriptor: int) -> None:
    if sys.platform != "win32":
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
