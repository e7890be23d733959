"""The gateway: the listening socket, one session for each connection, and an orderly end."""

import asyncio
import tempfile
from collections.abc import Sequence
from functools import partial
from http import HTTPStatus
from pathlib import Path
from typing import Any, final

import structlog
from websockets.asyncio.server import Server, ServerConnection, serve, unix_serve
from websockets.exceptions import ConnectionClosed, NegotiationError
from websockets.http11 import Request, Response
from websockets.typing import Subprotocol

from sunglare_protocol.codec import Form
from sunglare_protocol.messages.commands import INBOUND_BYTES
from sunglare_protocol.messages.replies import Bye
from sunglare_protocol.refusals import Code
from sunglare_server.api.port import Service, UnavailableError
from sunglare_server.base.clock import Clock
from sunglare_server.base.histograms import LineFigures
from sunglare_server.base.tasks import spawn
from sunglare_server.config import Settings
from sunglare_server.gateway.access_log import ADDRESSES, OFF, Access
from sunglare_server.gateway.admission import Admission, CountedConnection
from sunglare_server.gateway.client_addresses import is_forwarded
from sunglare_server.gateway.encryption import CertificateError, encryption, show
from sunglare_server.gateway.http import PLAY_PATH, HttpHandler
from sunglare_server.gateway.keepalive import Keepalive
from sunglare_server.gateway.outbox import Outbox
from sunglare_server.gateway.pongs import Pongs
from sunglare_server.gateway.rate_limits import Budgets
from sunglare_server.gateway.session import POLICY, Session
from sunglare_server.gateway.shutdown_broadcast import ShutdownBroadcast
from sunglare_server.transport.unix_socket import why_not

CLOSE_S = 3.0
"""How long a peer has to answer the end of the connection."""

RESTARTING = 1012
"""The close code when the server goes away and comes back."""

RETURN_MS = 2_000
"""How long clients spread their coming back after a restart."""

FAREWELL_S = 6.0
"""How long connections may take to end; those that are still there then are cut."""

CUT_S = 2.0
"""How long to wait for the ends of those that were cut."""

FAULT = 1011
"""The close code when a bug of ours ended a connection."""

HUNG_UP = (1000, 1001)
"""The close codes of a peer that goes away on purpose."""

QUEUE_MOST = 16
"""Inbound messages of a connection that may wait before reading stops."""

READ_BYTES = 2 * INBOUND_BYTES
"""A longer message closes the connection unread; up to here it is refused as too long."""

OWN_SOCKET = "bots"
"""The name of the socket of our own bots, in a folder of its own."""

SHORT_FOLDER = "/tmp"  # noqa: S108 - the folder made in it is new, and its owner's alone
"""Where that folder lies if the temporary directory's name is too long."""

_SPOKEN = [Subprotocol(form.value) for form in Form]


