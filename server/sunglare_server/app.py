"""The wiring of the server: its parts, in the order in which they start and stop."""

import asyncio
import gc
import signal
import sys
from collections.abc import Callable
from typing import final

import structlog

from sunglare_server.config import Settings
from sunglare_server.host.clock import Clock, SystemClock
from sunglare_server.host.entropy import Entropy, SeededEntropy, SystemEntropy
from sunglare_server.host.housebots import HouseBots
from sunglare_server.host.library import Library, load_library
from sunglare_server.host.lobby import Lobby
from sunglare_server.host.people import People
from sunglare_server.host.storage import OpenStorage, sqlite_storage
from sunglare_server.net.gateway import Gateway

COLLECTOR = (50_000, 20, 50)
"""The collector's thresholds of a running server."""

MEDIUM_FAILED = 3
"""The exit code when the journal's medium can't be trusted any more."""


def _entropy(seed: str | None) -> Entropy:
    return SeededEntropy(seed.encode()) if seed else SystemEntropy()


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


def relax_collector() -> None:
    """Let Python look for reference cycles seldom: records, states and frames have none."""
    gc.freeze()
    gc.set_threshold(*COLLECTOR)


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
    ) -> None:
        """Take the settings; tests may give everything that reaches outside the process.

        Without `library` it is loaded at each start.
        """
        self.settings = settings
        self._open_storage = open_storage
        self._library = library
        self.url = ""
        self._clock = clock or SystemClock()
        self._entropy = entropy or _entropy(settings.seed)
        self._log = structlog.get_logger()

    async def start(self) -> str:
        """Open the journal, take up what was running, listen; return the address."""
        library = self._library or load_library(self.settings.data)
        self.storage = await self._open_storage(self.settings.journal)
        store = self.storage.store
        self.bots = HouseBots(self.settings.bots)
        self.lobby = Lobby(
            library,
            store,
            self.storage.journal,
            People(store, self._entropy),
            self.bots,
            self._clock,
            self._entropy,
            matches_most=self.settings.matches,
        )
        await self.lobby.load()
        self._gateway = Gateway(self.lobby, self._clock)
        self.url = await self._gateway.listen(self.settings.host, self.settings.port)
        self.bots.url = self.url
        await self.lobby.bot_seats.fill_again()
        self._log.info("listening", url=self.url, matches=self.lobby.running)
        return self.url

    async def stop(self) -> None:
        """Stop in the order that loses nothing: connections, matches, journal."""
        await self._gateway.close()
        await self.lobby.stop()
        await self.storage.journal.close()
        tally = self.lobby.matches.bell.tally
        self._log.info(
            "stopped",
            on_beat=tally.releases,
            slips=tally.slips,
            latest_ms=tally.latest_ms,
        )

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
            asyncio.ensure_future(ended.wait()),
            asyncio.ensure_future(self.storage.broken.wait()),
        ]
        await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
        for wait in waits:
            wait.cancel()
        is_broken = self.storage.broken.is_set()
        if is_broken:
            self._log.error("the journal's medium failed; the server ends")
        await self.stop()
        return MEDIUM_FAILED if is_broken else 0
