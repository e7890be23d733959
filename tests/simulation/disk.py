"""A simulated disk that forgets what was not synced, and the log of entries on it."""

import asyncio
import zlib
from collections.abc import Callable
from random import Random
from typing import final

from sunglare_server.base.storage_errors import MediumError

QUICKEST_S = 0.0002
"""How long a write and its sync take at least."""

SLOWEST_S = (0.004, 0.004, 0.3)
"""How long they take at most, on disks of several makes."""

_LENGTH_BYTES = 4
_HEAD_BYTES = 8


class FullError(MediumError):
    """The disk takes this write not, and the next one perhaps."""


class GoneError(MediumError):
    """The process that had opened the disk has ended: nothing it does counts any more."""


@final
class Disk:
    """The bytes of one file: synced ones outlive a loss of power, of the rest a part may.

    `on_step` is called before a write, between it and its sync, and after the sync, which is
    where a process may be made to end.
    """

    def __init__(self, rng: Random) -> None:
        """Draw from `rng` how slow it is and what a loss of power leaves."""
        self.on_step: Callable[[], None] = lambda: None
        self.refused = 0
        self._refusals = 0
        self.life = 0
        self._rng = rng
        self._slowest_s = rng.choice(SLOWEST_S)
        self._synced = bytearray()
        self._fresh = bytearray()

    def refuse(self, times: int) -> None:
        """Take none of the next so many writes that may be refused."""
        self._refusals += times

    def refuses(self) -> bool:
        """Return whether a write is refused now, and count it."""
        if not self._refusals:
            return False
        self._refusals -= 1
        self.refused += 1
        return True

    def content(self) -> bytes:
        """Return what a process reads: also what is not synced."""
        return bytes(self._synced + self._fresh)

    def cut(self, length: int) -> None:
        """Keep the first `length` bytes and sync them."""
        self._synced = bytearray(self.content()[:length])
        self._fresh = bytearray()

    def write(self, data: bytes) -> None:
        """Put bytes at the end."""
        self._fresh += data

    def sync(self) -> None:
        """Make everything written so far outlive a loss of power."""
        self._synced += self._fresh
        self._fresh = bytearray()

    def end_life(self) -> None:
        """End the process that has the disk open; the operating system writes on."""
        self.life += 1
        self.sync()

    def lose_power(self) -> None:
        """End the process and the machine: of what was not synced some first bytes are kept."""
        self.life += 1
        kept = self._rng.randint(0, len(self._fresh))
        self._synced += self._fresh[:kept]
        self._fresh = bytearray()

    def seconds(self) -> float:
        """Return how long the next write takes."""
        return self._rng.uniform(QUICKEST_S, self._slowest_s)


@final
class Log:
    """Entries on a disk, each whole or not there; belongs to the process that opened it."""

    def __init__(self, disk: Disk) -> None:
        """Open the log and cut off what a loss of power has left of an entry."""
        self._disk = disk
        self._life = disk.life
        self.entries, whole = _read(disk.content())
        disk.cut(whole)

    async def append(self, entry: bytes, *, may_refuse: bool = False) -> None:
        """Add an entry, one at a time, and return once it is durable.

        GoneError once the process has ended, FullError if the disk refuses.
        """
        await self._step()
        if may_refuse and self._disk.refuses():
            raise FullError("no space left on the simulated disk")
        self._disk.write(_framed(entry))
        await asyncio.sleep(self._disk.seconds())
        await self._step()
        self._disk.sync()
        await self._step()

    def refuse_if_gone(self) -> None:
        """Raise GoneError if the process has ended."""
        if self._life != self._disk.life:
            raise GoneError("the process has ended")

    async def _step(self) -> None:
        self._disk.on_step()
        # A process that was ended just now must not go on: its task is cancelled here.
        await asyncio.sleep(0)
        self.refuse_if_gone()


def _read(content: bytes) -> tuple[list[bytes], int]:
    """Return the whole entries at the beginning of `content`, and how many bytes they fill."""
    entries: list[bytes] = []
    at = 0
    while (entry := _unframed(content, at)) is not None:
        entries.append(entry)
        at += _HEAD_BYTES + len(entry)
    return entries, at


def _framed(entry: bytes) -> bytes:
    return len(entry).to_bytes(4, "big") + zlib.crc32(entry).to_bytes(4, "big") + entry


def _unframed(content: bytes, at: int) -> bytes | None:
    """Return the entry that begins at `at`; None if there is no whole one."""
    length = int.from_bytes(content[at : at + _LENGTH_BYTES], "big")
    crc = int.from_bytes(content[at + _LENGTH_BYTES : at + _HEAD_BYTES], "big")
    entry = content[at + _HEAD_BYTES : at + _HEAD_BYTES + length]
    is_whole = len(content) >= at + _HEAD_BYTES + length and zlib.crc32(entry) == crc
    return entry if is_whole else None


def entries_of(disk: Disk) -> list[bytes]:
    """Return the whole entries that a disk holds."""
    return _read(disk.content())[0]
