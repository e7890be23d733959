"""Members of a cluster: workers and gateways, as far as one worker has signs of them."""

from collections.abc import Callable
from typing import final

import structlog

from sunglare_server.base.clock import Clock
from sunglare_server.ops.control.answers import Cluster, GatewayLine, WorkerLine
from sunglare_server.transport.messages import (
    GatewayHeartbeat,
    WorkerHeartbeat,
    gateway_here_of,
    worker_here_of,
)
from sunglare_server.transport.subjects import Trust
from sunglare_server.transport.transport import TransportError

SILENT_MS = 5_000
"""OWN: a member that was silent for so long is gone. Within it one that hangs is listed still."""

_Read = Callable[[bytes, str], GatewayHeartbeat | WorkerHeartbeat]

WORDS = {Trust.PLAYERS: "players", Trust.SPECTATORS: "spectators"}
"""For whom a gateway is, as the operator reads it."""


@final
class RollCall:
    """Notes signs of life."""

    def __init__(self, clock: Clock) -> None:
        """Begin empty."""
        self._clock = clock
        self._heard: dict[str, tuple[GatewayHeartbeat | WorkerHeartbeat, int]] = {}
        self._log = structlog.get_logger()

    def take_gateway(self, subject: str, data: bytes) -> None:
        """Note a gateway's sign of life, or its farewell."""
        self._take(subject, data, gateway_here_of)

    def take_worker(self, subject: str, data: bytes) -> None:
        """Note a worker's sign of life, or its farewell."""
        self._take(subject, data, worker_here_of)

    def _take(self, subject: str, data: bytes, read: _Read) -> None:
        try:
            told = read(data, subject)
        except TransportError as error:
            self._log.warning("heartbeat_unreadable", why=error.why)
            return
        if told.leaves:
            self._heard.pop(told.name, None)
        else:
            self._heard[told.name] = (told, self._clock.now_ms())

    def roll(self) -> Cluster:
        """Return who is there, by name; of the workers no more than that."""
        now_ms = self._clock.now_ms()
        self._heard = {
            name: known for name, known in self._heard.items() if now_ms - known[1] <= SILENT_MS
        }
        # One that has begun again is there once.
        workers: dict[str, WorkerLine] = {}
        gateways: list[GatewayLine] = []
        for name, (told, heard_ms) in sorted(self._heard.items()):
            if isinstance(told, WorkerHeartbeat):
                called = told.called or name
                workers[called] = WorkerLine(name=called)
            else:
                gateways.append(
                    GatewayLine(
                        name=name,
                        trust=WORDS[told.trust],
                        connections=told.lines,
                        heard_ms=now_ms - heard_ms,
                    )
                )
        return Cluster(workers=tuple(workers.values()), gateways=tuple(gateways))
