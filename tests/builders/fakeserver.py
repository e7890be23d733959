"""A server of one match that a test scripts: real sockets and the real codec, no rules at all."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from typing import TypeVar

from websockets.asyncio.server import Server, ServerConnection, serve
from websockets.exceptions import ConnectionClosed
from websockets.typing import Subprotocol

from sunglare_protocol.codec import Form, decode_client, encode_server
from sunglare_protocol.geometry import Board
from sunglare_protocol.ids import Audience, MatchId, Side, WindowId
from sunglare_protocol.messages import (
    PROTOCOL_VERSION,
    Accepted,
    Answer,
    Ask,
    ClientMessage,
    Ending,
    Frame,
    GiveOrders,
    Hello,
    Join,
    Limits,
    News,
    NewsKind,
    Over,
    Ping,
    Pong,
    Refused,
    Result,
    Resume,
    Resumed,
    ResumeKind,
    ScenarioCard,
    Seated,
    ServerMessage,
    Welcome,
)
from sunglare_protocol.messages.answers import Card
from sunglare_protocol.refusals import SENTENCES, Code
from sunglare_protocol.views import Stage, View
from sunglare_protocol.words.ladder import Phase

MATCH = MatchId("m" * 26)
SIDE = Side("A")
WAIT_S = 90.0
CARD = ScenarioCard(
    name="test",
    title="A test",
    brief="",
    turns=20,
    board=Board(),
    sides=(Side("A"), Side("B")),
    zones={Side("A"): ("A1",), Side("B"): ("H8",)},
    options={},
)

Result_ = TypeVar("Result_")
Post = Frame | News | Over


async def soon(awaitable: Awaitable[Result_]) -> Result_:
    """Return what `awaitable` gives within a bounded time."""
    async with asyncio.timeout(WAIT_S):
        return await awaitable


async def until(condition: Callable[[], bool]) -> None:
    """Wait, for a bounded time, until `condition` holds."""
    async with asyncio.timeout(WAIT_S):
        while not condition():  # noqa: ASYNC110 - a test looks from outside
            await asyncio.sleep(0.01)


class Talk:
    """The server's end of one connection."""

    def __init__(self, socket: ServerConnection) -> None:
        self.socket = socket
        self.form = Form(socket.subprotocol)

    async def receive(self) -> ClientMessage:
        """Return the client's next message."""
        return decode_client(await self.socket.recv(), self.form)

    async def send(self, *messages: ServerMessage) -> None:
        """Send messages."""
        for message in messages:
            await self.socket.send(encode_server(message, self.form), text=self.form is Form.JSON)

    async def greet(self) -> Hello:
        """Answer the hello, and return it."""
        hello = await self.receive()
        assert isinstance(hello, Hello)
        await self.send(welcome(hello))
        return hello

    def cut(self) -> None:
        """Cut the line without a word."""
        self.socket.transport.abort()


Script = Callable[[Talk], Awaitable[None]]


@asynccontextmanager
async def serving(script: Script) -> AsyncIterator[str]:
    """Serve `script` to every client; give the address to connect to."""

    async def handle(socket: ServerConnection) -> None:
        try:
            await script(Talk(socket))
        except ConnectionClosed:
            return
        await socket.wait_closed()

    protocols = [Subprotocol(form.value) for form in (Form.COMPACT, Form.PACKED, Form.JSON)]
    async with serve(handle, "127.0.0.1", 0, subprotocols=protocols, compression=None) as server:
        yield f"ws://127.0.0.1:{_port(server)}"


