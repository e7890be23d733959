"""The names of those who sit in a match, asked for again whenever a player joins."""

import asyncio
import contextlib
from types import TracebackType
from typing import Self, final

from sunglare_client.errors import LostError, RefusedError
from sunglare_client.link.connection import Connection, Post
from sunglare_client.link.seat import Seat
from sunglare_protocol.ids import MatchId, Side
from sunglare_protocol.messages import Info, MatchInfo, News, NewsKind

_JOINED = "joined"
"""The news of the kind `seat` that a player has taken one."""


async def seat_names(
    connection: Connection, match: MatchId, code: str | None = None
) -> dict[Side, str]:
    """Return the names of those who sit in a match, by side; `code` is that of a private one."""
    info = await connection.expect(MatchInfo, Info, match=match, code=code)
    return {seat.side: seat.name for seat in info.line.seats if seat.name}


def is_joining(post: object) -> bool:
    """Return whether a post says that a player has taken a seat."""
    return isinstance(post, News) and post.kind is NewsKind.SEAT and post.text == _JOINED


@final
class SeatNames:
    """The names in the match of a seat: `known`, which grows as players join.

    `hear` is given every post of the seat. Use it as a context: what is still asked for at its
    end is dropped.
    """

    def __init__(self, seat: Seat) -> None:
        """Know no name yet."""
        self.known: dict[Side, str] = {}
        self._seat = seat
        self._asking: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Self:
        """Ask for the names of those who sit there now; raise what the connection raises."""
        self.known.update(await seat_names(self._seat.connection, self._seat.match))
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Stop asking."""
        if self._asking is not None:
            self._asking.cancel()
            await asyncio.gather(self._asking, return_exceptions=True)

    def hear(self, post: Post) -> None:
        """Ask for the names again if a player has joined."""
        if is_joining(post):
            self._asking = asyncio.create_task(self._ask_again(self._asking))

    async def _ask_again(self, before: asyncio.Task[None] | None) -> None:
        if before is not None:
            await before
        # Without an answer a side goes by its letter.
        with contextlib.suppress(RefusedError, LostError, TimeoutError):
            self.known.update(await seat_names(self._seat.connection, self._seat.match))
