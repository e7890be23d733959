"""A seat without a server, for the tests of the plain terminal."""

import asyncio
from collections.abc import AsyncIterator, Iterable

from builders.terminals import seated
from sunglare_client.errors import RefusedError
from sunglare_client.link.connection import Post
from sunglare_protocol.ids import Audience, Side, WindowId
from sunglare_protocol.messages import Accepted, Frame, Refused, Resumed, Seated
from sunglare_protocol.orders import Order
from sunglare_protocol.refusals import SENTENCES, Code


class PostedTable:
    """A seat without a server: it gives out posts and writes down what it is told.

    After the frame of a window in `awaits` the next post comes only once orders for it are
    locked, after one in `saves` once there are any orders, after one in `talks` once something
    was said. Orders for a window in `refuses` are refused as late.
    """

    def __init__(
        self,
        posts: Iterable[Post],
        *,
        awaits: tuple[str, ...] = (),
        saves: tuple[str, ...] = (),
        talks: tuple[str, ...] = (),
        refuses: tuple[str, ...] = (),
        taken: Seated | Resumed | None = None,
    ) -> None:
        """Keep the posts."""
        self.taken = taken or seated()
        self.given: list[tuple[str, tuple[Order, ...], bool]] = []
        self.said: list[str] = []
        self._told = asyncio.Event()
        self._posts = tuple(posts)
        self._awaits, self._saves, self._talks, self._refuses = awaits, saves, talks, refuses

    async def __aiter__(self) -> AsyncIterator[Post]:
        """Yield the posts, each when it may come."""
        for post in self._posts:
            yield post
            if isinstance(post, Frame):
                await self._until(post.window)

    async def _until(self, window: str) -> None:
        while not self._may_go_on(window):
            self._told.clear()
            await self._told.wait()

    def _may_go_on(self, window: str) -> bool:
        if window in self._talks:
            return bool(self.said)
        if window in self._saves:
            return any(known == window for known, _, _ in self.given)
        locks = [known for known, _, lock in self.given if lock]
        return window not in self._awaits or window in locks

    async def orders(
        self, orders: Iterable[Order], *, lock: bool = True, window: WindowId | None = None
    ) -> Accepted:
        """Write the orders down, or refuse them."""
        assert window is not None
        if window in self._refuses:
            code = Code.WINDOW_CLOSED
            raise RefusedError(Refused(id=1, code=code, text=SENTENCES[code]))
        self.given.append((window, tuple(orders), lock))
        self._told.set()
        return Accepted(id=1, window=window, rev=1)

    async def chat(self, text: str) -> Accepted:
        """Write the words down."""
        self.said.append(text)
        self._told.set()
        return Accepted(id=1)

    async def ask_pause(self, *, on: bool = True) -> Accepted:
        """Write down that a pause was asked for."""
        self.said.append(f"pause {on}")
        return Accepted(id=1)

    async def report(self, side: Side, text: str) -> Accepted:
        """Write down who was reported."""
        self.said.append(f"report {side} {text}")
        return Accepted(id=1)

    async def mute(self, side: Side, *, on: bool = True) -> Accepted:
        """Write down who was muted."""
        self.said.append(f"mute {side} {on}")
        return Accepted(id=1)

    async def grant(self, name: str, feed: Audience) -> Accepted:
        """Write down who may watch what."""
        self.said.append(f"grant {name} {feed}")
        return Accepted(id=1)

    async def revoke(self, name: str, feed: Audience) -> Accepted:
        """Write down who may watch what no more."""
        self.said.append(f"revoke {name} {feed}")
        return Accepted(id=1)

    async def offer_draw(self, *, on: bool = True) -> Accepted:
        """Write down that a draw was offered."""
        self.said.append(f"draw {on}")
        return Accepted(id=1)

    async def resign(self) -> Accepted:
        """Write down that the match was given up."""
        self.said.append("resigned")
        return Accepted(id=1)
