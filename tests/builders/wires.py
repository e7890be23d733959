"""Clients for the end-to-end tests that keep every byte they were sent."""

import asyncio
import contextlib
import itertools
from collections.abc import AsyncIterator, Callable, Iterable
from typing import TypeGuard, TypeVar, final
from urllib.parse import urlsplit

from websockets.asyncio.client import ClientConnection
from websockets.asyncio.client import connect as open_socket
from websockets.exceptions import ConnectionClosed
from websockets.typing import Subprotocol

from sunglare_protocol.codec import Form, decode_server, encode_client, encode_server
from sunglare_protocol.compact import Unfolding
from sunglare_protocol.ids import MatchId
from sunglare_protocol.messages import (
    PROTOCOL_VERSION,
    Accepted,
    Bye,
    ClientMessage,
    FetchRecord,
    Frame,
    Hello,
    Info,
    Leave,
    Listing,
    ListMatches,
    Matches,
    MatchInfo,
    News,
    Over,
    Piece,
    Ping,
    Pong,
    Ready,
    Refused,
    Resign,
    Reveal,
    ServerMessage,
    Welcome,
)
from sunglare_protocol.refusals import Code

AGAIN_S = 0.1
"""Seconds after which a command that was not stored is asked again."""

WAIT_S = 90.0
"""Seconds in which anything that a test waits for must come."""

INCOMING_BYTES = 4 * 1024 * 1024

Post = Frame | News | Over
"""What belongs to the sequence of a match."""

Kind = Callable[..., ClientMessage]
"""The class of a client message."""

Wanted = TypeVar("Wanted", bound=ServerMessage)


def is_unstored(answer: ServerMessage) -> bool:
    """Return whether a command was refused since the journal takes nothing now."""
    return isinstance(answer, Refused) and answer.code is Code.SERVER_JOURNAL


