"""Two worlds on two servers: the same talk over sockets while a hidden fleet is another one.

Side A keeps still and looks nowhere, so that nothing of side B is its to know. Whoever is not B
must get the same bytes in both worlds: A, the public, a stranger, somebody who never said hello,
whoever asks for a page; and the log of the server must be the same, and what the operator's
commands and figures show after every window. On a rated clock they must get them on the same
beat as well, however much there is to be reckoned: the other fleet is then a large one. B changes
its mind more often in one world, so that the number of orders differs, and once all pause.
"""

import asyncio
import contextlib
import itertools
import re
from pathlib import Path
from random import Random
from typing import Final, final
from urllib.parse import SplitResult, urlsplit

import msgspec
from structlog.testing import capture_logs

from builders.beatsteps import START_MS, next_beat
from builders.fakeclock import FakeClock
from builders.fakeserver import until
from builders.openlimits import OPEN
from builders.players import Player, seated
from builders.questions import asked
from builders.randomplayer import random_orders
from builders.runners import runners_of
from builders.scenarios import scenarios
from builders.wires import WAIT_S, Talker, dialled, met
from sunglare_protocol.codec import Form
from sunglare_protocol.geometry import Square, Vector
from sunglare_protocol.ids import OMNI, PUBLIC, MatchId, Side, WindowId
from sunglare_protocol.messages import (
    Ask,
    AskPause,
    Chat,
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
    Resume,
    Watch,
)
from sunglare_protocol.orders import Order, Thrust
from sunglare_protocol.views import View
from sunglare_protocol.words.ladder import Phase
from sunglare_rules.advice.check.check import check
from sunglare_server.app import App
from sunglare_server.base.entropy import SeededEntropy
from sunglare_server.config import Settings
from sunglare_server.match.data.scenario import Scenario, ShipEntry, SideSetup
from sunglare_server.ops.control.requests import (
    BansAsked,
    DeedsAsked,
    MatchesAsked,
    ReportsAsked,
    StatusAsked,
)
from sunglare_server.ops.metrics.exporter import Exposition
from sunglare_server.ops.metrics.server_metrics import server_figures
from two_worlds.match import LeakError

WINDOWS: Final = 14
"""How many windows are played: enough for two turns."""

CLOCKS: Final = ("test", "blitz")
"""The clocks of the matches: with the last one frames are padded and wait for their beat."""

FLEETS: Final = {"test": 5, "blitz": 48}
"""How many ships the other fleet has, by the clock; the first one has three."""

BEATS_MOST: Final = 400
"""No window lasts longer."""

BACK_AT: Final = (5, 9)
"""The windows before which A's line is cut; A comes back with all, then with nothing."""

PAUSES_AT: Final = 7
"""In this window both sides pause, and all is asked while the match stands still."""

DRAFTS_MOST: Final = 3
"""So many times at most B gives other orders before those that count."""

ANSWERS: Final = 6
"""How many questions A asks in a window."""

UNSETTLED: Final = re.compile(
    "sunglare_(commits|memory|journal_queue|journal_bytes|open_files|threads|records_appended)"
    "|process_(resident_memory|virtual_memory|start_time|open_fds)"
    "|sunglare_(append|order_accepted)_seconds"
    r"|sunglare_queue_wait_seconds_\w+\{[^}]*queue=\"(journal|commands)\""
)
"""Figures that depend on how quick the machine is, the size of the journal, and those that tell
when orders are given, as OPERATIONS.md says of them."""

_DATE: Final = re.compile(rb"Date: [^\r]*\r\n")
_LENGTH: Final = re.compile(rb"Content-Length: (\d+)")

CONNECTIONS: Final = 5
"""How many are connected while the match is played."""

Heard = dict[str, list[bytes]]
"""What each listener was sent."""


