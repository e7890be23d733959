"""What is answered between the close of a window and its beat: only what was answered before.

Both sides of a match on a rated clock act, so that the window that has closed has much to show.
Until its frames are out nobody may be answered anything that follows from it: neither a seat, nor
a spectator, nor a stranger; a seat that comes back finds what it left; and an order is not
answered at all, or the answer would tell of the close.
"""

import contextlib
from collections.abc import AsyncIterator
from pathlib import Path
from random import Random
from typing import Final, final

import msgspec

from builders.beatsteps import START_MS, next_beat, waits_for_its_beat
from builders.fakeclock import FakeClock
from builders.openlimits import OPEN
from builders.players import Player, seated
from builders.questions import UNKNOWN, asked
from builders.randomplayer import random_orders
from builders.runners import runners_of
from builders.scenarios import scenarios
from builders.wires import Talker, met
from sunglare_protocol.ids import OMNI, PUBLIC, Handle, MatchId, audience_of
from sunglare_protocol.messages import (
    Ask,
    Create,
    Created,
    FetchRecord,
    GiveOrders,
    Info,
    ListMatches,
    Ping,
    Pong,
    Question,
    Ready,
    Refused,
    Resumed,
    ServerMessage,
    Watch,
)
from sunglare_protocol.orders import Fire, Order
from sunglare_protocol.refusals import Code
from sunglare_protocol.views import View
from sunglare_rules.advice.check.check import check
from sunglare_server.app import App
from sunglare_server.base.entropy import SeededEntropy
from sunglare_server.config import Settings
from sunglare_server.runtime.runner import Runner
from two_worlds.match import LeakError

WINDOWS: Final = 22
"""How many windows are played: enough for fire in some turns."""

BEATS_MOST: Final = 60
"""No window lasts longer."""

QUESTIONS: Final = 8
"""How many questions the seat asks each time, those about all of its pieces among them."""

OF_MANY: Final = (Question.REVIEW, Question.SHEET)
"""What is asked each time: of the answers these have most in them."""

SCENARIO: Final = "melee"

Told = dict[str, list[bytes]]
"""What was answered to whom, without what differs from one answer to the next."""


@final
class Between:
    """One match, asked the same before each window closes and before what it brings is out."""

    def __init__(self, seed: int) -> None:
        """Prepare it; `looks` counts the times something was asked between close and beat."""
        self.time = FakeClock(START_MS)
        self.rng = Random(seed)
        self.looks = self.held_shots = 0
        self.match = MatchId("")

    async def play(self, folder: Path) -> None:
        """Play some windows; raise `LeakError` at an answer that comes too early."""
        settings = Settings(port=0, journal=folder / "journal.db", bots=(), **OPEN)
        self.app = App(settings, self.time, SeededEntropy(b"between"))
        await self.app.start()
        self.app.lobby.matches.library.scenarios[SCENARIO] = scenarios()[SCENARIO]
        try:
            async with contextlib.AsyncExitStack() as stack:
                await self._sit_down(stack)
                for number in range(WINDOWS):
                    await self._window(stack, comes_back=number % 3 == 0)
        finally:
            await self.app.stop()

    @property
    def runner(self) -> Runner:
        """Return the runner of the match."""
        return runners_of(self.app.lobby.matches)[self.match]

    async def _sit_down(self, stack: contextlib.AsyncExitStack) -> None:
        url, enter = self.app.url, stack.enter_async_context
        sides = scenarios()[SCENARIO].sides
        talkers = [await enter(met(url, f"Player {side}")) for side in sides]
        self.others = {"the public": await enter(met(url)), "a stranger": await enter(met(url))}
        made = await talkers[0].expect(
            Created, Create, scenario=SCENARIO, options={"clock": "blitz"}
        )
        self.match = made.match
        self.players = [await seated(talker, self.match) for talker in talkers]
        await self.others["the public"].ask(Watch, match=self.match, feed=PUBLIC)
        for player in self.players:
            await player.talker.accepted(Ready, match=self.match)
        await self._pass()

    async def _pass(self) -> None:
        """Go on until everybody has the next frame."""
        for _ in range(BEATS_MOST):
            await next_beat(self.app, self.time, self.match)
            if self.runner.feeds[PUBLIC].is_empty:
                break
        for player in self.players:
            await player.reached(self.runner.state.standing.window)

    async def _window(self, stack: contextlib.AsyncExitStack, *, comes_back: bool) -> None:
        first, window = self.players[0], self.runner.state.standing.window
        shown_ms, given = self.time.now_ms(), _orders(self.rng, first)
        if first.is_asked:
            await first.orders(*given)
        seed = self.rng.random()
        before = await self._ask(seed)
        for player in [one for one in self.players[1:] if one.is_asked]:
            await player.orders(*_orders(self.rng, player))
        await self._close(window)
        self.looks += 1
        _compare(before, await self._ask(seed), window)
        if comes_back:
            await self._come_back(stack, shown_ms, given if first.is_asked else ())
        await self._shoot(window)

    async def _close(self, window: str) -> None:
        """Go on until the window has closed, and its frames wait for their beat."""
        for _ in range(BEATS_MOST):
            await next_beat(self.app, self.time, self.match)
            if waits_for_its_beat(self.runner, window):
                return
        raise AssertionError(f"{window} does not close")

    async def _ask(self, seed: float) -> Told:
        first = self.players[0]
        told = {"a seat": [data async for data in _asked(first.talker, self.match)]}
        told["a seat"] += [answer async for answer in _answers(first, Random(seed))]
        for name, talker in self.others.items():
            told[name] = [data async for data in _asked(talker, self.match)]
        return told

    async def _come_back(
        self, stack: contextlib.AsyncExitStack, shown_ms: int, given: tuple[Order, ...]
    ) -> None:
        """Take the seat over a fresh connection: all is as it was left, shown as long ago."""
        first = self.players[0]
        talker = await stack.enter_async_context(met(self.app.url, token=first.talker.token))
        again = await first.resume(talker)
        resumed = again.taken
        assert isinstance(resumed, Resumed)
        if len(again.posts) != len(first.posts):
            raise LeakError("who comes back is sent what is not out yet")
        if resumed.since_ms != self.time.now_ms() - shown_ms:
            raise LeakError(f"since_ms {resumed.since_ms}, shown at {shown_ms}")
        if resumed.orders != given:
            raise LeakError(f"who comes back finds {resumed.orders}, and had given {given}")
        self.players[0] = again

    async def _shoot(self, window: str) -> None:
        """Order a shot at what only the frame to come shows: no answer may come before it."""
        first = self.players[0]
        talker, start = first.talker, len(first.talker.messages)
        order = _shot(first, self._unshown(first))
        number = next(talker.ids)
        given = GiveOrders(
            id=number, match=self.match, window=first.newest.window, rev=10**6, orders=(order,)
        )
        await talker.send(given)
        for other in self.others.values():
            await other.expect(Pong, Ping)
        came = [message for message in talker.messages[start:] if isinstance(message, Refused)]
        if came:
            raise LeakError(f"{window}: answered before the beat: {came}")
        await self._pass()
        told = await talker.wait_for(lambda message: getattr(message, "id", None) == number, start)
        assert isinstance(told, Refused)
        if told.code not in (Code.WINDOW_CLOSED, Code.MATCH_OVER):
            raise LeakError(f"{window}: {told}")

    def _unshown(self, player: Player) -> Handle:
        """Return a handle that the frame to come will bring, or one that nobody has."""
        view = player.newest.view
        assert isinstance(view, View)
        known = {contact.handle for contact in view.contacts}
        held = self.runner.state.intel[audience_of(player.side)].held.values()
        fresh = [contact.handle for contact in held if contact.handle not in known]
        self.held_shots += bool(fresh)
        return fresh[0] if fresh else UNKNOWN