@final
class Talker:
    """One connection that keeps every message that came, as bytes and decoded, and those sent.

    A message that does not decode, or that encodes to other bytes, fails the next wait.
    """

    def __init__(self, socket: ClientConnection, form: Form) -> None:
        """Read from `socket` until it ends."""
        self.socket = socket
        self.form = form
        self._unfolding = Unfolding()
        self.ids = itertools.count(1)
        self.welcome: Welcome | None = None
        self.sent: list[ClientMessage] = []
        self.raw: list[bytes] = []
        self.messages: list[ServerMessage] = []
        self._fault: Exception | None = None
        self._ended = False
        self._stirred = asyncio.Event()
        self._reader = asyncio.create_task(self._read())

    @property
    def token(self) -> str:
        """Return the token that the server gave."""
        assert self.welcome is not None
        return self.welcome.token

    async def send(self, message: ClientMessage) -> None:
        """Send a message as it is."""
        self.sent.append(message)
        await self.send_raw(encode_client(message, self.form))

    async def send_raw(self, data: bytes) -> None:
        """Send bytes as one message of the form that was agreed."""
        await self.socket.send(data, text=self.form is Form.JSON)

    async def ask(self, kind: Kind, /, **fields: object) -> ServerMessage:
        """Send a command with the next id, or the one given, and return its answer."""
        message = kind(**{"id": next(self.ids), **fields})
        start = len(self.messages)
        await self.send(message)
        return await self.wait_for(lambda heard: getattr(heard, "id", None) == message.id, start)

    async def expect(self, wanted: type[Wanted], kind: Kind, /, **fields: object) -> Wanted:
        """Do what `ask` does; the answer must be a `wanted`.

        A command that the server could not store is asked again, as every client does: on a busy
        machine an append may take longer than the second that the server gives it.
        """
        answer = await self.ask(kind, **fields)
        async with asyncio.timeout(WAIT_S):
            while wanted is not Refused and is_unstored(answer):
                await asyncio.sleep(AGAIN_S)
                answer = await self.ask(kind, **fields)
        assert isinstance(answer, wanted), answer
        return answer

    async def accepted(self, kind: Kind, /, **fields: object) -> Accepted:
        """Do what `ask` does; the command must be accepted."""
        return await self.expect(Accepted, kind, **fields)

    async def refused(self, kind: Kind, /, **fields: object) -> Refused:
        """Do what `ask` does; the command must be refused."""
        return await self.expect(Refused, kind, **fields)

    async def code(self, kind: Kind, /, **fields: object) -> Code:
        """Do what `refused` does and return the code."""
        return (await self.refused(kind, **fields)).code

    async def fault(self, kind: Kind, /, **fields: object) -> tuple[Code, str]:
        """Do what `refused` does and return the code and what it is about."""
        refused = await self.refused(kind, **fields)
        return refused.code, refused.at

    async def ping(self) -> None:
        """Wait for a pong, before which whatever was sent here or was under way has come."""
        await self.expect(Pong, Ping)

    async def info(self, match: MatchId) -> MatchInfo:
        """Return what is told of a match."""
        return await self.expect(MatchInfo, Info, match=match)

    async def listed(self, which: Listing | None = None, **fields: object) -> Matches:
        """Return a list of matches, or the beginnings of three."""
        return await self.expect(Matches, ListMatches, which=which, **fields)

    async def ready(self, match: MatchId) -> None:
        """Say that one's seat is ready."""
        await self.accepted(Ready, match=match)

    async def leave(self, match: MatchId) -> None:
        """Leave the seat, or else the feed or the room, that one has of a match."""
        await self.accepted(Leave, match=match)

    async def reveal(self, match: MatchId, entropy: bytes) -> None:
        """Reveal the entropy that was pledged."""
        await self.accepted(Reveal, match=match, entropy=entropy.hex())

    async def resign(self, match: MatchId) -> None:
        """Give up one's seat in a match that goes on."""
        await self.accepted(Resign, match=match)

    async def wait_for(
        self, wanted: Callable[[ServerMessage], bool], start: int = 0
    ) -> ServerMessage:
        """Return the first message since number `start` that is wanted, as soon as it is there."""
        async with asyncio.timeout(WAIT_S):
            while True:
                self._stirred.clear()
                for message in self.messages[start:]:
                    if wanted(message):
                        return message
                start = len(self.messages)
                if self._fault is not None:
                    raise self._fault
                assert not self._ended, f"the connection has ended: {self.ending}"
                await self._stirred.wait()

    async def came(self, kind: type[Wanted], start: int = 0) -> Wanted:
        """Return the first `kind` since message number `start` once it has come."""
        found = await self.wait_for(lambda message: isinstance(message, kind), start)
        assert isinstance(found, kind)
        return found

    async def told(self, text: str, times: int = 1) -> None:
        """Wait until news of this text have come so often."""
        await self.wait_for(
            lambda _: [news.text for news in self.every(News)].count(text) >= times
        )

    def every(self, kind: type[Wanted], start: int = 0) -> list[Wanted]:
        """Return each `kind` that came since message number `start`."""
        return [message for message in self.messages[start:] if isinstance(message, kind)]

    async def nth(self, number: int, kind: type[Wanted]) -> Wanted:
        """Return message `number` once it has come; it must be a `kind`."""
        while len(self.messages) <= number:
            await self.more()
        found = self.messages[number]
        assert isinstance(found, kind), found
        return found

    async def more(self) -> None:
        """Wait for another message."""
        await self.wait_for(lambda _: True, len(self.messages))

    async def wait_closed(self) -> int | None:
        """Wait for the end of the connection and return its close code."""
        async with asyncio.timeout(WAIT_S):
            await asyncio.wait([self._reader])
        if self._fault is not None:
            raise self._fault
        return self.socket.close_code

    @property
    def ending(self) -> tuple[int | None, str | None]:
        """Return code and reason of the close."""
        return self.socket.close_code, self.socket.close_reason

    @property
    def farewell(self) -> Code:
        """Return why the server has ended the connection: its last message says so."""
        bye = self.messages[-1]
        assert isinstance(bye, Bye)
        return Code(bye.code)

    def posts(self, match: MatchId, start: int = 0) -> list[Post]:
        """Return what came in the sequence of a match since message number `start`."""
        return [message for message in self.messages[start:] if _is_post(message, match)]

    def sequence(self, match: MatchId) -> dict[int, bytes]:
        """Return the bytes of what came in the sequence of a match, by number."""
        return sequence(self.raw, match, self.form)

    async def record(self, match: MatchId, code: str | None = None) -> bytes:
        """Return the record file of a match; `code` is that of a private one.

        What the server could not answer for a second is asked again, as in `expect`.
        """
        async with asyncio.timeout(WAIT_S):
            number, last = await self._record(match, code)
            while is_unstored(last):
                await asyncio.sleep(AGAIN_S)
                number, last = await self._record(match, code)
        assert isinstance(last, Piece), last
        pieces = [
            piece for piece in self.messages if isinstance(piece, Piece) and piece.id == number
        ]
        return b"".join(piece.data for piece in pieces)

    async def _record(self, match: MatchId, code: str | None) -> tuple[int, ServerMessage]:
        """Ask for a record; return the number of the question and what ends its answer."""
        number = next(self.ids)
        await self.send(FetchRecord(id=number, match=match, code=code))

        def ends(message: ServerMessage) -> bool:
            is_end = isinstance(message, Refused) or (isinstance(message, Piece) and message.last)
            return is_end and getattr(message, "id", None) == number

        return number, await self.wait_for(ends)

    async def close(self) -> None:
        """Close the connection; raise if anything odd came over it."""
        await self.socket.close()
        await self.wait_closed()

    async def cut(self) -> None:
        """Break the connection off without a word."""
        self.socket.transport.abort()
        await self.wait_closed()

    async def _read(self) -> None:
        try:
            async for data in self.socket:
                self._keep(data)
        except ConnectionClosed:
            pass
        except Exception as fault:  # noqa: BLE001 - raised again where the test waits
            self._fault = fault
        finally:
            self._ended = True
            self._stirred.set()

    def _keep(self, data: bytes | str) -> None:
        whole = self._unfolding.whole(data) if self.form is Form.COMPACT else data
        message = decode_server(whole, self.form)
        raw = data.encode() if isinstance(data, str) else data
        # What was made of a change has its keys in another order.
        if whole is data and encode_server(message, self.form) != raw:
            raise AssertionError(f"these bytes are not those of {message}")
        self.raw.append(raw)
        self.messages.append(message)
        self._stirred.set()


