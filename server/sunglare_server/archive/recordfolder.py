"""A folder of record files, each of which is there whole or not at all, for several writers.

A file is written next to its place and moved there when it is on disk. What it is written to has
one name for each match and is locked by its writer; a process that dies leaves it, and the next
one that writes this match takes it. So nothing that is left has to be looked for.
"""

import contextlib
import fcntl
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Final, final

from sunglare_protocol.errors import SunglareError
from sunglare_protocol.ids import MatchId

SUFFIX: Final = ".sgr"
"""How the name of a record file ends, after the id of its match."""

_PART: Final = ".part"
_MODE: Final = 0o640
"""What is over is no secret, but names of people are in it."""


@final
class UnkeptError(SunglareError):
    """A file is not in the folder as it was to be; the text says why."""


@final
class BeingWrittenError(SunglareError):
    """Another process writes the file at this moment."""


@final
class RecordFolder:
    """Keeps files by match; each call waits for the disk, and raises `OSError` as that does."""

    def __init__(self, folder: Path) -> None:
        """Use a folder, which `prepare` makes."""
        self._folder = folder

    def prepare(self) -> None:
        """Make the folder if it is missing; raise `OSError` if nothing can be kept in it."""
        self._folder.mkdir(parents=True, exist_ok=True)
        with _locked(self._folder / f".writable{_PART}") as (_, part):
            part.unlink()

    def path_of(self, match: MatchId) -> Path:
        """Return where the file of a match is, or would be."""
        return self._folder / f"{match}{SUFFIX}"

    def holds(self, match: MatchId, data: bytes) -> bool:
        """Return whether the file of a match is there and is this, byte for byte."""
        return self.read(self.path_of(match).name) == data

    def keep(self, match: MatchId, data: bytes) -> None:
        """Put `data` in the place of a match's file, durably, and read it back.

        Raise `BeingWrittenError` if that is so, and `UnkeptError` if something else is read.
        """
        self.keep_as(self.path_of(match).name, data)

    def keep_as(self, name: str, data: bytes) -> None:
        """Do the same with the file of this name."""
        with _locked(self._folder / f".{name}{_PART}") as (handle, part):
            _write(handle, data)
            part.replace(self._folder / name)
        _settle(self._folder)
        if (self._folder / name).read_bytes() != data:
            raise UnkeptError("what is read is not what was written")

    def read(self, name: str) -> bytes:
        """Return what stands in the file of this name; nothing if it is not there."""
        try:
            return (self._folder / name).read_bytes()
        except FileNotFoundError:
            return b""


@contextlib.contextmanager
def _locked(part: Path) -> Iterator[tuple[int, Path]]:
    """Open a file that is not open anywhere else here, and yield it with its path."""
    flags = os.O_CREAT | os.O_RDWR | os.O_CLOEXEC
    handle = os.open(part, flags, _MODE)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        if not _is_at(part, handle):
            raise BlockingIOError
        yield handle, part
    except BlockingIOError:
        raise BeingWrittenError("another process writes it") from None
    finally:
        os.close(handle)


def _is_at(part: Path, handle: int) -> bool:
    """Return whether a path still leads to an open file: another writer may have moved it."""
    try:
        return os.path.samestat(part.stat(), os.fstat(handle))
    except FileNotFoundError:
        return False


def _write(handle: int, data: bytes) -> None:
    os.ftruncate(handle, 0)
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(handle, rest) :]
    os.fsync(handle)


def _settle(folder: Path) -> None:
    """Have the names in a folder on disk."""
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
