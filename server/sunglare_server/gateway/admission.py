"""Admission: who may open a connection, from which page, and how many of them."""

import asyncio
import http
from collections.abc import Callable
from typing import cast, final

import structlog
from websockets.asyncio.server import Server, ServerConnection
from websockets.frames import Frame, Opcode
from websockets.http11 import Request, Response
from websockets.protocol import Event, State
from websockets.server import ServerProtocol

from sunglare_server.base.clock import Clock
from sunglare_server.config import Settings
from sunglare_server.gateway.addresses import key_of
from sunglare_server.gateway.client_addresses import ClientAddresses
from sunglare_server.gateway.host_names import HostNames
from sunglare_server.gateway.origins import Origins
from sunglare_server.gateway.token_bucket import Buckets, Rate

RETRY_S = 5
"""OWN: after how many seconds a rejected client may try again."""

WAITING_FACTOR = 2
"""OWN: connections that still say who they are included, there may be this many times the most."""

LOG_EVERY_MS = 60_000
"""How often the log says that connections are turned away, for each reason."""

KNOCKS_MS = 100
"""OWN: an address may ask to be let in once in this time, in the long run."""

KNOCKS_SPARE = 100
"""OWN: how often it may at once, beyond twice the connections that it may have."""

PING_BYTES = 4
"""How long the number of a ping is."""

_OF_MESSAGES = (Opcode.BINARY, Opcode.TEXT, Opcode.CONT)

HASTY = "your address opens connections too quickly"
FULL = "the server has as many connections as it may"
CROWDED = "your address has as many connections as it may"
FOREIGN = "pages of that origin may not connect here"
MISDIRECTED = "the server is not known by the name that was asked for"


@final
class CountedConnection(ServerConnection):
    """A connection that is counted from its first byte to its last.

    `peer` is the address at the other end of the line, which is counted under `line`; `key` is who
    is behind that: the same unless there is a proxy between. Our own bots have neither. `local` is
    the address at this end, and `scheme` that of a page which the line would bring.
    """

    def __init__(
        self,
        protocol: ServerProtocol,
        server: Server,
        *,
        admission: "Admission",
        own: bool,
        **rest: object,
    ) -> None:
        """Come to `admission`; `own` is a house bot's, which came by the server's own socket."""
        super().__init__(protocol, server, **rest)  # type: ignore[arg-type] # what serve gives
        self.peer = self.local = ""
        self.scheme = "http"
        self.line: str | None = None
        self.key: str | None = None
        self.is_inside = False
        self.is_own = own
        self._admission = admission
        self._is_malformed = False
        self._deadline: asyncio.TimerHandle | None = None
        self._when_gone: list[Callable[[], None]] = []
        self.is_gone = False
        self._asked = self._answered = 0
        self._asked_at = 0.0
        self._take_now: Callable[[bytes], bool] | None = None
        self._unread = 0

    def connection_made(self, transport: object) -> None:
        """Begin, unless there are too many that only hold a line."""
        super().connection_made(transport)  # type: ignore[arg-type] # asyncio's own
        # Once the line is gone, not every event loop knows it any more.
        name = self.transport.get_extra_info("peername")
        self.peer = str(name[0]) if isinstance(name, tuple) else ""
        own_name = self.transport.get_extra_info("sockname")
        self.local = str(own_name[0]) if isinstance(own_name, tuple) else ""
        if self.transport.get_extra_info("sslcontext") is not None:
            self.scheme = "https"
        self.give_time(self._admission.handshake_s)
        if not self._admission.enter(self):
            self.transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        """Make room for another, in memory too."""
        self.is_gone = True
        self.let_last()
        self._admission.leave(self)
        for tell in self._when_gone:
            tell()
        super().connection_lost(exc)
        self._let_go()

    def _let_go(self) -> None:
        """Hold nothing that holds this: Python's look for such knots comes seldom."""
        self._when_gone.clear()
        self._take_now = None
        # websockets 17: `serve` ties its choice of a subprotocol to the protocol and to this, and
        # what reads from the line, itself tied to the protocol, waits for more for ever.
        vars(self.protocol).pop("select_subprotocol", None)
        self.protocol.parser.close()
        for fault in (self.protocol.parser_exc, self.protocol.handshake_exc):
            _without_traces(fault)

    def give_time(self, seconds: float) -> None:
        """Cut the line in so many seconds, whatever time was given before."""
        self.let_last()
        if not self.is_gone:
            self._deadline = self.loop.call_later(seconds, self.transport.abort)

    def let_last(self) -> None:
        """Let the line last from now on."""
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def ask(self) -> bool:
        """Ask for a sign of life; return False where the last one has not come."""
        if self._asked != self._answered:
            return False
        if self.protocol.state is State.OPEN and not self.transport.is_closing():
            self._asked += 1
            self._asked_at = self.loop.time()
            self.protocol.send_ping(self._asked.to_bytes(PING_BYTES))
            self.transport.write(b"".join(self.protocol.data_to_send()))
        return True

    def cut(self) -> None:
        """End the line without a word."""
        self.transport.abort()

    def data_received(self, data: bytes) -> None:
        """Read what came, and count a request that is malformed, once."""
        super().data_received(data)
        is_malformed = self.request is None and self.protocol.handshake_exc is not None
        if is_malformed and not self._is_malformed:
            self._is_malformed = True
            self._admission.count_malformed(self)

    def process_event(self, event: Event) -> None:
        """Give a whole message to whom `hear` has named, and note an answer to a ping.

        All else is for the library, which queues it for its reader.
        """
        # websockets 17: `Connection.process_event` gets each frame once the handshake is done.
        if isinstance(event, Frame):
            if event.opcode in _OF_MESSAGES and self._has_taken(event):
                return
            if event.opcode is Opcode.PONG:
                self._note(bytes(event.data))
        super().process_event(event)

    def hear(self, take_now: Callable[[bytes], bool]) -> None:
        """Give messages to `take_now` where they come in; it returns False for one to be queued.

        While a message is queued, and until `has_answered` says that it is done with, all that
        come after it are queued as well.
        """
        self._take_now = take_now

    def has_answered(self) -> None:
        """Note that a message that was queued is done with."""
        self._unread -= 1

    def _has_taken(self, event: Frame) -> bool:
        is_whole = event.fin and event.opcode is Opcode.BINARY
        take_now = self._take_now
        if is_whole and not self._unread and take_now is not None and take_now(bytes(event.data)):
            return True
        self._unread += event.fin
        return False

    def _note(self, data: bytes) -> None:
        # Once only: a second answer would show a longer line, which is granted more time.
        if self._asked != self._answered and data == self._asked.to_bytes(PING_BYTES):
            self._answered = self._asked
            self.latency = self.loop.time() - self._asked_at

    def when_gone(self, tell: Callable[[], None]) -> None:
        """Call `tell` when the line is gone, which may be now."""
        if self.is_gone:
            tell()
        else:
            self._when_gone.append(tell)


