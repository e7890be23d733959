"""Real servers for the end-to-end tests: a child process that may be killed, or one in process."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any, final

from msgspec.structs import replace

from builders.commandlines import ROOT as ROOT
from builders.commandlines import SOURCES as SOURCES
from builders.data import shipped
from builders.memoryjournal import MemoryJournal
from builders.openlimits import FLAGS, OPEN
from builders.processes import STOP_S as STOP_S
from builders.processes import Lives, port_of
from halves import ENGINE, IS_IN_HALVES
from sunglare_server.accounts.webhooks import Post
from sunglare_server.app import App
from sunglare_server.base.clock import Clock
from sunglare_server.config import Duty, Settings
from sunglare_server.gateway_app import Edge
from sunglare_server.sqlite.storage import Storage, sqlite_storage


@final
class ServerProcess(Lives):
    """A server in a process of its own; its journal, its port and its log outlive the process."""

    def __init__(self, folder: Path, *flags: str) -> None:
        """Keep everything in `folder`; without flags no limit of the server is met."""
        super().__init__(folder, "server")
        self.journal = folder / "journal.db"
        self._flags = flags or FLAGS

    def words(self) -> list[str]:
        """Return its place, its journal and its flags."""
        place = ["--host", "127.0.0.1", "--port", port_of(self.url)]
        return [*place, "--journal", str(self.journal), *self._flags]


@contextlib.contextmanager
def server_process(folder: Path, *flags: str) -> Iterator[ServerProcess]:
    """Run a server as a child process with everything it keeps in `folder`."""
    server = ServerProcess(folder, *flags)
    server.start()
    try:
        yield server
    finally:
        server.end()


async def quick_storage(path: Path) -> Storage:
    """Return a medium whose records take no time: a step of the clock is over when it is over.

    The `database` of its store is the caller's to close.
    """
    return (await sqlite_storage(path))._replace(journal=MemoryJournal())


@contextlib.asynccontextmanager
async def running_app(
    folder: Path, clock: Clock | None = None, *, post: Post | None = None, **wish: Any
) -> AsyncIterator[App]:
    """Run a server in this process, on any free port, with its journal in `folder`.

    It has no bots, and no limit of it is met, unless the `wish` for settings says otherwise;
    `post` tells its webhooks.
    """
    fields: dict[str, Any] = {"journal": folder / "journal.db", "bots": (), **OPEN, **wish}
    library = None if "data" in wish else shipped()
    settings = Settings(port=0, **fields)
    tried = _as_is_tried(settings, folder)
    if tried.nats:
        await emptied(tried.nats)
    app = App(tried, clock, library=library, post=post)
    await app.start()
    edge = await _edge_of(app, settings, clock)
    try:
        yield app
    finally:
        async with asyncio.timeout(STOP_S):
            if edge is not None:
                await edge.stop()
            await app.stop()


def _as_is_tried(settings: Settings, folder: Path) -> Settings:
    """Return the settings of a worker where servers are tried in two halves."""
    if not IS_IN_HALVES:
        return settings
    halves = replace(settings, duty=Duty.WORKER, socket=folder / "worker")
    return replace(halves, nats=(ENGINE,), development=True) if ENGINE else halves


async def emptied(urls: tuple[str, ...]) -> None:
    """Delete everything that an engine keeps."""
    import nats

    client = await nats.connect(list(urls))
    streams = client.jetstream()
    for stream in await streams.streams_info():
        await streams.delete_stream(stream.config.name or "")
    await client.close()


async def _edge_of(app: App, settings: Settings, clock: Clock | None) -> Edge | None:
    """Put a gateway before a worker, which is then found there; None for a whole server."""
    if app.settings.duty is not Duty.WORKER:
        return None
    road = {"worker": app.settings.socket, "nats": app.settings.nats}
    edge = Edge(replace(settings, duty=Duty.GATEWAY, **road), clock)
    app.url = await edge.start()
    return edge
