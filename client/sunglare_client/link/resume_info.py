"""The server's state of a seat when it was taken: its orders, and the age of its posts."""

from typing import NamedTuple, final

from sunglare_client.link.connection import Post
from sunglare_protocol.ids import WindowId
from sunglare_protocol.messages import Resumed, Seated
from sunglare_protocol.orders import Order


@final
class ResumeInfo(NamedTuple):
    """The orders of a window that an earlier process gave, and whether it had locked them."""

    orders: tuple[Order, ...]
    locked: bool


def held_for(taken: Seated | Resumed, window: WindowId) -> ResumeInfo | None:
    """Return what the server held for `window`; None if no orders were given for it."""
    if isinstance(taken, Seated) or taken.window != window or not taken.rev:
        return None
    return ResumeInfo(taken.orders, taken.locked)


def age_ms(taken: Seated | Resumed, post: Post) -> int:
    """Return how long before the seat was taken `post` was released; 0 if not before.

    That holds for the newest post with the time; of older ones the age is not needed.
    """
    if isinstance(taken, Resumed) and 0 < post.seq <= taken.seq:
        return taken.since_ms
    return 0
