"""The end of a process at a moment that its operator names: awaited, announced, and called off."""

import asyncio
from datetime import UTC, datetime
from typing import Final, final

import structlog

from sunglare_protocol.text import CHAT_MOST, clean
from sunglare_server.base.clock import Clock
from sunglare_server.base.shutdown import Closing
from sunglare_server.base.tasks import spawn
from sunglare_server.ops.control.requests import Drain, RequestError

IN_MOST_MS: Final = 7 * 24 * 3_600_000
"""OWN: an end is announced a week before at most."""

_ONE_OF = (
    "an end is ordered by one of `--now`, `--in`, `--at` and `--off`, or none of them, and a"
    " `--note` goes with `--in` and `--at`"
)


@final
class TimedEnd:
    """When a process ends; `ended` is set when it shall."""

    def __init__(self, clock: Clock) -> None:
        """Begin without an end."""
        self.ended = asyncio.Event()
        self.closing: Closing | None = None
        self._clock = clock
        self._task: asyncio.Task[None] | None = None
        self._log = structlog.get_logger()

    @property
    def left_s(self) -> int | None:
        """Return in how many seconds the process ends, if that is ordered."""
        if self.closing is None:
            return None
        return max(0, self.closing.at_ms - self._clock.now_ms()) // 1000

    def order(self, request: Drain) -> Closing:
        """End at a moment, in place of what was ordered before; raise `RequestError`."""
        closing = self._wanted(request)
        self.stop()
        self.closing = closing
        self._task = spawn(self._await(closing), "end at a moment")
        left_s = self.left_s
        self._log.info("shutdown_scheduled", in_s=left_s, at=moment(closing.at_ms))
        return closing

    def call_off(self) -> None:
        """End at no moment; raise `RequestError` where it has come."""
        if self.ended.is_set():
            raise RequestError("it ends already, which can't be called off")
        self.stop()
        if self.closing is not None:
            self.closing = None
            self._log.info("shutdown_cancelled")

    def stop(self) -> None:
        """Await no moment any more."""
        if self._task is not None:
            self._task.cancel()
            self._task = None

    def _wanted(self, request: Drain) -> Closing:
        note = clean(request.note, CHAT_MOST) if request.note else ""
        if note is None:
            raise RequestError(f"a note is one line of 1 to {CHAT_MOST} plain characters")
        if request.in_ms is None or not 0 < request.in_ms <= IN_MOST_MS:
            raise RequestError("an end comes within a week, and not before now")
        return Closing(self._clock.now_ms() + request.in_ms, note)

    async def _await(self, closing: Closing) -> None:
        await self._clock.sleep_until_ms(closing.at_ms)
        self.ended.set()


def check_drain(request: Drain) -> None:
    """Raise `RequestError` for an order that contradicts itself."""
    ways = [request.now, request.in_ms is not None, request.off]
    if sum(ways) > 1 or (request.note and request.in_ms is None):
        raise RequestError(_ONE_OF)


def moment(at_ms: int) -> str:
    """Return a moment of a server's clock in words."""
    return datetime.fromtimestamp(at_ms / 1000, UTC).strftime("%Y-%m-%d %H:%M:%S UTC")
