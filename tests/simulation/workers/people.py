"""People at lines of the gateway: they play, lose their lines, come back, repeat themselves."""

import asyncio
import itertools
from random import Random
from typing import Any, TypeVar, final

from builders.randomplayer import random_orders
from simulation.diary import Diary, Heard, Link
from simulation.workers.carriers import EPOCH
from sunglare_client.bot import is_asked
from sunglare_protocol import messages
from sunglare_protocol.codec import Form, decode_server
from sunglare_protocol.ids import Audience, MatchId
from sunglare_protocol.messages import Bye, Frame, News, Over, Refused, ServerMessage
from sunglare_protocol.refusals import Code
from sunglare_protocol.views import View
from sunglare_server.api.port import Command, Immediate
from sunglare_server.gateway.remote.service import RemoteService
from sunglare_server.runtime.encoded_message import EncodedMessage, Subscriber

ANSWER_S = 40.0
"""How long an answer is waited for on one line."""

THINKS_S = 0.8
"""The longest somebody thinks about a window."""

ORDERS, CHATS, REPEATS, DROPS = 0.25, 0.2, 0.3, 0.06
"""How often somebody gives orders, says something, says it twice, or loses the line."""

RETRIED = (Code.SERVER_JOURNAL, Code.SERVER_CLOSING, Code.MESSAGE_BUSY)
"""The refusals after which one tries again."""

EXPECTED = (
    Code.WINDOW_CLOSED,
    Code.WINDOW_OTHERS,
    Code.REV_OLD,
    Code.MATCH_OVER,
    Code.MESSAGE_STALE,
)
"""The refusals that somebody of good faith may meet."""

Wanted = TypeVar("Wanted", bound=ServerMessage)


class LostError(Exception):
    """The line has ended."""


class RefusalError(Exception):
    """What was asked for was refused."""

    def __init__(self, refused: Refused) -> None:
        super().__init__(refused.code, refused.at, refused.text)
        self.refused = refused


@final
class Wire:
    """A line of the gateway, whose peer reads everything at once."""

    def __init__(self, desk: RemoteService) -> None:
        """Be received."""
        self.is_seated = False
        self.forms = (Form.PACKED,)
        self.round_trip_ms = 0
        self.is_closed = False
        self.posts: asyncio.Queue[tuple[int, ServerMessage] | None] = asyncio.Queue()
        self._answers: dict[int, asyncio.Future[ServerMessage]] = {}
        self._free = asyncio.Lock()
        self._talk = desk.receive(self, "10.0.0.1", "10.0.0.1")

    @property
    def is_open(self) -> bool:
        """Return whether it has not ended."""
        return not self.is_closed

    def subscriber(self, match: MatchId, feed: Audience) -> Subscriber:  # noqa: ARG002 - of the port
        """Return itself."""
        return self

    def say(self, message: ServerMessage) -> None:
        """Take an answer."""
        self.put(EncodedMessage(message))

    def give(self, encoded_message: EncodedMessage) -> None:
        """Take what was asked for."""
        self.put(encoded_message)

    def put(self, encoded_message: EncodedMessage) -> None:
        """Take what comes, unless the line has ended."""
        if self.is_closed:
            return
        message = decode_server(encoded_message.encoded(Form.PACKED), Form.PACKED)
        if isinstance(message, Frame | News | Over):
            self.posts.put_nowait((EPOCH.get(), message))
        waiting = self._answers.pop(getattr(message, "id", 0), None)
        if waiting is not None and not waiting.done():
            waiting.set_result(message)

    def holds(self, encoded_message: EncodedMessage) -> bool:  # noqa: ARG002 - of the port
        """Return False: nothing waits here."""
        return False

    async def drained(self) -> bool:
        """Return whether more may be said."""
        return not self.is_closed

    def dismiss(self, bye: Bye, code: int) -> None:  # noqa: ARG002 - of the port
        """End."""
        self._close(deliberate=False)

    def supersede(self) -> None:
        """Do nothing: the gateway says so by a farewell."""

    def let_go(self) -> None:
        """Do nothing: a gateway lets go at its view."""

    def hang_up(self) -> None:
        """End from the peer's side."""
        self._close(deliberate=False)

    async def ask(self, message: Any) -> ServerMessage:
        """Say something and return its answer; LostError if the line ends, or none comes."""
        answer: asyncio.Future[ServerMessage] = asyncio.get_running_loop().create_future()
        self._answers[message.id] = answer
        try:
            async with asyncio.timeout(ANSWER_S):
                await self._say(message)
                return await answer
        except TimeoutError:
            self.hang_up()
            raise LostError from None

    async def expect(self, wanted: type[Wanted], message: Any) -> Wanted:
        """Do what `ask` does; RefusalError unless the answer is a `wanted`."""
        answer = await self.ask(message)
        if isinstance(answer, Refused):
            raise RefusalError(answer)
        assert isinstance(answer, wanted), answer
        return answer

    async def _say(self, message: Any) -> None:
        async with self._free:
            await self._talk.settled()
            if self.is_closed:
                raise LostError
            if isinstance(message, Immediate):
                said = self._talk.answer_now(message)
            else:
                said = await self._talk.answer(message)
            if said is not None:
                self.say(said)

    def _close(self, *, deliberate: bool) -> None:
        if self.is_closed:
            return
        self.is_closed = True
        self._talk.end(deliberate=deliberate)
        self.posts.put_nowait(None)
        for answer in self._answers.values():
            if not answer.done():
                answer.set_exception(LostError())