def _is_post(message: ServerMessage, match: MatchId) -> TypeGuard[Post]:
    return isinstance(message, Frame | News | Over) and message.match == match and message.seq > 0


def sequence(raw: Iterable[bytes], match: MatchId, form: Form = Form.PACKED) -> dict[int, bytes]:
    """Return the bytes of frames, news and end of a match by number; a repetition must be alike.

    Two feeds of one match have two sequences and must come over two connections.
    """
    found: dict[int, bytes] = {}
    for data in raw:
        message = decode_server(data if form is not Form.JSON else data.decode(), form)
        if isinstance(message, Frame | News | Over) and message.match == match and message.seq:
            assert found.setdefault(message.seq, data) == data, message.seq
    return found


@contextlib.asynccontextmanager
async def dialled(
    url: str, form: Form = Form.PACKED, *, address: str | None = None
) -> AsyncIterator[Talker]:
    """Open a connection that has not said hello; close it in the end.

    `address` is where it comes from, as a proxy would say that the server trusts.
    """
    socket = await open_socket(
        url,
        additional_headers={} if address is None else {"X-Forwarded-For": address},
        subprotocols=[Subprotocol(form.value)],
        compression=None,
        max_size=INCOMING_BYTES,
        proxy=None,
    )
    talker = Talker(socket, form)
    try:
        yield talker
    finally:
        await talker.close()


@contextlib.asynccontextmanager
async def met(
    url: str,
    name: str | None = None,
    *,
    token: str | None = None,
    form: Form = Form.PACKED,
    address: str | None = None,
    bot: bool = False,
) -> AsyncIterator[Talker]:
    """Open a connection and say hello, as a bot or not; close it in the end."""
    async with dialled(url, form, address=address) as talker:
        talker.welcome = await talker.expect(
            Welcome, Hello, v=PROTOCOL_VERSION, name=name, token=token, bot=bot
        )
        yield talker


@contextlib.asynccontextmanager
async def plain_line(
    url: str, data: bytes = b""
) -> AsyncIterator[tuple[asyncio.StreamReader, asyncio.StreamWriter]]:
    """Open a line to the port of a server and write some bytes; close it in the end."""
    where = urlsplit(url)
    reader, writer = await asyncio.open_connection(where.hostname, where.port)
    writer.write(data)
    try:
        yield reader, writer
    finally:
        writer.close()
        with contextlib.suppress(ConnectionError):
            await writer.wait_closed()


async def asked_plainly(url: str, path: str) -> bytes:
    """Return the answer to a plain HTTP request."""
    request = f"GET {path} HTTP/1.1\r\nHost: {urlsplit(url).netloc}\r\n\r\n".encode()
    async with asyncio.timeout(WAIT_S), plain_line(url, request) as (reader, _):
        return await reader.read()
