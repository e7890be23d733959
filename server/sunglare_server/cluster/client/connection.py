"""One connection to the engine: opened, kept up, and its faults reported in three words.

Theory of operation. The library connects again by itself; five of its habits do not suit a server
and are changed here. It goes on in clear where an engine at a `tls://` address asks for nothing
else. It waits for a frozen engine to take what was written before it goes to another one; it
leaves the lines of vain attempts open; it waits for answers that were to come over a line that is
gone; and it gives up for good on some words of an engine that is going down. While there is no
line nothing is kept for later: what is asked then has no answer, and the asker knows that at once.
"""

import asyncio
import contextlib
import ssl
from collections.abc import Callable, Iterator
from typing import Any, Protocol, final

import nats.errors
import structlog
from nats.aio.client import Client, Server, Srv
from nats.aio.msg import Msg
from nats.aio.transport import TcpTransport
from nats.js.errors import APIError, NoStreamResponseError, ServiceUnavailableError

from sunglare_server.base.storage_errors import MediumError

START_S = 10.0
"""How long a first connection may take."""

FULL = frozenset({10023, 10028, 10047, 10077})
"""The engine's numbers for "there is no room", and for a disk that fails it."""

TOO_LARGE = frozenset({0, 10054})
"""The engine's number for a message that is too large, and ours for what was not sent for that."""

# The same message or the one before it is being stored; who is asked leads no more; it is away.
_STILL_ON_ITS_WAY = frozenset({10158, 10164, 10009, 10118})
_UNAVAILABLE = 503

_PING_S = 1
_PINGS_MISSED = 2
_CONNECT_S = 2
_INBOX = "_INBOX"
_CLOSE_S = 2.0
_AGAIN_S = 0.1
_FOR_EVER = -1
_NOT_ALLOWED = "permissions violation"
_NOT_LET_IN = "Authorization Violation"


class EngineError(MediumError):
    """The engine did not do what it was asked; `why` is for the log."""


@final
class EngineSilentError(EngineError):
    """There was no answer, or none yet: it may have been done, or still be."""


@final
class EngineRefusedError(EngineError):
    """The engine refuses, and has done nothing; `code` is its own number for the reason."""

    def __init__(self, why: str, code: int) -> None:
        """Keep the reason."""
        super().__init__(f"{why} ({code})")
        self.code = code


class Login(Protocol):
    """What a process shows to be let in, and where it gets its answers."""

    @property
    def user(self) -> str:
        """Return how the engine calls it."""
        ...

    @property
    def password(self) -> str:
        """Return its secret."""
        ...

    @property
    def inbox(self) -> str:
        """Return the prefix of the subjects on which it gets answers."""
        ...


@contextlib.contextmanager
def told_in_our_words() -> Iterator[None]:
    """Raise what the library says of a request as `EngineSilentError` or `EngineRefusedError`."""
    try:
        yield
    except (NoStreamResponseError, nats.errors.NoRespondersError):
        raise EngineSilentError("nobody answers") from None
    except APIError as error:
        why, code = error.description or "refused", error.err_code or 0
        is_away = isinstance(error, ServiceUnavailableError)
        raise told_of(why, code, _UNAVAILABLE if is_away else error.code or 0) from error
    except nats.errors.MaxPayloadError:
        raise EngineRefusedError("it is larger than the engine's max_payload", 0) from None
    except (nats.errors.Error, OSError) as error:
        raise EngineSilentError(f"no answer: {_words_of(error)}") from error


def told_of(why: str, code: int, status: int) -> EngineError:
    """Return what an error of the engine means: its own number and its status as in HTTP."""
    if code in _STILL_ON_ITS_WAY or (status == _UNAVAILABLE and code not in FULL):
        return EngineSilentError(f"{why} ({code})")
    return EngineRefusedError(why, code)


