"""The operator of a gateway: what one is asked over its control socket; it knows no match."""

import os
from collections.abc import Awaitable, Callable
from typing import Protocol, final

import msgspec

from sunglare_protocol import __version__
from sunglare_server.base.clock import Clock
from sunglare_server.base.shutdown import Closing
from sunglare_server.ops.control.answers import Answer, GatewayStanding
from sunglare_server.ops.control.formatting import age
from sunglare_server.ops.control.request_handler import reloaded
from sunglare_server.ops.control.requests import Drain, Reload, Request, RequestError, StatusAsked
from sunglare_server.ops.control.scheduled_shutdown import TimedEnd, check_drain, moment
from sunglare_server.ops.metrics.memory import memory_bytes

ASK_A_WORKER = (
    "a gateway holds no match and no database: ask a worker, over its own control socket"
    " (`--control`) or all of them over the engine (`--nats`); a gateway itself takes `status`,"
    " `reload` and `drain`"
)
"""What is said of any other command."""


class Announcer(Protocol):
    """Announces to the connections of a gateway that it is to end."""

    def announce(self, closing: Closing | None) -> None:
        """Announce an end, or that it is called off."""


class Lines(Protocol):
    """The connections of a gateway."""

    @property
    def shutdown_broadcast(self) -> Announcer:
        """Return the gateway's shutdown broadcast."""
        ...

    @property
    def connections(self) -> int:
        """Return how many there are."""
        ...


class WorkersSeen(Protocol):
    """The desk of a gateway, as far as it shows whether workers answer."""

    @property
    def is_up(self) -> bool:
        """Return whether there is a connection to the workers."""
        ...

    @property
    def workers(self) -> tuple[str, ...]:
        """Return the workers that give signs of life, by name."""
        ...

    @property
    def unable(self) -> tuple[str, ...]:
        """Return those of the workers that say that they can store nothing, by name."""
        ...

    @property
    def stalled(self) -> int:
        """Return how many matches of its lines are without an answer now."""
        ...


@final
class GatewayParts(msgspec.Struct, frozen=True):
    """The parts of a running gateway that its operator looks at."""

    name: str
    url: str
    lines: Lines
    service: WorkersSeen
    clock: Clock
    started_ms: int
    reload: Callable[[], Awaitable[str]]


@final
class GatewayOperator:
    """Does what the operator asks of one gateway; `drained` is set when it shall end."""

    def __init__(self, parts: GatewayParts) -> None:
        """Look at these parts."""
        self._end = TimedEnd(parts.clock)
        self.drained = self._end.ended
        self._parts = parts

    async def perform(self, request: Request) -> Answer:
        """Do what is asked; raise `RequestError` if a gateway can't."""
        match request:
            case StatusAsked():
                return Answer(gateway=self._standing())
            case Reload():
                return Answer(done=await reloaded(self._parts.reload))
            case Drain():
                check_drain(request)
                return Answer(done=self._drain(request))
            case _:
                raise RequestError(ASK_A_WORKER)

    def close(self) -> None:
        """Await no end any more."""
        self._end.stop()

    def _drain(self, request: Drain) -> str:
        lines = self._parts.lines
        back = f"its {lines.connections} connections come back to another one"
        if request.off:
            if self._end.closing is None:
                raise RequestError("no end is ordered")
            self._end.call_off()
            lines.shutdown_broadcast.announce(None)
            return "shutdown_cancelled"
        if request.in_ms is None:
            self.drained.set()
            return f"the gateway ends now; {back}"
        closing = self._end.order(request)
        lines.shutdown_broadcast.announce(closing)
        when = f"in {age(self._end.left_s or 0)}, at {moment(closing.at_ms)}"
        return f"the gateway ends {when}; all connections are informed, and {back}"

    @property
    def _is_staying(self) -> bool:
        return self._end.closing is None and not self.drained.is_set()

    def _standing(self) -> GatewayStanding:
        parts = self._parts
        return GatewayStanding(
            version=__version__,
            name=parts.name,
            url=parts.url,
            pid=os.getpid(),
            state="serving" if self._is_staying else "draining",
            uptime_s=(parts.clock.now_ms() - parts.started_ms) // 1000,
            connections=parts.lines.connections,
            is_linked=parts.service.is_up,
            workers=parts.service.workers,
            unable=parts.service.unable,
            stalled=parts.service.stalled,
            memory_bytes=memory_bytes(),
            ends_s=self._end.left_s,
        )
