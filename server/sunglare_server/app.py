"""The wiring of the server: its parts, in the order in which they start and stop."""

import asyncio
import contextlib
import gc
import os
import signal
import sys
import threading
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import final

import structlog

from sunglare_protocol.messages.replies import RoomState
from sunglare_server.config import HOUSE_BOTS, Settings
from sunglare_server.desk.talk import HouseDesk
from sunglare_server.host.accounts import Accounts
from sunglare_server.host.bell import Bell
from sunglare_server.host.clock import Clock, SystemClock
from sunglare_server.host.entropy import Entropy, SeededEntropy, SystemEntropy
from sunglare_server.host.housebots import HouseBots
from sunglare_server.host.library import Library, load_library
from sunglare_server.host.lobby import Lobby
from sunglare_server.host.roomlimits import RoomBounds, RoomLimits
from sunglare_server.host.sqlite_journal import SqliteJournal
from sunglare_server.host.stall import AGAIN_TEXT
from sunglare_server.host.storage import OpenStorage, sqlite_storage
from sunglare_server.host.tasks import kept_up, spawn
from sunglare_server.host.webhooks import Post, Webhooks
from sunglare_server.net.door import Door
from sunglare_server.net.filelimit import raise_file_limit
from sunglare_server.net.gateway import Gateway
from sunglare_server.net.posting import Posting
from sunglare_server.ops.control import Control, why_not
from sunglare_server.ops.metrics import Metrics
from sunglare_server.ops.operator import Operator
from sunglare_server.ops.overview import Installation

COLLECTOR = (5_000, 1_000, 200)
"""The collector's thresholds of a running server; what is new is looked through by itself."""

TIDY_MS = 250
"""OWN: how often what is new is looked through for reference cycles."""

SWITCH_S = 0.000_2
"""After how long a thread that runs lets another one run that waits."""

MEDIUM_FAILED = 3
"""The exit code when the journal's medium can't be trusted any more."""


MINUTE_MS = 60_000

END_S = 20.0
"""How long an orderly end may take; what was accepted is on disk long before."""


def _entropy(seed: str | None) -> Entropy:
    return SeededEntropy(seed.encode()) if seed else SystemEntropy()


def _house_bots(settings: Settings) -> HouseBots:
    return HouseBots(settings.bots, settings.bots_at_once, settings.bots_per_address)


def _room_bounds(settings: Settings) -> RoomBounds:
    return RoomBounds(
        most=settings.matches,
        each_account=settings.matches_per_account,
        each_address=settings.rooms_per_address,
        alone_ms=settings.lobby_minutes * MINUTE_MS,
    )


def loop_factory(name: str) -> Callable[[], asyncio.AbstractEventLoop]:
    """Return what makes the event loop `name`: uvloop, asyncio, or the quicker one there is."""
    if name == "asyncio":
        return asyncio.new_event_loop
    try:
        import uvloop
    except ModuleNotFoundError:
        if name == "uvloop":
            raise
        return asyncio.new_event_loop
    return uvloop.new_event_loop


def tune_python() -> None:
    """Let nothing of Python's own keep a window waiting.

    It looks for reference cycles among all that lives seldom, as records, states and frames have
    none, and among what is new in small portions, which `tidied` sees to. The thread that stores
    a window is let in soon: it has to be a dozen times for each, and Python's own 5 ms are as long
    as two windows take.
    """
    gc.freeze()
    gc.set_threshold(*COLLECTOR)
    sys.setswitchinterval(SWITCH_S)


async def tidied(bell: Bell, clock: Clock) -> None:
    """Have Python look through what is new in small portions, whenever nobody is due soon.

    By itself it waits until there is so much more than before; where thousands of connections
    renew what they hold, that is seldom, and all that they have renewed is looked through at once.
    """
    while True:
        await clock.sleep_until_ms(clock.now_ms() + TIDY_MS)
        await bell.lull()
        gc.collect(0)


@contextlib.contextmanager
def _watchdog() -> Iterator[None]:
    """End the process if its orderly end takes longer than `END_S`: a disk may hang for good."""

    def give_up() -> None:
        sys.stderr.write(f"sunglare-server: not ended after {END_S:g} s; given up\n")
        os._exit(MEDIUM_FAILED)

    # A thread, since whatever hangs may be the event loop itself.
    timer = threading.Timer(END_S, give_up)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


