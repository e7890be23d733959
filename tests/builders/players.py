"""Seats that the end-to-end tests play by hand, and matches of them."""

import itertools
from collections.abc import Iterable, Sequence
from typing import final

from builders.wires import Post, Talker
from sunglare_protocol.ids import MatchId, Side, WindowId
from sunglare_protocol.messages import (
    Accepted,
    Chat,
    Create,
    Created,
    Frame,
    GiveOrders,
    Join,
    Over,
    Ready,
    Resume,
    Resumed,
    ResumeKind,
    Seated,
    ServerMessage,
)
from sunglare_protocol.orders import Order
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

    async def orders(self, *orders: Order, lock: bool = True, **fields: object) -> ServerMessage:
        """Give orders for the window of the newest frame and return the answer."""
        given: dict[str, object] = {"window": self.newest.window, "rev": next(self._revs)}
        return await self.talker.ask(
            GiveOrders, match=self.match, orders=orders, lock=lock, **{**given, **fields}
        )

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


async def seated(talker: Talker, match: MatchId, side: str | None = None) -> Player:
    """Take a seat of a match that is still in the lobby."""
    return Player(talker, await talker.expect(Seated, Join, match=match, side=side))


async def created(talker: Talker, **fields: object) -> MatchId:
    """Open a match without deadlines that a test would meet; return its id."""
    wish = {"scenario": SCENARIO, "options": OPTIONS, **fields}
    return (await talker.expect(Created, Create, **wish)).match


async def started(talkers: Sequence[Talker], **fields: object) -> list[Player]:
    """Open a match, seat the talkers side after side, and wait for their first frames."""
    match = await created(talkers[0], **fields)
    players = [await seated(talker, match) for talker in talkers]
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


async def play_on(players: Sequence[Player], windows: int) -> None:
    """Let that many windows go by without orders; every seat of the match must be given."""
    for _ in range(windows):
        window = max((player.newest.window for player in players), key=_moment)
        for player in players:
            await player.reached(window)
        # Whoever is asked now: the last answer may open the next window before the loop ends.
        for player in [one for one in players if one.is_asked]:
            answer = await player.orders()
            assert isinstance(answer, Accepted), answer
        for player in players:
            await player.frame(beside=window)


async def play_alone(player: Player, windows: int) -> None:
    """Let that many windows go by without orders while somebody else plays the other seats."""
    for _ in range(windows):
        window = (await player.frame()).window
        if player.is_asked:
            answer = await player.orders()
            assert isinstance(answer, Accepted), answer
        await player.frame(beside=window)
