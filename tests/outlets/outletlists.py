"""Every outlet held against the complete list of what it may say, while much happens.

A match on a rated clock is played in which a window has far more than forty events: a large fleet
and a small one scan, fire and hit. After each window the heads of the plain answers, the rows
and figures of the operator and the objects that live at outlets are looked at; then the server is
started again and loads the match, which is played to its end. Whatever is new at an outlet shows,
however seldom it is said and whatever its value follows from.
"""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from pathlib import Path
from random import Random
from typing import Final, final

from structlog.contextvars import merge_contextvars
from structlog.testing import capture_logs

from builders.beatsteps import START_MS, next_beat
from builders.fakeclock import FakeClock
from builders.fakeserver import until
from builders.openlimits import OPEN
from builders.players import Player, seated
from builders.randomplayer import random_orders
from builders.runners import runners_of
from builders.wires import Talker, met
from outlets.environments import check_environments
from outlets.filled import check_filled
from outlets.heads import FIGURES, HEADS, RECORD, SHORT, answer, check_head, check_heads
from outlets.loglines import unlisted
from outlets.reach import leads, living
from outlets.sayings import unlisted_figures
from secrecy.servedworlds import scenario_of
from sunglare_protocol.codec import Form
from sunglare_protocol.ids import PUBLIC, MatchId, Side, WindowId
from sunglare_protocol.messages import Create, Created, Ready, Watch
from sunglare_protocol.views import View
from sunglare_rules.advice.check.check import check
from sunglare_server.app import App
from sunglare_server.base.entropy import SeededEntropy
from sunglare_server.config import Settings
from sunglare_server.match.record import unpacked
from sunglare_server.match.state import MatchState
from sunglare_server.match.step import step
from sunglare_server.ops.control.answers import MatchRow, SeatLine
from sunglare_server.ops.control.requests import MatchesAsked

CLOCK: Final = "blitz"
"""A clock whose frames are filled up and wait for their beat."""

WINDOWS: Final = 9
"""How many windows are played before the server is started again: one turn and a half."""

BEATS_MOST: Final = 400
"""No window lasts longer."""

EVENTS: Final = 40
"""So many events some window must have."""

FORMS: Final = (Form.PACKED, Form.COMPACT)
"""The forms in which the seats, and then the spectators, are sent what is filled up."""

NAMES: Final = {Side("A"): "Arno", Side("B"): "Berta"}
"""Who sits where."""


async def outlet_lists(folder: Path) -> None:
    """Hold every outlet against its list; raise `AssertionError` at what stands in none."""
    check_environments()
    with capture_logs(processors=[merge_contextvars]) as lines:
        await Stage(folder).play()
    assert not (faults := unlisted(lines)), f"new in the log: {faults}"
    assert {"match_opened", "match_loaded", "match_over"} <= {line["event"] for line in lines}


