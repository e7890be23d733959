"""Ends of the road in memory that belong to a place, and that can be held up both ways."""

import asyncio
import contextvars
from collections import deque
from collections.abc import Callable
from typing import final

from builders.memorytransport import MemoryTransport
from simulation.workers.places import Place
from sunglare_server.transport.messages import (
    Backlog,
    PrivateFeedMessage,
    Response,
    answer_of,
    push_of,
    shown_of,
)
from sunglare_server.transport.transport import Serve, Stop, Take

EPOCH: contextvars.ContextVar[int] = contextvars.ContextVar("epoch", default=0)
"""The epoch of whoever showed what is given to a line; 0 if that is untold."""


@final
class PlacedCarrier:
    """An end whose work is done in its place; what it publishes is on the road all the same."""

    def __init__(self, inner: MemoryTransport, place: Place, road: Place) -> None:
        """Be as connected as `inner` is."""
        self.inner = inner
        self._place = place
        self._road = road
        self._flows = asyncio.Event()
        self._flows.set()
        self._is_late = False
        self._held: deque[tuple[str, bytes]] = deque()

    @property
    def is_up(self) -> bool:
        """Return whether there is a connection."""
        return self.inner.is_up

    async def request(self, subject: str, data: bytes, wait_s: float) -> bytes:
        """Return the answer; its epoch is that of what is given from it."""
        given = await self.inner.request(subject, data, wait_s)
        answer = answer_of(given)
        if isinstance(answer, Backlog):
            EPOCH.set(answer.epoch)
        elif isinstance(answer, Response):
            EPOCH.set(max((hold.epoch for hold in answer.holds), default=0))
        return given

    async def serve(self, subject: str, answer: Serve, group: str = "") -> Stop:
        """Answer in this place, once it is not held up, and have the answer carried then."""

        async def placed(asked: str, data: bytes) -> bytes:
            await self._flows.wait()
            given = await self._place.spawn(_awaited(answer, asked, data))
            await self._flows.wait()
            return given

        return await self.inner.serve(subject, placed, group)

    async def subscribe(self, subject: str, take: Take) -> Stop:
        """Take in this place what is published."""

        def placed(shown: str, data: bytes) -> None:
            self._place.soon(_taken, take, shown, data)

        return await self.inner.subscribe(subject, placed)

    def publish(self, subject: str, data: bytes) -> None:
        """Send, or keep until it is held up no more, as a connection's buffer does."""
        if not self._is_late:
            self._road.soon(self.inner.publish, subject, data)
        else:
            self._held.append((subject, data))

    def when_changed(self, tell: Callable[[bool], None]) -> None:
        """Tell in this place."""
        self.inner.when_changed(lambda is_up: self._place.soon(tell, is_up))

    async def close(self) -> None:
        """Be connected no more."""
        await self.inner.close()

    def hold_up(self) -> None:
        """Let nothing through, and lose nothing."""
        self._flows.clear()
        self._is_late = True

    def hold_posts(self) -> None:
        """Let through no posts, and lose none."""
        self._is_late = True

    def flow(self) -> None:
        """Let all through again, what has waited first."""
        self._flows.set()
        self._is_late = False
        while self._held:
            self._road.soon(self.inner.publish, *self._held.popleft())


async def _awaited(answer: Serve, subject: str, data: bytes) -> bytes:
    return await answer(subject, data)


def _taken(take: Take, subject: str, data: bytes) -> None:
    if subject.startswith("view."):
        EPOCH.set(shown_of(data).epoch)
    elif subject.startswith("line.") and isinstance(push := push_of(data), PrivateFeedMessage):
        EPOCH.set(push.shown.epoch)
    take(subject, data)
