"""The operator of a gateway: what one is asked over its control socket; it knows no match."""

import asyncio
import os
from typing import Protocol, final

import msgspec

from sunglare_protocol import __version__
from sunglare_server.host.clock import Clock
from sunglare_server.ops.asked import RequestError
from sunglare_server.ops.memory import memory_bytes
from sunglare_server.ops.requests import Answer, Drain, GatewayStanding, Request, StatusAsked

ASK_A_WORKER = (
    "a gateway holds no match and no database: ask a worker, over its own control socket"
    " (`--control`) or all of them over the engine (`--nats`); a gateway itself takes `status` and"
    " `drain`"
)
"""What is said of any other command."""


class Lines(Protocol):
    """The connections of a gateway."""

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
    def stalled(self) -> int:
        """Return for how many matches of its lines nobody answers now."""
        ...


@final
class GatewayParts(msgspec.Struct, frozen=True):
    """The parts of a running gateway that its operator looks at."""

    name: str
    url: str
    lines: Lines
    desk: WorkersSeen
    clock: Clock
    started_ms: int


@final
class GatewayOperator:
    """Does what the operator asks of one gateway; `drained` is set when it shall end."""

    def __init__(self, parts: GatewayParts) -> None:
        """Look at these parts."""
        self.drained = asyncio.Event()
        self._parts = parts

    async def perform(self, request: Request) -> Answer:
        """Do what is asked; raise `RequestError` if a gateway can't."""
        match request:
            case StatusAsked():
                return Answer(gateway=self._standing())
            case Drain():
                self.drained.set()
                return Answer(done=self._farewell())
            case _:
                raise RequestError(ASK_A_WORKER)

    def _farewell(self) -> str:
        lines = self._parts.lines.connections
        return f"the gateway ends now; its {lines} connections come back to another one"

    def _standing(self) -> GatewayStanding:
        parts = self._parts
        return GatewayStanding(
            version=__version__,
            name=parts.name,
            url=parts.url,
            pid=os.getpid(),
            state="draining" if self.drained.is_set() else "serving",
            uptime_s=(parts.clock.now_ms() - parts.started_ms) // 1000,
            connections=parts.lines.connections,
            is_linked=parts.desk.is_up,
            workers=parts.desk.workers,
            stalled=parts.desk.stalled,
            memory_bytes=memory_bytes(),
        )
