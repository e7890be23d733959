"""Keep-alive: asks all connections for signs of life, and cuts those that give none.

Theory of operation. A library's pings have a task, a timer and a future for each connection, which
live for seconds and are then renewed. Python's collector looks through all that is new since it
looked last, and counts only what there is more than before: with 5,000 connections it found 60,000
renewed objects at a time, and no client was served for 40 ms. So one task asks them all in turn,
and a connection notes what it was asked and what it has answered in two numbers.

Each is asked every `PING_S`, and has until its next turn to answer: a dead line is found within
twice that. Where the whole process stood still no client had a chance, and all get another.
"""

import asyncio
from collections import deque
from typing import Final, Protocol, final

from sunglare_server.base.tasks import spawn

PING_S: Final = 6.0
"""How often a connection is asked, and how long it may take to answer."""

STEP_S: Final = 0.25
"""OWN: those whose turn comes within so long are asked together."""

SLICE: Final = 25
"""OWN: after so many the others get their turn."""

STALLED_S: Final = 1.0
"""OWN: a peer that is asked so late is cut for no silence: it is we who stood still."""


class PingedConnection(Protocol):
    """A connection, as far as it is asked for signs of life."""

    @property
    def is_gone(self) -> bool:
        """Return whether it has ended."""
        ...

    def ask(self) -> bool:
        """Ask for a sign of life; return False where the last one has not come."""
        ...

    def cut(self) -> None:
        """End it without a word."""
        ...


@final
class Keepalive:
    """Asks all lines of a server; they stand in the order in which they are due."""

    def __init__(self) -> None:
        """Begin without any."""
        self._due: deque[tuple[float, PingedConnection]] = deque()
        self._task: asyncio.Task[None] | None = None

    def take(self, line: PingedConnection) -> None:
        """Ask this one as well, until it is gone."""
        self._put(line, asyncio.get_running_loop().time())
        if self._task is None or self._task.done():
            self._task = spawn(self._run(), "pulse")

    def stop(self) -> None:
        """Stop asking."""
        self._due.clear()
        if self._task is not None:
            self._task.cancel()

    async def _run(self) -> None:
        loop = asyncio.get_running_loop()
        while self._due:
            due = self._due[0][0]
            await asyncio.sleep(max(due - loop.time(), STEP_S))
            await self._round(loop.time(), is_late=loop.time() > due + STEP_S + STALLED_S)

    async def _round(self, now: float, *, is_late: bool) -> None:
        """Ask all whose turn has come; where that `is_late`, cut none."""
        asked = 0
        while self._due and self._due[0][0] <= now:
            _, line = self._due.popleft()
            if line.is_gone:
                continue
            if line.ask() or is_late:
                self._put(line, now)
            else:
                line.cut()
            asked += 1
            if asked % SLICE == 0:
                await asyncio.sleep(0)

    def _put(self, line: PingedConnection, now: float) -> None:
        self._due.append((now + PING_S, line))
