"""An observer with a stop-watch: many matches at once on a real server and the real beat.

In each match side B throws a coin in every PLOT and DETECT window: either its ships turn, or
listen, where nobody sees or hears them, or they do not. Side A looks on, gives no orders, and is
timed: how long after the nominal beat each frame comes, and how long it is.
"""

import asyncio
import contextlib
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import NamedTuple, final

import msgspec
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed
from websockets.typing import Subprotocol

from builders.servers import SOURCES
from secrecy.permutation import Sample
from sunglare_protocol.codec import Form, decode_server, encode_client
from sunglare_protocol.ids import MatchId, OwnId, Side, WindowId
from sunglare_protocol.messages import (
    PROTOCOL_VERSION,
    SUBPROTOCOL,
    ClientMessage,
    Create,
    Created,
    GiveOrders,
    Hello,
    Join,
    Ready,
    Refused,
    ServerMessage,
)
from sunglare_protocol.orders import Listen, Order, Turn
from sunglare_protocol.refusals import Code

BEAT_NS = 250_000_000
SHIPS = 6
THINKS_S = 0.08
"""How long after its frame side B gives its orders: well away from every beat."""

TOGETHER = 8
"""How many matches are opened at the same time."""

SPARE_S = 60.0
START_S = 60.0
_TESTS = str(Path(__file__).parents[1])


@final
class Seen(NamedTuple):
    """One timed frame: its nominal beat, the window it closed, the coin, and what was measured."""

    beat: int
    phase: str
    is_hidden: bool
    late_us: float
    length: int


@final
class Heading(msgspec.Struct):
    """What the observer needs to know of a message."""

    t: str = ""
    window: str = ""


_heading = msgspec.msgpack.Decoder(Heading)


@final
class Server(NamedTuple):
    """A running server: its address, and how far its clock is ahead of the steady one."""

    url: str
    ahead_ns: int


@contextlib.contextmanager
def timing_server(folder: Path, *plants: str) -> Iterator[Server]:
    """Run the server of the timing test in a process of its own, with faults planted."""
    with subprocess.Popen(
        [sys.executable, str(Path(_TESTS) / "secrecy/timingserver.py"), str(folder), *plants],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join((SOURCES, _TESTS))},
    ) as process:
        try:
            assert process.stdout is not None
            ahead_ns = int(process.stdout.readline())
            url = process.stdout.readline().strip().removeprefix("listening on ")
            yield Server(url, ahead_ns)
            process.send_signal(signal.SIGTERM)
            process.wait(20)
        finally:
            process.kill()


def orders(phase: str, *, is_hidden: bool) -> tuple[Order, ...]:
    """Return what side B orders: something that nobody learns of, or nothing."""
    ships = [OwnId(f"S{number}") for number in range(1, SHIPS + 1)]
    if phase == "detect":
        return tuple([Listen(ship=ship, on=is_hidden) for ship in ships])
    return tuple([Turn(ship=ship, steps=1) for ship in ships]) if is_hidden else ()


@final
class Pair:
    """One match with its two connections: B acts by its coin, A is timed."""

    def __init__(self, match: MatchId, sockets: dict[Side, ClientConnection], seed: str) -> None:
        """Throw the coins of `seed`."""
        self.seen: list[Seen] = []
        self._match = match
        self._sockets = sockets
        self._coin = random.Random(seed)
        self._coins: dict[str, bool] = {}
        self._window = ""
        self._beat = 0
        self._id = 100

    async def act(self) -> None:
        """Give the orders of side B until the connection ends."""
        async for data in self._sockets[Side("B")]:
            heading = _heading.decode(_bytes(data))
            if heading.t == "refused":
                _refuse(decode_server(data, Form.PACKED))
            phase = heading.window.rpartition(".")[2]
            if heading.t == "frame" and phase in ("plot", "detect"):
                self._coins[heading.window] = is_hidden = self._coin.random() < 0.5
                await asyncio.sleep(THINKS_S)
                await self._give(heading.window, orders(phase, is_hidden=is_hidden))

    async def _give(self, window: str, given: tuple[Order, ...]) -> None:
        self._id += 1
        message = GiveOrders(
            id=self._id,
            match=self._match,
            window=WindowId(window),
            rev=1,
            orders=given,
            lock=False,
        )
        await self._sockets[Side("B")].send(encode_client(message, Form.PACKED))

    async def look(self, ahead_ns: int) -> None:
        """Time the frames of side A until the connection ends."""
        async for data in self._sockets[Side("A")]:
            came_ns = time.monotonic_ns() + ahead_ns
            heading = _heading.decode(_bytes(data))
            if heading.t == "frame":
                self._note(heading.window, came_ns, len(data))

    async def leave(self) -> None:
        """Close both connections."""
        for socket in self._sockets.values():
            await socket.close()

    def _note(self, window: str, came_ns: int, length: int) -> None:
        # A window lasts one beat and its frames come one beat after it.
        beat, closed = self._beat + 2, self._window
        coin = self._coins.get(closed)
        if coin is not None:
            late_us = (came_ns - beat * BEAT_NS) / 1000
            phase = closed.rpartition(".")[2]
            self.seen.append(Seen(beat, phase, coin, late_us, length))
        self._window, self._beat = window, came_ns // BEAT_NS