@final
class Stage:
    """The match that is played, on one server and then on another."""

    def __init__(self, folder: Path) -> None:
        """Prepare it; nothing runs yet."""
        self.folder = folder
        self.time = FakeClock(START_MS)
        self.match = MatchId("")
        self.rng = Random(4)

    async def play(self) -> None:
        """Play the match; raise `AssertionError` at what an outlet may not say."""
        async with self._server() as app:
            players = await self._first(app)
        async with self._server() as app:
            await self._last(app, players)
            await check_heads(app.url, HEADS)

    @contextlib.asynccontextmanager
    async def _server(self) -> AsyncIterator[App]:
        settings = Settings(port=0, metrics=0, journal=self.folder / "journal.db", bots=(), **OPEN)
        app = App(settings, self.time, SeededEntropy(b"outlet lists"))
        await app.start()
        app.lobby.matches.library.scenarios["duel"] = scenario_of(1, CLOCK)
        try:
            yield app
        finally:
            await app.stop()

    async def _first(self, app: App) -> list[Player]:
        async with contextlib.AsyncExitStack() as stack:
            enter = stack.enter_async_context
            seats = zip(NAMES.values(), FORMS, strict=True)
            talkers = [await enter(met(app.url, name, form=form)) for name, form in seats]
            watchers = [await enter(met(app.url, form=form)) for form in FORMS]
            room = await talkers[0].expect(
                Created, Create, scenario="duel", options={"clock": CLOCK}
            )
            self.match = room.match
            players = [await seated(talker, self.match) for talker in talkers]
            for watcher in watchers:
                await watcher.ask(Watch, match=self.match, feed=PUBLIC)
            for talker in talkers:
                await talker.accepted(Ready, match=self.match)
            await self._pass(app, players, watchers, None)
            for _ in range(WINDOWS):
                await self._window(app, players, watchers)
            filled = [check_filled(talker.raw) for talker in (*talkers, *watchers)]
            assert min(count.total() for count in filled) > WINDOWS
            # A compact line is sent one frame whole and then changes, whatever has happened.
            assert [count["frame"] for count in filled[1::2]] == [1, 1]
            assert await self._most_events(app) > EVENTS
            return players

    async def _most_events(self, app: App) -> int:
        """Return how many events the window had that had most of them, by its records."""
        state: MatchState | None = None
        most, last = 0, b""
        records = await runners_of(app.lobby.matches)[self.match].archiving.records()
        for number, blob in enumerate(records, start=1):
            stepped = step(state, unpacked(blob, number, last))
            state, last, most = stepped.state, blob, max(most, len(stepped.events))
        return most

    async def _window(self, app: App, players: list[Player], watchers: list[Talker]) -> None:
        window = players[0].newest.window
        for player in players:
            if player.is_asked:
                await self._order(player)
        await self._pass(app, players, watchers, window)
        await check_heads(app.url, SHORT)
        await self._look(app, listeners=len(players) + len(watchers))

    async def _order(self, player: Player) -> None:
        view = player.newest.view
        assert isinstance(view, View)
        orders = random_orders(self.rng, view)
        await player.orders(*(orders if check(view, orders) is None else ()))

    async def _pass(
        self, app: App, players: list[Player], watchers: list[Talker], window: WindowId | None
    ) -> None:
        """Go on to the frame after that of `window`, beat by beat."""
        await until(lambda: self.match in runners_of(app.lobby.matches))
        for _ in range(BEATS_MOST):
            if players[0].posts and players[0].newest.window != window:
                break
            await next_beat(app, self.time, self.match)
            for talker in (*(player.talker for player in players), *watchers):
                await talker.ping()
        for player in players:
            await player.frame(beside=window)

    async def _look(self, app: App, *, listeners: int) -> None:
        """Look at the row of the match, the figures, and the objects at outlets."""
        rows = (await app.operator.perform(MatchesAsked())).matches
        assert rows is not None
        seats = [SeatLine(side=side, name=name) for side, name in NAMES.items()]
        expected = MatchRow(
            match=self.match,
            scenario="duel",
            state="running",
            clock=CLOCK,
            private=False,
            seats=tuple(seats),
            age_s=(self.time.now_ms() - START_MS) // 1000,
            listeners=listeners,
        )
        assert rows == (expected,), f"{rows} is not {expected}"
        told = await answer(f"ws://127.0.0.1:{app.metrics.port}", "GET", "/metrics")
        check_head(told, FIGURES)
        assert not (faults := unlisted_figures(told.body.decode())), faults
        assert not (found := leads(living())), found

    async def _last(self, app: App, before: list[Player]) -> None:
        """Come back to the match, which is loaded for that, and end it."""
        async with contextlib.AsyncExitStack() as stack:
            enter, players = stack.enter_async_context, []
            for player in before:
                talker = await enter(met(app.url, token=player.talker.token))
                players.append(await player.resume(talker))
            await players[1].resign()
            ended = asyncio.ensure_future(players[0].over())
            for _ in range(BEATS_MOST):
                if ended.done():
                    break
                await next_beat(app, self.time, self.match)
                await players[0].talker.ping()
            await ended
            runner = runners_of(app.lobby.matches).get(self.match)
            if runner is not None:
                await runner.over.wait()
        told = await answer(app.url, "GET", f"/replay/{self.match}.sgr")
        check_head(told, RECORD, match=self.match)
