"""A player of the simulation: gives random legal orders, comes back, repeats itself."""

import asyncio
from random import Random
from typing import final

from builders.randomplayer import random_orders
from simulation.diary import Diary, Heard, Link
from simulation.world import World
from sunglare_client.bot import is_asked
from sunglare_client.errors import LostError, RefusedError
from sunglare_client.link.connection import Connection, Ids, connect
from sunglare_protocol.messages import (
    Accepted,
    AskPause,
    Bye,
    Chat,
    ClientMessage,
    Frame,
    GiveOrders,
    News,
    NewsKind,
    Over,
    Refused,
    Resign,
    Resume,
    Resumed,
)
from sunglare_protocol.refusals import Code
from sunglare_protocol.views import View

THINKS_S = 1.5
"""The longest a player thinks about a window."""

LONG_S = 16.0
"""How long at most one who takes his time thinks beyond what is free, on a clock with banks."""

LONG = 0.12
"""How often a player takes his time, on such a clock."""

PAUSES = 0.05
"""How often a player asks for a pause, on such a clock."""

PAUSED_S = 20.0
"""How long a pause lasts at most."""

STAYS_S = 30.0
"""How long somebody who plays by correspondence looks at what comes."""

PUTS_OFF = 0.4
"""How often he answers another time."""

AWAY_S = (700.0, 2_400.0)
"""Between how many seconds he looks again: when the match is parked, and no later.

The timers of a server whose matches are all parked take most of a simulated hour.
"""

LOST = 0.1
"""How often the line of one who comes back is lost before the answer."""

RETRY_S = 1.5
"""After how many seconds a command is sent again that the server could not store."""

ANSWER_S = 30.0
"""How long a player waits for an answer on one connection."""

ORDERS = 0.3
"""How often a player gives orders, and not only a lock."""

CHATS = 0.2
"""How often a player says something with his orders."""

REPEATS = 0.25
"""How often a command is sent again after its answer, and how often before."""


