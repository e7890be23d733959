"""The worker's end of a Unix socket: a transport between it and connected gateways."""

import asyncio
import contextlib
from collections.abc import Callable
from pathlib import Path
from typing import assert_never, final

import structlog

from sunglare_server.base.tasks import spawn
from sunglare_server.transport import socket_frames as frames
from sunglare_server.transport.transport import NoResponderError, Serve, Stop, Take, TransportError
from sunglare_server.transport.unix_socket import bound

WAITING_MOST = 32 * 1024 * 1024
"""OWN: a gateway for which more bytes wait is cut off; it comes back and asks what it missed."""


@final
class _Peer:
    """A gateway that has connected, and what it wants."""

    def __init__(self, writer: asyncio.StreamWriter) -> None:
        self.wants: dict[int, str] = {}
        self._writer = writer

    def send(self, frame: frames.FromWorker) -> None:
        if not self._writer.is_closing():
            self._writer.write(frames.framed(frame))
            if self._writer.transport.get_write_buffer_size() > WAITING_MOST:
                self._writer.transport.abort()


@final
class SocketServer:
    """Carries between one worker, in whose process it is, and gateways on the same machine."""

    def __init__(self, path: Path) -> None:
        """Listen at `path` once it is opened."""
        self._path = path
        self._server: asyncio.Server | None = None
        self._peers: dict[asyncio.Task[None], _Peer] = {}
        self._serving: dict[str, Serve] = {}
        self._taking: dict[int, tuple[str, Take]] = {}
        self._count = 0
        self._log = structlog.get_logger()

    @property
    def is_up(self) -> bool:
        """Return whether it listens."""
        return self._server is not None

    async def open(self) -> None:
        """Listen; raise `SocketError` if that can't be."""
        self._server = await asyncio.start_unix_server(self._meet, sock=bound(self._path))

    async def request(self, subject: str, data: bytes, wait_s: float) -> bytes:
        """Raise NoResponderError unless it is served in this process: gateways serve nothing."""
        serve = self._server_of(subject)
        if serve is None:
            raise NoResponderError(f"nobody serves {subject}")
        try:
            async with asyncio.timeout(wait_s):
                return await serve(subject, data)
        except TimeoutError:
            raise TransportError(f"no answer from {subject} in {wait_s:g} s") from None

    async def serve(self, subject: str, answer: Serve, group: str = "") -> Stop:  # noqa: ARG002
        """Answer the requests for `subject`; there is no one else to share them with."""
        self._serving[subject] = answer

        def stop() -> None:
            # Another may have begun to serve it since.
            if self._serving.get(subject) is answer:
                del self._serving[subject]

        return stop

    async def subscribe(self, subject: str, take: Take) -> Stop:
        """Take what gateways and this process publish under `subject`."""
        self._count += 1
        number = self._count
        self._taking[number] = (subject, take)
        return lambda: self._taking.pop(number, None) and None

    def publish(self, subject: str, data: bytes) -> None:
        """Send to every gateway that wants it, and to takers here."""
        for pattern, take in tuple(self._taking.values()):
            if frames.matches(pattern, subject):
                take(subject, data)
        for peer in tuple(self._peers.values()):
            for number, pattern in peer.wants.items():
                if frames.matches(pattern, subject):
                    peer.send(frames.Post(number, subject, data))

    def when_changed(self, tell: Callable[[bool], None]) -> None:
        """Do nothing: it is up as long as the process is."""

    async def close(self) -> None:
        """Cut all gateways off and remove the socket."""
        if self._server is None:
            return
        self._server.close()
        self._server = None
        tasks = tuple(self._peers)
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks)
        with contextlib.suppress(OSError):
            self._path.unlink()

    async def _meet(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None  # noqa: S101 - the stream server starts a task for each peer
        peer = self._peers[task] = _Peer(writer)
        try:
            while (body := await frames.next_frame(reader)) is not None:
                self._take(peer, frames.of_gateway(body))
        except TransportError as error:
            self._log.warning("gateway_connection_lost", why=str(error))
        except asyncio.CancelledError:
            # The worker ends.
            return
        finally:
            del self._peers[task]
            writer.close()

    def _take(self, peer: _Peer, frame: frames.FromGateway) -> None:
        match frame:
            case frames.Subscribe():
                peer.wants[frame.of] = frame.subject
                peer.send(frames.Ready(frame.of))
            case frames.Unsubscribe():
                peer.wants.pop(frame.of, None)
            case frames.Publish():
                self.publish(frame.subject, frame.data)
            case frames.Ask():
                spawn(self._answer(peer, frame), "answer over the socket")
            case _:
                assert_never(frame)

    async def _answer(self, peer: _Peer, asked: frames.Ask) -> None:
        serve = self._server_of(asked.subject)
        if serve is None:
            peer.send(frames.Replied(asked.of, b"", is_nobody=True))
        else:
            peer.send(frames.Replied(asked.of, await serve(asked.subject, asked.data)))

    def _server_of(self, subject: str) -> Serve | None:
        exact = self._serving.get(subject)
        found = (
            serve for pattern, serve in self._serving.items() if frames.matches(pattern, subject)
        )
        return exact or next(found, None)
