"""Following a match without a seat: the feed's windows as lines, through lost connections."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable, Iterator
from typing import final

from sunglare_client.errors import LostError, RefusedError
from sunglare_client.link.connection import Connection, Post, concerns
from sunglare_client.link.patience import Patience
from sunglare_client.link.reconnecting import BACK, CUT, come_back
from sunglare_client.link.returning import rematch_room
from sunglare_client.link.seat_names import is_joining, seat_names
from sunglare_client.link.server_address import PATH
from sunglare_client.replays.telling import frame_lines
from sunglare_client.spectating.see_again import see_again_lines
from sunglare_client.terminal.display import Display
from sunglare_client.text.labels import Labels
from sunglare_client.text.news import news_line
from sunglare_client.text.players import Names
from sunglare_client.text.story import checksum_line, result_lines, window_lines
from sunglare_protocol import messages
from sunglare_protocol.ids import Audience, MatchId, Side, WindowId
from sunglare_protocol.views import View

Take = Callable[[messages.Frame], None]
"""Is given every frame that is shown."""


@final
class Watcher:
    """A feed of a match that outlives its connections: it comes back and goes on where it was.

    `connection` is the one that there is now.
    """

    def __init__(
        self,
        connection: Connection,
        match: MatchId,
        feed: Audience,
        screen: Display,
        patience: Patience | None = None,
        code: str | None = None,
    ) -> None:
        """Keep what is needed to come back; nothing is asked for yet.

        `code` is that of a private match.
        """
        self.connection = connection
        self._match = match
        self._feed = feed
        self._screen = screen
        self._code = code
        self._patience = patience or Patience()
        self._names: dict[Side, str] = {}
        self._have = 0
        self._window: WindowId | None = None

    async def watch(self, take: Take | None = None) -> messages.Over:
        """Show the feed from its newest window to the end of the match, and return that.

        Then comes how the match is seen again.
        `take` is given every frame that is shown.
        Raise `LostError` if coming back fails, `RefusedError` if the feed is not given.
        """
        watching = await self._attach()
        self._screen.show([f"{watching.card.title}: {watching.card.brief}"])
        self._names.update(await seat_names(self.connection, self._match, self._code))
        over = await follow(
            self._posts(), self._match, self._screen, names=self._names, maps=True, take=take
        )
        url = self.connection.dial.url.removesuffix(PATH)
        for line in see_again_lines(url, self._match, self._code):
            self._screen.tell(line)
        self._screen.show([checksum_line(over)])
        return over

    async def rematch(self) -> MatchId:
        """Wait for the match that follows on this one, which is over, and return it.

        News until then are shown. Raise `LostError` if coming back fails.
        """
        async for post in self._posts():
            if isinstance(post, messages.News):
                self._screen.show([news_line(post, self._names)])
                if post.match == self._match and (room := rematch_room(post)) is not None:
                    return room
        raise self.connection.lost

    async def close(self) -> None:
        """Close the connection that there is now."""
        await self.connection.close()

    async def _posts(self) -> AsyncIterator[Post | messages.Bye]:
        """Yield the posts of all connections, each post once."""
        while True:
            try:
                async for post in self.connection.feed:
                    if self._is_new(post):
                        await self._learn_names(post)
                        yield post
            except LostError:
                pass  # printed below, like a farewell
            self._screen.show([CUT])
            await come_back(self._patience, self.connection.lost, self._again)
            self._screen.show([BACK])

    async def _learn_names(self, post: object) -> None:
        """Ask for the names again if a player has joined; without an answer go by letters."""
        if is_joining(post):
            with contextlib.suppress(RefusedError, LostError, TimeoutError):
                found = await seat_names(self.connection, self._match, self._code)
                self._names.update(found)

    def _is_new(self, post: Post | messages.Bye) -> bool:
        if isinstance(post, messages.Bye) or not concerns(post, self._match):
            return False
        is_new = post.seq == 0 or post.seq > self._have
        self._have = max(self._have, post.seq)
        if isinstance(post, messages.Frame):
            # A keyframe that replaces what was missed may be of the window that is shown.
            is_new = is_new and post.window != self._window
            self._window = post.window
        return is_new

    async def _again(self) -> None:
        await self.connection.close()
        self.connection = await self.connection.again()
        try:
            await self._attach()
        except BaseException:
            await self.connection.close()
            raise

    async def _attach(self) -> messages.Watching:
        have = self._have or None
        wish = {"match": self._match, "feed": self._feed, "have": have, "code": self._code}
        return await self.connection.expect(messages.Watching, messages.Watch, **wish)


async def follow(
    posts: AsyncIterator[Post | messages.Bye],
    match: MatchId,
    screen: Display,
    *,
    names: Names,
    pace_s: float = 0.0,
    maps: bool = False,
    take: Take | None = None,
) -> messages.Over:
    """Show the posts of a match until its end, and return that; raise `LostError` before it.

    At least `pace_s` seconds pass between two windows shown. With `maps` the board is drawn at the
    start of each turn, unless the screen keeps it. `take` is given every frame.
    """
    labels = Labels()
    async for post in posts:
        if isinstance(post, messages.Bye) or not concerns(post, match):
            continue
        match post:
            case messages.Frame():
                if take is not None:
                    take(post)
                screen.show(_frame_lines(post, labels, screen, maps=maps))
                screen.draw()
                await asyncio.sleep(pace_s)
            case messages.News():
                screen.show([labels.in_words(news_line(post, names))])
            case messages.Over():
                screen.show(lines := result_lines(post, names))
                screen.put_first(lines)
                return post
    raise LostError("the server stopped before the match was over")


def _frame_lines(
    frame: messages.Frame, labels: Labels, screen: Display, *, maps: bool
) -> Iterator[str]:
    """Return the lines of a frame; pieces go by their labels, also those that are gone."""
    if isinstance(frame.view, View):
        labels.take(frame.view)
    ascii_only, width = screen.ascii_only, screen.width
    if maps and not screen.keeps_board:
        told = frame_lines(frame, ascii_only=ascii_only, width=width)
    else:
        told = window_lines(frame)
    return map(labels.in_words, told)
