"""Answers of a worker to its operator over a transport: the same as over its control socket.

Theory of operation. Each worker serves its own subject, and one of them whatever any may answer:
what all of them share, and who is there. So the asker gets the roll first, and then asks each by
name: one that hangs is missed, and not taken for absent.
"""

import asyncio
from typing import Final, final

from sunglare_server.base.clock import Clock
from sunglare_server.base.tasks import spawn
from sunglare_server.ops.cluster.cluster_members import RollCall
from sunglare_server.ops.control.answers import Answer
from sunglare_server.ops.control.request_handler import Perform, answered
from sunglare_server.ops.control.requests import encode
from sunglare_server.transport.subjects import GATEWAYS_HERE, WORKERS, WORKERS_HERE
from sunglare_server.transport.transport import Stop, Transport

ASKER: Final = "operator"
"""Who asks: its name ends each subject, and with it begins the inbox to which answers go."""

ANY: Final = f"ctl.any.{ASKER}"
"""Where one worker is asked, whichever."""

ROLL: Final = f"ctl.any.roll.{ASKER}"
"""Where one worker is asked who is there."""

LISTEN_MS = 1_500
"""OWN: a worker says who is there once it has listened for so long: all have been heard then."""

ANSWER_BYTES = 4 * 1024 * 1024
"""OWN: the longest answer that is given; an engine carries twice as much."""

CLOSE_S = 5.0
"""OWN: how long the last answers may take."""


def of_worker(name: str) -> str:
    """Return where the operator asks one worker."""
    return f"ctl.{name}.{ASKER}"


@final
class CarriedControl:
    """Answers the operator of one worker."""

    def __init__(self, transport: Transport, name: str, perform: Perform, clock: Clock) -> None:
        """Answer as the worker called `name` with what `perform` returns."""
        self._transport = transport
        self._name = name
        self._perform = perform
        self._clock = clock
        self._rollcall = RollCall(clock)
        self._since_ms = clock.now_ms()
        self._stops: list[Stop] = []
        self._answering: dict[asyncio.Task[Answer], None] = {}

    async def listen(self) -> None:
        """Begin to answer."""
        self._since_ms = self._clock.now_ms()
        for subject, take in (
            (GATEWAYS_HERE, self._rollcall.take_gateway),
            (WORKERS_HERE, self._rollcall.take_worker),
        ):
            self._stops.append(await self._transport.subscribe(subject, take))
        self._stops.append(await self._transport.serve(of_worker(self._name), self._answer))
        self._stops.append(await self._transport.serve(ANY, self._answer, WORKERS))
        self._stops.append(await self._transport.serve(ROLL, self._called, WORKERS))

    async def close(self) -> None:
        """Answer no more; the answers on their way have a moment."""
        for stop in self._stops:
            stop()
        if self._answering:
            await asyncio.wait(tuple(self._answering), timeout=CLOSE_S)

    async def _answer(self, _: str, data: bytes) -> bytes:
        # In a task of its own, which is not cut when the transport is.
        work = spawn(answered(data, self._perform), "answer the operator")
        self._answering[work] = None
        work.add_done_callback(self._answering.pop)
        told = encode(await work)
        if len(told) > ANSWER_BYTES:
            most = ANSWER_BYTES // (1024 * 1024)
            why = f"the answer is longer than {most} MiB: ask over the worker's own control socket"
            told = encode(Answer(error=why))
        return told

    async def _called(self, _: str, __: bytes) -> bytes:
        await self._clock.sleep_until_ms(self._since_ms + LISTEN_MS)
        return encode(Answer(cluster=self._rollcall.roll()))
