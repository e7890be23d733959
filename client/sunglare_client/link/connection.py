"""One WebSocket to a server: hello, questions with their answers, and the feed of the rest."""

import asyncio
import contextlib
from collections.abc import Callable
from types import TracebackType
from typing import Any, NamedTuple, Self, TypeAlias, TypeVar
from urllib.parse import urlsplit

from websockets.asyncio.client import ClientConnection, unix_connect
from websockets.asyncio.client import connect as open_socket
from websockets.exceptions import ConnectionClosed, InvalidStatus, WebSocketException
from websockets.typing import Subprotocol

from sunglare_client.errors import SUPERSEDED, LostError, RefusedError, SupersededError
from sunglare_client.link.feed import Feed
from sunglare_client.link.handshakes import proxy_to, said_by, unreached
from sunglare_client.link.posts import Arrival, Posts
from sunglare_client.link.posts import Post as Post
from sunglare_client.link.server_address import PATH, UNIX, address
from sunglare_protocol import __version__, messages
from sunglare_protocol.codec import Form, decode_server, encode_client
from sunglare_protocol.compact import Unfolding
from sunglare_protocol.errors import ProtocolError, SunglareError
from sunglare_protocol.ids import NO_MATCH, MatchId

INCOMING_BYTES = 4 * 1024 * 1024
"""The longest message that is taken from a server."""

PING_S = 5.0
"""Seconds between two heartbeats."""

PING_TIMEOUT_S = 7.0
"""A heartbeat that is not answered within this many seconds ends the connection."""

OPEN_S = 10.0
"""Seconds in which the connection must stand and `hello` be answered."""

ANSWER_S = 30.0
"""Seconds in which a request must be answered."""

CLIENT = f"sunglare {__version__.partition('+')[0]}"
"""What the library calls itself unless its user says otherwise."""

Kind: TypeAlias = Callable[..., messages.ClientMessage]
"""The class of a client message."""

Wanted = TypeVar("Wanted", bound=messages.ServerMessage)


class Dial(NamedTuple):
    """How a connection was made, so that it can be made again."""

    url: str
    client: str
    form: Form
    bot: bool = False


class _Asked(NamedTuple):
    """A message on its way, as bytes, and what waits for its answer."""

    data: bytes
    answer: asyncio.Future[messages.ServerMessage]


class _Record(NamedTuple):
    """A record on its way, of which no more than `most` bytes are kept."""

    data: bytearray
    most: int | None

    def take(self, data: bytes) -> None:
        """Keep what comes next."""
        room = len(data) if self.most is None else max(0, self.most - len(self.data))
        self.data.extend(data[:room])


def concerns(post: Post, match: MatchId) -> bool:
    """Return whether a post is of a match, or of the whole server and so of every match."""
    return post.match in (match, NO_MATCH)


class Ids:
    """The numbers of commands: each is higher than all before it."""

    def __init__(self) -> None:
        self._last = 0

    def next(self) -> int:
        """Return a new number, 1 at first."""
        self._last += 1
        return self._last

    def rise_above(self, number: int) -> None:
        """Go on above `number`."""
        self._last = max(self._last, number)


