"""A server whose data files are full of words, a stranger on it, and its log; see `ears`."""

import asyncio
import contextlib
import io
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import final
from urllib.parse import urlsplit

import msgspec
import structlog

from builders.openlimits import OPEN
from builders.wires import WAIT_S, met
from canary.ears import Ear, Vault
from canary.words import Words, write_folder
from sunglare_protocol.codec import Form
from sunglare_server.app import App
from sunglare_server.base.entropy import SeededEntropy
from sunglare_server.config import Settings
from sunglare_server.logs import set_up_logs
from sunglare_server.match.data.scenario import Scenario
from sunglare_server.ops.metrics.exporter import Exposition
from sunglare_server.ops.metrics.server_metrics import server_figures

THE_LOG = "the operator's log"
THE_FIGURES = "the operator's figures"
PLAIN_PATHS = ("/healthz", "/readyz", "/", "/tv", "/metrics", "/status", "/matches", "/replay")


@final
class World:
    """A server with games on it, and a stranger who has a part in none."""

    def __init__(self, app: App, vault: Vault, stack: contextlib.AsyncExitStack) -> None:
        """Watch over `app`."""
        self.app = app
        self.vault = vault
        self.stack = stack
        self.subscriptions: list[Callable[[], Awaitable[None]]] = []
        self.stranger = Ear("a stranger", vault)

    async def listen(self) -> None:
        """Check what every game and everybody outside them was sent."""
        shown, _ = await Exposition(lambda: server_figures(self.app.operator.site)).text()
        Ear(THE_FIGURES, self.vault).hear_bytes(shown, shown)
        # All at once: each waits for a pong, which comes on a grid of time.
        await asyncio.gather(self.stranger.listen(), *[listen() for listen in self.subscriptions])


@contextlib.asynccontextmanager
async def canary_world(
    folder: Path, *scenarios: Scenario, seed: str = "canary"
) -> AsyncIterator[World]:
    """Run a server on data files of these scenarios in which every name is a word."""
    words, entropy = Words(seed), SeededEntropy(seed.encode())
    data, log = folder / "data", io.StringIO()
    write_folder(data, scenarios, words)
    logging_before = structlog.get_config()
    with contextlib.redirect_stderr(log):
        set_up_logs("json", None, "debug")
    settings = Settings(port=0, journal=folder / "journal.db", data=data, bots=(), **OPEN)
    app = App(settings, entropy=entropy)
    try:
        await app.start()
        async with contextlib.AsyncExitStack() as stack:
            world = World(app, Vault(words), stack)
            stranger = await stack.enter_async_context(met(app.url, form=Form.JSON))
            world.stranger = Ear("a stranger", world.vault, stranger)
            yield world
            for path in PLAIN_PATHS:
                told = await _plain_answer(app.url, path)
                Ear("a plain request", world.vault).hear_bytes(told, told)
    finally:
        await app.stop()
        structlog.configure(**logging_before)
    written = log.getvalue().encode()
    assert written.count(b"match_opened") == len(world.subscriptions)
    Ear(THE_LOG, world.vault).hear_bytes(written, written)


async def _plain_answer(url: str, path: str) -> bytes:
    where = urlsplit(url)
    reader, writer = await asyncio.open_connection(where.hostname, where.port)
    writer.write(f"GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
    async with asyncio.timeout(WAIT_S):
        told = await reader.read()
    writer.close()
    with contextlib.suppress(ConnectionError):
        await writer.wait_closed()
    return told


def twin(scenario: Scenario) -> Scenario:
    """Return the same scenario under another name."""
    return msgspec.structs.replace(scenario, name=f"{scenario.name}-twin")
