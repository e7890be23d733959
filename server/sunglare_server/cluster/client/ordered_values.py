"""Values in their order: few are asked for at a time, and many come only at the beginning."""

from bisect import bisect_left, bisect_right, insort
from typing import Any, Generic, TypeVar, final

T = TypeVar("T", bound=Any)

_FEW = 32


@final
class Ordered(Generic[T]):
    """A list that is kept in order; those that come are put into their places when one asks."""

    def __init__(self) -> None:
        """Begin empty."""
        self._values: list[T] = []
        self._new: list[T] = []

    def add(self, value: T) -> None:
        """Add a value that is not there."""
        self._new.append(value)

    def drop(self, value: T) -> None:
        """Take out a value that is there."""
        values = self._sorted()
        del values[bisect_left(values, value)]

    def after(self, value: T | None, most: int) -> list[T]:
        """Return the first `most` values that come after this one, or the first of all."""
        values = self._sorted()
        start = 0 if value is None else bisect_right(values, value)
        return values[start : start + most]

    def not_before(self, value: T, most: int) -> list[T]:
        """Return the first `most` values that do not come before this one."""
        values = self._sorted()
        start = bisect_left(values, value)
        return values[start : start + most]

    def _sorted(self) -> list[T]:
        if len(self._new) <= _FEW:
            for value in self._new:
                insort(self._values, value)
        else:
            self._values.extend(self._new)
            self._values.sort()
        self._new.clear()
        return self._values
