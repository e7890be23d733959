"""The shutdown broadcast: announces the server's end to all connections, again as it nears.

Theory of operation. An end is announced by the own operator, or at a gateway by that of its
workers too; the first of them to come is the one that is sent: at once, at the moments of
`told_again_ms`, and to connections that say hello meanwhile. All receive the same words, those in
a seat first and the others in slices, between which all other work goes on.
"""

import asyncio
from typing import Final, Protocol, final

from sunglare_protocol.messages.replies import News
from sunglare_server.base.clock import Clock
from sunglare_server.base.shutdown import Closing, called_off, news_of, told_again_ms
from sunglare_server.base.tasks import spawn
from sunglare_server.runtime.encoded_message import EncodedMessage

SLICE: Final = 8
"""OWN: how many connections are served before the loop is given back."""

OWN: Final = "own"
"""Whose end is announced: that of this process."""

WORKERS: Final = "workers"
"""The same of all workers of a gateway."""


class GreetedConnection(Protocol):
    """A connection that has said hello."""

    is_seated: bool

    def put(self, encoded_message: EncodedMessage) -> None:
        """Send an announcement."""


@final
class ShutdownBroadcast:
    """Announces ends to the connections of one process."""

    def __init__(self, clock: Clock) -> None:
        """Begin without an end, and without connections."""
        self._clock = clock
        self._ends: dict[str, Closing] = {}
        self._ears: dict[GreetedConnection, None] = {}
        self._told: Closing | None = None
        self._task: asyncio.Task[None] | None = None

    @property
    def closing(self) -> Closing | None:
        """Return the end that comes first, if one is announced."""
        return min(self._ends.values(), default=None)

    def announce(self, closing: Closing | None, whose: str = OWN) -> None:
        """Announce an end, or that it is called off; nothing is announced twice."""
        if closing is None:
            self._ends.pop(whose, None)
        else:
            self._ends[whose] = closing
        before, self._told = self._told, self.closing
        if self._told == before:
            return
        self.stop()
        # What has come is not called off any more.
        is_off = before is not None and before.at_ms > self._clock.now_ms()
        if self._told is not None:
            self._task = spawn(self._cry(self._told), "tell of the end")
        elif is_off:
            self._task = spawn(self._tell(called_off()), "tell that there is no end")

    def came(self, connection: GreetedConnection) -> None:
        """Send a connection that has just said hello what all have been sent."""
        self._ears[connection] = None
        if self._told is not None:
            connection.put(EncodedMessage(news_of(self._told, self._clock.now_ms())))

    def went(self, connection: GreetedConnection) -> None:
        """Send a connection nothing more."""
        self._ears.pop(connection, None)

    def stop(self) -> None:
        """Send nothing any more, until the next announcement."""
        if self._task is not None:
            self._task.cancel()
            self._task = None

    async def _cry(self, closing: Closing) -> None:
        while (now_ms := self._clock.now_ms()) < closing.at_ms:
            await self._tell(news_of(closing, now_ms))
            await self._clock.sleep_until_ms(told_again_ms(closing, now_ms))

    async def _tell(self, news: News) -> None:
        encoded_message = EncodedMessage(news)
        for number, connection in enumerate(sorted(self._ears, key=_goes_late), start=1):
            if connection in self._ears:
                connection.put(encoded_message)
            if number % SLICE == 0:
                await asyncio.sleep(0)


def _goes_late(connection: GreetedConnection) -> bool:
    return not connection.is_seated
