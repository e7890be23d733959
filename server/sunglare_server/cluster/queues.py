"""Who changes the same thing in one process waits in a row, and is served in that order."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import final


@final
class Queues:
    """A queue for each key, while anybody is in it.

    Between processes the engine decides who was first. Within one nobody needs to try in vain.
    """

    def __init__(self) -> None:
        """Begin with nobody."""
        self._locks: dict[str, asyncio.Lock] = {}
        self._count: dict[str, int] = {}

    @asynccontextmanager
    async def turn(self, key: str) -> AsyncIterator[None]:
        """Wait for one's turn at a key, and have it until the end of the block."""
        lock = self._locks.setdefault(key, asyncio.Lock())
        self._count[key] = self._count.get(key, 0) + 1
        try:
            async with lock:
                yield
        finally:
            self._count[key] -= 1
            if not self._count[key]:
                del self._count[key], self._locks[key]
