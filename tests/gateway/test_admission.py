"""Messages are taken where they come in, and queued in their order where they can't be.

What a `CountedConnection` relies on is a method of the library that its documents don't name:
whoever raises the version of `websockets` learns here whether it still gets every frame.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import final

import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.asyncio.server import ServerConnection, serve

from builders.fakeclock import FakeClock
from builders.servers import running_app
from builders.wires import WAIT_S, met
from sunglare_protocol.ids import MatchId
from sunglare_protocol.messages import Chat, Ping, Pong
from sunglare_server.config import Settings
from sunglare_server.gateway.admission import Admission, CountedConnection
from sunglare_server.gateway.gateway import FAULT
from sunglare_server.moderation.policy import ModerationPolicy


@final
class Hearing:
    """What one connection has heard at once, and the visitor that it came by."""

    def __init__(self) -> None:
        """Begin before it has come; what is in `refused` is left to the queue."""
        self.heard: list[bytes] = []
        self.refused: tuple[bytes, ...] = ()
        self.connection: asyncio.Future[CountedConnection] = (
            asyncio.get_running_loop().create_future()
        )
        self.is_done = asyncio.Event()

    def take(self, data: bytes) -> bool:
        """Take a message unless it is to be queued."""
        if data in self.refused:
            return False
        self.heard.append(data)
        return True

    async def hold(self, socket: ServerConnection) -> None:
        """Hold the connection until the test is done."""
        assert isinstance(socket, CountedConnection)
        socket.hear(self.take)
        self.connection.set_result(socket)
        await self.is_done.wait()


@asynccontextmanager
async def hearing(
    *refused: bytes,
) -> AsyncIterator[tuple[Hearing, CountedConnection, ClientConnection]]:
    """Connect a client with a visitor that hears all but what is refused."""
    found = Hearing()
    found.refused = refused
    admission = Admission(Settings(), FakeClock(0)).factory(own=True)
    async with (
        asyncio.timeout(WAIT_S),
        serve(found.hold, "127.0.0.1", 0, create_connection=admission, compression=None) as server,
        connect(f"ws://127.0.0.1:{server.sockets[0].getsockname()[1]}", proxy=None) as client,
    ):
        try:
            yield found, await found.connection, client
        finally:
            found.is_done.set()


async def passed(client: ClientConnection) -> None:
    """Return once all that was sent has been dealt with."""
    await (await client.ping())


async def test_a_message_is_heard_where_it_comes_in_and_queued_for_nobody() -> None:
    async with hearing(b"none") as (found, connection, client):
        for data in (b"one", b"two", b"none"):
            await client.send(data)
        await passed(client)
        assert found.heard == [b"one", b"two"]
        assert await connection.recv() == b"none"


async def test_what_comes_behind_a_queued_message_waits_until_that_is_done_with() -> None:
    async with hearing(b"long") as (found, connection, client):
        for data in (b"long", b"next"):
            await client.send(data)
        await passed(client)
        assert found.heard == []
        assert await connection.recv() == b"long"
        await client.send(b"last")
        await passed(client)
        assert found.heard == []
        connection.has_answered()
        for data in (b"next", b"last"):
            assert await connection.recv() == data
            connection.has_answered()
        await client.send(b"short")
        await passed(client)
        assert found.heard == [b"short"]


async def test_text_and_messages_in_pieces_are_queued_in_their_order() -> None:
    async with hearing() as (found, connection, client):
        await client.send([b"a", b"b", b"c"])
        await client.send("text")
        await client.send(b"whole")
        await passed(client)
        assert found.heard == []
        for data in (b"abc", "text", b"whole"):
            assert await connection.recv() == data
            connection.has_answered()
        await client.send(b"short")
        await passed(client)
        assert found.heard == [b"short"]


async def test_a_bug_where_a_message_is_heard_ends_its_connection_and_no_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with running_app(tmp_path) as app, met(app.url) as one, met(app.url) as other:
        monkeypatch.setattr(ModerationPolicy, "muted", None)
        with pytest.raises(AssertionError, match="the connection has ended"):
            await one.ask(Chat, match=MatchId("a" * 26), text="hello")
        assert (one.socket.close_code, one.socket.close_reason) == (FAULT, "server fault")
        assert isinstance(await other.ask(Ping), Pong)