def scenario_of(world: int, clock: str) -> Scenario:
    """Return the scenario of a world: in world 1 the fleet of B is another one."""
    duel = scenarios()["duel"]
    theirs = duel.data.sides[Side("B")].ships[:3]
    if world:
        models = itertools.islice(itertools.cycle(theirs), FLEETS[clock])
        theirs = tuple(_changed(model, f"Egret {n}") for n, model in enumerate(models))
    setup: SideSetup = msgspec.structs.replace(
        duel.data.sides[Side("B")], ships=theirs, objectives=()
    )
    sides = {**duel.data.sides, Side("B"): setup}
    return msgspec.structs.replace(duel, data=msgspec.structs.replace(duel.data, sides=sides))


def _window_of(player: Player) -> WindowId | None:
    return player.newest.window if player.posts else None


def _changed(entry: ShipEntry, name: str) -> ShipEntry:
    at = entry.at or Square(0, 0)
    return msgspec.structs.replace(entry, name=name, at=at.moved(Vector(1, len(name) % 2)))


def compare(first: Heard, second: Heard) -> None:
    """Raise `LeakError` at the first listener that heard something else in the second world."""
    for name, ours in first.items():
        theirs = second[name]
        for number, (a, b) in enumerate(zip(ours, theirs, strict=False)):
            if a != b:
                raise LeakError(f"{name}, message {number}:\n  {a!r}\n  {b!r}")
        if len(ours) != len(theirs):
            raise LeakError(f"{name}: {len(ours)} messages here, {len(theirs)} there")


async def served_worlds(folder: Path, clock: str) -> None:
    """Play both worlds by a clock and compare them; raise `LeakError` at a difference."""
    heard: list[Heard] = []
    for world in (0, 1):
        at = folder / f"{clock}{world}"
        at.mkdir()
        heard.append(await World(world, clock).play(at))
    compare(*heard)


async def shown_to_the_operator(app: App) -> list[bytes]:
    """Return what commands and figures show of a server, without what differs from run to run.

    The size of the journal, in mebibytes, grows with every fleet: that is what an operator needs.

    That is once it has noticed that none but the players and listeners are connected any more.
    """
    await until(lambda: app.operator.site.gateway.connections == CONNECTIONS)
    standing = (await app.operator.perform(StatusAsked())).standing
    assert standing is not None
    settled = msgspec.structs.replace(
        standing,
        url="",
        pid=0,
        journal="",
        commits=0,
        records=0,
        memory_bytes=0,
        queue=0,
        journal_bytes=0,
    )
    shown, _ = await Exposition(lambda: server_figures(app.operator.site)).text()
    plain = [line for line in shown.decode().splitlines() if not UNSETTLED.match(line)]
    matches = await app.operator.perform(MatchesAsked(over=True))
    looks = (
        matches,
        await app.operator.perform(MatchesAsked(quarantined=True)),
        await app.operator.perform(ReportsAsked(all=True)),
        await app.operator.perform(BansAsked()),
        await app.operator.perform(DeedsAsked()),
    )
    return [
        msgspec.json.encode(settled),
        *(msgspec.json.encode(look) for look in looks),
        *map(str.encode, plain),
    ]


async def pages(url: str) -> list[bytes]:
    """Return the answers to plain requests and a handshake, heads included, without the date."""
    where, key = urlsplit(url), "c2l4dGVlbiBieXRlcyAhIQ=="
    upgrade = (
        "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
        f"Sec-WebSocket-Key: {key}\r\n"
    )
    asked = {"/healthz": "", "/readyz": "", "/metrics": "", "/play?": "", "/play": upgrade}
    return [await _page(where, path, more) for path, more in asked.items()]


async def _page(where: SplitResult, path: str, more: str) -> bytes:
    reader, writer = await asyncio.open_connection(where.hostname, where.port)
    writer.write(f"GET {path} HTTP/1.1\r\nHost: localhost\r\n{more}\r\n".encode())
    async with asyncio.timeout(WAIT_S):
        head = await reader.readuntil(b"\r\n\r\n")
        length = _LENGTH.search(head)
        body = await reader.readexactly(int(length[1])) if length else b""
    writer.transport.abort()
    return _DATE.sub(b"", head) + body


