"""A seat in a match that outlives its connections: it comes back, resumes and repeats itself.

Theory of operation. Users of a `Seat` iterate over its posts and give it commands; lost
connections are handled for them. One task listens to the connection that there is. When that is
lost it reconnects, with the patience of `patience`, takes the seat again by its ticket or its
account, and goes on with the number of the last post: the server sends what was missed, or one
keyframe that stands for all of it.

A command is repeated on every new connection under its old number until it is answered. The server
answers a number it has seen as it did the first time, so a command counts once, however often it
was sent; the answer to one that has gone lost is not guessed. Orders are the whole plan of a
window each time, with a higher revision, for the same reason.

Before the start the seat pledges its entropy and reveals it when it is asked to, after noting both
in its log: with that log `verify --mine` can check whether the dice were made with it.
"""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Iterable
from typing import Self

from sunglare_client.errors import LostError, RefusedError
from sunglare_client.link.callbacks import Hooks
from sunglare_client.link.connection import Connection, Kind, Post, concerns
from sunglare_client.link.feed import Feed
from sunglare_client.link.following import Following
from sunglare_client.link.matchlog import MatchLog, pledging_log
from sunglare_client.link.patience import Patience
from sunglare_client.link.picture import Picture
from sunglare_client.link.posts import Arrival
from sunglare_client.link.reconnecting import come_back
from sunglare_client.link.returning import taken_again
from sunglare_client.link.sealing import FREED, Sealing, calls_off, sealed
from sunglare_client.link.unanswered import Unanswered
from sunglare_protocol import messages
from sunglare_protocol.errors import OutOfTurnError, ProtocolError, SunglareError
from sunglare_protocol.ids import Audience, MatchId, Side, WindowId
from sunglare_protocol.messages.answers import AnswerBody
from sunglare_protocol.orders import Order
from sunglare_protocol.refusals import Code