@final
class Gateway:
    """Listens, and gives every connection a session."""

    def __init__(self, service: Service, clock: Clock, settings: Settings) -> None:
        """Serve `service`; raise `SunglareError` if the settings name what can't be used."""
        self.admission = Admission(settings, clock)
        self.figures = LineFigures()
        self._service = service
        self._clock = clock
        self._encryption = encryption(settings.tls_cert, settings.tls_key)
        self._budgets = Budgets(settings, clock)
        self.shutdown_broadcast = ShutdownBroadcast(clock)
        self._plain = HttpHandler(service, self._budgets, self.admission, self.shutdown_broadcast)
        self._handshake_s = settings.handshake_s
        self._wish = settings.access_log
        self._servers: list[Server] = []
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        self._log = structlog.get_logger()
        self._count = 0
        self._outboxes: dict[int, Outbox] = {}
        self._keepalive = Keepalive()
        self._pongs = Pongs(clock)

    def take(self, settings: Settings) -> None:
        """Go by the limits and show the certificate of these settings from now on.

        Raise `SunglareError`, and change nothing, if the certificate can't be used, or if it comes
        or goes: whether lines are encrypted is settled when it begins to listen.
        """
        if (settings.tls_cert is None) != (self._encryption is None):
            raise CertificateError(
                str(settings.tls_cert), "only a start goes over to encryption, or away from it"
            )
        if self._encryption is not None and settings.tls_cert is not None:
            # Tried on a context of its own first, so that half of a pair is never shown.
            encryption(settings.tls_cert, settings.tls_key)
            show(self._encryption, settings.tls_cert, settings.tls_key)
        self.admission.take(settings)
        self._budgets.take(settings)
        self._handshake_s = settings.handshake_s

    async def listen(self, host: str, port: int) -> str:
        """Start to listen and return the address to play at; port 0 means any free one."""
        admission = self.admission.factory(own=False)
        server = await serve(
            self._handle,
            host,
            port,
            ssl=self._encryption,
            ssl_handshake_timeout=None if self._encryption is None else self._handshake_s,
            create_connection=admission,
            **self._options(),
        )
        self._servers.append(server)
        scheme = "ws" if self._encryption is None else "wss"
        for listening in server.sockets:
            host, port = listening.getsockname()[:2]
            break  # A simulated network has no sockets; there the port is the one asked for.
        where = f"[{host}]" if ":" in host else host
        return f"{scheme}://{where}:{port}{PLAY_PATH}"

    async def listen_to_own(self) -> str:
        """Listen to our own bots as well, and return the address for them.

        It is a socket in a folder that only the server's user can enter: our bots need neither a
        certificate nor a share of what one address may do. The folder lies in `SHORT_FOLDER`
        where the name of the temporary directory is too long for a socket.
        """
        self._folder = tempfile.TemporaryDirectory(prefix="sunglare-")
        path = Path(self._folder.name) / OWN_SOCKET
        if (why := why_not(path)) is not None:
            self._folder.cleanup()
            self._log.warning("house_bot_socket_moved", path=str(path), to=SHORT_FOLDER, why=why)
            self._folder = tempfile.TemporaryDirectory(prefix="sunglare-", dir=SHORT_FOLDER)
            path = Path(self._folder.name) / OWN_SOCKET
        admission = self.admission.factory(own=True)
        server = await unix_serve(
            self._handle, path, create_connection=admission, **self._options()
        )
        self._servers.append(server)
        return f"unix://{path}"

    @property
    def connections(self) -> int:
        """Return how many connections there are."""
        return len(self._outboxes)

    def stop_listening(self) -> None:
        """Take no connection any more."""
        loop = asyncio.get_running_loop()
        for server in self._servers:
            # What was accepted until now is a connection by the next turn of the loop. A listener
            # that is closed before leaves it open without an owner: asyncio of Python 3.11.
            for listening in server.sockets:
                loop.remove_reader(listening)
            loop.call_soon(partial(server.close, close_connections=False))

    async def close(self) -> None:
        """Close every connection, telling its peer to come back; return once they are gone."""
        self.stop_listening()
        self.shutdown_broadcast.stop()
        text = "The server restarts; come back in a moment."
        bye = Bye(code=Code.SERVER_CLOSING, text=text, retry_ms=RETURN_MS)
        for outbox in tuple(self._outboxes.values()):
            outbox.dismiss(bye, RESTARTING)
        self.admission.close()
        ended = [spawn(server.wait_closed(), "close a listener") for server in self._servers]
        if ended:
            await asyncio.wait(ended, timeout=FAREWELL_S)
        self.admission.cut_all()
        if ended:
            await asyncio.wait(ended, timeout=CUT_S)
        for task in ended:
            task.cancel()
        self._keepalive.stop()
        self._pongs.stop()
        if self._folder is not None:
            self._folder.cleanup()

    def _options(self) -> dict[str, Any]:
        return {
            # Compression would let lengths show what a secret shares with a guess.
            "compression": None,
            "max_size": READ_BYTES,
            "max_queue": QUEUE_MOST,
            # The admission gives each connection its time: a long answer takes longer than a
            # handshake.
            "open_timeout": None,
            # The pulse asks for signs of life.
            "ping_interval": None,
            "close_timeout": CLOSE_S,
            "process_request": self._answer_http,
            "subprotocols": _SPOKEN,
            "select_subprotocol": _select,
            "server_header": None,
        }

    async def _answer_http(self, socket: ServerConnection, request: Request) -> Response | None:
        connection = _counted(socket)
        try:
            answer = await self._plain.answer(connection, request)
        except UnavailableError:
            return socket.respond(HTTPStatus.SERVICE_UNAVAILABLE, "Try again later.\n")
        if answer is None:
            answer = self.admission.admit(connection, request)
            connection.let_last()
        return answer

    async def _handle(self, socket: ServerConnection) -> None:
        self._count += 1
        number = self._count
        connection = _counted(socket)
        self._keepalive.take(connection)
        form = Form(socket.subprotocol or Form.PACKED.value)
        with structlog.contextvars.bound_contextvars(connection=number):
            access = Access(self._clock.now_ms(), self.figures)
            outbox = self._outboxes[number] = Outbox(socket, form, access)
            allowance = self._budgets.of(connection.key)
            greet = self.shutdown_broadcast.came
            session = Session(
                self._service,
                outbox,
                form,
                allowance,
                self._pongs,
                greet,
                is_forwarded=is_forwarded(connection.request),
            )
            try:
                await self._talk(connection, session, outbox)
            except ConnectionClosed:
                pass
            except Exception:  # noqa: BLE001 - logged in full
                # A bug in one session ends its connection; its text is not for the peer.
                self._log.exception("session_failed")
                outbox.flush()
                await socket.close(FAULT, "server fault")
            finally:
                del self._outboxes[number]
                self.shutdown_broadcast.went(outbox)
                session.end(deliberate=_hung_up(socket))
                await outbox.finish()
                self._note_end(connection, session, outbox)

    def _note_end(self, connection: CountedConnection, session: Session, outbox: Outbox) -> None:
        """Count a connection that has ended, and log it if that is wanted.

        Our own are neither logged nor counted.
        """
        if connection.is_own:
            return
        protocol = connection.protocol
        why = outbox.why_closed or ("the peer" if protocol.close_rcvd is not None else "lost")
        self.figures.closed.note(why)
        if self._wish == OFF:
            return
        code = protocol.close_sent or protocol.close_rcvd
        ended = (None if code is None else int(code.code), why)
        address = connection.key if self._wish == ADDRESSES else None
        outbox.access.tell(self._clock.now_ms(), session.mark, ended, address)

    async def _talk(self, connection: CountedConnection, session: Session, outbox: Outbox) -> None:
        loop = asyncio.get_running_loop()
        hurry = loop.call_later(self._handshake_s, _end_silent, session, outbox)
        connection.hear(session.take_now)
        try:
            async for data in connection:
                await session.take(data)
                connection.has_answered()
        finally:
            hurry.cancel()


def _hung_up(socket: ServerConnection) -> bool:
    """Return whether the peer closed the connection as programs do that end in order."""
    protocol = socket.protocol
    is_first = protocol.close_rcvd_then_sent is True
    return is_first and protocol.close_rcvd is not None and protocol.close_rcvd.code in HUNG_UP


def _end_silent(session: Session, outbox: Outbox) -> None:
    if not session.has_caller:
        outbox.close(POLICY, "no hello")


def _counted(socket: ServerConnection) -> CountedConnection:
    if not isinstance(socket, CountedConnection):
        raise TypeError(f"{type(socket).__name__} did not come through the door")
    return socket


def _select(_: ServerConnection, offered: Sequence[Subprotocol]) -> Subprotocol | None:
    """Return the client's first choice that we speak; none offered means MessagePack."""
    spoken = [protocol for protocol in offered if protocol in _SPOKEN]
    if offered and not spoken:
        raise NegotiationError("subprotocols spoken: " + ", ".join(_SPOKEN))
    return spoken[0] if spoken else None