def _without_traces(fault: BaseException | None) -> None:
    """Forget where a fault and what led to it were raised: a trace holds all that was at hand."""
    while fault is not None:
        fault.__traceback__ = None
        fault = fault.__cause__ or fault.__context__


@final
class _Count:
    """How many connections an address has: on the line, and admitted."""

    __slots__ = ("inside", "lines")

    def __init__(self) -> None:
        self.lines = 0
        self.inside = 0


@final
class Admission:
    """Counts connections, all and by address, and answers those that are not let in.

    `turned_away` counts by reason.
    """

    def __init__(self, settings: Settings, clock: Clock) -> None:
        """Take the limits of the settings; raise `AddressError` if they name no proxy."""
        self.turned_away: dict[str, int] = {}
        self._addresses = ClientAddresses(settings)
        self.host_names = HostNames(settings)
        self._clock = clock
        self._all = _Count()
        self._by_address: dict[str, _Count] = {}
        self._lines: dict[CountedConnection, None] = {}
        self._is_closed = False
        self._told_ms: dict[str, int] = {}
        self._log = structlog.get_logger()
        self.take(settings)

    def take(self, settings: Settings) -> None:
        """Let in by the limits of these settings from now on; who is in stays."""
        self.handshake_s = settings.handshake_s
        self._most = settings.connections
        self._most_each = settings.connections_per_address
        self._origins = Origins(settings)
        self.host_names.take(settings)
        burst = KNOCKS_SPARE + 2 * settings.connections_per_address
        self._knocks = Buckets(Rate(1, KNOCKS_MS, burst))

    @property
    def most(self) -> int:
        """Return how many connections there may be."""
        return self._most

    @property
    def inside(self) -> int:
        """Return how many connections there are, our own bots' left out."""
        return self._all.inside

    def factory(self, *, own: bool) -> type[ServerConnection]:
        """Return what makes the connections of a listening socket."""

        def made(protocol: ServerProtocol, server: Server, **rest: object) -> CountedConnection:
            return CountedConnection(protocol, server, admission=self, own=own, **rest)

        # All that is asked of the class is to be called.
        return cast(type[ServerConnection], made)

    def enter(self, connection: CountedConnection) -> bool:
        """Count a line that was opened; return False if there are far too many already."""
        self._lines[connection] = None
        if self._is_closed:
            return False
        if connection.is_own:
            return True
        connection.line = connection.key = key_of(connection.peer)
        count = self._by_address.setdefault(connection.line, _Count())
        count.lines += 1
        self._all.lines += 1
        if self._all.lines > WAITING_FACTOR * self._most:
            return self._note(FULL)
        # Behind a proxy all clients share its address.
        is_shared = self._addresses.are_shared(connection.peer)
        if count.lines > WAITING_FACTOR * self._most_each and not is_shared:
            return self._note(CROWDED)
        return True

    def leave(self, connection: CountedConnection) -> None:
        """Count a line no more."""
        del self._lines[connection]
        if connection.line is None or connection.key is None:
            return
        for count in (self._all, self._by_address[connection.line]):
            count.lines -= 1
        if connection.is_inside:
            for count in (self._all, self._by_address[connection.key]):
                count.inside -= 1
        for key in (connection.line, connection.key):
            self._forget(key)

    def close(self) -> None:
        """Cut the lines that have asked for nothing, and all that come in from now on."""
        self._is_closed = True
        for line in tuple(self._lines):
            if line.request is None:
                line.cut()

    def cut_all(self) -> None:
        """Cut every line, amid an answer too."""
        for line in tuple(self._lines):
            line.cut()

    def admit(self, connection: CountedConnection, request: Request) -> Response | None:
        """Return the answer to a request to play that is not let in; None lets it go on."""
        if connection.is_own:
            return None
        key = self.who_asks(connection, request)
        if (hasty := self._knocked(connection, key)) is not None:
            return hasty
        if not self._origins.admits(request):
            self._note(FOREIGN)
            return connection.respond(http.HTTPStatus.FORBIDDEN, f"{_sentence(FOREIGN)}\n")
        return self._with_room(connection, key)

    def misdirected(self, connection: CountedConnection, request: Request) -> Response | None:
        """Return the answer to a request for a name that is not this server's; None admits it."""
        if connection.is_own:
            return None
        refusal = self.host_names.refusal(
            request.headers.get_all("Host"),
            peer=connection.peer,
            local=connection.local,
            scheme=connection.scheme,
        )
        if refusal is None:
            return None
        hasty = self._knocked(connection, self.who_asks(connection, request))
        if hasty is not None:
            return hasty
        self._note(MISDIRECTED)
        return connection.respond(http.HTTPStatus.MISDIRECTED_REQUEST, f"{refusal}\n")

    def who_asks(self, connection: CountedConnection, request: Request) -> str:
        """Return under what the sender of a request is counted, behind a proxy too."""
        return self._addresses.key(connection.peer, request)

    def count_malformed(self, connection: CountedConnection) -> None:
        """Count a request that could not be read, which names no client, as an attempt to play."""
        if connection.line is not None:
            now_ms = self._clock.now_ms()
            self._knocks.of(connection.line, now_ms).charge(1, now_ms)

    def _knocked(self, connection: CountedConnection, key: str) -> Response | None:
        """Count an attempt; return the answer if its address makes them too quickly."""
        now_ms = self._clock.now_ms()
        if not self._knocks.of(key, now_ms).take(1, now_ms):
            return None
        self._note(HASTY)
        return _later(connection, http.HTTPStatus.TOO_MANY_REQUESTS, HASTY)

    def _with_room(self, connection: CountedConnection, key: str) -> Response | None:
        if self._all.inside >= self._most:
            self._note(FULL)
            return _later(connection, http.HTTPStatus.SERVICE_UNAVAILABLE, FULL)
        count = self._by_address.get(key)
        if count is not None and count.inside >= self._most_each:
            self._note(CROWDED)
            return _later(connection, http.HTTPStatus.TOO_MANY_REQUESTS, CROWDED)
        self._let_in(connection, key)
        return None

    def _let_in(self, connection: CountedConnection, key: str) -> None:
        connection.key, connection.is_inside = key, True
        for count in (self._all, self._by_address.setdefault(key, _Count())):
            count.inside += 1

    def _forget(self, key: str) -> None:
        count = self._by_address.get(key)
        if count is not None and not count.lines and not count.inside:
            del self._by_address[key]

    def _note(self, why: str) -> bool:
        self.turned_away[why] = self.turned_away.get(why, 0) + 1
        now_ms, told_ms = self._clock.now_ms(), self._told_ms.get(why)
        if told_ms is None or now_ms >= told_ms + LOG_EVERY_MS:
            self._told_ms[why] = now_ms
            self._log.warning("connections_rejected", why=why, times=self.turned_away[why])
        return False


def _later(connection: CountedConnection, status: http.HTTPStatus, why: str) -> Response:
    response = connection.respond(status, f"{_sentence(why)} Try again in {RETRY_S} seconds.\n")
    response.headers["Retry-After"] = str(RETRY_S)
    return response


def _sentence(why: str) -> str:
    return f"{why[0].upper()}{why[1:]}."
