"""The values of a MessagePack stream from strangers, each decoded when all its bytes are there.

A list of a few bytes may say that it has a billion entries, and a decoder makes room for them at
once. A value that was passed over whole before has no more entries than bytes.
"""

import io
from collections.abc import Collection
from itertools import repeat
from typing import Any, Final, final

import msgpack  # type: ignore[import-untyped]

from sunglare_protocol.errors import SunglareError

CUT: Final = "This file was cut: its end is missing."
"""What is said of a file that ends too early."""

_BROKEN = (ValueError, TypeError, OverflowError, RecursionError, msgpack.UnpackException)
"""What bytes raise that are no MessagePack, or a map with lists or maps as keys."""

DEPTH_MOST: Final = 32
"""OWN: the most lists and maps within each other, parts counted; a message has nine."""


class ReplayError(SunglareError):
    """A replay can't be read from some place on; the text says why."""


class Decoding:
    """Looks at one value while it is decoded: maps have texts as keys, nothing lies too deep.

    The decoder hands lists and maps over from the innermost on.
    """

    def __init__(self) -> None:
        """Begin before the value."""
        self._heights: dict[int, int] = {}

    def clear(self) -> None:
        """Begin before another value."""
        self._heights.clear()

    def height(self, value: object) -> int:
        """Return how many lists and maps lie within each other in a part of the value."""
        return self._heights.get(id(value), 0)

    def put(self, value: object, height: int) -> None:
        """Take what stands in the place of an extension, so high."""
        self._heights[id(value)] = height

    def extension(self, code: int, data: bytes) -> Any:
        """Return what an extension stands for; raise `ReplayError`, for here it has no place."""
        del data
        raise ReplayError(f"There is an extension of type {code} in it, which has no place there.")

    def map(self, value: dict[Any, Any]) -> dict[str, Any]:
        """Return a map that may be there; else raise `ReplayError`."""
        for key in value:
            if type(key) is not str:
                raise ReplayError("There is a map in it whose keys are no texts.")
        self._look(value, value.values())
        return value

    def list(self, value: list[Any]) -> list[Any]:
        """Return a list that may be there; else raise `ReplayError`."""
        self._look(value, value)
        return value

    def _look(self, value: object, inside: Collection[object]) -> None:
        # The decoder makes times of extension -1 by itself.
        if msgpack.Timestamp in map(type, inside):
            raise ReplayError("There is a time of MessagePack in it, which no message has.")
        known = map(self._heights.get, map(id, inside), repeat(0))
        height = 1 + max(known, default=0)
        if height > DEPTH_MOST:
            raise ReplayError("It is deeper than any message.")
        self.put(value, height)


@final
class Values:
    """Reads one value after the other; raises `ReplayError` where there is none."""

    def __init__(self, data: bytes, start: int = 0) -> None:
        """Begin at `start`; the newest value stands from `place` to `end`, in bytes of `data`."""
        self.place = self.end = self._start = start
        self._data = data
        self._unpacker = msgpack.Unpacker(
            io.BytesIO(data[start:]), max_buffer_size=max(1, len(data))
        )

    @property
    def is_map(self) -> bool:
        """Return whether the newest value is a map."""
        head = self._data[self.place]
        return head & 0xF0 == 0x80 or head in (0xDE, 0xDF)

    @property
    def is_last(self) -> bool:
        """Return whether nothing follows on the newest value."""
        return self.end == len(self._data)

    def skip(self) -> int:
        """Pass over a value and return of how many bytes it is."""
        self.place = self.end
        try:
            self._unpacker.skip()
        except msgpack.OutOfData:
            raise ReplayError(CUT) from None
        except _BROKEN as fault:
            raise self._unreadable(fault) from None
        self.end = self._start + self._unpacker.tell()
        return self.end - self.place

    def next(self) -> Any:
        """Return a value without extensions."""
        self.skip()
        return self.decoded(Decoding())

    def decoded(self, decoding: Decoding) -> Any:
        """Return the newest value, which was passed over."""
        try:
            return msgpack.unpackb(
                self._data[self.place : self.end],
                ext_hook=decoding.extension,
                object_hook=decoding.map,
                list_hook=decoding.list,
                strict_map_key=False,
            )
        except _BROKEN as fault:
            raise self._unreadable(fault) from None

    def _unreadable(self, fault: Exception) -> ReplayError:
        words = str(fault) or type(fault).__name__
        return ReplayError(f"It can't be read from byte {self.place} on: {words}.")
