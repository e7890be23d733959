"""The seat as the plain terminal uses it, so that any seat-like thing can be played on."""

from collections.abc import AsyncIterator, Iterable
from typing import Protocol

from sunglare_client.link.connection import Post
from sunglare_protocol.ids import Audience, Side, WindowId
from sunglare_protocol.messages import Accepted, Resumed, Seated
from sunglare_protocol.orders import Order


class SeatPort(Protocol):
    """A seat in a match: its posts in sequence, and the commands that a person gives.

    `taken` is how the seat was taken last.
    """

    taken: Seated | Resumed

    def __aiter__(self) -> AsyncIterator[Post]:
        """Return the posts of the match."""
        ...

    async def orders(
        self, orders: Iterable[Order], *, lock: bool = True, window: WindowId | None = None
    ) -> Accepted:
        """Give the orders of a window."""
        ...

    async def chat(self, text: str) -> Accepted:
        """Send chat to all in the match."""
        ...

    async def ask_pause(self, *, on: bool = True) -> Accepted:
        """Ask for a pause, or for its end."""
        ...

    async def mute(self, side: Side, *, on: bool = True) -> Accepted:
        """Stop hearing the chat of a side, or hear it again."""
        ...

    async def report(self, side: Side, text: str) -> Accepted:
        """Report the player of a side to the operator."""
        ...

    async def grant(self, name: str, feed: Audience) -> Accepted:
        """Grant an account a feed."""
        ...

    async def revoke(self, name: str, feed: Audience) -> Accepted:
        """Revoke a grant."""
        ...

    async def offer_draw(self, *, on: bool = True) -> Accepted:
        """Offer a draw."""
        ...

    async def resign(self) -> Accepted:
        """Give the match up."""
        ...
