"""A spectator of the simulation: follows a feed over one connection after the other."""

import asyncio
from random import Random
from typing import final

from simulation.diary import Heard, Link, Watch
from simulation.world import World
from sunglare_client.errors import LostError, RefusedError
from sunglare_client.link.connection import Connection, connect
from sunglare_protocol.messages import Frame, News, Over, ResumeKind, Watching
from sunglare_protocol.messages import Watch as WatchFeed

AGAIN_S = (0.1, 3.0)
"""Between how many seconds somebody who lost his connection tries again."""


@final
class Watcher:
    """Watches until the match is over; what comes is noted in `notes`."""

    def __init__(self, world: World, notes: Watch, token: str, rng: Random) -> None:
        """Watch as the holder of `token`."""
        self._world = world
        self._notes = notes
        self._token = token
        self._rng = rng
        self._is_over = False

    async def watch(self, url: str) -> None:
        """Watch until the match is over."""
        while not self._is_over:
            try:
                connection = await connect(url, token=self._token)
            except (LostError, RefusedError):
                await self._wait()
                continue
            try:
                await self._follow(connection)
            except (LostError, RefusedError, TimeoutError):
                await self._wait()
            finally:
                await connection.close()

    async def _follow(self, connection: Connection) -> None:
        notes = self._notes
        await connection.expect(Watching, WatchFeed, match=notes.match, feed=notes.feed)
        notes.links.append(Link(0, ResumeKind.RESET))
        async for post in connection.feed:
            if isinstance(post, Frame | News | Over) and post.match == notes.match and post.seq:
                notes.links[-1].heard.append(Heard(self._world.time(), post))
                self._is_over = self._is_over or isinstance(post, Over)
                if self._is_over:
                    return

    async def _wait(self) -> None:
        await asyncio.sleep(self._rng.uniform(*AGAIN_S) * self._world.pace)