@final
class Connection:
    """Keeps a line to one of the servers of an engine, and goes to another when that one fails."""

    def __init__(self, name: str) -> None:
        """Be called `name` in the engine's own lists; `open` connects.

        `inbox` is the prefix of the subjects on which it gets answers.
        """
        self.client = _Client()
        self.inbox = _INBOX
        self._name = name
        self._tells: list[Callable[[bool], None]] = []
        self._last_fault = "no server answers"
        self._is_closing = False
        self._log = structlog.get_logger()

    @classmethod
    async def open(
        cls,
        urls: tuple[str, ...],
        name: str,
        login: Login | None = None,
        tls: ssl.SSLContext | None = None,
        within_s: float = START_S,
    ) -> "Connection":
        """Return a connection to one of `urls`; raise `EngineError` if none lets it in in time."""
        made = cls(name)
        if login is not None:
            made.inbox = login.inbox
        try:
            async with asyncio.timeout(within_s):
                await made._connect(urls, login, tls)
        except (TimeoutError, OSError, nats.errors.Error) as error:
            made.client.drop_line()
            places = ", ".join(url.rpartition("@")[2].removeprefix("nats://") for url in urls)
            raise EngineError(f"no engine at {places}: {made._last_fault}") from error
        return made

    @property
    def is_up(self) -> bool:
        """Return whether there is a line."""
        return self.client.is_connected

    @property
    def largest(self) -> int:
        """Return how many bytes one message may have."""
        return self.client.max_payload

    def when_changed(self, tell: Callable[[bool], None]) -> None:
        """Call `tell` with `is_up` whenever that changes."""
        self._tells.append(tell)

    async def request(
        self, subject: str, data: bytes, wait_s: float, headers: dict[str, Any] | None = None
    ) -> Msg:
        """Return the answer; raise what the library does."""
        return await self.client.request(subject, data, timeout=wait_s, headers=headers)

    async def change(self) -> None:
        """Go to another server: the one of now answers nothing, though its line stands."""
        self._last_fault = "the server answers nothing"
        await self.client.force_reconnect()

    async def close(self) -> None:
        """Send what is still to be sent and close the line; once more does nothing."""
        self._tells.clear()
        self._is_closing = True
        try:
            # A frozen engine never takes the rest.
            async with asyncio.timeout(_CLOSE_S):
                await self.client.close()
        except (TimeoutError, OSError, nats.errors.Error) as error:
            self._log.warning("nats_drain_incomplete", why=_words_of(error))
        self.client.drop_line()

    async def _connect(
        self, urls: tuple[str, ...], login: Login | None, tls: ssl.SSLContext | None
    ) -> None:
        await self.client.connect(
            list(urls),
            error_cb=self._heard,
            disconnected_cb=self._went_down,
            reconnected_cb=self._came_up,
            name=self._name,
            connect_timeout=_CONNECT_S,
            max_reconnect_attempts=_FOR_EVER,
            reconnect_time_wait=1,
            reconnect_to_server_handler=_next_server,
            ping_interval=_PING_S,
            max_outstanding_pings=_PINGS_MISSED,
            # Nothing is kept for a later line: see the theory of operation.
            pending_size=0,
            tls=tls,
            user=None if login is None else login.user,
            password=None if login is None else login.password,
            inbox_prefix=self.inbox,
        )

    async def _heard(self, error: Exception) -> None:
        fault = _words_of(error)
        # After such a refusal the line breaks, which is no news.
        if _NOT_LET_IN not in self._last_fault or _NOT_LET_IN in fault:
            self._last_fault = fault
        if isinstance(error, nats.errors.SlowConsumerError):
            # What has come was thrown away, as when the line is lost.
            self._tell()
        if _NOT_ALLOWED in fault:
            self._log.error("nats_permission_denied", why=fault)
        else:
            self._log.info("nats_connection_error", why=fault)

    async def _went_down(self) -> None:
        if not self._is_closing:
            self._log.warning("nats_disconnected", why=self._last_fault)
            self._tell()

    async def _came_up(self) -> None:
        self._last_fault = "it was lost"
        self._log.info("nats_reconnected")
        self._tell()

    def _tell(self) -> None:
        for tell in tuple(self._tells):
            tell(self.is_up)


@final
class _Client(Client):
    """The library's client without the habits that the theory of operation names."""

    def drop_line(self) -> None:
        """Close the line at once, whatever is still to be sent."""
        transport = self._transport
        if isinstance(transport, TcpTransport) and transport._io_writer is not None:  # noqa: SLF001 - it closes only when the other end reads
            transport._io_writer.transport.abort()  # noqa: SLF001 - the same

    async def _connect_to_server(self, s: Srv) -> None:
        self.drop_line()
        await super()._connect_to_server(s)

    def _connect_command(self) -> bytes:
        # The next bytes hold the secret of the login.
        server, transport = self._current_server, self._transport
        if server is not None and server.uri.scheme == "tls":
            writer = transport._io_writer if isinstance(transport, TcpTransport) else None  # noqa: SLF001 - nothing else shows it
            if writer is None or writer.get_extra_info("ssl_object") is None:
                raise nats.errors.Error("the engine does not encrypt, and its address is tls://")
        return super()._connect_command()

    async def _attempt_reconnect(self) -> None:
        for server in self._server_pool:
            # All others are tried first.
            server.reconnects = int(server is self._current_server)
        self.drop_line()
        for answer in tuple(self._resp_map.values()):
            if not answer.done():
                # It would have come over the line that is gone.
                answer.set_exception(nats.errors.ConnectionReconnectingError())
                # One that could not even be asked for has no waiter.
                answer.exception()
        await super()._attempt_reconnect()

    async def _process_err(self, err_msg: str) -> None:
        if _NOT_ALLOWED in err_msg.lower():
            await super()._process_err(err_msg)
            return
        await self._error_cb(nats.errors.Error(err_msg))
        await self._process_op_err(nats.errors.Error(err_msg))


def _next_server(servers: list[Server], _: dict[str, Any]) -> tuple[Server | None, float]:
    return min(servers, key=lambda server: server.reconnects), _AGAIN_S


def _words_of(error: BaseException) -> str:
    return str(error) or type(error).__name__
