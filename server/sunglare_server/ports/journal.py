"""The journal as its users see it: numbered records of each match, durable once accepted."""

from typing import Protocol

from sunglare_protocol.ids import MatchId
from sunglare_server.base.storage_errors import MediumError

Archive = tuple[tuple[str, bytes], ...]
"""What is kept of a finished match apart from its records, by the names of the parts."""


class JournalError(MediumError):
    """A record was refused, and none of its append is shown as stored; `why` is for the log.

    `fatal` says that the medium can't be trusted with writes any more: the process should end, and
    only a fresh start shows whether the refused record reached the disk after all.
    """


class NumberTakenError(JournalError):
    """An append of `match` started at `first`, which is taken or leaves a gap."""

    def __init__(self, match: MatchId, first: int) -> None:
        """Keep which record was out of place."""
        super().__init__(f"record {first} of {match} is taken or leaves a gap")
        self.match = match
        self.first = first


class Journal(Protocol):
    """Keeps the records of all matches; one conformance suite holds for every implementation.

    The canceller of an append does not know whether it was stored; `last` says.
    """

    async def append(self, match: MatchId, first: int, blobs: tuple[bytes, ...]) -> None:
        """Store the blobs as records `first`, `first` + 1, … and return once they are durable.

        All of them are stored or none: NumberTakenError unless `first` follows the last record,
        JournalError when the medium refuses. Without blobs nothing happens.
        """

    async def read(
        self, match: MatchId, after: int = 0, most: int | None = None
    ) -> tuple[bytes, ...]:
        """Return the first `most` records, or all, above number `after`, in their order.

        A medium that stores hashes with them raises `RecordError` for one that is damaged.
        """
        ...

    async def last(self, match: MatchId) -> int:
        """Return the number of the newest record, 0 if there is none."""
        ...

    async def matches(self) -> tuple[MatchId, ...]:
        """Return the matches that have records and are not finished, in the order of their ids."""
        ...

    async def finish(self, match: MatchId, archive: Archive = ()) -> None:
        """Mark a match as over and keep its archive, both durably or none; its records stay.

        Once more changes nothing but the parts that are given again.
        """

    async def archived(self, match: MatchId, part: str) -> bytes | None:
        """Return a part of the archive of a match; None if it is not kept."""
        ...

    async def keep_snapshot(self, match: MatchId, number: int, blob: bytes, least: int) -> None:
        """Keep a snapshot of a match after record `number`, and none of records before `least`.

        Snapshots are a cache: losing them loses nothing.
        """

    async def snapshots(self, match: MatchId) -> tuple[tuple[int, bytes], ...]:
        """Return the snapshots of a match with their records' numbers, in the order of these."""
        ...

    async def mark_alive(self, at_ms: int) -> None:
        """Keep `at_ms` as a sign of life of the server, in place of the one before it."""

    async def alive_ms(self) -> int | None:
        """Return when the server last showed a sign of life: a mark, or a record of any match."""
        ...

    async def close(self) -> None:
        """Store what was accepted for storing and release the medium; once more does nothing."""
