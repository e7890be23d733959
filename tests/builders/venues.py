"""A server in this process, and whoever is connected to it, for as long as one test lasts."""

import contextlib
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any, final

import pytest

from builders.fakeclock import FakeClock
from builders.players import Player, started
from builders.servers import running_app
from builders.wires import Talker, dialled, met
from sunglare_server.app import App
from sunglare_server.base.clock import Clock


@final
class Venue:
    """A server and its guests; it opens as it is told to, or else with the first guest."""

    def __init__(self, folder: Path) -> None:
        """Keep the journal in `folder`, however often the server is opened."""
        self._folder = folder
        self._stack = contextlib.AsyncExitStack()
        self._app: App | None = None

    @property
    def app(self) -> App:
        """Return the server, which is open."""
        assert self._app is not None
        return self._app

    async def open(self, clock: Clock | None = None, **wish: Any) -> App:
        """Run the server, as `running_app` does."""
        self._app = await self._stack.enter_async_context(running_app(self._folder, clock, **wish))
        return self._app

    async def still(self, **wish: Any) -> FakeClock:
        """Run the server by a clock that stands until the test lets it go on; return the clock."""
        clock = FakeClock(1_000_000)
        await self.open(clock, **wish)
        return clock

    async def close(self) -> None:
        """Let all guests hang up, the last one first, and end the server."""
        await self._stack.aclose()
        self._app = None

    async def one(self, name: str | None = None, **fields: Any) -> Talker:
        """Return another guest, as `met` does."""
        if self._app is None:
            await self.open()
        return await self._stack.enter_async_context(met(self.app.url, name, **fields))

    async def unknown(self) -> Talker:
        """Return a connection that has not said hello."""
        if self._app is None:
            await self.open()
        return await self._stack.enter_async_context(dialled(self.app.url))

    async def some(self, number: int, **fields: Any) -> list[Talker]:
        """Return so many guests."""
        return [await self.one(**fields) for _ in range(number)]

    async def named(self, *names: str) -> list[Talker]:
        """Return guests of these names."""
        return [await self.one(name) for name in names]

    async def duel(
        self, *, names: tuple[str | None, str | None] = (None, None), **fields: object
    ) -> list[Player]:
        """Return two guests who play a match that has started, with these wishes for it."""
        return await started([await self.one(name) for name in names], **fields)

    async def four(self, **fields: object) -> list[Player]:
        """Return four guests who play a match that has started."""
        return await started(await self.some(4), scenario="four-corners", **fields)


@pytest.fixture
async def venue(tmp_path: Path) -> AsyncIterator[Venue]:
    """Give a test its server, which ends with it."""
    made = Venue(tmp_path)
    try:
        yield made
    finally:
        await made.close()


@pytest.fixture
async def app(venue: Venue) -> App:
    """Give a test the server of its venue, which is open."""
    return await venue.open()


@pytest.fixture(name="app")
async def app_at_rest(venue: Venue) -> App:
    """Give a test the server of its venue, on which time stands still."""
    return await venue.open(FakeClock(1_000_000))
