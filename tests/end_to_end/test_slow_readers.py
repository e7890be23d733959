"""Peers that do not read what they are sent: nobody waits for them, and nothing piles up."""

import asyncio
import contextlib
import socket as sockets
from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from websockets.asyncio.client import ClientConnection
from websockets.asyncio.client import connect as open_socket
from websockets.exceptions import ConnectionClosed
from websockets.typing import Subprotocol

from builders.players import Player, all_ready, created, play_on, seated, started
from builders.records import folded, read_record
from builders.servers import ServerProcess
from builders.watchers import OPEN, watch
from builders.wires import WAIT_S, Talker, met
from sunglare_protocol.codec import Form, decode_server, encode_client, encode_server
from sunglare_protocol.ids import OMNI, PUBLIC, MatchId
from sunglare_protocol.messages import (
    ClientMessage,
    Create,
    FetchRecord,
    Frame,
    Hello,
    Join,
    News,
    Over,
    Ping,
    Pong,
    Ready,
    Refused,
    Resume,
    Resumed,
    ResumeKind,
    Seated,
    ServerMessage,
    Watch,
    Watching,
)

TRY_AGAIN = 1013
FIRST = 100

TELLS_MEMORY = pytest.mark.skipif(
    not Path("/proc/self/statm").exists(), reason="Linux alone tells what memory a process holds"
)

SWALLOWED = 8 * 1024 * 1024
"""Bytes asked for: the system's own buffers hold some of them, which counts for nobody."""

SLEEPERS = 8
FRAMES = 80
"""How many spectators never read, and what number of frames."""

MIB = 1024 * 1024

LONG_LINE = "\N{ROCKET}" * 300
"""A line of chat as long as it may be: 1200 bytes."""


@contextlib.asynccontextmanager
async def lazy(url: str) -> AsyncIterator[ClientConnection]:
    """Say hello over a connection of small buffers, of which only what is asked for is read."""
    where = urlsplit(url)
    raw = sockets.socket(sockets.AF_INET, sockets.SOCK_STREAM)
    raw.setsockopt(sockets.SOL_SOCKET, sockets.SO_RCVBUF, 4096)
    raw.setsockopt(sockets.SOL_SOCKET, sockets.SO_SNDBUF, 4096)
    raw.setsockopt(sockets.IPPROTO_TCP, sockets.TCP_MAXSEG, 536)
    raw.setblocking(False)
    await asyncio.get_running_loop().sock_connect(raw, (where.hostname, where.port))
    async with open_socket(
        url,
        sock=raw,
        subprotocols=[Subprotocol(Form.JSON.value)],
        compression=None,
        max_size=None,
        max_queue=1,
        proxy=None,
    ) as socket:
        await asked(socket, Hello(id=1, v=1))
        yield socket


async def asked(socket: ClientConnection, message: ClientMessage) -> ServerMessage:
    """Send a message and return what comes next."""
    await socket.send(encode_client(message, Form.JSON), text=True)
    return decode_server(await socket.recv(), Form.JSON)


async def stuffed(socket: ClientConnection) -> int:
    """Ask without reading until the server reads no more, and return the last command's id.

    Then every buffer on the way is full; what was asked for does not count as lagging.
    """
    for number in range(FIRST, FIRST + 40_000):
        question = Create(id=number, scenario="none", title="x" * 500)
        try:
            async with asyncio.timeout(1):
                await socket.send(encode_client(question, Form.JSON), text=True)
        except TimeoutError:
            return number
    raise AssertionError("the server reads on although nobody reads its answers")


async def the_rest(socket: ClientConnection, most: int | None = None) -> list[ServerMessage]:
    """Read until the connection ends, or till both the over and the answer to `most` came."""
    came: list[ServerMessage] = []
    is_over = is_answered = False
    async with asyncio.timeout(WAIT_S):
        with contextlib.suppress(ConnectionClosed):
            while not (is_over and is_answered):
                came.append(decode_server(await socket.recv(), Form.JSON))
                is_over |= isinstance(came[-1], Over)
                is_answered |= getattr(came[-1], "id", 0) == most
    return came


async def test_a_spectator_that_never_reads_skips_to_the_newest_frame(
    server: ServerProcess,
) -> None:
    async with contextlib.AsyncExitStack() as stack:
        host, *talkers = [await stack.enter_async_context(met(server.url)) for _ in range(5)]
        sleeper = await stack.enter_async_context(lazy(server.url))
        match = await created(host, scenario="four-corners", options=OPEN)
        watching = await asked(sleeper, Watch(id=2, match=match, feed=OMNI))
        assert isinstance(watching, Watching)
        last = await stuffed(sleeper)
        players = [await seated(talker, match) for talker in talkers]
        await all_ready(players)
        await play_on(players, 100)
        for player in players[1:]:
            await player.talker.resign(match)
        await players[0].over()
        told = await the_rest(sleeper, last)
        sent = folded(read_record(await host.record(match)), OMNI)[OMNI]
    came = [message for message in told if isinstance(message, Frame)]
    assert [message.id for message in told if isinstance(message, Refused)] == list(
        range(FIRST, last + 1)
    )
    assert len(came) < 70 < len(sent)
    assert came[-1].window == players[0].newest.window
    assert [frame.seq for frame in came] == sorted({frame.seq for frame in came})
    assert all(encode_server(frame, Form.PACKED) == sent[frame.seq] for frame in came)