@final
class App:
    """A whole server in one object; `start` listens, `stop` leaves everything on disk."""

    def __init__(
        self,
        settings: Settings,
        clock: Clock | None = None,
        entropy: Entropy | None = None,
        *,
        open_storage: OpenStorage = sqlite_storage,
        library: Library | None = None,
        post: Post | None = None,
    ) -> None:
        """Take the settings; tests may give everything that reaches outside the process.

        Without `library` it is loaded at each start. `post` tells webhooks.
        """
        self.settings = settings
        self._open_storage = open_storage
        self._library = library
        self._closes: list[Callable[[], Awaitable[None]]] = []
        self.url = ""
        self._clock = clock or SystemClock()
        self._chores: list[asyncio.Task[None]] = []
        self._post = post or (Posting() if settings.webhooks else None)
        self._entropy = entropy or _entropy(settings.seed)
        self._log = structlog.get_logger()

    async def start(self) -> str:
        """Open the journal, take up what was running, listen; return the address."""
        library = self._library or load_library(self.settings.data)
        self.storage = await self._open_storage(self.settings.journal)
        store = self.storage.store
        self.bots = _house_bots(self.settings)
        accounts = Accounts(store, self._entropy, dict.fromkeys((*HOUSE_BOTS, *self.bots.names)))
        await accounts.load()
        webhooks = Webhooks(store, self._clock, self._post)
        self.lobby = Lobby(
            library,
            store,
            self.storage.journal,
            accounts,
            self.bots,
            self._clock,
            self._entropy,
            RoomLimits(_room_bounds(self.settings)),
            webhooks,
        )
        self._gateway = Gateway(HouseDesk(self.lobby, self._clock), self._clock, self.settings)
        await self.lobby.load()
        self.url = await self._gateway.listen(self.settings.host, self.settings.port)
        await self._open_outlets()
        if self.bots.names:
            self.bots.url = await self._gateway.listen_to_own()
        await self.lobby.bot_seats.fill_again()
        self.lobby.starting.begin_again()
        raise_file_limit(self.settings.connections)
        rooms = self.lobby.rooms.values()
        running = sum(room.state is RoomState.RUNNING for room in rooms)
        self._log.info("listening", url=self.url, matches=running)
        if self._post is not None:
            self._chores = [kept_up(webhooks.run, "tell webhooks", self._clock)]
        if isinstance(self._clock, SystemClock):
            clock, matches = self._clock, self.lobby.matches
            self._chores += [
                kept_up(
                    lambda: clock.heed_stops(self._note_stop, matches.stood), "heed stops", clock
                ),
                kept_up(lambda: tidied(matches.bell, clock), "tidy", clock),
            ]
        return self.url

    def _note_stop(self, ms: int) -> None:
        """Tell of a stop of the whole process, which every window outlasts."""
        self._log.warning("the process stood still", ms=ms)
        self.lobby.matches.tell_all(AGAIN_TEXT)

    @property
    def door(self) -> Door:
        """Return the door, which counts connections."""
        return self._gateway.door

    async def stop(self) -> None:
        """Stop in the order that loses nothing: matches, connections, journal.

        Nobody new is let in; what a match is storing is stored and answered; then everybody is
        told to come back.
        """
        self.lobby.decrees.is_draining = True
        self._gateway.stop_listening()
        for close in self._closes:
            await close()
        await self.lobby.stop()
        await self._gateway.close()
        for chore in self._chores:
            chore.cancel()
        await self.storage.journal.close()
        if isinstance(self._post, Posting):
            self._post.close()
        tally = self.lobby.matches.bell.tally
        self._log.info(
            "stopped",
            on_beat=tally.releases,
            slips=tally.slips,
            latest_ms=tally.latest_ms,
        )

    async def _open_outlets(self) -> None:
        """Open what the operator uses: the control socket and the metrics."""
        database, journal = self.storage.database, self.storage.journal
        if database is None or not isinstance(journal, SqliteJournal):
            # There is nothing that could be backed up or checked.
            return
        site = Installation(
            lobby=self.lobby,
            gateway=self._gateway,
            database=database,
            journal=journal,
            clock=self._clock,
            path=self.settings.journal,
            started_ms=self._clock.now_ms(),
            url=self.url,
        )
        self.operator = Operator(site)
        control = Control(self._control_path(), self.operator.perform)
        await control.listen()
        self.metrics = Metrics(site)
        await self.metrics.listen(self.settings.metrics)
        self._closes = [control.close, self.metrics.close, self.operator.close]

    def _control_path(self) -> Path | None:
        path = self.settings.control_path
        if path is not None and self.settings.control == "auto" and (why := why_not(path)):
            self._log.warning("no control socket", path=str(path), why=why)
            return None
        return path

    async def run(self) -> int:
        """Serve until a signal or a failing medium ends it; return the exit code."""
        # One line on standard output for whoever started us and waits.
        sys.stdout.write(f"listening on {await self.start()}\n")
        sys.stdout.flush()
        ended = asyncio.Event()
        loop = asyncio.get_running_loop()
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(number, ended.set)
        waits = [
            spawn(ended.wait(), "await a signal"),
            spawn(self.storage.broken.wait(), "await the medium"),
            spawn(self.operator.drained.wait(), "await the drain"),
        ]
        await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
        for wait in waits:
            wait.cancel()
        is_broken = self.storage.broken.is_set()
        if is_broken:
            self._log.error("the journal's medium failed; the server ends")
        with _watchdog():
            await self.stop()
        return MEDIUM_FAILED if is_broken else 0
