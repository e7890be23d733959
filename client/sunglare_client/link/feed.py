"""A feed of the messages that the server sends unasked, in line for its reader."""

import asyncio
from collections import deque
from collections.abc import AsyncIterator
from typing import Generic, TypeVar

from sunglare_client.errors import BehindError

Item = TypeVar("Item")

FEED_MOST = 4096
"""A reader that lies this many items behind is not reading at all."""


class Feed(AsyncIterator[Item], Generic[Item]):
    """A line of items for one reader: `put` at one end, iterate at the other, `end` closes it.

    What was put before the end is still given out; then the iteration stops or raises.
    """

    def __init__(self, most: int = FEED_MOST) -> None:
        self._most = most
        self._items: deque[Item] = deque()
        self._news = asyncio.Event()
        self._ended = False
        self._fault: Exception | None = None

    def __len__(self) -> int:
        """Return how many items wait."""
        return len(self._items)

    @property
    def ended(self) -> bool:
        """Return whether nothing more will be put in line."""
        return self._ended

    def put(self, item: Item) -> None:
        """Put an item in line; after the end it is dropped.

        Raise `BehindError` if the reader lies too far behind.
        """
        if self._ended:
            return
        if len(self._items) >= self._most:
            raise BehindError(self._most)
        self._items.append(item)
        self._news.set()

    def end(self, fault: Exception | None = None) -> None:
        """End the line: with a fault the reader gets it raised, without one iteration stops."""
        if not self._ended:
            self._ended, self._fault = True, fault
            self._news.set()

    async def __anext__(self) -> Item:
        """Wait for the next item and return it; raise what `end` was given."""
        while not self._items:
            if self._ended:
                raise StopAsyncIteration if self._fault is None else self._fault
            self._news.clear()
            await self._news.wait()
        return self._items.popleft()
