"""Waiting until it is one's turn: for matches by correspondence, whose windows last for hours."""

import asyncio
from typing import Final

from sunglare_client.errors import LostError
from sunglare_client.link.connection import Connection
from sunglare_client.link.lists import lines_of
from sunglare_client.link.patience import Patience
from sunglare_client.link.reconnecting import come_back
from sunglare_protocol.messages import Listing, MatchLine

LOOK_S: Final = 15.0
"""OWN: how often the server is asked."""


async def awaited_turns(
    connection: Connection, most_s: float | None, *, look_s: float = LOOK_S
) -> tuple[MatchLine, ...]:
    """Return the caller's matches that wait for their orders; none after `most_s`.

    The connection is closed at the end. One that is lost is made again; raise `LostError` where
    that fails.
    """
    waiting = _Waiting(connection, look_s)
    try:
        async with asyncio.timeout(most_s):
            return await waiting.turns()
    except TimeoutError:
        return ()
    finally:
        await waiting.connection.close()


class _Waiting:
    """A connection that asks again and again, and outlives its losses."""

    def __init__(self, connection: Connection, look_s: float) -> None:
        self.connection = connection
        self._look_s = look_s

    async def turns(self) -> tuple[MatchLine, ...]:
        """Return the lines of the matches that wait, once there is one."""
        while True:
            if found := await self._looked():
                return found
            await asyncio.sleep(self._look_s)

    async def _looked(self) -> tuple[MatchLine, ...]:
        while True:
            try:
                every = [line async for line in lines_of(self.connection, Listing.MINE)]
                return tuple(line for line in every if line.your_turn)
            except LostError as lost:
                await come_back(Patience(), lost, self._again)

    async def _again(self) -> None:
        await self.connection.close()
        self.connection = await self.connection.again()
