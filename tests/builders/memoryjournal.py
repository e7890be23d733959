"""A journal that lives as long as the process, and whose appends can be made to go wrong."""

import asyncio
import enum
from typing import final

from sunglare_protocol.ids import MatchId
from sunglare_server.base.heartbeat import latest_ms
from sunglare_server.match.record import time_of
from sunglare_server.ports.journal import Archive, JournalError, NumberTakenError


class Fault(enum.Enum):
    """What can be wrong with an append: with what is stored, and with what is said of it."""

    REFUSED = "refused"
    LOST_ANSWER = "stored, and said to be refused"
    TRIED_TWICE = "stored, and said to be taken"


@final
class MemoryJournal:
    """Keeps records in memory; a test can make its next append fail."""

    def __init__(self) -> None:
        """Start without records."""
        self._records: dict[MatchId, tuple[bytes, ...]] = {}
        self._finished: frozenset[MatchId] = frozenset()
        self._snapshots: dict[MatchId, dict[int, bytes]] = {}
        self._archives: dict[MatchId, dict[str, bytes]] = {}
        self._alive_ms: int | None = None
        self._failures: list[Exception] = []
        self._fault: Fault | None = None
        self._is_closed = False

    def fail_next(self, error: Exception, times: int = 1) -> None:
        """Let so many appends raise this error and store nothing; later ones work again."""
        self._failures = [error] * times

    def spoil_next(self, fault: Fault) -> None:
        """Let this be wrong with the next append; later ones work again."""
        self._fault = fault

    def shared(self) -> "MemoryJournal":
        """Return another way to the same records, whose appends go wrong on their own."""
        other = MemoryJournal()
        other._records, other._snapshots = self._records, self._snapshots
        other._archives = self._archives
        return other

    def reopened(self) -> "MemoryJournal":
        """Return a journal with the same records, as a restart would find them."""
        again = MemoryJournal()
        again._records = dict(self._records)
        again._finished = self._finished
        again._alive_ms = self._alive_ms
        again._snapshots = {match: dict(kept) for match, kept in self._snapshots.items()}
        again._archives = {match: dict(parts) for match, parts in self._archives.items()}
        return again

    async def append(self, match: MatchId, first: int, blobs: tuple[bytes, ...]) -> None:
        """Store the blobs as records `first`, `first` + 1, …; see the port for the refusals."""
        # Others run in between, as they do while a disk works.
        await asyncio.sleep(0)
        self._refuse_if_closed()
        if self._failures:
            raise self._failures.pop()
        if not blobs:
            return
        present = self._records.get(match, ())
        if first != len(present) + 1:
            raise NumberTakenError(match, first)
        fault, self._fault = self._fault, None
        if fault is not Fault.REFUSED:
            self._records[match] = present + blobs
        if fault is Fault.TRIED_TWICE:
            raise NumberTakenError(match, first)
        if fault is not None:
            raise JournalError(fault.value)

    async def read(
        self, match: MatchId, after: int = 0, most: int | None = None
    ) -> tuple[bytes, ...]:
        """Return the first `most` records, or all, above number `after`, in their order."""
        self._refuse_if_closed()
        return self._records.get(match, ())[max(after, 0) :][:most]

    async def last(self, match: MatchId) -> int:
        """Return the number of the newest record, 0 if there is none."""
        self._refuse_if_closed()
        return len(self._records.get(match, ()))

    async def matches(self) -> tuple[MatchId, ...]:
        """Return the matches that have records and are not finished, in the order of their ids."""
        self._refuse_if_closed()
        return tuple(sorted(match for match in self._records if match not in self._finished))

    async def finish(self, match: MatchId, archive: Archive = ()) -> None:
        """Mark a match as over and keep its archive; its records stay."""
        self._refuse_if_closed()
        self._finished |= {match}
        self._archives[match] = {**self._archives.get(match, {}), **dict(archive)}

    async def archived(self, match: MatchId, part: str) -> bytes | None:
        """Return a part of the archive of a match; None if it is not kept."""
        self._refuse_if_closed()
        return self._archives.get(match, {}).get(part)

    async def keep_snapshot(self, match: MatchId, number: int, blob: bytes, least: int) -> None:
        """Keep a snapshot of a match after record `number`, and none of records before `least`."""
        self._refuse_if_closed()
        kept = {**self._snapshots.get(match, {}), number: blob}
        self._snapshots[match] = {n: kept[n] for n in sorted(kept) if n >= least}

    async def snapshots(self, match: MatchId) -> tuple[tuple[int, bytes], ...]:
        """Return the snapshots of a match with their records' numbers, in the order of these."""
        self._refuse_if_closed()
        return tuple(self._snapshots.get(match, {}).items())

    async def mark_alive(self, at_ms: int) -> None:
        """Keep `at_ms` as a sign of life of the server."""
        self._refuse_if_closed()
        self._alive_ms = at_ms

    async def alive_ms(self) -> int | None:
        """Return when the server last showed a sign of life."""
        self._refuse_if_closed()
        newest = [time_of(records[-1]) for records in self._records.values()]
        return latest_ms(self._alive_ms, *newest)

    async def close(self) -> None:
        """Refuse everything from now on."""
        self._is_closed = True

    def _refuse_if_closed(self) -> None:
        if self._is_closed:
            raise JournalError("the journal is closed")
