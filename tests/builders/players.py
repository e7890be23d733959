"""Seats that the end-to-end tests play by hand, and matches of them."""

import asyncio
import itertools
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import final

from builders.wires import AGAIN_S, WAIT_S, Kind, Post, Talker, is_unstored
from sunglare_protocol.ids import MatchId, Side, WindowId
from sunglare_protocol.messages import (
    Accepted,
    Chat,
    Create,
    Created,
    Frame,
    GiveOrders,
    Join,
    News,
    Over,
    Ready,
    Refused,
    Rematch,
    Resign,
    Resume,
    Resumed,
    ResumeKind,
    Seated,
    ServerMessage,
)
from sunglare_protocol.orders import Order
from sunglare_protocol.refusals import Code
from sunglare_protocol.seals import pledge
from sunglare_protocol.views import View
from sunglare_protocol.words.ladder import Phase

SCENARIO = "shadow-of-ceres"
OPTIONS = {"clock": "test"}


@final
class Player:
    """A seat played by hand over a talker; `before` is what came over an earlier one."""

    def __init__(
        self, talker: Talker, taken: Seated | Resumed, before: Sequence[Post] = ()
    ) -> None:
        """Take the seat that was given."""
        self.talker = talker
        self.match: MatchId = taken.match
        self.side: Side = taken.side
        self.ticket = taken.ticket or ""
        self.taken = taken
        self._before = tuple(before)
        self._revs = itertools.count(1 if isinstance(taken, Seated) else taken.rev + 1)

    @property
    def posts(self) -> tuple[Post, ...]:
        """Return what is known to have come in sequence, over this connection or before it."""
        return (*self._before, *self.talker.posts(self.match))

    @property
    def newest(self) -> Frame:
        """Return the newest frame."""
        return [post for post in self.posts if isinstance(post, Frame)][-1]

    @property
    def view(self) -> View:
        """Return what the newest frame shows."""
        view = self.newest.view
        assert isinstance(view, View)
        return view

    @property
    def seen(self) -> int:
        """Return the number of the last thing that came in sequence."""
        return self.posts[-1].seq

    @property
    def is_asked(self) -> bool:
        """Return whether the window of the newest frame takes something from this side."""
        stage = self.newest.view.stage
        if stage.phase is Phase.OVER:
            return False
        return stage.phase is not Phase.SCAN or stage.slot in (None, self.side)

    async def accepted(self, kind: Kind, /, **fields: object) -> Accepted:
        """Send a command for this match, which must be accepted."""
        return await self.talker.accepted(kind, match=self.match, **fields)

    async def resign(self) -> None:
        """Give the match up."""
        await self.talker.resign(self.match)

    async def code(self, kind: Kind, /, **fields: object) -> Code:
        """Send a command for this match, which must be refused, and return the code."""
        return await self.talker.code(kind, match=self.match, **fields)

    async def fault(self, kind: Kind, /, **fields: object) -> tuple[Code, str]:
        """Do what `code` does and return what the refusal is about as well."""
        return await self.talker.fault(kind, match=self.match, **fields)

    async def orders(self, *orders: Order, lock: bool = True, **fields: object) -> ServerMessage:
        """Give orders for the window of the newest frame and return the answer."""
        given: dict[str, object] = {"window": self.newest.window, "rev": next(self._revs)}
        return await self.talker.ask(
            GiveOrders, match=self.match, orders=orders, lock=lock, **{**given, **fields}
        )

    async def ordered(self, *orders: Order) -> None:
        """Give and lock orders for the window of the newest frame, which must be taken.

        Where the store did not answer in time they are given again. If it had kept them after
        all, they are old then, as no others were given.
        """
        window, rev = self.newest.window, next(self._revs)
        command = partial(
            GiveOrders, match=self.match, window=window, rev=rev, orders=orders, lock=True
        )
        answer, expected = await self.talker.ask(command), tuple[Code, ...]()
        async with asyncio.timeout(WAIT_S):
            while is_unstored(answer):
                await asyncio.sleep(AGAIN_S)
                answer, expected = await self.talker.ask(command), (Code.REV_OLD,)
        is_old = isinstance(answer, Refused) and answer.code in expected
        assert is_old or isinstance(answer, Accepted), answer

    def skip_revs(self, sets: int) -> None:
        """Note that so many sets of orders were sent by hand."""
        for _ in range(sets):
            next(self._revs)

    @property
    def resumed(self) -> Resumed:
        """Return what was told when the seat was taken again."""
        assert isinstance(self.taken, Resumed)
        return self.taken

    async def frame(self, beside: WindowId | None = None) -> Frame:
        """Return the newest frame once there is one that opens another window than `beside`."""
        while not any(isinstance(post, Frame) for post in self.posts) or (
            self.newest.window == beside
        ):
            await self.talker.more()
        return self.newest

    async def reached(self, window: WindowId) -> None:
        """Wait until this window is open."""
        while self.newest.window != window:
            await self.talker.more()

    async def caught_up(self, seq: int) -> None:
        """Wait until everything up to this number has come."""
        while not self.posts or self.seen < seq:
            await self.talker.more()

    async def over(self) -> Over:
        """Return the end of the match once it has come."""
        over = await self.talker.wait_for(
            lambda message: isinstance(message, Over) and message.match == self.match
        )
        assert isinstance(over, Over)
        return over

    async def chat(self, lines: int, text: str = "a line") -> None:
        """Say a text so many times."""
        for _ in range(lines):
            await self.talker.accepted(Chat, match=self.match, text=text)

    async def resume(
        self, talker: Talker, have: int | None = None, *, as_account: bool = False
    ) -> "Player":
        """Take the seat over another connection, from what came last here or from `have` on."""
        have = self.seen if have is None else have
        ticket = None if as_account else self.ticket
        resumed = await talker.expect(Resumed, Resume, match=self.match, ticket=ticket, have=have)
        assert resumed.side == self.side
        talker.ids = itertools.count(resumed.last_id + 1)
        is_exact = resumed.kind is ResumeKind.EXACT
        before = [post for post in self.posts if is_exact and post.seq <= have]
        return Player(talker, resumed, before)


