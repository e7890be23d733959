"""Posts that arrive unasked: in their sequence, each frame with its bytes, and the last `bye`."""

from collections.abc import AsyncIterator
from typing import NamedTuple, TypeAlias

from sunglare_client.link.feed import Feed
from sunglare_protocol.codec import Form
from sunglare_protocol.messages import Bye, Frame, News, Over
from sunglare_protocol.seals import canonical

Post: TypeAlias = Frame | News | Over
"""What belongs to the sequence of a match."""


class Arrival(NamedTuple):
    """A post or the last `bye`, and a frame's bytes as they came."""

    post: Post | Bye
    data: bytes | str = b""
    form: Form = Form.PACKED

    @property
    def canonical(self) -> bytes:
        """Return the canonical form of a frame; nothing for what is none."""
        return canonical(self.data, self.form) if self.data else b""


class Posts(AsyncIterator[Post | Bye]):
    """What has arrived, without its bytes: for callers that keep no chain of frames."""

    def __init__(self, arrivals: Feed[Arrival]) -> None:
        self._arrivals = arrivals

    def __len__(self) -> int:
        """Return how many posts wait."""
        return len(self._arrivals)

    async def __anext__(self) -> Post | Bye:
        """Wait for the next post and return it."""
        return (await anext(self._arrivals)).post
