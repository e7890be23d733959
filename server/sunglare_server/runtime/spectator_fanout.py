"""The fan-out to spectators: served after all seats, a few at a time.

Theory of operation. Spectators may be thousands, and a seat must not notice: not by waiting, nor
by how long it waits, which would reveal how many they are. So a release puts its posts to seats at
once, and leaves those to spectators here. They are served in slices of at most `SLICE`; between
two slices the loop has its turn, and with it the beats, commands and releases of every match. A
slice is short, for a window takes a dozen turns of the loop from the last order to its frames, and
so waits for as many slices. What seats are sent meanwhile goes before whatever waits here. While a
window is being stored few slices follow one another: the thread that stores it needs Python itself
a dozen times, and would wait for it each time that the loop is busy.

All posts wait in one queue, so that all spectators get them in the order of their release. A post
is for those who watched when it was released: who came later has begun with a view that holds it,
and who has gone by the time of the slice, since a grant was taken back, gets nothing any more.
"""

import asyncio
import contextlib
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import final

from sunglare_server.runtime.encoded_message import EncodedMessage, Subscriber

SLICE = 8
"""OWN: how many spectators are served before the loop is given back."""

QUIET_S = 0.002
"""OWN: while something is stored, the next slice is served after so many seconds."""

Later = Callable[[Callable[[], None]], object]
"""Has something called when the loop has had its turn."""


@final
class Viewer:
    """One who watches a feed over `subscriber`; who comes again later is another one."""

    def __init__(self, subscriber: Subscriber) -> None:
        """Begin to watch."""
        self.subscriber = subscriber
        self.has_gone = False


@final
class SpectatorBroadcaster:
    """What waits to be sent to spectators, of all matches of a server."""

    def __init__(self, later: Later | None = None) -> None:
        """Serve by `later`, which is the running loop unless another is given."""
        self._later = later or _by_the_loop
        self._waiting: deque[tuple[EncodedMessage, Iterator[Viewer]]] = deque()
        self._is_due = False
        self._storing = 0
        self._pause: asyncio.TimerHandle | None = None

    @contextlib.contextmanager
    def quiet(self) -> Iterator[None]:
        """Leave Python to the thread that stores something, all but a slice now and then."""
        self._storing += 1
        try:
            yield
        finally:
            self._storing -= 1
            if not self._storing and self._pause is not None:
                self._pause.cancel()
                self._is_due, self._pause = False, None
                self._come_back()

    def send(self, encoded_message: EncodedMessage, viewers: Iterable[Viewer]) -> None:
        """Send an encoded message to those who watch now, slice by slice."""
        shown = tuple(viewers)
        if shown:
            self._waiting.append((encoded_message, iter(shown)))
            self._come_back()

    def _come_back(self) -> None:
        if self._waiting and not self._is_due:
            self._is_due = True
            self._later(self._serve)

    def _go_on(self) -> None:
        if self._waiting and not self._is_due and self._storing:
            self._is_due = True
            self._pause = asyncio.get_running_loop().call_later(QUIET_S, self._serve)
        else:
            self._come_back()

    def _serve(self) -> None:
        self._is_due, self._pause = False, None
        try:
            for encoded_message, viewer in islice(self._next(), SLICE):
                if not viewer.has_gone:
                    viewer.subscriber.put(encoded_message)
        finally:
            # A bug at one of them must not leave the others waiting.
            self._go_on()

    def _next(self) -> Iterator[tuple[EncodedMessage, Viewer]]:
        while self._waiting:
            encoded_message, viewers = self._waiting[0]
            for viewer in viewers:
                yield encoded_message, viewer
            self._waiting.popleft()


def _by_the_loop(call: Callable[[], None]) -> None:
    asyncio.get_running_loop().call_soon(call)
