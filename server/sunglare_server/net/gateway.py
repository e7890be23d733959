"""The gateway: the listening socket, one session for each connection, and an orderly end."""

import asyncio
from collections.abc import Sequence
from typing import final

import structlog
from websockets.asyncio.server import Server, ServerConnection, serve
from websockets.exceptions import ConnectionClosed, NegotiationError
from websockets.typing import Subprotocol

from sunglare_protocol.codec import Form
from sunglare_protocol.commands import INBOUND_BYTES
from sunglare_server.host.clock import Clock
from sunglare_server.host.lobby import Lobby
from sunglare_server.net.http import PLAY_PATH, answer_http
from sunglare_server.net.outbox import Outbox
from sunglare_server.net.session import POLICY, Session

PING_S = 5.0
"""How often a connection is asked for a sign of life."""

PING_TIMEOUT_S = 7.0
"""How long it may take; so a dead line is found within twelve seconds."""

CLOSE_S = 3.0
"""How long a peer has to answer the end of the connection."""

HELLO_S = 10.0
"""How long a new connection has to say hello."""

RESTARTING = 1012
"""The close code when the server goes away and comes back."""

FAULT = 1011
"""The close code when a bug of ours ended a connection."""

QUEUE_MOST = 16
"""Inbound messages of a connection that may wait before reading stops."""


_SPOKEN = [Subprotocol(form.value) for form in Form]


@final
class Gateway:
    """Listens, and gives every connection a session."""

    def __init__(self, lobby: Lobby, clock: Clock) -> None:
        """Serve `lobby`."""
        self._lobby = lobby
        self._clock = clock
        self._server: Server | None = None
        self._log = structlog.get_logger()
        self._count = 0

    async def listen(self, host: str, port: int) -> str:
        """Start to listen and return the address to play at; port 0 means any free one."""
        self._server = await serve(
            self._handle,
            host,
            port,
            # Compression would let lengths tell what a secret shares with a guess.
            compression=None,
            max_size=INBOUND_BYTES,
            max_queue=QUEUE_MOST,
            ping_interval=PING_S,
            ping_timeout=PING_TIMEOUT_S,
            close_timeout=CLOSE_S,
            process_request=answer_http,
            subprotocols=_SPOKEN,
            select_subprotocol=_select,
            server_header=None,
        )
        for listening in self._server.sockets:
            host, port = listening.getsockname()[:2]
            break  # A simulated network has no sockets; there the port is the one asked for.
        return f"ws://{host}:{port}{PLAY_PATH}"

    async def close(self) -> None:
        """Close the listening socket and every connection, telling them to come back."""
        if self._server is not None:
            self._server.close(code=RESTARTING, reason="the server restarts")
            await self._server.wait_closed()

    async def _handle(self, socket: ServerConnection) -> None:
        self._count += 1
        form = Form.JSON if socket.subprotocol == Form.JSON.value else Form.PACKED
        with structlog.contextvars.bound_contextvars(connection=self._count):
            outbox = Outbox(socket, form)
            session = Session(self._lobby, self._clock, outbox, form)
            try:
                await self._talk(socket, session, outbox)
            except ConnectionClosed:
                pass
            except Exception:  # noqa: BLE001 - told in full to the log
                # A bug in one session ends its connection; its text is not for the peer.
                self._log.exception("a session failed")
                outbox.flush()
                await socket.close(FAULT, "server fault")
            finally:
                session.end()
                await outbox.finish()

    async def _talk(self, socket: ServerConnection, session: Session, outbox: Outbox) -> None:
        hurry = asyncio.get_running_loop().call_later(HELLO_S, _end_silent, session, outbox)
        try:
            async for data in socket:
                await session.take(data)
        finally:
            hurry.cancel()


def _end_silent(session: Session, outbox: Outbox) -> None:
    if session.caller is None:
        outbox.close(POLICY, "no hello")


def _select(_: ServerConnection, offered: Sequence[Subprotocol]) -> Subprotocol | None:
    """Return the client's first choice that we speak; none offered means MessagePack."""
    spoken = [each for each in offered if each in _SPOKEN]
    if offered and not spoken:
        raise NegotiationError("subprotocols spoken: " + ", ".join(_SPOKEN))
    return spoken[0] if spoken else None
