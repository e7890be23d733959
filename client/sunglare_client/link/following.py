"""A seat after the end of its match: chat, and wishes for a rematch."""

import asyncio
from collections.abc import Callable
from typing import final

from sunglare_client.link.returning import rematch_room
from sunglare_protocol.ids import MatchId
from sunglare_protocol.messages import News, NewsKind
from sunglare_protocol.text import WISH_NEWS, WISH_NOT_NEWS


@final
class Following:
    """The chat after the end and the wishes for a rematch, and the match that comes of them.

    `is_wanted` says that the seat waits for it: then it comes back after a lost connection, too,
    when its match is over.
    """

    def __init__(self) -> None:
        """Begin with nothing heard."""
        self.is_wanted = False
        self._wishes: list[News] = []
        self._on_wish: Callable[[News], None] = _ignore
        self._chat: list[News] = []
        self._chat_heard = 0
        self._on_chat: Callable[[News], None] = _ignore
        self._room: asyncio.Future[MatchId] = asyncio.get_running_loop().create_future()

    async def room(self) -> MatchId:
        """Wait for the next match and return it; raise what has ended the seat before that."""
        return await asyncio.shield(self._room)

    def want(self, *, on: bool) -> None:
        """Note whether the seat waits for the next match.

        One that was named before is named again by the server, if it is still there.
        """
        self.is_wanted = on
        if self._room.done():
            self._room = asyncio.get_running_loop().create_future()

    def tell(self, on_wish: Callable[[News], None]) -> None:
        """Have `on_wish` hear every wish from now on, and those that have been heard already."""
        self._on_wish = on_wish
        for news in self._wishes:
            on_wish(news)

    def tell_chat(self, on_chat: Callable[[News], None]) -> None:
        """Have `on_chat` hear all that is said after the end, what has been said already too."""
        self._on_chat = on_chat
        for news in self._chat:
            on_chat(news)

    def come_back(self) -> None:
        """Note that the server repeats from the beginning what was said after the end."""
        self._chat_heard = 0

    def _hear_chat(self, news: News) -> None:
        is_known = self._chat[self._chat_heard : self._chat_heard + 1] == [news]
        self._chat_heard += 1
        if not is_known:
            self._chat.append(news)
            self._on_chat(news)

    def hear(self, news: News) -> None:
        """Note news of a rematch and chat after the end."""
        if news.kind is NewsKind.CHAT and news.seq == 0:
            self._hear_chat(news)
        if (room := rematch_room(news)) and not self._room.done():
            self._room.set_result(room)
        if news.text in (WISH_NEWS, WISH_NOT_NEWS) and news not in self._wishes[-1:]:
            self._wishes.append(news)
            self._on_wish(news)

    def end(self, fault: Exception) -> None:
        """End the wait for a rematch, as the seat has ended."""
        if not self._room.done():
            self._room.set_exception(fault)
            # Most seats wait for no rematch.
            self._room.exception()


def _ignore(_: News) -> None:
    return
