"""Real servers for the end-to-end tests: a child process that may be killed, or one in process."""

import asyncio
import contextlib
import os
import select
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any, final

from msgspec.structs import replace

from builders.commandlines import ROOT as ROOT
from builders.commandlines import SOURCES as SOURCES
from builders.data import shipped
from builders.memoryjournal import MemoryJournal
from builders.openlimits import FLAGS, OPEN
from halves import ENGINE, IS_IN_HALVES
from sunglare_server.app import App
from sunglare_server.config import Duty, Settings
from sunglare_server.edge import Edge
from sunglare_server.host.clock import Clock
from sunglare_server.host.storage import Storage, sqlite_storage
from sunglare_server.host.webhooks import Post

START_S = 90.0
"""Seconds in which a server must listen."""

STOP_S = 90.0
"""Seconds in which a server must end once it was asked to."""

LISTENING = "listening on "
"""How the one line on standard output begins."""


@final
class ServerProcess:
    """A server in a process of its own; its journal, its port and its log outlive the process."""

    def __init__(self, folder: Path, *flags: str) -> None:
        """Keep everything in `folder`; without flags no limit of the server is met."""
        self.journal = folder / "journal.db"
        self.log = folder / "server.log"
        self.errors = folder / "server.err"
        self.url = ""
        self._flags = flags or FLAGS
        self._port = 0
        self._process: subprocess.Popen[bytes] | None = None
        self._lives: list[int] = []

    @property
    def resident_bytes(self) -> int:
        """Return how much memory the process holds; Linux alone tells."""
        assert self._process is not None
        pages = Path(f"/proc/{self._process.pid}/statm").read_text().split()[1]
        return int(pages) * os.sysconf("SC_PAGESIZE")

    def start(self) -> None:
        """Start, at the same port as before if there was one; raise if it does not listen."""
        with self.errors.open("ab") as errors:
            self._process = subprocess.Popen(
                [
                    sys.executable,
                    *("-m", "sunglare_server", "--host", "127.0.0.1", "--port", str(self._port)),
                    *("--journal", str(self.journal), "--log-file", str(self.log)),
                    *self._flags,
                ],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=errors,
                env={**os.environ, "PYTHONPATH": SOURCES},
                # House bots are of the same group, so that none can outlive a test.
                process_group=0,
            )
        self._lives.append(self._process.pid)
        self.url = self._listening(self._process)
        self._port = int(self.url.rpartition(":")[2].partition("/")[0])

    def kill(self) -> None:
        """End the process at once, as a power cut would."""
        self._signal(signal.SIGKILL)
        self._wait()

    def halt(self) -> None:
        """Stop the process where it is, so that it does nothing until it is to `go_on`."""
        self._signal(signal.SIGSTOP)

    def go_on(self) -> None:
        """Let a process that was halted go on."""
        self._signal(signal.SIGCONT)

    def terminate(self) -> int:
        """Ask the process to end and return its exit code."""
        self._signal(signal.SIGTERM)
        return self._wait()

    def wait(self) -> int:
        """Wait for the end of a process that ends by itself and return its exit code."""
        return self._wait()

    def end(self) -> None:
        """End the process and whatever it has started, however it stands."""
        process = self._process
        if process is None:
            return
        with contextlib.suppress(subprocess.TimeoutExpired, ProcessLookupError):
            process.send_signal(signal.SIGCONT)
            process.terminate()
            process.wait(5)
        if process.poll() is None:
            process.kill()
            process.wait(5)
        for life in self._lives:
            _end_group(life)
        if process.stdout is not None:
            process.stdout.close()

    def said(self) -> str:
        """Return everything that was logged or written to standard error, in all its lives."""
        files = [file for file in (self.log, self.errors) if file.exists()]
        return "".join(file.read_text(errors="replace") for file in files)

    def _listening(self, process: subprocess.Popen[bytes]) -> str:
        assert process.stdout is not None
        ready, _, _ = select.select([process.stdout], [], [], START_S)
        line = process.stdout.readline().decode() if ready else ""
        if not line.startswith(LISTENING):
            self.end()
            raise AssertionError(f"the server does not listen: {line!r} {self.said()}")
        return line.removeprefix(LISTENING).strip()

    def _signal(self, number: signal.Signals) -> None:
        assert self._process is not None
        self._process.send_signal(number)

    def _wait(self) -> int:
        assert self._process is not None
        code = self._process.wait(STOP_S)
        if self._process.stdout is not None:
            self._process.stdout.close()
        return code


def _end_group(leader: int) -> None:
    """End what is left of the process group of a server that has ended."""
    try:
        os.kill(leader, 0)
    except ProcessLookupError:
        # No process has this number, so a group that still bears it is the one that we made.
        with contextlib.suppress(ProcessLookupError):
            os.killpg(leader, signal.SIGKILL)
    except PermissionError:
        return


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
