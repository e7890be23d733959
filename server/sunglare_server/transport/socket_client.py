"""A gateway's end of a Unix socket: it connects to its worker, again and again."""

import asyncio
import contextlib
from collections.abc import Callable
from pathlib import Path
from typing import assert_never, final

import structlog

from sunglare_server.base.clock import Clock
from sunglare_server.base.tasks import kept_up
from sunglare_server.transport import socket_frames as frames
from sunglare_server.transport.transport import NoResponderError, Serve, Stop, Take, TransportError

AGAIN_MS = (20, 50, 100, 250, 500)
"""OWN: how long after a failure it connects again, the last one for good."""

READY_S = 5.0
"""OWN: how long a subscription may take to hold."""


@final
class SocketClient:
    """Carries between a gateway and the worker behind a socket."""

    def __init__(self, path: Path, clock: Clock) -> None:
        """Connect to `path` once it is opened."""
        self._path = path
        self._clock = clock
        self._writer: asyncio.StreamWriter | None = None
        self._asked: dict[int, asyncio.Future[bytes]] = {}
        self._taking: dict[int, tuple[str, Take]] = {}
        self._ready: dict[int, asyncio.Future[None]] = {}
        self._told: list[Callable[[bool], None]] = []
        self._count = 0
        self._chore: asyncio.Task[None] | None = None
        self._log = structlog.get_logger()

    @property
    def is_up(self) -> bool:
        """Return whether there is a connection."""
        return self._writer is not None

    def open(self) -> None:
        """Begin to connect, and go on until it is closed."""
        self._chore = kept_up(self._stay, "stay connected to the worker", self._clock)

    async def request(self, subject: str, data: bytes, wait_s: float) -> bytes:
        """Return the answer; NoResponderError where there is no connection or no responder."""
        if self._writer is None:
            raise NoResponderError("there is no connection to the worker")
        number = self._next()
        answer = self._asked[number] = asyncio.get_running_loop().create_future()
        self._send(frames.Ask(number, subject, data))
        try:
            return await asyncio.wait_for(answer, wait_s)
        except TimeoutError:
            raise TransportError(f"no answer from {subject} in {wait_s:g} s") from None
        finally:
            self._asked.pop(number, None)

    async def serve(self, subject: str, answer: Serve, group: str = "") -> Stop:  # noqa: ARG002
        """Raise TransportError: a gateway answers no requests."""
        raise TransportError("a gateway serves nothing")

    async def subscribe(self, subject: str, take: Take) -> Stop:
        """Take what is published under `subject`; again by itself after a lost connection."""
        number = self._next()
        self._taking[number] = (subject, take)
        await self._want(number, subject)

        def stop() -> None:
            if self._taking.pop(number, None) is not None:
                self._send(frames.Unsubscribe(number))

        return stop

    def publish(self, subject: str, data: bytes) -> None:
        """Send to the worker; the message is lost while there is no connection."""
        self._send(frames.Publish(subject, data))

    def when_changed(self, tell: Callable[[bool], None]) -> None:
        """Register a callback for a connection that is lost or there again."""
        self._told.append(tell)

    async def close(self) -> None:
        """Close the connection."""
        if self._chore is not None:
            self._chore.cancel()
            await asyncio.wait([self._chore])
            self._chore = None

    def _next(self) -> int:
        self._count += 1
        return self._count

    def _send(self, frame: frames.FromGateway) -> None:
        if self._writer is not None and not self._writer.is_closing():
            self._writer.write(frames.framed(frame))

    async def _want(self, number: int, subject: str) -> None:
        """Return once a subscription holds, or there is no connection for it."""
        if self._writer is None:
            return
        ready = self._ready[number] = asyncio.get_running_loop().create_future()
        self._send(frames.Subscribe(number, subject))
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(READY_S):
                await ready
        self._ready.pop(number, None)

    async def _stay(self) -> None:
        failures = 0
        while True:
            try:
                reader, writer = await asyncio.open_unix_connection(self._path)
            except OSError:
                wait_ms = AGAIN_MS[min(failures, len(AGAIN_MS) - 1)]
                failures += 1
                await self._clock.sleep_until_ms(self._clock.now_ms() + wait_ms)
                continue
            failures = 0
            await self._talk(reader, writer)

    async def _talk(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._writer = writer
        for number, (subject, _) in self._taking.items():
            self._send(frames.Subscribe(number, subject))
        self._tell(is_up=True)
        try:
            while (body := await frames.next_frame(reader)) is not None:
                self._take(frames.of_worker(body))
        except TransportError as error:
            self._log.warning("worker_connection_lost", why=str(error))
        finally:
            self._writer = None
            writer.close()
            self._fail_all()
            self._tell(is_up=False)

    def _take(self, frame: frames.FromWorker) -> None:
        match frame:
            case frames.Replied():
                _settle(self._asked.get(frame.of), frame)
            case frames.Post():
                known = self._taking.get(frame.of)
                if known is not None:
                    known[1](frame.subject, frame.data)
            case frames.Ready():
                ready = self._ready.get(frame.of)
                if ready is not None and not ready.done():
                    ready.set_result(None)
            case _:
                assert_never(frame)

    def _fail_all(self) -> None:
        for answer in self._asked.values():
            if not answer.done():
                answer.set_exception(TransportError("the connection to the worker was lost"))
        for ready in self._ready.values():
            if not ready.done():
                ready.set_result(None)

    def _tell(self, *, is_up: bool) -> None:
        for tell in tuple(self._told):
            tell(is_up)


def _settle(answer: asyncio.Future[bytes] | None, frame: frames.Replied) -> None:
    if answer is None or answer.done():
        return
    if frame.is_nobody:
        answer.set_exception(NoResponderError("nobody serves that"))
    else:
        answer.set_result(frame.data)
