"""Calls that wait for their time, which a test lets come."""

from collections.abc import Callable


class Due:
    """A call that is due once so many seconds have gone by."""

    def __init__(self, at_s: float, call: Callable[[], None]) -> None:
        """Keep the call."""
        self.at_s = at_s
        self.call = call
        self.is_cancelled = False

    def cancel(self) -> None:
        """Let it not be made."""
        self.is_cancelled = True


class DueCalls:
    """Stands for a clock: `later` keeps a call, `pass_by` lets time go by and makes those due."""

    def __init__(self) -> None:
        """Begin at 0 s."""
        self.now_s = 0.0
        self._due: list[Due] = []

    def later(self, seconds: float, call: Callable[[], None]) -> Due:
        """Keep a call for its time."""
        due = Due(self.now_s + seconds, call)
        self._due.append(due)
        return due

    @property
    def waiting(self) -> int:
        """Return how many calls wait for their time."""
        return len([due for due in self._due if not due.is_cancelled])

    def pass_by(self, seconds: float) -> None:
        """Let so much time go by."""
        end_s = self.now_s + seconds
        while ready := [due for due in self._due if due.at_s <= end_s and not due.is_cancelled]:
            first = min(ready, key=lambda due: due.at_s)
            self._due.remove(first)
            self.now_s = first.at_s
            first.call()
        self.now_s = end_s