@final
class Player:
    """What a player remembers as long as his machine runs; `diary` outlives that."""

    def __init__(
        self, world: World, diary: Diary, rng: Random, *, resigns: int | None, clock: str = "test"
    ) -> None:
        """Play the seat of `diary` on a clock; resign in turn `resigns`, if any."""
        self._clock = clock
        self._is_rested = False
        self.have = 0
        self._world = world
        self._diary = diary
        self._rng = rng
        self._resigns = resigns
        self._ids = Ids()
        self._rev = 0
        self._open: dict[int, ClientMessage] = {}
        self._done: dict[str, bool] = {}

    async def play(self, url: str) -> None:
        """Play until the match is over."""
        while not self._diary.ended.is_set():
            try:
                connection = await connect(url, token=self._diary.token, ids=self._ids)
            except (LostError, RefusedError):
                await self._wait(0.05, 2.0)
                continue
            try:
                await self._sit(connection)
            except (LostError, TimeoutError):
                await self._wait(0.0, 0.5)
            finally:
                await connection.close()
            if self._is_rested and self._diary.over is None:
                self._is_rested = False
                await self._wait(*AWAY_S)

    async def go_on(self, connection: Connection) -> None:
        """Play on over the connection on which the seat was taken, then over others."""
        self._ids = connection.ids
        self._diary.links.append(Link(0, None))
        try:
            await self._listen(connection)
        except (LostError, TimeoutError):
            pass
        finally:
            await connection.close()
        await self.play(connection.dial.url)

    async def _sit(self, connection: Connection) -> None:
        if self._rng.random() < LOST:
            await self._lose_answer(connection)
            return
        try:
            resumed = await connection.expect(
                Resumed, Resume, match=self._diary.match, ticket=self._diary.ticket, have=self.have
            )
        except RefusedError as refusal:
            if refusal.code is Code.SERVER_JOURNAL:
                return
            told = f"{refusal.code} {refusal.refused.at} {refusal.refused.text}"
            self._diary.complaints.append(f"{self._diary.name} was not let back: {told}")
            # There is nothing more to find out.
            self._diary.ended.set()
            return
        self._diary.ticket = resumed.ticket or self._diary.ticket
        self._diary.links.append(Link(self.have, resumed.kind))
        self._ids.rise_above(resumed.last_id)
        self._rev = max(self._rev, resumed.rev)
        for message in tuple(self._open.values()):
            await self._send(connection, message)
        frame = self._diary.frame
        if self.have and frame is not None and frame.window not in self._done:
            await self._answer(connection, frame)
        await self._listen(connection)

    async def _lose_answer(self, connection: Connection) -> None:
        """Take the seat again, and never hear of it: the ticket stays the one that was used."""
        diary = self._diary
        message = Resume(
            id=self._ids.next(), match=diary.match, ticket=diary.ticket, have=self.have
        )
        (await connection.submit(message)).cancel()
        await self._wait(0.0, 1.0)

    async def _listen(self, connection: Connection) -> None:
        newest: Frame | None = None
        stays_s = STAYS_S if self._clock == "correspondence" else None
        while True:
            try:
                async with asyncio.timeout(stays_s):
                    post = await anext(connection.feed)
            except (StopAsyncIteration, TimeoutError):
                self._is_rested = stays_s is not None
                return
            if isinstance(post, Bye):
                return
            newest = self._note(post) or newest
            if isinstance(post, News):
                await self._hear(connection, post)
            if self._diary.over is not None:
                return
            # News may have come right after the frame: nothing else would bring it up again.
            if newest is not None and not len(connection.feed):
                await self._answer(connection, newest)
                newest = None

    def _note(self, post: Frame | News | Over) -> Frame | None:
        """Note what came in sequence; return it if it is a frame."""
        if post.match != self._diary.match or not post.seq:
            return None
        self._diary.links[-1].heard.append(Heard(self._world.time(), post))
        self.have = post.seq
        if isinstance(post, Over):
            self._diary.over = post
            self._diary.ended.set()
        return post if isinstance(post, Frame) else None

    async def _answer(self, connection: Connection, frame: Frame) -> None:
        """Do what a player does in a window."""
        view = frame.view
        if not isinstance(view, View) or not is_asked(view, self._diary.side):
            return
        rng, match = self._rng, self._diary.match
        if self._clock == "correspondence" and rng.random() < PUTS_OFF:
            return
        is_long = self._clock == "blitz" and rng.random() < LONG
        await self._wait(0.0, frame.closes_ms / 1000 + 1 if is_long else THINKS_S)
        if self._clock == "blitz" and rng.random() < PAUSES:
            await self._send(connection, AskPause(id=self._ids.next(), match=match))
        if self._resigns is not None and frame.turn >= self._resigns:
            await self._send(connection, Resign(id=self._ids.next(), match=match))
            return
        if rng.random() < CHATS:
            await self._send(connection, Chat(id=self._ids.next(), match=match, text="a word"))
        orders = random_orders(rng, view) if rng.random() < ORDERS else ()
        for is_locked in (False, True) if rng.random() < REPEATS else (True,):
            self._rev += 1
            given = GiveOrders(
                id=self._ids.next(),
                match=match,
                window=frame.window,
                rev=self._rev,
                orders=orders,
                lock=is_locked,
            )
            await self._send(connection, given)
        self._done[frame.window] = True

    async def _hear(self, connection: Connection, news: News) -> None:
        """Agree to a pause, and end it after a while."""
        is_wish = news.kind is NewsKind.PAUSE and news.text == "asked"
        if not is_wish or news.side == self._diary.side or self._rng.random() < 0.3:
            return
        for on in (True, False):
            ask = AskPause(id=self._ids.next(), match=self._diary.match, on=on)
            await self._send(connection, ask)
            if on:
                await self._wait(0.0, PAUSED_S)

    async def _send(self, connection: Connection, message: ClientMessage) -> None:
        """Send a command until it is answered; keep it open if the connection ends first."""
        self._open[message.id] = message
        if self._rng.random() < REPEATS:
            # Nobody waits for the first of two answers.
            (await connection.submit(message)).cancel()
        while True:
            async with asyncio.timeout(ANSWER_S):
                answer = await (await connection.submit(message))
            if not isinstance(answer, Refused) or answer.code is not Code.SERVER_JOURNAL:
                break
            await self._wait(RETRY_S, RETRY_S)
        del self._open[message.id]
        if isinstance(answer, Refused):
            self._note_refusal(answer, message)
            return
        assert isinstance(answer, Accepted)
        self._diary.accepted.append(message)
        if self._rng.random() < REPEATS:
            async with asyncio.timeout(ANSWER_S):
                again = await (await connection.submit(message))
            is_busy = isinstance(again, Refused) and again.code in BUSY
            if again != answer and not is_busy:
                told = f"{message} was accepted, then: {again}"
                self._diary.complaints.append(told)

    async def _wait(self, least_s: float, most_s: float) -> None:
        await asyncio.sleep(self._rng.uniform(least_s, most_s) * self._world.pace)

    def _note_refusal(self, answer: Refused, message: ClientMessage) -> None:
        if answer.code not in EXPECTED:
            self._diary.complaints.append(f"{message} was refused: {answer.code} {answer.text}")


BUSY = (Code.SERVER_CLOSING, Code.SERVER_JOURNAL)
"""The refusals of a server that cannot do anything just now."""

EXPECTED = (
    Code.WINDOW_CLOSED,
    Code.WINDOW_OTHERS,
    Code.REV_OLD,
    Code.MATCH_OVER,
    Code.SERVER_CLOSING,
    Code.MESSAGE_STALE,
    Code.PAUSE_SPENT,
)
"""The refusals that a player of good faith may meet."""
