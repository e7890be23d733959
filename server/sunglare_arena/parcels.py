"""Messages between a match and the process of a bot: those of the wire, each in a wrapping."""

import socket
import time
from collections.abc import Callable
from functools import partial
from typing import TypeVar, final

import msgspec

from sunglare_arena.minds import Wrong
from sunglare_protocol.replay.notes import Note

LENGTH_BYTES = 4
"""Before each wrapping stands how long it is, the highest byte first."""

BYTES_MOST = 64 * 1024 * 1024
"""No wrapping is longer; a process that says otherwise is done with."""


class Begin(msgspec.Struct, frozen=True, kw_only=True, tag="Begin"):
    """To the bot: which bot it is, its seed, and the packed `seated` of its seat.

    Without a seat the bot is loaded, and no more.
    """

    bot: str
    seed: int = 0
    seated: bytes = b""


class Tell(msgspec.Struct, frozen=True, kw_only=True, tag="Tell"):
    """To the bot: a packed frame, news or end; with `is_asked` it is to decide and to answer."""

    post: bytes
    is_asked: bool = False


class Reply(msgspec.Struct, frozen=True, kw_only=True, tag="Reply"):
    """From the bot: the packed orders or resignation, if it was asked, and what went wrong.

    `notes` are those that it made for itself since the last time.
    """

    message: bytes = b""
    cpu_s: float = 0.0
    wrongs: tuple[Wrong, ...] = ()
    notes: tuple[Note, ...] = ()


Wrapping = Begin | Tell | Reply

_READ_BYTES = 1 << 20

_LEAST_S = 0.001
"""A time that is up is so long, as a socket takes nought for something else."""

Done = TypeVar("Done")
Kind = TypeVar("Kind", Begin, Tell, Reply)


class BrokenError(Exception):
    """The other process `is_gone`, `is_late`, or sends what is no wrapping."""

    def __init__(self, why: str, *, is_gone: bool = False, is_late: bool = False) -> None:
        """Keep the facts."""
        super().__init__(why)
        self.is_gone, self.is_late = is_gone, is_late


@final
class Wire:
    """One end of the line between a match and the process of a bot."""

    def __init__(self, end: socket.socket) -> None:
        """Speak over this socket, with all the time there is."""
        self._end = end
        self._deadline: float | None = None
        self._packer = msgspec.msgpack.Encoder()

    def close(self) -> None:
        """Close this end."""
        self._end.close()

    def limit(self, seconds: float) -> None:
        """Give all that follows so long of real time, until the next limit."""
        self._deadline = time.monotonic() + seconds

    def send(self, wrapping: Wrapping) -> None:
        """Send a wrapping; raise `BrokenError` if it is not taken in time."""
        data = self._packer.encode(wrapping)
        self._timed(lambda: self._end.sendall(len(data).to_bytes(LENGTH_BYTES, "big") + data))

    def receive(self, kind: type[Kind]) -> Kind:
        """Wait for a wrapping of this kind; raise `BrokenError` if it is not what comes."""
        length = int.from_bytes(self._read(LENGTH_BYTES), "big")
        if length > BYTES_MOST:
            raise BrokenError(f"{length} bytes at once")
        try:
            return msgspec.msgpack.decode(self._read(length), type=kind)
        except msgspec.DecodeError as fault:
            raise BrokenError(str(fault)) from None

    def _read(self, count: int) -> bytes:
        parts: list[bytes] = []
        while count:
            part = self._timed(partial(self._end.recv, min(count, _READ_BYTES)))
            if not part:
                raise BrokenError("it has gone", is_gone=True)
            parts.append(part)
            count -= len(part)
        return b"".join(parts)

    def _timed(self, work: Callable[[], Done]) -> Done:
        """Do what takes its time, and raise `BrokenError` when that is up."""
        try:
            if self._deadline is not None:
                self._end.settimeout(max(_LEAST_S, self._deadline - time.monotonic()))
            return work()
        except OSError as fault:
            is_late = isinstance(fault, TimeoutError)
            raise BrokenError(str(fault), is_gone=not is_late, is_late=is_late) from None
