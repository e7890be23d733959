"""Lines that outlive who reads them: what one match has not read is there for the next one."""

import asyncio
from collections.abc import AsyncIterator
from typing import final


@final
class SharedLines(AsyncIterator[str]):
    """Lines for one reader after another: a wait that is given up loses no line."""

    def __init__(self, lines: AsyncIterator[str]) -> None:
        """Read the lines once a caller waits for one."""
        self._lines = lines
        self._wait: asyncio.Task[str | None] | None = None

    async def __anext__(self) -> str:
        """Wait for the next line and return it."""
        if self._wait is None:
            self._wait = asyncio.create_task(self._next())
        line = await asyncio.shield(self._wait)
        if line is None:
            raise StopAsyncIteration
        self._wait = None
        return line

    async def close(self) -> None:
        """Give up the wait for a line, if there is one: an editor takes its prompt away then."""
        if self._wait is not None:
            self._wait.cancel()
            await asyncio.gather(self._wait, return_exceptions=True)

    async def _next(self) -> str | None:
        return await anext(self._lines, None)