@final
class Person:
    """Somebody with a seat, and what of it is not forgotten in `diary`."""

    def __init__(self, desk: RemoteService, rng: Random, resigns: int | None) -> None:
        """Resign in turn `resigns`, if any."""
        self.diary: Diary
        self.epochs: list[list[tuple[int, int]]] = []
        self._desk = desk
        self._rng = rng
        self._resigns = resigns
        self._ids = itertools.count(1)
        self._rev = 0
        self._open: dict[int, Any] = {}
        self._done: dict[str, bool] = {}

    async def greet(self, name: str | None = None, token: str | None = None) -> tuple[Wire, str]:
        """Return a line that has said hello, and the token of its account."""
        wire = Wire(self._desk)
        hello = messages.Hello(
            id=next(self._ids), v=messages.PROTOCOL_VERSION, name=name, token=token
        )
        return wire, (await wire.expect(messages.Welcome, hello)).token

    def sit(self, diary: Diary) -> None:
        """Have a seat, on the line on which it was taken."""
        self.diary = diary
        diary.links.append(Link(0, None))
        self.epochs.append([])

    def next(self, kind: Any, **fields: object) -> Any:
        """Return a message with the next number."""
        return kind(id=next(self._ids), **fields)

    async def play(self, wire: Wire | None) -> None:
        """Play until the match is over, on one line after the other."""
        while self.diary.over is None:
            try:
                line = wire or await self._come_back()
                wire = None
                if line is not None:
                    await self._listen(line)
            except LostError:
                await self._wait(0.0, 0.5)
            except RefusalError as refusal:
                if refusal.refused.code not in RETRIED:
                    self.diary.complaints.append(f"{self.diary.name} was refused: {refusal}")
                    break
                await self._wait(0.2, 1.0)
        self.diary.ended.set()

    async def _come_back(self) -> Wire:
        diary = self.diary
        wire, _ = await self.greet(token=diary.token)
        try:
            resume = self.next(
                messages.Resume, match=diary.match, ticket=diary.ticket, have=diary.seen
            )
            resumed = await wire.expect(messages.Resumed, resume)
        except RefusalError:
            wire.hang_up()
            raise
        diary.ticket = resumed.ticket or diary.ticket
        diary.links.append(Link(diary.seen, resumed.kind))
        self.epochs.append([])
        self._ids = itertools.count(max(next(self._ids), resumed.last_id + 1))
        self._rev = max(self._rev, resumed.rev)
        for message in tuple(self._open.values()):
            await self._send(wire, message)
        if diary.frame is not None and diary.frame.window not in self._done:
            await self._answer(wire, diary.frame)
        return wire

    async def _listen(self, wire: Wire) -> None:
        newest: Frame | None = None
        while self.diary.over is None:
            came = await wire.posts.get()
            if came is None:
                return
            newest = self._note(*came) or newest
            if newest is not None and wire.posts.empty() and self.diary.over is None:
                await self._answer(wire, newest)
                newest = None
                if self._rng.random() < DROPS:
                    wire.hang_up()

    def _note(self, epoch: int, post: ServerMessage) -> Frame | None:
        assert isinstance(post, Frame | News | Over)
        if post.match != self.diary.match:
            self.diary.complaints.append(f"{self.diary.name} was shown {post.match}")
            return None
        if not post.seq:
            return None
        self.diary.links[-1].heard.append(Heard(asyncio.get_running_loop().time(), post))
        self.epochs[-1].append((post.seq, epoch))
        if isinstance(post, Over):
            self.diary.over = post
        return post if isinstance(post, Frame) else None

    async def _answer(self, wire: Wire, frame: Frame) -> None:
        """Do what a player does in a window."""
        rng, match, view = self._rng, self.diary.match, frame.view
        if not isinstance(view, View) or not is_asked(view, self.diary.side):
            return
        await self._wait(0.0, THINKS_S)
        if self._resigns is not None and frame.turn >= self._resigns:
            await self._send(wire, self.next(messages.Resign, match=match))
            return
        if rng.random() < CHATS:
            await self._send(wire, self.next(messages.Chat, match=match, text="a word"))
        orders = random_orders(rng, view) if rng.random() < ORDERS else ()
        self._rev += 1
        fields = {"window": frame.window, "rev": self._rev, "orders": orders, "lock": True}
        await self._send(wire, self.next(messages.GiveOrders, match=match, **fields))
        self._done[frame.window] = True

    async def _send(self, wire: Wire, message: Command) -> None:
        """Send a command until it is answered; it stays open if the line ends first."""
        self._open[message.id] = message
        while True:
            answer = await wire.ask(message)
            if not isinstance(answer, Refused) or answer.code not in RETRIED:
                break
            await self._wait(0.2, 1.0)
        del self._open[message.id]
        if isinstance(answer, Refused):
            if answer.code not in EXPECTED:
                told = f"{message} was refused: {answer.code} {answer.text}"
                self.diary.complaints.append(told)
            return
        self.diary.accepted.append(message)
        if self._rng.random() < REPEATS:
            again = await wire.ask(message)
            is_busy = isinstance(again, Refused) and again.code in RETRIED
            if again != answer and not is_busy:
                self.diary.complaints.append(f"{message} was accepted, then: {again}")

    async def _wait(self, least_s: float, most_s: float) -> None:
        await asyncio.sleep(self._rng.uniform(least_s, most_s))
