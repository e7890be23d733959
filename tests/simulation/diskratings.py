"""Ratings on a simulated disk, and the whole storage that it keeps."""

import asyncio
from typing import final

from simulation.disk import Disk
from simulation.diskentries import Entry, ResultPut, Tables
from simulation.diskstorage import DiskJournal, DiskStore
from simulation.shelves import OnShelf, Shelf
from sunglare_server.matchmaking.strengths import Strengths
from sunglare_server.ports.rating_model import RatedResult, Strength
from sunglare_server.ports.rating_store import RankedPlayer
from sunglare_server.ports.store import StoreError
from sunglare_server.sqlite.storage import Storage


@final
class DiskRatings(OnShelf):
    """Ratings on a simulated disk."""

    error = StoreError

    async def add(self, result: RatedResult) -> bool:
        """Store a result and fold it; return if it was not there before."""

        def make(tables: Tables) -> Entry | None:
            return None if result.match in tables.strengths else ResultPut(result)

        return await self._make(make)

    async def strength(self, family: str, player: str) -> Strength:
        """Return what is thought of a player in a family."""
        return self._strengths.strength(family, player)

    async def ladder(self, family: str, after: int, most: int) -> tuple[RankedPlayer, ...]:
        """Return the first `most` places of a family after the place `after`."""
        return self._strengths.ladder(family, after, most)

    async def place(self, family: str, player: str) -> RankedPlayer | None:
        """Return the place of a player in a family; None for who has not played."""
        return self._strengths.place(family, player)

    async def families(self) -> tuple[str, ...]:
        """Return the families in which there are results."""
        return self._strengths.families

    async def results_of(self, *players: str) -> tuple[RatedResult, ...]:
        """Return the results in which any of these players stands, in the order of storing."""
        return tuple(one for one in self._tables().results if one.names(*players))

    async def recent(self, now_ms: int) -> tuple[RatedResult, ...]:
        """Return the results of matches that ended within a day, in the order of storing."""
        return self._strengths.recent(now_ms)

    async def rebuild(self) -> int:
        """Fold all stored results anew; return how many there are."""
        tables = self._tables()
        tables.strengths = Strengths(tables.results)
        return len(tables.results)

    @property
    def _strengths(self) -> Strengths:
        return self._tables().strengths


async def disk_storage(disk: Disk) -> Storage:
    """Return what a simulated disk keeps."""
    repository = Shelf(disk)
    return Storage(
        DiskJournal(repository), DiskStore(repository), DiskRatings(repository), asyncio.Event()
    )
