"""The queue of the quick match, and its pairing by waiting order and nearness of rating.

The player who has waited longest is served first. Their opponents are those of the same family who
are nearest to them in points; at first they may differ by `NEAR_POINTS`, and by more the longer
the player waits. A player who has not asked for `SILENT_MS`, or has no connection, waits no
longer.
"""

from collections.abc import Callable, Iterable
from typing import final

import msgspec

SILENT_MS = 15_000
"""OWN: who has not asked for so long has left."""

NEAR_POINTS = 200
"""OWN: by so many points opponents may differ at first."""

WIDER_POINTS = 20
"""OWN: by so many more with each second that the first of them has waited."""


@final
class QueueEntry(msgspec.Struct, frozen=True, kw_only=True):
    """A waiting player: for what, since when, the time of the last request, and the points then.

    `address` is where the last request came from, None where that does not count; `is_bot` is what
    the connection said then. `noted_ms` is when the place was noted last.
    """

    account: str
    family: str
    rated: bool
    since_ms: int
    asked_ms: int
    points: int
    address: str | None = None
    is_bot: bool = False
    noted_ms: int = 0


@final
class MatchQueue:
    """Those who wait, the longest first."""

    def __init__(self) -> None:
        """Begin empty."""
        self._waiting: dict[str, QueueEntry] = {}

    def __len__(self) -> int:
        """Return how many wait."""
        return len(self._waiting)

    @property
    def since_ms(self) -> int | None:
        """Return since when the first player waits; None for an empty queue."""
        return min([waiter.since_ms for waiter in self._waiting.values()], default=None)

    def near(self, address: str) -> int:
        """Return how many wait who have asked from an address."""
        return sum(waiter.address == address for waiter in self._waiting.values())

    def of(self, account: str) -> QueueEntry | None:
        """Return for what an account waits, if it does."""
        return self._waiting.get(account)

    def put(self, waiter: QueueEntry) -> None:
        """Add a player; one who waits for the same already keeps their place."""
        self._waiting[waiter.account] = self.in_place(waiter)

    def in_place(self, waiter: QueueEntry) -> QueueEntry:
        """Return an entry in the place that its player has already, if it is for the same."""
        known = self._waiting.get(waiter.account)
        same = (waiter.family, waiter.rated)
        if known is None or (known.family, known.rated) != same:
            return waiter
        noted_ms = max(known.noted_ms, waiter.noted_ms)
        return msgspec.structs.replace(waiter, since_ms=known.since_ms, noted_ms=noted_ms)

    def drop(self, *accounts: str) -> None:
        """Have these wait no longer."""
        for account in accounts:
            self._waiting.pop(account, None)

    def sweep(self, now_ms: int, is_here: Callable[[str], bool]) -> None:
        """Drop players who have fallen silent or have no connection."""
        gone = [
            waiter.account
            for waiter in self._waiting.values()
            if now_ms - waiter.asked_ms > SILENT_MS or not is_here(waiter.account)
        ]
        self.drop(*gone)

    def group(
        self, family: str, number: int, now_ms: int, *, rated: bool
    ) -> tuple[QueueEntry, ...]:
        """Return so many who are to play together, who waits longest first; empty without."""
        order = self._order(family, rated=rated)
        for first in order:
            others = _near(first, order, now_ms)[: number - 1]
            if len(others) == number - 1:
                return (first, *others)
        return ()

    def _order(self, family: str, *, rated: bool) -> list[QueueEntry]:
        same = [
            waiter
            for waiter in self._waiting.values()
            if (waiter.family, waiter.rated) == (family, rated)
        ]
        return sorted(same, key=lambda waiter: (waiter.since_ms, waiter.account))


def _near(first: QueueEntry, order: Iterable[QueueEntry], now_ms: int) -> list[QueueEntry]:
    """Return the entries near enough to one, the nearest first, of equals the longest wait."""
    most = NEAR_POINTS + WIDER_POINTS * max(0, now_ms - first.since_ms) // 1000
    near = [
        (abs(other.points - first.points), other.since_ms, other.account, other)
        for other in order
        if other.account != first.account and abs(other.points - first.points) <= most
    ]
    return [other for *_, other in sorted(near, key=lambda one: one[:3])]
