"""Places for requests: so many are answered at once, a few more wait a moment for one."""

import asyncio
from typing import Final, final

WAITING_MOST: Final = 64
"""OWN: how many may wait for a place."""

WAIT_S: Final = 2.0
"""OWN: how long each of them does."""


@final
class ConcurrencyLimit:
    """A number of places; each that is taken is left again."""

    def __init__(self, most: int) -> None:
        """Begin with all places free."""
        self._free = asyncio.Semaphore(most)
        self._waiting = 0

    async def take(self) -> bool:
        """Return whether there was a place, or one became free in time."""
        if self._waiting >= WAITING_MOST:
            return False
        self._waiting += 1
        try:
            async with asyncio.timeout(WAIT_S):
                await self._free.acquire()
        except TimeoutError:
            return False
        finally:
            self._waiting -= 1
        return True

    def leave(self) -> None:
        """Give a place to the request that waits longest for one."""
        self._free.release()
