"""A match that a worker answers for: whether it shall, and what ends that."""

import asyncio
from typing import final

from sunglare_protocol.ids import MatchId
from sunglare_server.transport.transport import Stop


@final
class ServedMatch:
    """A match that is answered for here, or is to be, or not any more."""

    def __init__(self, match: MatchId) -> None:
        """Begin with nothing served."""
        self.match = match
        self.wants = False
        self.stops: list[Stop] = []
        self.lock = asyncio.Lock()
        self.work: asyncio.Task[None] | None = None

    async def settled(self) -> None:
        """Return once it is as decided last."""
        if self.work is not None:
            await asyncio.wait([self.work])

    def stop(self) -> None:
        """Serve it no more."""
        for stop in self.stops:
            stop()
        self.stops = []