@TELLS_MEMORY
async def test_spectators_that_never_read_take_less_than_a_mebibyte_each(
    server: ServerProcess,
) -> None:
    async with met(server.url) as host:
        old, size = await finished(server.url, host)
        # What the server keeps of finished matches is there before it is measured.
        await watched(server, host, [])
        async with sleepers_at(server.url) as lazies:
            before = server.resident_bytes
            after = await watched(server, host, lazies, [old] * (SWALLOWED // size))
        assert after - before < SLEEPERS * MIB


async def finished(url: str, host: Talker) -> tuple[MatchId, int]:
    """Play a match to its end and return it with the length of its record."""
    async with met(url) as first, met(url) as second:
        players = await started([first, second])
        await play_on(players, FRAMES)
        await second.resign(players[0].match)
        await players[0].over()
    return players[0].match, len(await host.record(players[0].match))


async def watched(
    server: ServerProcess,
    host: Talker,
    sleepers: list[ClientConnection],
    fetched: Sequence[MatchId] = (),
) -> int:
    """Play a match while the sleepers read nothing; return what memory the server holds.

    They have asked for the records that are `fetched`, so that every buffer on the way is full.
    One spectator reads in any case: what a match keeps for all of them is not counted.
    """
    url = server.url
    async with met(url) as first, met(url) as second, met(url, form=Form.JSON) as reader:
        match = await created(host, options=OPEN)
        await watch(reader, match, OMNI)
        for sleeper in sleepers:
            await told(sleeper, Watch(id=2, match=match, feed=OMNI))
            for number, old in enumerate(fetched, FIRST):
                await told(sleeper, FetchRecord(id=number, match=old))
        players = [await seated(talker, match) for talker in (first, second)]
        await all_ready(players)
        await play_on(players, FRAMES)
        held = server.resident_bytes
        await second.resign(match)
        await reader.came(Over)
        assert sum(isinstance(message, Frame) for message in reader.messages) == FRAMES + 1
        return held


async def told(socket: ClientConnection, message: ClientMessage) -> None:
    """Send a message and wait for no answer."""
    await socket.send(encode_client(message, Form.JSON), text=True)


@contextlib.asynccontextmanager
async def sleepers_at(url: str, number: int = SLEEPERS) -> AsyncIterator[list[ClientConnection]]:
    """Open connections that read nothing, and break them off in the end."""
    async with contextlib.AsyncExitStack() as stack:
        opened = [await stack.enter_async_context(lazy(url)) for _ in range(number)]
        yield opened
        for line in opened:
            line.transport.abort()


async def test_a_spectator_that_never_reads_chat_is_closed(server: ServerProcess) -> None:
    async with met(server.url) as first, met(server.url) as second, lazy(server.url) as sleeper:
        players = await started([first, second])
        watch = Watch(id=2, match=players[0].match, feed=PUBLIC)
        assert isinstance(await asked(sleeper, watch), Watching)
        await stuffed(sleeper)
        await players[0].chat(100, LONG_LINE)
        await play_on(players, 3)
        told = await the_rest(sleeper)
        assert sum(isinstance(message, News) for message in told) < 100
        assert sleeper.close_code == TRY_AGAIN


async def test_a_seat_that_never_reads_is_closed_and_may_come_back(server: ServerProcess) -> None:
    async with met(server.url) as first, lazy(server.url) as sleeper, met(server.url) as later:
        player = await seated(first, await created(first))
        taken = await asked(sleeper, Join(id=2, match=player.match))
        assert isinstance(taken, Seated)
        await asked(sleeper, Ready(id=3, match=player.match))
        await all_ready([player])
        await stuffed(sleeper)
        await player.chat(100, LONG_LINE)
        came = await the_rest(sleeper)
        assert sleeper.close_code == TRY_AGAIN
        posts = [
            message for message in came if isinstance(message, Frame | News) and message.seq > 0
        ]
        have = posts[-1].seq
        assert have < player.seen
        back = await later.expect(
            Resumed, Resume, match=player.match, ticket=taken.ticket, have=have
        )
        assert back.kind is ResumeKind.EXACT
        other = Player(later, back, posts)
        await other.caught_up(player.seen)
        await play_on([player, other], 2)


async def test_a_flood_of_questions_is_answered_at_the_pace_of_the_reader(
    server: ServerProcess,
) -> None:
    pings = range(2, 5002)
    async with lazy(server.url) as flood, met(server.url) as other:

        async def pour() -> None:
            for number in pings:
                await flood.send(encode_client(Ping(id=number), Form.JSON), text=True)

        pouring = asyncio.create_task(pour())
        await asyncio.sleep(0.3)
        await other.ping()
        answers = [decode_server(await flood.recv(), Form.JSON) for _ in pings]
        await pouring
    assert [answer.id for answer in answers if isinstance(answer, Pong)] == list(pings)