class Seat(AsyncIterator[Post]):
    """A seat: iterate over it for frames, news and the end, each once and in sequence.

    Make one with `Seat.join` or `Seat.resume`; it owns the connection from then on. When that is
    lost the seat connects again, resumes from its last post, and repeats commands without answer
    with their ids, so each is carried out once or refused. Iteration ends after the `over`; it
    raises `LostError` when the seat has given up or lost its place, `RefusedError` when the
    server does not let it back, and `GapError` when a post is missing.

    `picture` folds posts as they arrive, ahead of the iteration; `log` is the match log, if any,
    and `connection` the one that there is now.
    """

    def __init__(
        self,
        connection: Connection,
        taken: messages.Seated | messages.Resumed,
        *,
        patience: Patience | None = None,
        hooks: Hooks | None = None,
        entropy: bytes | None = None,
        log: MatchLog | None = None,
    ) -> None:
        self.match: MatchId = taken.match
        self.side: Side = taken.side
        self.card = taken.card
        self.classes = taken.classes
        self.taken = taken
        self.picture = Picture()
        self.ticket: str | None = None
        self.code: str | None = None  # of a private match, by which others join
        self.linked = True
        self.connection = connection
        self._patience = patience or Patience()
        self._hooks = hooks or Hooks()
        self.log = log or pledging_log(self._hooks.log, taken.match, None)
        self._sealing = sealed(taken, entropy)
        self._errand: asyncio.Task[None] | None = None
        self._posts: Feed[Post] = Feed()
        self._open: dict[int, Unanswered] = {}
        self._rev = 0
        self._asking = asyncio.Lock()
        self._fault: Exception | None = None
        self.following = Following()
        if self.log is not None:
            self.log.seated(taken)
        self._welcome_back(taken)
        self._keeper = asyncio.create_task(self._keep())

    @classmethod
    async def join(
        cls,
        connection: Connection,
        *,
        match: MatchId | None = None,
        code: str | None = None,
        side: Side | None = None,
        entropy: bytes | None = None,
        patience: Patience | None = None,
        hooks: Hooks | None = None,
    ) -> "Seat":
        """Take a seat, by match or by code, and return it; raise `RefusedError` if refused.

        If the match has started and the seat is the caller's own, it is taken again. `entropy` (1
        to 64 bytes past guessing) is pledged, and revealed by itself when the server asks: the
        dice then follow from it too. If the start is called off then, the seat pledges other
        entropy and says again that it is ready.
        """
        pledge, opener = Sealing(entropy).pledge, None if hooks is None else hooks.log
        log = pledging_log(opener, match, pledge)
        taken = await connection.request(
            messages.Join, match=match, code=code, side=side, pledge=pledge
        )
        if not isinstance(taken, messages.Seated | messages.Resumed):
            raise ProtocolError(f"{type(taken).__name__} answers no {messages.Join}")
        # A code does not name the match, so there was no log yet.
        log = log or pledging_log(opener, taken.match, pledge)
        return cls(connection, taken, patience=patience, hooks=hooks, entropy=entropy, log=log)

    @classmethod
    async def resume(
        cls,
        connection: Connection,
        match: MatchId,
        ticket: str | None = None,
        *,
        entropy: bytes | None = None,
        patience: Patience | None = None,
        hooks: Hooks | None = None,
    ) -> "Seat":
        """Take the seat that another process left, from its first post on.

        It is the seat of the ticket, and without a good one the caller's own in that match; raise
        `RefusedError` if there is none. Before the start `entropy` is pledged with `ready`.
        """
        taken = await taken_again(connection, match, ticket, 0)
        return cls(connection, taken, patience=patience, hooks=hooks, entropy=entropy)

    async def __anext__(self) -> Post:
        """Wait for the next post and return it."""
        return await anext(self._posts)

    async def orders(
        self, orders: Iterable[Order], *, lock: bool = True, window: WindowId | None = None
    ) -> messages.Accepted:
        """Give the orders of a window, by default of the newest; they replace earlier ones.

        Raise `RefusedError` if they are not taken, `OutOfTurnError` before the first frame.
        """
        frame = self.picture.frame
        window = window or (None if frame is None else frame.window)
        if window is None:
            raise OutOfTurnError("no window has been opened yet")
        self._rev += 1
        return await self._accepted(
            messages.GiveOrders, window=window, rev=self._rev, orders=tuple(orders), lock=lock
        )

    async def ask(
        self,
        kind: messages.Question,
        about: Order | str | None = None,
        orders: Iterable[Order] = (),
    ) -> AnswerBody:
        """Ask something that the own view answers, and return the answer.

        `orders` are those that a `review` is of. One question at a time: a second one waits here.
        In a window so many (`Code.ASK_MANY`).
        """
        async with self._asking:
            answer = await self.command(messages.Ask, kind=kind, about=about, orders=tuple(orders))
        if not isinstance(answer, messages.Answer):
            raise ProtocolError(f"{type(answer).__name__} answers no question")
        return answer.answer

    async def ready(self, *, on: bool = True) -> messages.Accepted:
        """Say that the seat is ready to start, or that it is not."""
        pledge = self._sealing.pledge if on and self._sealing.is_untold else None
        if pledge is not None and self.log is not None:
            self.log.pledged(pledge, again=True)
        accepted = await self._accepted(messages.Ready, on=on, pledge=pledge)
        if pledge is not None:
            self._sealing.is_untold = False
        return accepted

    async def reveal(self, entropy: str) -> messages.Accepted:
        """Reveal the entropy, in hexadecimal digits, that was pledged when the seat was taken."""
        return await self._accepted(messages.Reveal, entropy=entropy)

    async def resign(self) -> messages.Accepted:
        """Give the match up."""
        return await self._accepted(messages.Resign)

    async def offer_draw(self, *, on: bool = True) -> messages.Accepted:
        """Offer a draw, or take the offer back."""
        return await self._accepted(messages.OfferDraw, on=on)

    async def ask_pause(self, *, on: bool = True) -> messages.Accepted:
        """Ask for a pause, or for its end."""
        return await self._accepted(messages.AskPause, on=on)

    async def rematch(self, *, on: bool = True) -> messages.Accepted:
        """Ask for another match with the sides changed, or take that back; see `Following`."""
        self.following.want(on=on)
        if self._keeper.done() and not self._keeper.cancelled() and self.picture.over is not None:
            # The line has not been needed since the end.
            self._fault, self.linked = None, False
            self._keeper = asyncio.create_task(self._keep())
        return await self._accepted(messages.Rematch, on=on)

    async def take_up_rematch(self, *, entropy: bytes | None = None) -> "Seat":
        """Ask for another match and take the seat that is kept in it, once all others have asked.

        This seat ends with that, its connection goes on with the one returned.
        """
        await self.rematch()
        new = await self.following.room()
        self._keeper.cancel()
        await asyncio.wait([self._keeper])
        return await Seat.join(
            self.connection, match=new, entropy=entropy, patience=self._patience, hooks=self._hooks
        )

    async def chat(self, text: str) -> messages.Accepted:
        """Send chat to all in the match."""
        return await self._accepted(messages.Chat, text=text)

    async def mute(self, side: Side, *, on: bool = True) -> messages.Accepted:
        """Stop hearing the chat of a side, or hear it again."""
        return await self._accepted(messages.Mute, side=side, on=on)

    async def report(self, side: Side, text: str) -> messages.Accepted:
        """Report the player of a side to the operator; the other players don't learn of it."""
        return await self._accepted(messages.Report, side=side, text=text)

    async def grant(self, name: str, feed: Audience) -> messages.Accepted:
        """Grant an account a feed: the own side's, or as organiser the truth."""
        return await self._accepted(messages.GrantFeed, name=name, feed=feed)

    async def revoke(self, name: str, feed: Audience) -> messages.Accepted:
        """Revoke a grant."""
        return await self._accepted(messages.RevokeFeed, name=name, feed=feed)

    async def leave(self) -> messages.Accepted:
        """Leave a match that has not started."""
        return await self._accepted(messages.Leave)

    async def command(self, kind: Kind, /, **fields: object) -> messages.ServerMessage:
        """Send a command of this class in this match and return its answer.

        It waits through lost connections. Raise `RefusedError` for a refusal, and what has ended
        the seat if it has ended.
        """
        if self._fault is not None:
            raise self._fault
        number = self.connection.ids.next()
        unanswered = Unanswered(kind(id=number, match=self.match, **fields))
        self._open[number] = unanswered
        try:
            if self.linked:
                await unanswered.send(self.connection)
            answer = await unanswered.answer
        finally:
            del self._open[number]
        if isinstance(answer, messages.Refused):
            raise RefusedError(answer)
        return answer

    async def close(self) -> None:
        """Close the connection and leave the seat as it is; the ticket still opens it."""
        if self._errand is not None:
            self._errand.cancel()
        self._keeper.cancel()
        await asyncio.wait([self._keeper])
        await self.connection.close()

    async def __aenter__(self) -> Self:
        """Return the seat."""
        return self

    async def __aexit__(self, *_: object) -> None:
        """Close the connection."""
        await self.close()

    async def _accepted(self, kind: Kind, /, **fields: object) -> messages.Accepted:
        if isinstance(answer := await self.command(kind, **fields), messages.Accepted):
            return answer
        raise ProtocolError(f"{type(answer).__name__} accepts no command")

    async def _keep(self) -> None:
        fault: Exception = LostError("the seat was closed")
        try:
            while (lost := await self._listen()) is not None:
                self._link(up=False)
                await come_back(self._patience, lost, self._reattach)
        except Exception as error:  # noqa: BLE001 - those who wait on the seat get it, whatever it is
            fault = error
            self._posts.end(error)
        finally:
            self._posts.end()
            self._give_up(fault)

    async def _listen(self) -> LostError | None:
        """Fold what comes; return what ended it, or None if the seat needs no connection more."""
        lost: LostError | None = None
        try:
            async for arrival in self.connection.arrivals:
                self._take(arrival)
        except LostError as fault:
            lost = fault
        is_done = self.picture.over is not None and not self.following.is_wanted
        return None if is_done else lost or self.connection.lost

    def _take(self, arrival: Arrival) -> None:
        post = arrival.post
        if isinstance(post, messages.Bye) or not concerns(post, self.match):
            return
        if not self.picture.fold(post, arrival.canonical):
            return
        if self.log is not None:
            self.log.folded(post, self.picture)
        if isinstance(post, messages.News):
            self._seal(post)
        self._posts.put(post)
        if self.picture.over is not None:
            self._posts.end()

    def _seal(self, news: messages.News) -> None:
        """Do what news ask for: reveal, be ready after a start called off, note a rematch."""
        self.following.hear(news)
        entropy = self._sealing.hears(news)
        if entropy is not None:
            self._errand = asyncio.create_task(self._reveal(entropy))
        elif calls_off(news) and news.side == self.side:
            raise LostError("", bye=messages.Bye(code=Code.SEAT_NONE, text=FREED))
        elif calls_off(news):
            self._errand = asyncio.create_task(self._be_ready_again())

    async def _reveal(self, entropy: bytes) -> None:
        # Before it is sent: a server that starts without it can't say that it was not offered.
        if self.log is not None:
            self.log.revealed(entropy, self._sealing.pledges)
        try:
            await self.reveal(entropy.hex())
        except SunglareError as refusal:
            self._sealing.refusal = str(refusal)

    async def _be_ready_again(self) -> None:
        with contextlib.suppress(SunglareError):
            await self.ready()

    @property
    def dice_doubt(self) -> str | None:
        """Return why the dice of a match that has begun may do without the seat's entropy."""
        return self._sealing.doubt

    async def _reattach(self) -> None:
        connection = await self.connection.again()
        try:
            resumed = await taken_again(connection, self.match, self.ticket, self.picture.have)
        except BaseException:
            await connection.close()
            raise
        self.connection = connection
        self._welcome_back(resumed)
        # A command that comes meanwhile has a higher number and is found by the next round.
        done = 0
        while later := [number for number in self._open if number > done]:
            done = later[0]
            await self._open[done].send(connection)
        self._link(up=True)

    def _welcome_back(self, taken: messages.Seated | messages.Resumed) -> None:
        if taken.ticket is not None:
            self.ticket = taken.ticket
            if self._hooks.on_ticket is not None:
                self._hooks.on_ticket(self.match, taken.ticket)
        if isinstance(taken, messages.Seated):
            return
        self.taken = taken
        self.following.come_back()
        self._rev = max(self._rev, taken.rev)
        self.connection.ids.rise_above(taken.last_id)
        if taken.kind is messages.ResumeKind.RESET:
            self.picture.expect_keyframe()

    def _link(self, *, up: bool) -> None:
        self.linked = up
        if self._hooks.on_link is not None:
            self._hooks.on_link(up)

    def _give_up(self, fault: Exception) -> None:
        self._fault = fault
        self.following.end(fault)
        for unanswered in self._open.values():
            if not unanswered.answer.done():
                unanswered.answer.set_exception(fault)
