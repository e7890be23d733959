"""Places in the queue of quick matches, kept so that they outlast the server that keeps the queue.

For every player who waits there is kept for what and since when, and when that was noted last. Who
asks another server for the same soon after goes on from there; who stays away has lost the place.
Of a deserter there is kept until when they may not wait.
"""

from typing import Final, Protocol, final

import msgspec

from sunglare_protocol.ids import MatchId
from sunglare_server.matchmaking.queue import SILENT_MS

QUEUE: Final = MatchId("queue")
"""The queue among the matches that servers own: of those that share them one keeps it."""

NOTED_MS: Final = 20_000
"""OWN: a place that was noted so long ago is noted again when its holder asks."""


@final
class QueuePlace(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """For what an account waits, since when, and when that was noted.

    Until `barred_ms` it may not wait. All times are those of the clock of the worker that noted
    it.
    """

    family: str
    rated: bool
    since_ms: int
    noted_ms: int
    barred_ms: int = 0

    def place_for(self, family: str, now_ms: int, *, rated: bool) -> int:
        """Return since when its account waits that now asks for a family: since now, or before."""
        is_same = (self.family, self.rated) == (family, rated)
        is_new = now_ms - self.noted_ms <= NOTED_MS + SILENT_MS
        return min(self.since_ms, now_ms) if is_same and is_new else now_ms


class QueueStore(Protocol):
    """Keeps the place of each account; one conformance suite holds for every implementation.

    Each call raises `StoreError` if it can't be known or kept now.
    """

    async def look(self, account: str) -> QueuePlace | None:
        """Return what is kept of an account, by whichever server."""
        ...

    async def put(self, account: str, wait: QueuePlace) -> None:
        """Keep this of an account, in place of what was kept."""

    async def drop(self, account: str) -> None:
        """Keep nothing of an account any more."""


@final
class InMemoryQueueStore:
    """Those of one process, for as long as it lives: nothing of them is stored."""

    def __init__(self) -> None:
        """Begin empty."""
        self._kept: dict[str, QueuePlace] = {}

    async def look(self, account: str) -> QueuePlace | None:
        """Return what is kept of an account."""
        return self._kept.get(account)

    async def put(self, account: str, wait: QueuePlace) -> None:
        """Keep this of an account, and nothing any more that is too old to count."""
        oldest_ms = wait.noted_ms - NOTED_MS - SILENT_MS
        self._kept = {
            one: kept
            for one, kept in self._kept.items()
            if max(kept.noted_ms, kept.barred_ms) >= oldest_ms
        }
        self._kept[account] = wait

    async def drop(self, account: str) -> None:
        """Keep nothing of an account any more."""
        self._kept.pop(account, None)