def _bytes(data: str | bytes) -> bytes:
    assert isinstance(data, bytes)
    return data


def _refuse(message: ServerMessage) -> None:
    # A machine that is too busy for a window of one beat loses some orders, of either coin.
    assert isinstance(message, Refused)
    assert message.code is Code.WINDOW_CLOSED, message


async def _ask(socket: ClientConnection, message: ClientMessage) -> ServerMessage:
    await socket.send(encode_client(message, Form.PACKED))
    while True:
        answer = decode_server(_bytes(await socket.recv()), Form.PACKED)
        if getattr(answer, "id", None) == message.id:
            assert not isinstance(answer, Refused), answer
            return answer


async def _seated(url: str, seed: str) -> Pair:
    """Open a match and sit down at both its sides."""
    sockets: dict[Side, ClientConnection] = {}
    match: MatchId | None = None
    for side in (Side("A"), Side("B")):
        socket = await connect(
            url, subprotocols=[Subprotocol(SUBPROTOCOL)], compression=None, proxy=None
        )
        sockets[side] = socket
        await _ask(socket, Hello(id=1, v=PROTOCOL_VERSION))
        if match is None:
            created = await _ask(socket, Create(id=2, scenario="veil"))
            assert isinstance(created, Created)
            match = created.match
        await _ask(socket, Join(id=3, match=match, side=side))
    assert match is not None
    for socket in sockets.values():
        await socket.send(encode_client(Ready(id=4, match=match), Form.PACKED))
    return Pair(match, sockets, seed)


@contextlib.asynccontextmanager
async def _playing(server: Server, matches: int, seed: str) -> AsyncIterator[list[Pair]]:
    pairs: list[Pair] = []
    tasks: list[asyncio.Task[None]] = []
    try:
        async with asyncio.timeout(START_S):
            for first in range(0, matches, TOGETHER):
                numbers = range(first, min(first + TOGETHER, matches))
                seated = [_seated(server.url, f"{seed} {number}") for number in numbers]
                for pair in await asyncio.gather(*seated):
                    pairs.append(pair)
                    tasks += [asyncio.create_task(pair.act())]
                    tasks += [asyncio.create_task(pair.look(server.ahead_ns))]
        yield pairs
    finally:
        failed = [task for task in tasks if task.done()]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await asyncio.gather(*(pair.leave() for pair in pairs))
    for task in failed:
        with contextlib.suppress(ConnectionClosed):
            task.result()


async def observe(server: Server, matches: int, windows: int, seed: str) -> list[Seen]:
    """Return what side A saw of so many windows in so many matches at once."""
    async with _playing(server, matches, seed) as pairs:
        # Only what comes while all matches run counts.
        for pair in pairs:
            pair.seen.clear()
        async with asyncio.timeout(SPARE_S + 2 * windows / matches):
            while sum(len(pair.seen) for pair in pairs) < windows:  # noqa: ASYNC110 - a few looks
                await asyncio.sleep(0.1)
        return [seen for pair in pairs for seen in pair.seen]


def arrivals(seen: list[Seen]) -> list[Sample]:
    """Return the times of arrival after the nominal beat as samples."""
    return [Sample((frame.beat, frame.phase), frame.is_hidden, frame.late_us) for frame in seen]


def lengths(seen: list[Seen]) -> list[Sample]:
    """Return the lengths as samples."""
    return [Sample((frame.beat, frame.phase), frame.is_hidden, frame.length) for frame in seen]