def _orders(rng: Random, player: Player) -> tuple[Order, ...]:
    view = player.newest.view
    assert isinstance(view, View)
    orders = random_orders(rng, view)
    return orders if check(view, orders) is None else ()


def _shot(player: Player, at: Handle) -> Fire:
    view = player.newest.view
    assert isinstance(view, View)
    armed = [(ship.id, weapon.id) for ship in view.own for weapon in ship.weapons]
    ship, weapon = armed[0]
    return Fire(ship=ship, weapon=weapon, at=at)


async def _asked(talker: Talker, match: MatchId) -> AsyncIterator[bytes]:
    """Yield what anybody is answered about a match, or refused."""
    yield _plain(await talker.ask(ListMatches))
    yield _plain(await talker.ask(Info, match=match))
    yield _plain(await talker.ask(Watch, match=match, feed=OMNI))
    start = len(talker.messages)
    number = next(talker.ids)
    await talker.send(FetchRecord(id=number, match=match))
    await talker.expect(Pong, Ping)
    for message in talker.messages[start:-1]:
        if getattr(message, "id", None) == number:
            yield _plain(message)


async def _answers(player: Player, rng: Random) -> AsyncIterator[bytes]:
    """Yield the answers to questions about the view that was shown last."""
    view = player.newest.view
    assert isinstance(view, View)
    known = list(asked(view, rng))
    of_many = [question for question in known if question.kind in OF_MANY]
    rest = [question for question in known if question not in of_many]
    drawn = rng.sample(rest, min(len(rest), QUESTIONS - len(of_many)))
    for question in (*of_many, *drawn):
        told = await player.talker.ask(Ask, match=player.match, **question._asdict())
        yield _plain(told)


def _plain(told: ServerMessage) -> bytes:
    """Return a message without the number of the command that it answers."""
    return msgspec.msgpack.encode({**msgspec.to_builtins(told), "id": 0})


def _compare(before: Told, after: Told, window: str) -> None:
    for name, ours in before.items():
        for a, b in zip(ours, after[name], strict=True):
            if a != b:
                raise LeakError(f"{name}, {window}, after the close:\n  {a!r}\n  {b!r}")


async def between_beats(folder: Path) -> Between:
    """Play the match; raise `LeakError` at an answer that comes too early."""
    made = Between(4)
    await made.play(folder)
    return made
