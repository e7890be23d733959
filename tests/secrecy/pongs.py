"""When pongs come while a match is played: on a grid of 50 ms, with its time, and never between.

The clock goes on in steps of 10 ms. In each of them a spectator and a stranger ask for the time,
and what came in it is held against the grid, however many events a window had.
"""

import asyncio
import contextlib
from pathlib import Path
from random import Random
from typing import Final, final

from builders.fakeclock import FakeClock
from builders.openlimits import OPEN
from builders.players import Player, seated
from builders.randomplayer import random_orders
from builders.wires import Talker, met
from secrecy.servedworlds import scenario_of
from sunglare_protocol.ids import PUBLIC
from sunglare_protocol.messages import (
    Create,
    Created,
    ListMatches,
    Matches,
    Ping,
    Pong,
    Ready,
    Watch,
)
from sunglare_protocol.views import View
from sunglare_rules.advice.check.check import check
from sunglare_server.app import App
from sunglare_server.base.entropy import SeededEntropy
from sunglare_server.config import Settings
from two_worlds.match import LeakError

GRID_MS: Final = 50
"""PROTOCOL.md: pongs leave on a grid of this step."""

STEP_MS: Final = 10
"""How far the clock goes on at a time."""

START_MS: Final = 1_000_000
SPAN_MS: Final = 3_000
"""How long the match is played: some windows."""

CLOCK: Final = "blitz"


async def pongs_on_the_grid(folder: Path) -> int:
    """Play some windows; return how many pongs came, all on the grid.

    Raise `LeakError` at one that came beside it, or says another time.
    """
    clock = FakeClock(START_MS)
    settings = Settings(port=0, journal=folder / "journal.db", bots=(), **OPEN)
    app = App(settings, clock, SeededEntropy(b"pongs"))
    await app.start()
    app.lobby.matches.library.scenarios["duel"] = scenario_of(1, CLOCK)
    try:
        async with contextlib.AsyncExitStack() as stack:
            enter = stack.enter_async_context
            first, second, *others = [await enter(met(app.url)) for _ in range(4)]
            room = await first.expect(Created, Create, scenario="duel", options={"clock": CLOCK})
            players = [await seated(talker, room.match) for talker in (first, second)]
            await others[0].ask(Watch, match=room.match, feed=PUBLIC)
            for talker in (first, second):
                await talker.accepted(Ready, match=room.match)
            asking = [Asking(talker, clock) for talker in others]
            await _play(players, asking, Random(2), clock)
            return sum(one.count for one in asking)
    finally:
        await app.stop()


async def _play(
    players: list[Player], asking: "list[Asking]", rng: Random, clock: FakeClock
) -> None:
    given: dict[Player, str] = {}
    waiting: set[asyncio.Task[object]] = set()
    while clock.now_ms() < START_MS + SPAN_MS:
        for player in players:
            if player.posts and player.is_asked and given.get(player) != player.newest.window:
                given[player] = player.newest.window
                waiting.add(asyncio.ensure_future(_order(player, rng)))
        for one in asking:
            await one.ask()
        await clock.run_for(STEP_MS)
        for one in asking:
            await one.look()
    for task in waiting:
        task.cancel()
    await asyncio.gather(*waiting, return_exceptions=True)


async def _order(player: Player, rng: Random) -> object:
    view = player.newest.view
    assert isinstance(view, View)
    orders = random_orders(rng, view)
    return await player.orders(*(orders if check(view, orders) is None else ()))


@final
class Asking:
    """A connection that asks for the time in every step."""

    def __init__(self, talker: Talker, clock: FakeClock) -> None:
        """Ask over this connection."""
        self.count = 0
        self._talker, self._clock = talker, clock
        self._asked: list[int] = []

    async def ask(self) -> None:
        """Ask, and wait until the server has read it."""
        self._asked.append(next(self._talker.ids))
        await self._talker.send(Ping(id=self._asked[-1]))
        await self._talker.expect(Matches, ListMatches)

    async def look(self) -> None:
        """Hold what has come against the grid; raise `LeakError` where it does not lie on it."""
        start = self._clock.now_ms() - STEP_MS
        await self._talker.expect(Matches, ListMatches)
        pongs = self._talker.every(Pong)[self.count :]
        point_ms = self._clock.now_ms() // GRID_MS * GRID_MS
        for pong in pongs:
            if pong.time_ms != point_ms or point_ms < start:
                raise LeakError(f"a pong of {pong.time_ms} came at {self._clock.now_ms()}")
        is_due = point_ms > start
        if is_due and len(pongs) < len(self._asked):
            raise LeakError(f"{len(self._asked) - len(pongs)} pongs were missing at {point_ms}")
        self.count += len(pongs)
        self._asked = self._asked[len(pongs) :]
