"""When webhooks ring while a match by correspondence is played: what public causes alone explain.

Both players have one. The clock goes on by odd times, orders come at odd times, a large fleet
fights. An account must ring at the whole minute after a window was shown that waits for it, once,
and at no other time, whatever came of the window.
"""

import asyncio
import contextlib
from pathlib import Path
from random import Random
from typing import Final, final

from builders.beatsteps import START_MS, next_beat
from builders.fakeclock import FakeClock
from builders.fakeserver import until
from builders.openlimits import OPEN
from builders.players import Player, seated
from builders.randomplayer import random_orders
from builders.runners import runners_of
from builders.wires import met
from secrecy.servedworlds import scenario_of
from sunglare_protocol.ids import MatchId, WindowId
from sunglare_protocol.messages import Create, Created, Ready, SetWebhook
from sunglare_protocol.views import View
from sunglare_rules.advice.check.check import check
from sunglare_server.accounts.webhookurl import Target
from sunglare_server.app import App
from sunglare_server.base.entropy import SeededEntropy
from sunglare_server.config import Settings
from sunglare_server.match.clock.presets import BEAT_MS
from two_worlds.match import LeakError

MINUTE_MS: Final = 60_000
"""PROTOCOL.md: webhooks are told at whole minutes."""

WINDOWS: Final = 12
"""How many windows are played."""

PAUSE_MS: Final = 100_000
"""So long a pause between two windows is at most, up to the next minute."""

FIRST_MS: Final = 1_000
LAST_MS: Final = 50_000
"""The part of a minute in which windows are shown, so that which minute tells of them is clear."""

TOLD_S: Final = 20.0
"""How long it may take, on any machine, to look up an address."""

BEATS_MOST: Final = 8
"""Within so many beats what a closed window comes to is shown."""

OPTIONS: Final = {"clock": "correspondence", "scan_slots": "sealed"}


@final
class Rings:
    """Who is told, and when; takes whatever it is told."""

    def __init__(self, clock: FakeClock) -> None:
        """Note by this clock."""
        self.count = 0
        self._heard: list[tuple[int, str]] = []
        self._clock = clock

    async def __call__(self, target: Target) -> bool:
        """Note that a target is told."""
        self._heard.append((self._clock.now_ms(), target.path))
        self.count += 1
        return True

    async def of_all(self, paths: set[str]) -> None:
        """Wait until all of these have been told; raise `TimeoutError` if one is not."""
        async with asyncio.timeout(TOLD_S):
            while not paths <= {path for _, path in self._heard}:  # noqa: ASYNC110 - from outside
                await asyncio.sleep(0.001)

    def taken(self) -> list[tuple[int, str]]:
        """Return who has been told since the last time, and when."""
        heard, self._heard = self._heard, []
        return heard


async def webhook_times(folder: Path) -> int:
    """Play some windows; return how often webhooks rang.

    Raise `LeakError` at a ring that no window explains, and where one is missing.
    """
    clock = FakeClock(START_MS)
    rings = Rings(clock)
    settings = Settings(port=0, journal=folder / "journal.db", bots=(), **OPEN)
    app = App(settings, clock, SeededEntropy(b"webhooks"), post=rings)
    await app.start()
    app.lobby.matches.library.scenarios["duel"] = scenario_of(1, "blitz")
    try:
        async with contextlib.AsyncExitStack() as stack:
            talkers = [await stack.enter_async_context(met(app.url)) for _ in range(2)]
            room = await talkers[0].expect(Created, Create, scenario="duel", options=OPTIONS)
            players = [await seated(talker, room.match) for talker in talkers]
            for player in players:
                url = f"https://hook.example.org/{player.side}"
                await player.talker.accepted(SetWebhook, url=url)
                await player.accepted(Ready)
            await Correspondence(app, clock, rings, players).play()
            return rings.count
    finally:
        await app.stop()


@final
class Correspondence:
    """The match, and the rings that it explains: the accounts for which a window waits anew."""

    def __init__(self, app: App, clock: FakeClock, rings: Rings, players: list[Player]) -> None:
        """Prepare it."""
        self._app, self._clock, self._rings, self._players = app, clock, rings, players
        self._match: MatchId = players[0].match
        self._rng = Random(4)
        self._due: set[str] = set()

    async def play(self) -> None:
        """Play; raise `LeakError` at a ring too many or too few."""
        await until(lambda: self._match in runners_of(self._app.lobby.matches))
        await self._show(None)
        for _ in range(WINDOWS):
            await self._pause()
            window = self._players[0].newest.window
            asked = [player for player in self._players if player.is_asked]
            # The orders that close a window are answered with its frame.
            orders = [asyncio.create_task(self._order(player)) for player in asked]
            await self._show(window)
            await asyncio.gather(*orders)
        for _ in range(3):
            await self._pause()

    async def _order(self, player: Player) -> None:
        view = player.newest.view
        assert isinstance(view, View)
        orders = random_orders(self._rng, view)
        await player.orders(*(orders if check(view, orders) is None else ()))

    async def _show(self, window: WindowId | None) -> None:
        """Go on beat by beat until another window is shown, and note for whom it waits."""
        runner = runners_of(self._app.lobby.matches)[self._match]
        if window is not None:
            await until(lambda: runner.state.standing.window != window)
        for _ in range(BEATS_MOST):
            await next_beat(self._app, self._clock, self._match)
            if runner.feeds.told is runner.state:
                break
        for player in self._players:
            await player.frame(beside=window)
        assert FIRST_MS <= self._clock.now_ms() % MINUTE_MS < MINUTE_MS
        self._due |= {f"/{player.side}" for player in self._players if player.is_asked}

    async def _pause(self) -> None:
        """Let some time go by, up to a moment at which no minute is about to begin."""
        end_ms = self._clock.now_ms() + self._rng.randrange(PAUSE_MS)
        end_ms += -end_ms % MINUTE_MS + self._rng.randrange(FIRST_MS, LAST_MS, BEAT_MS)
        while (now_ms := self._clock.now_ms()) < end_ms:
            await self._clock.run_for(min(MINUTE_MS - now_ms % MINUTE_MS, end_ms - now_ms))
            if self._clock.now_ms() % MINUTE_MS == 0:
                await self._judge()
        await self._judge()

    async def _judge(self) -> None:
        """Hold what has rung against what is due; at a minute all that is due has to ring."""
        is_minute = self._clock.now_ms() % MINUTE_MS == 0
        try:
            # To look up the address takes a moment, for which the clock stands still.
            await self._rings.of_all(self._due if is_minute else set())
        except TimeoutError:
            raise LeakError(f"{sorted(self._due)} did not ring, for whom a window waits") from None
        for at_ms, path in self._rings.taken():
            if at_ms % MINUTE_MS:
                raise LeakError(f"{path} rang {at_ms % MINUTE_MS} ms behind a minute")
            if path not in self._due:
                raise LeakError(f"{path} rang at {at_ms}, and no window waited anew")
            self._due.remove(path)
