"""Locks by key: changes of the same thing in one process wait in a row and are served in order."""

import asyncio
from typing import final


@final
class Queues:
    """A queue for each key, while anybody is in it.

    Between processes the engine decides who was first. Within one no task needs to try in vain.
    """

    def __init__(self) -> None:
        """Begin empty."""
        self._locks: dict[str, asyncio.Lock] = {}
        self._count: dict[str, int] = {}

    def turn(self, key: str) -> "Turn":
        """Return one's turn at a key: waited for, and had until the end of the block."""
        return Turn(self, key)

    async def enter(self, key: str) -> None:
        """Wait in the queue of a key; a task that has waited must `leave`, however that ended."""
        self._count[key] = self._count.get(key, 0) + 1
        await self._locks.setdefault(key, asyncio.Lock()).acquire()

    def release(self, key: str) -> None:
        """Let the next one have the key."""
        self._locks[key].release()

    def leave(self, key: str) -> None:
        """Be in the queue no more."""
        self._count[key] -= 1
        if not self._count[key]:
            del self._count[key], self._locks[key]


@final
class Turn:
    """One's turn at a key of some queues."""

    def __init__(self, queues: Queues, key: str) -> None:
        """Be in no queue yet."""
        self._queues = queues
        self._key = key

    async def __aenter__(self) -> None:
        """Wait for it."""
        try:
            await self._queues.enter(self._key)
        except BaseException:
            self._queues.leave(self._key)
            raise

    async def __aexit__(self, *_: object) -> None:
        """Give it up."""
        self._queues.release(self._key)
        self._queues.leave(self._key)
