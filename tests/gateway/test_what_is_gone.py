"""What a connection held is given back when it ends, without a look of Python's for garbage.

Such a look among all that lives comes seldom on a running server: until then thousands of lines
that have ended would stay in memory with all that was known of them.
"""

import asyncio
import contextlib
import gc
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidHandshake
from websockets.server import ServerProtocol
from websockets.typing import Subprotocol

from builders.players import created
from builders.servers import running_app
from builders.watchers import watch
from builders.wires import WAIT_S, asked_plainly, met, plain_line
from sunglare_client.bot import play
from sunglare_client.bots import RandomLegal
from sunglare_protocol.ids import PUBLIC, Side
from sunglare_protocol.messages import Ping
from sunglare_protocol.views import View
from sunglare_server import app as app_module
from sunglare_server.app import App
from sunglare_server.gateway import keepalive
from sunglare_server.gateway.admission import CountedConnection
from sunglare_server.gateway.outbox import Outbox
from sunglare_server.gateway.session import Session


class Hasty(RandomLegal):
    """Gives up at its second window."""

    def __init__(self, seed: int) -> None:
        """Play by a seed."""
        super().__init__(seed)
        self._windows = 0

    def gives_up(self, view: View) -> bool:
        """Return whether it has had a window, or the match is lost."""
        self._windows += 1
        return self._windows > 1 or super().gives_up(view)


KINDS = (CountedConnection, Session, Outbox, ServerProtocol)
"""What there is of a line and of those who speak on it."""


def held() -> list[object]:
    """Return what there is of lines made since `no_look_for_garbage` began.

    Without a look for garbage all that is made stays in the youngest generation, in which nothing
    was before: a look at that alone costs a hundredth of one at all that lives.
    """
    return [thing for thing in gc.get_objects(generation=0) if type(thing) in KINDS]


async def says_goodbye(app: App) -> None:
    """Ask something and close the line as programs do."""
    async with met(app.url) as talker:
        await talker.ask(Ping)
        assert {type(thing) for thing in held()} == set(KINDS)


async def breaks_off(app: App) -> None:
    """Be gone without a word."""
    async with met(app.url) as talker:
        await talker.ask(Ping)
        talker.socket.transport.abort()


async def talks_nonsense(app: App) -> None:
    """Say what is no message, and do not wait for what is said to it."""
    async with met(app.url) as talker:
        await talker.socket.send(b"\xc1")


async def asks_plainly(app: App) -> None:
    """Ask as a browser does."""
    await asked_plainly(app.url, "/healthz")


async def speaks_no_http(app: App) -> None:
    """Send what is no request."""
    async with plain_line(app.url, b"nonsense\r\n\r\n") as (reader, _):
        await reader.read()


async def leaves_amid_the_handshake(app: App) -> None:
    """Be gone before a request is whole, once the server has the line."""
    async with plain_line(app.url, b"GET /play HTT"), asyncio.timeout(WAIT_S):
        while not held():  # noqa: ASYNC110 - nobody is told
            await asyncio.sleep(0.01)


async def speaks_another_protocol(app: App) -> None:
    """Ask for a subprotocol that nobody speaks here, and be turned away."""
    with contextlib.suppress(InvalidHandshake):
        await connect(app.url, subprotocols=[Subprotocol("chess.v1")], proxy=None)


async def plays_and_is_watched(app: App) -> None:
    """Host a match, watch it, and have both seats played to the end of it."""
    async with met(app.url) as host:
        match = await created(host, scenario="picket-line")
        await watch(host, match, PUBLIC)
        seats = (play(Hasty(1), app.url, match=match, side=Side(side)) for side in "AB")
        await asyncio.gather(*seats)


@contextlib.contextmanager
def no_look_for_garbage() -> Iterator[None]:
    """Let Python look for none."""
    gc.collect(0)
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


@pytest.mark.parametrize(
    "come_and_go",
    [
        says_goodbye,
        breaks_off,
        talks_nonsense,
        asks_plainly,
        speaks_no_http,
        leaves_amid_the_handshake,
        speaks_another_protocol,
        plays_and_is_watched,
    ],
    ids=lambda way: str(way.__name__),
)
async def test_a_line_that_has_ended_leaves_memory_without_a_look_for_garbage(
    come_and_go: Callable[[App], Awaitable[None]],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(app_module, "TIDY_MS", 3_600_000)
    monkeypatch.setattr(keepalive, "PING_S", 0.1)  # at its next round the pulse lets go as well
    async with running_app(tmp_path) as app:
        with no_look_for_garbage():
            await come_and_go(app)
            async with asyncio.timeout(WAIT_S):
                while app.admission.inside or held():  # noqa: ASYNC110 - nobody is told
                    await asyncio.sleep(0.01)
