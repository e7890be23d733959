"""The server as a machine that dies and is started again on the same disk."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import final

from simulation.diary import Life
from simulation.disk import Disk, entries_of
from simulation.diskentries import Entry, Tables, unpacked_entry
from simulation.diskratings import disk_storage
from simulation.world import SERVER, World
from sunglare_server.app import App
from sunglare_server.base.clock import SystemClock
from sunglare_server.base.entropy import SeededEntropy
from sunglare_server.base.library import Library
from sunglare_server.config import Settings
from sunglare_server.match import past
from sunglare_server.sqlite.storage import Storage

EPOCH_MS = 1_800_000_000_000
"""What the wall clock of the server shows when a simulation begins."""

_NS_PER_S = 1_000_000_000
_NS_PER_MS = 1_000_000


@final
class _Steady:
    """A server's clock on a machine that is never stopped, so that nobody looks for stops."""

    def __init__(self, clock: SystemClock) -> None:
        self._clock = clock

    def now_ms(self) -> int:
        return self._clock.now_ms()

    async def sleep_until_ms(self, t: int) -> None:
        await self._clock.sleep_until_ms(t)


@final
class Machine:
    """The server's machine; `wall_ms` is by how much its wall clock is wrong."""

    def __init__(self, world: World, disk: Disk, library: Library, seed: int) -> None:
        """Run a server in `world` on `disk`."""
        self.lives: list[Life] = []
        self.wall_ms = 0
        self.url = ""
        self.up = asyncio.Event()
        self.down = asyncio.Event()
        self.failure: BaseException | None = None
        self.disk = disk
        self._world = world
        self._library = library
        self._seed = seed
        self._port = world.port
        self._is_powered = True
        self._app: App | None = None

    async def boot(self) -> None:
        """Start the server and return once it listens."""
        if not self._is_powered:
            self._world.power_on(SERVER)
            self._is_powered = True
        self.down.clear()
        # A process that begins has folded no past yet.
        past._folded.clear()  # noqa: SLF001
        self._world.spawn(SERVER, self._serve())
        await self.up.wait()

    def kill(self) -> None:
        """End the process at once."""
        self._world.kill(SERVER)
        self.disk.end_life()
        self._note_down()

    def cut_power(self) -> None:
        """End the process and the machine at once."""
        self._world.cut_power(SERVER)
        self.disk.lose_power()
        self._is_powered = False
        self._note_down()

    async def deploy(self) -> None:
        """End the server in order."""
        app = self._app
        if app is None or not self.up.is_set():
            return
        self.up.clear()
        ended = self._world.spawn(SERVER, app.stop())
        await asyncio.wait([ended])
        if not self.down.is_set():
            self.kill()

    def trap(self, steps: int, end: Callable[[], None]) -> None:
        """Let `end` happen after so many more steps of the disk."""
        left = steps

        def step() -> None:
            nonlocal left
            left -= 1
            if not left and self.up.is_set():
                self.disk.on_step = lambda: None
                end()

        self.disk.on_step = step

    def tables(self) -> Tables:
        """Return what is on the disk now."""
        tables = Tables()
        for entry in self.entries():
            tables.take(entry)
        return tables

    def entries(self) -> tuple[Entry, ...]:
        """Return what was written to the disk, the oldest first."""
        return tuple(unpacked_entry(entry) for entry in entries_of(self.disk))

    def _note_down(self) -> None:
        self._app = None
        self.up.clear()
        self.down.set()

    async def _serve(self) -> None:
        clock = _Steady(SystemClock(self._wall_ns, self._steady_ns))

        async def opened(_: Path) -> Storage:
            storage = await disk_storage(self.disk)
            counts = {match: len(blobs) for match, blobs in self.tables().records.items()}
            life = Life(self._world.time(), clock.now_ms(), counts)
            self.lives.append(life)
            return storage

        settings = Settings(port=self._port, journal=Path("simulated"), bots=())
        entropy = SeededEntropy(f"{self._seed}/{len(self.lives)}".encode())
        app = App(settings, clock, entropy, open_storage=opened, library=self._library)
        try:
            self.url = await app.start()
        except Exception as failure:  # noqa: BLE001 - told at the end of the run
            self.failure = failure
            self.up.set()
            return
        self._port = int(self.url.rpartition(":")[2].partition("/")[0])
        self._app = app
        self.up.set()

    def _steady_ns(self) -> int:
        return round(self._world.time() * _NS_PER_S)

    def _wall_ns(self) -> int:
        return self._steady_ns() + (EPOCH_MS + self.wall_ms) * _NS_PER_MS
