"""A match at one time of its life, with an account in each relation to it, over real sockets."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from pathlib import Path
from typing import final

from builders.fakeclock import FakeClock
from builders.fakeserver import until
from builders.operators import asked
from builders.players import SCENARIO, Player, created, seated
from builders.servers import running_app
from builders.watchers import name_of
from builders.wires import Talker, met
from outlets.feedmatrix import CLOCKS, RELATIONS
from outlets.places import Place, seat_bot
from sunglare_protocol.ids import OMNI, Audience, MatchId
from sunglare_protocol.messages import (
    AskPause,
    GiveOrders,
    GrantFeed,
    Ready,
    Refused,
    Resign,
    RevokeFeed,
)
from sunglare_protocol.refusals import Code
from sunglare_server.app import App
from sunglare_server.ops.control.requests import GrantCaster

TURN = 2
"""The turn in which a match is looked at."""

STEP_MS = 250


@final
class FeedStage:
    """A match and who looks at it; `place` knows what each audience should have been sent."""

    def __init__(self, app: App, clock: FakeClock, kind: str, talkers: dict[str, Talker]) -> None:
        """Prepare a match by a kind of clock."""
        self.app = app
        self.kind = kind
        self.talkers = talkers
        self.place = Place(app, kind, contextlib.AsyncExitStack())
        self.match = MatchId("")
        self._clock = clock
        self._players: list[Player] = []

    async def open(self, time: str) -> None:
        """Open the match, grant what can be granted, and go on to a time."""
        options = CLOCKS[self.kind]
        self.match = self.place.match = await created(self.talkers["organiser"], options=options)
        for side in ("A", "B"):
            self._players.append(await seated(self.talkers[side], self.match, side))
        await self._grant()
        if time == "before":
            return
        await self._play()
        if time == "paused":
            await self._pause()
        if time == "over":
            await self._end()

    @property
    def has_started(self) -> bool:
        """Return whether anything has been sent."""
        return self.place.has_started

    async def _grant(self) -> None:
        """GrantCaster all that is wished for; with a rated clock seats and organiser can't."""
        wishes = (
            ("organiser", "late", OMNI),
            ("A", "coach", Audience("A")),
            ("A", "bound", Audience("A")),
        )
        for by, whom, feed in wishes:
            fields = {"match": self.match, "name": name_of(self.talkers[whom]), "feed": feed}
            answer = await self.talkers[by].ask(GrantFeed, **fields)
            if self.kind == "rated":
                assert isinstance(answer, Refused)
                assert answer.code is Code.FEED_CLOSED
            elif whom == "bound":
                await self.talkers[by].accepted(RevokeFeed, **fields)
        await asked(self.app, GrantCaster(match=self.match, name=name_of(self.talkers["caster"])))

    async def _play(self) -> None:
        """Start, and lock nothing in every window up to one after the movement of a turn."""
        for player in self._players:
            await player.talker.accepted(Ready, match=self.match)
        await until(lambda: self.place.has_started)
        while not self._is_there:
            await self._close_window()
        await self._caught_up()

    @property
    def _is_there(self) -> bool:
        standing = self.place.state.standing
        return standing.turn == TURN and standing.moved_turn == TURN

    async def _close_window(self) -> None:
        standing = self.place.state.standing
        await self._caught_up()
        for player in self._players:
            await player.talker.ask(
                GiveOrders, match=self.match, window=standing.window, rev=1, lock=True
            )
        while self.place.state.standing.window == standing.window:
            await self._wait()

    async def _caught_up(self) -> None:
        """Let the time come at which all that was stored is released."""
        feeds = self.place.runner.feeds
        while feeds.told is None or feeds.told is not self.place.state:
            await self._wait()

    async def _wait(self) -> None:
        await self._clock.run_for(STEP_MS)
        await asyncio.sleep(0.001)

    async def _pause(self) -> None:
        for player in self._players:
            await player.talker.accepted(AskPause, match=self.match)
        await self._caught_up()
        assert self.place.state.table.paused_ms is not None

    async def _end(self) -> None:
        await self._players[1].talker.accepted(Resign, match=self.match)
        while not self.place.runner.over.is_set():
            await self._wait()


@contextlib.asynccontextmanager
async def staged(folder: Path, kind: str, time: str) -> AsyncIterator[FeedStage]:
    """Run a server with a match by a kind of clock at a time."""
    clock = FakeClock(1_000_000)
    async with contextlib.AsyncExitStack() as stack:
        app = await stack.enter_async_context(running_app(folder, clock))
        talkers = {
            relation: await stack.enter_async_context(met(app.url)) for relation in RELATIONS
        }
        await seat_bot(app, talkers["bot"].token, SCENARIO)
        stage = FeedStage(app, clock, kind, talkers)
        await stage.open(time)
        yield stage
