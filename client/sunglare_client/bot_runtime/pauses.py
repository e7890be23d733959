"""Pauses of a match with a bot in it, which agrees to each and ends the longest.

A pause needs every seat. One of a clock for friends has no end of its own, and who is away in it
is not noticed: without a limit a match whose player has left would keep its bot for ever.

The server tells each wish for a pause to all, also one that is repeated. A bot that answered the
wishes of other bots as well would set off theirs again, so it agrees once in a window, and again
after a pause.
"""

import asyncio
import logging
from typing import Final, final

from sunglare_client.errors import LostError, RefusedError
from sunglare_client.link.seat import Seat
from sunglare_protocol.ids import WindowId
from sunglare_protocol.messages import News, NewsKind

log = logging.getLogger(__name__)

MOST_S: Final = 1_800.0
"""After so many seconds a bot ends a pause; who is there may ask for another one."""


@final
class Pauses:
    """What a bot's seat does about pauses, while its match is played."""

    def __init__(self, seat: Seat) -> None:
        """Answer for `seat`."""
        self._seat = seat
        self._end: asyncio.Task[None] | None = None
        self._agreed_in: WindowId | None = None

    async def take(self, news: News) -> None:
        """Agree to a pause that another side asks for; wait for the end of one that has begun."""
        if news.kind is not NewsKind.PAUSE:
            return
        if news.text == "asked" and news.side != self._seat.side:
            await self._agree()
        elif news.text == "paused" and news.side is not None:
            self.close()
            self._end = asyncio.create_task(self._end_later())
        elif news.text == "over":
            self._agreed_in = None
            self.close()

    def close(self) -> None:
        """Wait for no end any more."""
        if self._end is not None:
            self._end.cancel()
            self._end = None

    async def _agree(self) -> None:
        newest = self._seat.picture.frame
        window = None if newest is None else newest.window
        if window is not None and window != self._agreed_in:
            self._agreed_in = window
            await self._ask(on=True)

    async def _end_later(self) -> None:
        await asyncio.sleep(MOST_S)
        await self._ask(on=False)

    async def _ask(self, *, on: bool) -> None:
        try:
            await self._seat.ask_pause(on=on)
        except (RefusedError, LostError) as fault:  # the reader of the posts is given the second
            log.info("the pause stays as it is: %s", fault)