@final
class World:
    """One world, from the start of its server to its stop."""

    def __init__(self, world: int, clock: str) -> None:
        """Prepare it; nothing runs yet."""
        self.world, self.clock = world, clock
        self.time = FakeClock(START_MS)
        self.match = MatchId("")
        # What B does follows from its world, what anybody else does from what that one sees.
        self.hidden, self.rng = Random(f"hidden {world}"), Random(7)
        self.heard: list[bytes] = []
        self.shown: list[bytes] = []
        self.pages: list[bytes] = []

    async def play(self, folder: Path) -> Heard:
        """Play some windows and return what everybody but B was sent, and what was logged."""
        # Whoever never says hello is heard to the end, however slow the machine is.
        settings = Settings(
            port=0, journal=folder / "journal.db", bots=(), handshake_s=600, **OPEN
        )
        app = self.app = App(settings, self.time, SeededEntropy(b"two worlds"))
        with capture_logs() as logs:
            await app.start()
            app.lobby.matches.library.scenarios["duel"] = scenario_of(self.world, self.clock)
            try:
                heard = await self._talk(app.url)
                heard["whoever asks for a page"] = self.pages
                heard["the operator"] = self.shown
            finally:
                await app.stop()
        at = [b"url", app.url.encode()]
        lines = [msgspec.json.encode({k: str(v) for k, v in line.items()}) for line in logs]
        shown = [line.replace(at[1], b"here").replace(str(folder).encode(), b"") for line in lines]
        return {**heard, "the log": shown}

    async def _talk(self, url: str) -> Heard:
        async with contextlib.AsyncExitStack() as stack:
            enter = stack.enter_async_context
            second = await enter(met(url, "Berta"))
            first = await enter(met(url, "Arno", form=Form.COMPACT))
            public, stranger = await enter(met(url, "Petra")), await enter(met(url, "Stefan"))
            silent = await enter(dialled(url))
            created = await second.expect(
                Created, Create, scenario="duel", title="T", options={"clock": self.clock}
            )
            self.match = created.match
            ours, theirs = await seated(first, self.match), await seated(second, self.match)
            await public.ask(Watch, match=self.match, feed=PUBLIC)
            for player in (ours, theirs):
                await player.talker.accepted(Ready, match=self.match)
            await self._pass(None, (ours, theirs), public)
            for number in range(WINDOWS):
                if number in BACK_AT:
                    ours = await self._come_back(stack, url, ours, have=number == BACK_AT[0])
                window = ours.newest.window
                if number == PAUSES_AT:
                    await self._stand_still(ours, theirs, (stranger, silent))
                await self._window(ours, theirs, (stranger, silent))
                await self._pass(window, (ours, theirs), public)
                self.pages += await pages(url)
                self.shown += await shown_to_the_operator(self.app)
            await self._settle(public)
            outside = {"the public": public, "a stranger": stranger, "a silent one": silent}
            raw = {name: talker.raw for name, talker in outside.items()}
            return {"side A": [*self.heard, *ours.talker.raw], **raw}

    async def _come_back(
        self, stack: contextlib.AsyncExitStack, url: str, ours: Player, *, have: bool
    ) -> Player:
        """Cut A's line and take the seat again, with the sequence known or from the beginning."""
        self.heard += ours.talker.raw
        token = ours.talker.token
        await ours.talker.cut()
        await self._noted(ours.side, is_gone=True)
        form = Form.COMPACT if have else Form.PACKED
        talker = await stack.enter_async_context(met(url, token=token, form=form))
        back = await ours.resume(talker, have=None if have else 10**6)
        await back.frame()
        await self._noted(ours.side, is_gone=False)
        return back

    async def _noted(self, side: Side, *, is_gone: bool) -> None:
        """Wait until it is on record that a line is down, or up again; `test` looks at none."""
        runner = runners_of(self.app.lobby.matches)[self.match]
        if runner.state.preset.drop_ms is not None:
            await until(lambda: (runner.state.attendance[side].gone_ms is not None) == is_gone)

    async def _pass(
        self, window: WindowId | None, players: tuple[Player, ...], public: Talker
    ) -> None:
        """Go on to the frame after that of `window`, on a rated clock beat by beat.

        Those who ask for the time on every beat show in their messages on which one it came.
        """
        await until(lambda: self.match in runners_of(self.app.lobby.matches))
        for _ in range(BEATS_MOST if self.clock != "test" else 0):
            if _window_of(players[0]) != window:
                break
            await next_beat(self.app, self.time, self.match)
            for talker in (players[0].talker, public):
                await talker.expect(Pong, Ping)
        for player in players:
            await player.frame(beside=window)

    async def _window(self, ours: Player, theirs: Player, outsiders: tuple[Talker, ...]) -> None:
        await theirs.reached(ours.newest.window)
        if theirs.is_asked:
            for _ in range(self.hidden.randrange(DRAFTS_MOST + 1)):
                await theirs.orders(*self._moves(theirs), lock=False)
            await theirs.orders(*self._moves(theirs), lock=ours.is_asked)
        await self._ask(ours)
        for talker in outsiders:
            await self._try_doors(talker)
        if theirs.is_asked:
            await theirs.orders(*self._moves(theirs))
        if ours.is_asked:
            await ours.orders()

    async def _stand_still(
        self, ours: Player, theirs: Player, outsiders: tuple[Talker, ...]
    ) -> None:
        """Pause, have everything asked, and go on."""
        await theirs.reached(ours.newest.window)
        for player in (ours, theirs):
            await player.accepted(AskPause)
        await self._ask(ours)
        for talker in outsiders:
            await self._try_doors(talker)
        self.pages += await pages(self.app.url)
        self.shown += await shown_to_the_operator(self.app)
        await ours.accepted(AskPause, on=False)

    def _moves(self, player: Player) -> tuple[Order, ...]:
        """Return a plot of B that nobody can notice; B scans nothing and never fires."""
        view = player.newest.view
        if not isinstance(view, View) or view.stage.phase is not Phase.PLOT:
            return ()
        plotted = random_orders(self.hidden, view)
        moves = tuple(order for order in plotted if isinstance(order, Thrust))
        return moves if check(view, moves) is None else ()

    async def _ask(self, ours: Player) -> None:
        """Ask what a seat may ask, and fetch and list what it may."""
        talker, view = ours.talker, ours.newest.view
        assert isinstance(view, View)
        known = list(asked(view, self.rng))
        for question in self.rng.sample(known, min(len(known), ANSWERS)):
            await talker.ask(Ask, match=self.match, **question._asdict())
        await talker.record(self.match)
        await talker.ask(ListMatches)
        await talker.ask(Info, match=self.match)
        await talker.ask(Watch, match=self.match, feed=OMNI)
        heard = len(talker.posts(self.match))
        await talker.ask(Chat, match=self.match, text="a word")
        while len(talker.posts(self.match)) == heard:
            await talker.more()

    async def _try_doors(self, talker: Talker) -> None:
        """Ask for everything that is not for somebody without a seat, and for what is."""
        for kind, fields in (
            (ListMatches, {}),
            (Info, {"match": self.match}),
            (FetchRecord, {"match": self.match}),
            (Resume, {"match": self.match, "ticket": "x" * 43}),
            (Ask, {"match": self.match, "kind": Question.LEGAL}),
            (GiveOrders, {"match": self.match, "window": "1.plot", "rev": 1}),
            (Watch, {"match": self.match, "feed": "B"}),
            (Watch, {"match": self.match, "feed": OMNI}),
        ):
            await talker.ask(kind, **fields)

    async def _settle(self, public: Talker) -> None:
        """Wait until the public feed has come to the last window."""
        async with asyncio.timeout(WAIT_S):
            while len(public.posts(self.match)) < WINDOWS:
                await public.more()