class Table:
    """A match with one seat: it keeps posts and answers, and lets its clients come back."""

    def __init__(
        self, *posts: Post, refuses: dict[type[ClientMessage], Code] | None = None
    ) -> None:
        """Keep the posts, and refuse the commands of these classes."""
        self.posts: list[Post] = [*posts]
        self.commands: list[ClientMessage] = []
        self.resumes: list[Resume] = []
        self.hellos: list[Hello] = []
        self.tickets = ["ticket-0"]
        self.silent = False
        self.ring = 256
        self.refusal: Code | None = None
        self.account_refusal: Code | None = Code.SEAT_NONE
        self.gives_tickets = True
        self.talk: Talk | None = None
        self.last_id = 0
        self.rev = 0
        self.refuses = refuses or {}
        self._answers: dict[int, ServerMessage] = {}

    async def script(self, talk: Talk) -> None:
        """Serve one connection for as long as it lasts."""
        self.hellos.append(await talk.greet())
        while True:
            message = await talk.receive()
            match message:
                case Join():
                    self.talk = talk
                    await talk.send(self._seated(message))
                    await talk.send(*self.posts)
                case Resume():
                    await self._resume(talk, message)
                case Ping():
                    await talk.send(Pong(id=message.id, time_ms=0))
                case _:
                    await self._command(talk, message)

    async def post(self, *posts: Post) -> None:
        """Keep posts, and send them to whoever is there."""
        self.posts.extend(posts)
        if self.talk is not None:
            with suppress(ConnectionClosed):
                await self.talk.send(*posts)

    def cut(self) -> None:
        """Cut the line of whoever is there; what is posted meanwhile is missed."""
        assert self.talk is not None
        self.talk.cut()
        self.talk = None

    async def _command(self, talk: Talk, message: ClientMessage) -> None:
        self.commands.append(message)
        if message.id not in self._answers:
            code = self.refuses.get(type(message))
            self._answers[message.id] = (
                answer(message) if code is None else refused(message.id, code)
            )
            self.last_id = max(self.last_id, message.id)
        if not self.silent:
            await talk.send(self._answers[message.id])

    async def _resume(self, talk: Talk, message: Resume) -> None:
        self.resumes.append(message)
        refusal = self.account_refusal if message.ticket is None else self.refusal
        if refusal is not None:
            await talk.send(refused(message.id, refusal))
            return
        assert message.ticket in (None, *self.tickets[-2:])
        if self.gives_tickets:
            self.tickets.append(f"ticket-{len(self.tickets)}")
        missed = [post for post in self.posts if post.seq > message.have]
        exact = len(missed) <= self.ring
        self.talk = talk
        await talk.send(
            Resumed(
                id=message.id,
                match=MATCH,
                side=SIDE,
                ticket=self.tickets[-1] if self.gives_tickets else None,
                kind=ResumeKind.EXACT if exact else ResumeKind.RESET,
                since_ms=0,
                last_id=self.last_id,
                card=CARD,
                rev=self.rev,
            )
        )
        await talk.send(*(missed if exact else missed[-1:]))

    def _seated(self, join: Join) -> Seated:
        return Seated(
            id=join.id, match=MATCH, side=SIDE, ticket="ticket-0", commitment="", card=CARD
        )


def welcome(hello: Hello) -> Welcome:
    """Return the answer to a hello; the token names the caller."""
    return Welcome(
        id=hello.id,
        v=PROTOCOL_VERSION,
        name=hello.name or "someone",
        token=hello.token or "fresh-token",
        time_ms=1_000_000,
        limits=Limits(message_bytes=32768, orders=512, name=24, chat=300),
    )


def answer(message: ClientMessage) -> Accepted | Answer:
    """Return that a command is accepted, or an answer to a question."""
    if isinstance(message, Ask):
        return Answer(id=message.id, match=MATCH, answer=Card(title=str(message.about), lines=()))
    if isinstance(message, GiveOrders):
        return Accepted(id=message.id, window=message.window, rev=message.rev)
    return Accepted(id=message.id)


def refused(number: int, code: Code) -> Refused:
    """Return that a command is refused."""
    return Refused(id=number, code=code, text=SENTENCES[code])


def view(phase: Phase = Phase.PLOT, turn: int = 1, slot: Side | None = None) -> View:
    """Return a view of an empty map."""
    window = WindowId(f"{turn}.{phase.value}")
    stage = Stage(turn=turn, turns=20, phase=phase, window=window, slot=slot)
    return View(audience=Audience(SIDE), stage=stage, board=Board())


def frame(seq: int, seen: View | None = None, pad: str = "") -> Frame:
    """Return a frame; its turn is its number unless its view says otherwise."""
    shown = seen or view(turn=seq)
    return Frame(
        match=MATCH,
        seq=seq,
        turn=shown.stage.turn,
        window=shown.stage.window,
        closes_ms=1000,
        bank_ms=0,
        view=shown,
        pad=pad,
    )


def news(seq: int, text: str = "hello") -> News:
    """Return a line of chat."""
    return News(match=MATCH, seq=seq, kind=NewsKind.CHAT, text=text)


def over(seq: int) -> Over:
    """Return the end of a match: a draw."""
    result = Result(winner=None, ending=Ending.DRAW, points={})
    return Over(match=MATCH, seq=seq, result=result, seed="", head="")


def _port(server: Server) -> int:
    return int(next(iter(server.sockets)).getsockname()[1])