async def seated(
    talker: Talker, match: MatchId, side: str | None = None, code: str | None = None
) -> Player:
    """Take a seat of a match that is still in the lobby; `code` is that of a private one."""
    taken = await talker.expect(Seated, Join, match=match, side=side, code=code)
    return Player(talker, taken)


async def pledged(talker: Talker, match: MatchId, entropy: bytes, **fields: object) -> Player:
    """Take a seat with a pledge of this entropy."""
    wish = {"match": match, "pledge": pledge(entropy), **fields}
    return Player(talker, await talker.expect(Seated, Join, **wish))


async def created(talker: Talker, **fields: object) -> MatchId:
    """Open a match without deadlines that a test would meet; return its id."""
    return (await opened(talker, **fields)).match


async def opened(talker: Talker, **fields: object) -> Created:
    """Do what `created` does and return the whole answer, with the code of a private match."""
    wish = {"scenario": SCENARIO, "options": OPTIONS, **fields}
    return await talker.expect(Created, Create, **wish)


async def started(talkers: Sequence[Talker], **fields: object) -> list[Player]:
    """Open a match, seat the talkers side after side, and wait for their first frames."""
    room = await opened(talkers[0], **fields)
    players = [await seated(talker, room.match, code=room.code) for talker in talkers]
    await all_ready(players)
    return players


async def all_ready(players: Iterable[Player]) -> None:
    """Say ready at every seat and wait for the first frames."""
    for player in players:
        await player.talker.accepted(Ready, match=player.match)
    for player in players:
        await player.frame()


def _moment(window: WindowId) -> tuple[int, ...]:
    turn, phase, *slot = window.split(".")
    return int(turn), [member.value for member in Phase].index(phase), *map(int, slot)


def _nothing(_: View) -> Sequence[Order]:
    return ()


async def play_on(
    players: Sequence[Player], windows: int, orders: Callable[[View], Iterable[Order]] = _nothing
) -> None:
    """Let that many windows go by, with `orders` of whoever is asked; every seat must be given."""
    for _ in range(windows):
        window = max((player.newest.window for player in players), key=_moment)
        for player in players:
            await player.reached(window)
        # Whoever is asked now: the last answer may open the next window before the loop ends.
        for player in [one for one in players if one.is_asked]:
            await player.ordered(*orders(player.view))
        for player in players:
            await player.frame(beside=window)


async def play_alone(player: Player, windows: int) -> None:
    """Let that many windows go by without orders while somebody else plays the other seats."""
    for _ in range(windows):
        window = (await player.frame()).window
        if player.is_asked:
            await player.ordered()
        await player.frame(beside=window)


async def finished(players: Sequence[Player]) -> Over:
    """End a match of two by the resignation of the second; return its end once both have it."""
    await players[1].accepted(Resign)
    await players[1].over()
    return await players[0].over()


async def rematch_of(players: Sequence[Player]) -> MatchId:
    """Ask at every seat for another match; return it."""
    last = players[-1].talker
    start = len(last.messages)
    for player in players:
        await player.accepted(Rematch)
    told = await last.wait_for(_is_rematch, start)
    assert isinstance(told, News)
    return MatchId(told.text.removeprefix("rematch "))


def _is_rematch(message: ServerMessage) -> bool:
    return isinstance(message, News) and message.text.startswith("rematch ")
