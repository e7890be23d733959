"""A log on a simulated disk with the tables that it folds to, which journal and store share."""

import asyncio
from collections.abc import Callable
from typing import Final, final

from simulation.disk import Disk, FullError, GoneError, Log
from simulation.diskentries import Appended, Entry, SnapshotKept, Tables, packed_entry
from sunglare_server.ports.journal import JournalError
from sunglare_server.ports.store import StoreError

REFUSABLE: Final = (Appended, SnapshotKept)
"""What the disk may refuse to take: records and snapshots.

OWN: not yet rooms and tickets, whose refusals the server does not all outlive.
"""


@final
class Shelf:
    """A log and the tables it folds to; a change is seen once it is durable."""

    def __init__(self, disk: Disk) -> None:
        """Read what the disk holds."""
        self.log = Log(disk)
        self.tables = Tables()
        self._is_closed = False
        self._looking = asyncio.Lock()
        for entry in self.log.entries:
            self.tables.take_packed(entry)

    async def keep(self, make: Callable[[Tables], Entry | None]) -> bool:
        """Store the change that follows from the tables, then show it; return if there was one.

        Nothing comes between the look at the tables and the change. Whoever stops to wait for it
        does not stop it: a thread that writes would not stop either.
        """
        self.refuse_if_closed()
        return await asyncio.shield(asyncio.create_task(self._keep(make)))

    async def _keep(self, make: Callable[[Tables], Entry | None]) -> bool:
        async with self._looking:
            entry = make(self.tables)
            if entry is not None:
                is_refusable = isinstance(entry, REFUSABLE)
                await self.log.append(packed_entry(entry), may_refuse=is_refusable)
                self.tables.take(entry)
            return entry is not None

    def refuse_if_closed(self) -> None:
        """Raise GoneError once the shelf is closed or its process has ended."""
        if self._is_closed:
            raise GoneError("the log is closed")
        self.log.refuse_if_gone()

    async def close(self) -> None:
        """Refuse everything from now on, and return once what was begun is stored."""
        self._is_closed = True
        await self.settled()

    async def settled(self) -> None:
        """Return once what was begun is stored."""
        # A change that was asked for in this round of the loop has not begun to wait yet.
        await asyncio.sleep(0)
        async with self._looking:
            return


class OnShelf:
    """What is kept on an open shelf, which others may share, and the error that says it is not."""

    error: type[JournalError] | type[StoreError]

    def __init__(self, repository: Shelf) -> None:
        self._repository = repository

    def _tables(self) -> Tables:
        try:
            self._repository.refuse_if_closed()
        except GoneError as error:
            raise self.error(error.why) from error
        return self._repository.tables

    async def _keep(self, entry: Entry) -> None:
        await self._make(lambda _: entry)

    async def _make(self, make: Callable[[Tables], Entry | None]) -> bool:
        try:
            return await self._repository.keep(make)
        except (FullError, GoneError) as error:
            raise self.error(error.why) from error