class Connection:
    """One open connection; `connect` makes it.

    `welcome` names the caller's account, `feed` gives frames, news, ends and the last `bye`,
    `server_offset_ms` is what to add to the event loop's clock in ms to get the server's.
    """

    welcome: messages.Welcome

    def __init__(self, socket: ClientConnection, dial: Dial, ids: Ids) -> None:
        self.dial = dial
        self.ids = ids
        self.arrivals: Feed[Arrival] = Feed()
        self.feed = Posts(self.arrivals)
        self.bye: messages.Bye | None = None
        self.server_offset_ms = 0.0
        self._socket = socket
        self._unfolding = Unfolding()
        self._closing = False
        self._answers: dict[int, _Asked] = {}
        self._repeats: dict[int, asyncio.Task[None]] = {}
        self._records: dict[int, _Record] = {}
        self._reader = asyncio.create_task(self._read())

    async def submit(
        self, message: messages.ClientMessage
    ) -> asyncio.Future[messages.ServerMessage]:
        """Send `message` as it is and return the future of its answer, refusals among them.

        The future raises `LostError` if the connection ends first, and so does this. What the
        server had no time for is sent again when the server said it would have.
        """
        if self._reader.done():
            raise self.lost
        answer: asyncio.Future[messages.ServerMessage] = asyncio.get_running_loop().create_future()
        data = encode_client(message, self.dial.form)
        self._answers[message.id] = _Asked(data, answer)
        try:
            await self._send(data)
        except BaseException as fault:
            self._answers.pop(message.id, None)
            # No caller gets to wait for it; one that has failed already would complain of that.
            if answer.done() and not answer.cancelled():
                answer.exception()
            if isinstance(fault, ConnectionClosed):
                raise self.lost from None
            raise
        return answer

    async def request(self, kind: Kind, /, **fields: object) -> messages.ServerMessage:
        """Send a command of this class with the next id and return its answer.

        Raise `RefusedError` for a refusal, `LostError` if the connection ends first, and
        `TimeoutError` if no answer comes in time.
        """
        return await self._ask(kind(id=self.ids.next(), **fields))

    async def expect(self, wanted: type[Wanted], kind: Kind, /, **fields: object) -> Wanted:
        """Do what `request` does and return the answer as a `wanted`; `ProtocolError` if not."""
        answer = await self.request(kind, **fields)
        if not isinstance(answer, wanted):
            raise ProtocolError(f"{type(answer).__name__} answers no {kind}")
        return answer

    async def record(
        self, match: MatchId, from_byte: int = 0, most: int | None = None, code: str | None = None
    ) -> bytes:
        """Return the record from a byte on, cut behind `most`; a private match takes its code."""
        number = self.ids.next()
        self._records[number] = _Record(bytearray(), most)
        try:
            wanted = messages.FetchRecord(id=number, match=match, from_byte=from_byte, code=code)
            await self._ask(wanted)
            return bytes(self._records[number].data)
        finally:
            del self._records[number]

    async def round_trip_ms(self) -> float:
        """Return how long a ping of the line itself takes; `LostError` if the line ends first.

        The answer to `ping` waits for its grid: it gives the time, not the way.
        """
        sent = _now_ms()
        try:
            await (await self._socket.ping())
        except ConnectionClosed:
            raise self.lost from None
        return _now_ms() - sent

    async def measure_offset(self, rounds: int = 3) -> float:
        """Set and return `server_offset_ms`, from the quickest of some answers to `ping`.

        They say when they left: they are behind by half of the way there and back.
        """
        way_ms = min([await self.round_trip_ms() for _ in range(rounds)])
        ahead_ms = max([await self._ahead_ms() for _ in range(rounds)])
        self.server_offset_ms = ahead_ms + way_ms / 2
        return self.server_offset_ms

    async def _ahead_ms(self) -> float:
        pong = await self.expect(messages.Pong, messages.Ping)
        return pong.time_ms - _now_ms()

    def server_now_ms(self) -> float:
        """Return the server's clock in ms, as far as it is known here."""
        return _now_ms() + self.server_offset_ms

    async def again(self) -> "Connection":
        """Return a new connection of the same person to the same server; the ids go on."""
        url, client, form, bot = self.dial
        token = self.welcome.token
        return await connect(url, token=token, client=client, form=form, ids=self.ids, bot=bot)

    @property
    def lost(self) -> LostError:
        """Return how the connection ended, once it has."""
        code, reason = self._socket.close_code, self._socket.close_reason or ""
        kind = SupersededError if code == SUPERSEDED else LostError
        return kind(reason, code, self.bye)

    async def close(self) -> None:
        """Close the connection; the feed ends quietly."""
        self._closing = True
        await self._socket.close()
        await self._reader

    async def __aenter__(self) -> Self:
        """Return the connection."""
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        fault: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Close the connection."""
        await self.close()

    async def _ask(self, message: messages.ClientMessage) -> messages.ServerMessage:
        try:
            async with asyncio.timeout(ANSWER_S):
                answer = await (await self.submit(message))
        finally:
            self._answers.pop(message.id, None)
        if isinstance(answer, messages.Refused):
            raise RefusedError(answer)
        return answer

    async def _read(self) -> None:
        fault: Exception | None = None
        try:
            async for data in self._socket:
                self._take(data)
        except ConnectionClosed:
            pass
        except SunglareError as error:
            fault = error
            await self._socket.close(1002 if isinstance(error, ProtocolError) else 1001)
        finally:
            self._end(fault)

    def _take(self, data: bytes | str) -> None:
        whole = self._unfolding.whole(data) if self.dial.form is Form.COMPACT else data
        self._deliver(decode_server(whole, self.dial.form), whole)

    def _deliver(self, message: messages.ServerMessage, data: bytes | str) -> None:
        match message:
            case messages.Frame():
                self.arrivals.put(Arrival(message, data, self.dial.form))
            case messages.News() | messages.Over():
                self.arrivals.put(Arrival(message))
            case messages.Bye():
                self.bye = message
                self.arrivals.put(Arrival(message))
            case messages.Piece():
                self._collect(message)
            case _:
                self._answer(message.id, message)

    def _collect(self, piece: messages.Piece) -> None:
        if piece.id in self._records:
            self._records[piece.id].take(piece.data)
        if piece.last:
            self._answer(piece.id, piece)

    def _answer(self, number: int, message: messages.ServerMessage) -> None:
        # An answer without a waiter is no fault of the server's.
        asked = self._answers.get(number)
        if asked is None or asked.answer.done():
            self._answers.pop(number, None)
        elif isinstance(message, messages.Refused) and message.retry_ms > 0:
            self._repeats[number] = asyncio.create_task(self._repeat(number, message.retry_ms))
        else:
            del self._answers[number]
            asked.answer.set_result(message)

    async def _repeat(self, number: int, wait_ms: int) -> None:
        await asyncio.sleep(wait_ms / 1000)
        self._repeats.pop(number, None)
        asked = self._answers.get(number)
        if asked is not None and not asked.answer.done():
            with contextlib.suppress(ConnectionClosed):
                await self._send(asked.data)

    async def _send(self, data: bytes) -> None:
        await self._socket.send(data, text=self.dial.form is Form.JSON)

    def _end(self, fault: Exception | None) -> None:
        lost = fault or self.lost
        waiting, self._answers = self._answers, {}
        for repeat in self._repeats.values():
            repeat.cancel()
        for asked in waiting.values():
            if not asked.answer.done():
                asked.answer.set_exception(lost)
        quiet = fault is None and (self._closing or self.bye is not None)
        self.arrivals.end(None if quiet else lost)


async def connect(
    url: str,
    *,
    name: str | None = None,
    token: str | None = None,
    client: str = CLIENT,
    form: Form = Form.COMPACT,
    ids: Ids | None = None,
    bot: bool = False,
) -> Connection:
    """Connect to a server, say hello and return the connection.

    `bot` says that a program plays on it, not a person; all audiences see that of its seats. Raise
    `LostError` if no server answers there, `RefusedError` if hello is refused.
    """
    dial = Dial(address(url), client, form, bot)
    try:
        async with asyncio.timeout(OPEN_S):
            socket = await _open(dial)
            connection = Connection(socket, dial, ids or Ids())
            try:
                await _greet(connection, name, token)
            except BaseException:
                await connection.close()
                raise
    except InvalidStatus as fault:
        raise LostError(said_by(fault)) from fault
    except (OSError, WebSocketException) as fault:  # a time-out is an OSError too
        raise unreached(url, fault) from fault
    return connection


async def _greet(connection: Connection, name: str | None, token: str | None) -> None:
    client, sent = connection.dial.client, _now_ms()
    connection.welcome = await connection.expect(
        messages.Welcome,
        messages.Hello,
        v=messages.PROTOCOL_VERSION,
        client=client,
        name=name,
        token=token,
        bot=connection.dial.bot,
    )
    connection.server_offset_ms = connection.welcome.time_ms - (sent + _now_ms()) / 2


async def _open(dial: Dial) -> ClientConnection:
    parts = urlsplit(dial.url)
    # A server that knows no changes sends every frame whole, which is the same to us.
    offered = [dial.form.value, *[Form.PACKED.value] * (dial.form is Form.COMPACT)]
    options: dict[str, Any] = {
        "subprotocols": [Subprotocol(form) for form in offered],
        "compression": None,
        "max_size": INCOMING_BYTES,
        "ping_interval": PING_S,
        "ping_timeout": PING_TIMEOUT_S,
        "close_timeout": 2,
    }
    if parts.scheme == UNIX:
        socket = await unix_connect(parts.path, uri=f"ws://localhost{PATH}", **options)
    else:
        socket = await open_socket(dial.url, proxy=proxy_to(dial.url), **options)
    if socket.subprotocol not in offered:
        await socket.close(1002)
        raise ProtocolError(f"the server does not speak {dial.form.value}")
    return socket


def _now_ms() -> float:
    return asyncio.get_running_loop().time() * 1000
